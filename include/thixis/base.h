// base.h - result codes and diagnostics: what every other header needs.
#ifndef THIXIS_BASE_H
#define THIXIS_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TX_VERSION "0.1.0"
#define TX_API

/// What a public call answers. The library never exits, prints or jumps: it returns one of these.
typedef enum tx_result {
    TX_OK = 0,
    TX_ERROR_ARGUMENT,    ///< a wrong argument: null pointer, index out of range, unknown name
    TX_ERROR_MEMORY,      ///< the system has no more memory
    TX_ERROR_FILE,        ///< a file cannot be opened, read or written
    TX_ERROR_MODEL,       ///< the model has errors; they are in the diagnostics
    TX_ERROR_UNSUPPORTED, ///< a combination that does not exist (law x solver, target on this machine)
    TX_ERROR_DIVERGED,    ///< numbers of this environment went wrong (NaN, infinite or beyond 1e10)
} tx_result;

/// A short sentence for a result code; static memory.
TX_API const char *tx_result_text(tx_result result);

/// Threads of the host program: run() has to call task(task_context, i) for every i in [0, count), in any order and on
/// any threads, and to return when all are done. Results do not depend on how it does that.
typedef struct tx_executor {
    void (*run)(void *context, void (*task)(void *task_context, int item), void *task_context, int count);
    void *context;
    int threads; ///< how many items may run at once
} tx_executor;

typedef enum tx_severity { TX_WARNING, TX_ERROR } tx_severity;

/// One problem of a model, with the place where it stands. Line and column count from 1; 0 means "not known".
typedef struct tx_message {
    tx_severity severity;
    char *file; ///< never null; "" when the model was built in code
    int line, column;
    char *text; ///< what is wrong
    char *hint; ///< what to do about it; never null, may be ""
    char *via;  ///< how its file came in: "included from a.xml:3:5, from b.xml:1:1"; "" for the main file
} tx_message;

/// Every problem found in a model, in the order of the file. Start with `tx_diag diag = {0};`, release with
/// tx_diag_free().
typedef struct tx_diag {
    tx_message *messages; ///< count entries, owned by the diag
    int count, capacity;
    int errors, warnings;            ///< counted also beyond the messages that are kept
    struct tx_inclusion *inclusions; ///< files that were included, owned by the diag
    int inclusion_count, inclusion_capacity;
} tx_diag;

/// Most messages one diag keeps; later ones are only counted.
#define TX_DIAG_MAX 200

/// Writes message i as one line "file:line:column: error: text — hint (included from …)" (always
/// terminated).
/// @return the number of bytes the whole line needs without its terminator, as snprintf does
TX_API int tx_diag_format(const tx_diag *diag, int i, char *buffer, size_t size);

/// Releases the messages; the diag can be used again.
TX_API void tx_diag_free(tx_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
