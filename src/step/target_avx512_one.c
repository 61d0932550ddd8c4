// target_avx512_one.c - every stage, one large environment, in the instructions of avx512: sweeps over packs have their
// wide registers. lanes: 1
#include <immintrin.h>
#define TX_LANES              1
#define TARGET_NAME           "avx512, one"
#define TARGET_TABLE          tx_target_avx512_one
#define TARGET_FOUR_BITS(m)   __builtin_ia32_movmskpd256((num4)(m))
#define TARGET_FOUR_SQRT(x)   __builtin_ia32_sqrtpd256(x)
#define TARGET_FOUR_MAX(a, b) __builtin_ia32_maxpd256(a, b)
#if defined __clang__ || __GNUC__ >= 12 // that know how to put two fours together
#define TARGET_EIGHTS
#define TARGET_EIGHT_BITS(m)   _mm512_movepi64_mask((__m512i)(m))
#define TARGET_EIGHT_SQRT(x)   _mm512_sqrt_pd((__m512d)(x))
#define TARGET_EIGHT_MAX(a, b) _mm512_max_pd((__m512d)(a), (__m512d)(b))
#endif
#include "step/target.inl"
