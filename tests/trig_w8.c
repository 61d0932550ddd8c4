// trig_w8.c - the elementary functions at 8 lanes, double
#define TX_LANES  8
#define TRIG_NAME trig_w8
#include "trig_target.inl"
