// law_w1.c - the soft law at 1 lane
#define TX_LANES 1
#define LAW_NAME law_w1
#include "law_target.inl"
