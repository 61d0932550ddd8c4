// trig_f32.c - the elementary functions at 8 lanes, single precision
#define TX_F32
#define TX_LANES  8
#define TRIG_NAME trig_f32
#include "trig_target.inl"
