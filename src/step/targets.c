// targets.c - which targets this build has and this machine can run.
#include "step/target.h"

extern const tx_target tx_target_scalar;
#ifndef TX_NO_X86
extern const tx_target tx_target_avx2, tx_target_avx2_one, tx_target_avx512, tx_target_avx512_one;
#elif defined(TX_PLAIN_LANES) // tools/mutate: lanes without their instructions
extern const tx_target tx_target_avx2;
#endif

typedef struct entry {
    tx_target_choice choice;
    const tx_target *wide, *single, *large;
} entry;

static bool machine_has(tx_target_choice choice) {
#ifndef TX_NO_X86
    if (choice == TX_TARGET_AVX2) return __builtin_cpu_supports("avx2");
    if (choice == TX_TARGET_AVX512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl");
#elif defined(TX_PLAIN_LANES)
    if (choice == TX_TARGET_AVX2) return true;
#endif
    return choice == TX_TARGET_SCALAR;
}

// best first
static const entry entries[] = {
#ifndef TX_NO_X86
    {TX_TARGET_AVX512, &tx_target_avx512, &tx_target_avx2_one, &tx_target_avx512_one},
    {TX_TARGET_AVX2, &tx_target_avx2, &tx_target_avx2_one, &tx_target_avx2_one},
#elif defined(TX_PLAIN_LANES)
    {TX_TARGET_AVX2, &tx_target_avx2, &tx_target_scalar, &tx_target_scalar},
#endif
    {TX_TARGET_SCALAR, &tx_target_scalar, &tx_target_scalar, &tx_target_scalar},
};

static const entry *find(tx_target_choice choice) {
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++)
        if ((choice == TX_TARGET_AUTO || choice == entries[i].choice) && machine_has(entries[i].choice))
            return &entries[i];
    return NULL;
}

const tx_target *tx_target_wide(tx_target_choice choice) {
    const entry *e = find(choice);
    return e ? e->wide : NULL;
}

const struct tx_abreast *tx_target_abreast(const tx_target *single) {
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++)
        if ((entries[i].single == single || entries[i].large == single) && machine_has(entries[i].choice))
            return entries[i].wide->abreast;
    return single->abreast;
}

const tx_target *tx_target_single(tx_target_choice choice) {
    const entry *e = find(choice);
    return e ? e->single : NULL;
}

const tx_target *tx_target_large(tx_target_choice choice) {
    const entry *e = find(choice);
    return e ? e->large : NULL;
}
