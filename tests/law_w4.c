// law_w4.c - the soft law at 4 lanes
#define TX_LANES 4
#define LAW_NAME law_w4
#include "law_target.inl"
