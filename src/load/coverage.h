// coverage.h - what the loader does with every element and attribute of MJCF and URDF, found by letting it read one of
// each: docs/coverage.md is this text.
#pragma once
#include <stdbool.h>
#include <stdio.h>

/// Writes the text. @return false: memory is out, or something is ignored for a reason that nobody has given
bool tx_coverage_write(FILE *out);
