// memory_failing.h - allocations that fail on demand, in this program and in every library it uses.
#pragma once
#include <stdbool.h>
#include <stddef.h>

/// Starts counting allocations; the n-th fails (from 1; 0: none), and with `onwards` every one after it.
void failing_start(long n, bool onwards);
void failing_only(size_t size); // from now on only allocations of this size and up to 64 bytes more are counted; 0: all
void failing_heal(void);        // from now on none fails; counting goes on
long failing_stop(void);        // ends counting; how many allocations there were
bool failing_happened(void);    // whether one has failed since the start
size_t failing_living(void);    // bytes that are allocated now
