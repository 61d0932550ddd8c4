// peak.c - what this core can do without fused instructions: independent chains of additions and multiplications.
// Prints one line "lanes GF/s" for 1, 4 and 8 doubles; a width that the machine lacks is left out. Best of many short
// runs.
#include <stdio.h>
#include <time.h>

enum { CHAINS = 12, ROUNDS = 200000, REPEATS = 40 };

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef double wide1;
typedef double wide4 __attribute__((vector_size(32)));
typedef double wide8 __attribute__((vector_size(64)));

// six sums and six products that do not wait for each other; as instructions, so that a compiler changes nothing
#define PEAK(name, type, isa, ADD, MUL)                                                                            \
    __attribute__((target(isa), noinline)) static double name(double *sink) {                                      \
        type x = {0}, a = x, b = x, c = x, d = x, e = x, f = x, p = x, q = x, r = x, s = x, t = x, u = x;          \
        double start = seconds();                                                                                  \
        for (int i = 0; i < ROUNDS; i++) {                                                                         \
            __asm__ volatile(ADD(0) MUL(6) ADD(1) MUL(7) ADD(2) MUL(8) ADD(3) MUL(9) ADD(4) MUL(10) ADD(5) MUL(11) \
                             : "+x"(a), "+x"(b), "+x"(c), "+x"(d), "+x"(e), "+x"(f), "+x"(p), "+x"(q), "+x"(r),    \
                               "+x"(s), "+x"(t), "+x"(u)                                                           \
                             : "x"(x));                                                                            \
        }                                                                                                          \
        double took = seconds() - start;                                                                           \
        *sink += ((double *)&a)[0] + ((double *)&p)[0];                                                            \
        return (double)CHAINS * ROUNDS * (double)(sizeof(type) / sizeof(double)) / took / 1e9;                     \
    }
#define ADD_ONE(k)  "addsd %12, %" #k "\n\t"
#define MUL_ONE(k)  "mulsd %12, %" #k "\n\t"
#define ADD_WIDE(k) "vaddpd %12, %" #k ", %" #k "\n\t"
#define MUL_WIDE(k) "vmulpd %12, %" #k ", %" #k "\n\t"
PEAK(peak1, wide1, "sse2", ADD_ONE, MUL_ONE)
PEAK(peak4, wide4, "avx2", ADD_WIDE, MUL_WIDE)
PEAK(peak8, wide8, "avx512f", ADD_WIDE, MUL_WIDE)

static double best(double (*run)(double *), double *sink) {
    double top = 0;
    for (int i = 0; i < REPEATS; i++) {
        double rate = run(sink);
        if (rate > top) top = rate;
    }
    return top;
}

int main(void) {
    double sink = 0;
    printf("1 %.1f\n", best(peak1, &sink));
    if (__builtin_cpu_supports("avx2")) printf("4 %.1f\n", best(peak4, &sink));
    if (__builtin_cpu_supports("avx512f")) printf("8 %.1f\n", best(peak8, &sink));
    return sink == 0.5;
}
