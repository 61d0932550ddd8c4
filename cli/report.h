// report.h - JSON and text output that several commands share.
#pragma once
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/// A number, or null where it is not finite (JSON has no NaN).
json_t *json_number(double value);
json_t *json_numbers(const double *values, int count);
/// A name, or the index where there is no name.
json_t *json_name(const char *name, int index);

/// Writes an object with one member a line. The object is released. @return false when it cannot be written
bool write_json(json_t *object, FILE *out);
