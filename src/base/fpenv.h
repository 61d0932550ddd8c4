// fpenv.h - the floating-point mode of a step: round to nearest, denormals kept, so that bits do not depend on the
// host.
#pragma once

typedef struct tx_fpenv {
    unsigned saved;
} tx_fpenv;

tx_fpenv tx_fpenv_enter(void);
void tx_fpenv_leave(tx_fpenv env);
