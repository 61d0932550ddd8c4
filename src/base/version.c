// version.c - which library this is.
#include "thixis/base.h"

const char *tx_version(void) { return TX_VERSION; }
int tx_version_number(void) { return TX_VERSION_NUMBER; }
