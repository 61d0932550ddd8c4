// law_w8.c - the soft law at 8 lanes
#define TX_LANES 8
#define LAW_NAME law_w8
#include "law_target.inl"
