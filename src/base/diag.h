// diag.h - how the loaders and the compiler collect problems.
#pragma once
#include "thixis/base.h"

/// Adds one problem; the text is printf style. A null diag is fine: the problem is only not kept.
void tx_diag_add(tx_diag *diag, tx_severity severity, const char *file, int line, int column, const char *hint,
                 const char *format, ...) __attribute__((format(printf, 7, 8)));

/// Notes that `file` was included at a place of `by`: later messages of `file` say so.
void tx_diag_included(tx_diag *diag, const char *file, const char *by, int line, int column);
void tx_diag_forget_inclusions(tx_diag *diag); // when a file has been read

/// Whether the same text stands there already for the same place.
bool tx_diag_has(const tx_diag *diag, const char *file, int line, int column, const char *text);
