// trig_w1.c - the elementary functions at 1 lane, double
#define TX_LANES  1
#define TRIG_NAME trig_w1
#include "trig_target.inl"
