// trig_w4.c - the elementary functions at 4 lanes, double
#define TX_LANES  4
#define TRIG_NAME trig_w4
#include "trig_target.inl"
