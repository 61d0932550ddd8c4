// settings.h - the options of a simulation by name: --set key=value.
#pragma once
#include <stdio.h>

#include "thixis/sim.h"

/// What --set may change; gravity is a parameter of the environments, not an option.
typedef struct settings {
    tx_options options;
    double gravity[3]; ///< [m/s2]
    bool has_gravity;
} settings;

/// Applies "key=value". @return false with the reason in `why` (at most `size` bytes)
bool settings_apply(settings *s, const char *text, char *why, size_t size);

/// The keys with meaning and unit.
void settings_help(FILE *out);

/// MuJoCo's name of a tx_integrator.
const char *integrator_name(int integrator);

/// Calls back with every key but those with names: the number, or the switch (for gravity too) when `is_switch`.
typedef void settings_visit_fn(void *context, const char *key, bool is_switch, double value);
void settings_visit(const tx_options *options, settings_visit_fn *visit, void *context);
