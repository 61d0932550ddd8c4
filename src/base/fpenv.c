// fpenv.c - sets and restores the control register of the vector unit (MXCSR) around a step.
#include "base/fpenv.h"

#if defined(__x86_64__) || defined(__i386__)
#include <xmmintrin.h>
// all exceptions masked, round to nearest, no flush-to-zero, no denormals-are-zero
enum { PLAIN = 0x1f80 };

tx_fpenv tx_fpenv_enter(void) {
    tx_fpenv env = {_mm_getcsr()};
    _mm_setcsr(PLAIN);
    return env;
}
void tx_fpenv_leave(tx_fpenv env) { _mm_setcsr(env.saved); }
#else
#include <fenv.h>
tx_fpenv tx_fpenv_enter(void) {
    tx_fpenv env = {(unsigned)fegetround()};
    fesetround(FE_TONEAREST);
    return env;
}
void tx_fpenv_leave(tx_fpenv env) { fesetround((int)env.saved); }
#endif
