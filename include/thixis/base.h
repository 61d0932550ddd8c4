// base.h - result codes and diagnostics: what every other header needs.
#ifndef THIXIS_BASE_H
#define THIXIS_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Version of these headers, and as one number: major * 10000 + minor * 100 + patch.
#define TX_VERSION        "0.1.0"
#define TX_VERSION_NUMBER 100

/// Marks what the shared library exports; everything else is hidden.
#if defined(__GNUC__)
#define TX_API __attribute__((visibility("default")))
#else
#define TX_API
#endif

/// Version of the library that was linked or loaded, "0.1.0", and its number. Before 1.0 a program needs a library with
/// the same major and minor number as its headers: docs/api.md.
TX_API const char *tx_version(void);
TX_API int tx_version_number(void);

/// What a public call answers. The library never exits, prints or jumps: it returns one of these.
typedef enum tx_result {
    TX_OK = 0,
    TX_ERROR_ARGUMENT = 1,    ///< a wrong argument: null pointer, index out of range, unknown name
    TX_ERROR_MEMORY = 2,      ///< the system has no more memory
    TX_ERROR_FILE = 3,        ///< a file cannot be opened, read or written
    TX_ERROR_MODEL = 4,       ///< the model has errors; they are in the diagnostics
    TX_ERROR_UNSUPPORTED = 5, ///< a combination that does not exist (law x solver, target on this machine)
    TX_ERROR_DIVERGED = 6,    ///< numbers of this environment went wrong (NaN, infinite or beyond 1e10)
} tx_result;

/// A short sentence for a result code; static memory.
TX_API const char *tx_result_text(tx_result result);

/// The lists of named values of this interface. Each is an enumeration whose names begin with the list's own prefix
/// (TX_SIZE_NQ is in TX_LIST_SIZE) and whose values never change: docs/api.md.
typedef enum tx_list {
    TX_LIST_RESULT = 0,        ///< tx_result
    TX_LIST_SIZE = 1,          ///< tx_size: "nq"
    TX_LIST_INT = 2,           ///< tx_model_int: "body_parent"
    TX_LIST_PARAM = 3,         ///< tx_param: "body_mass"
    TX_LIST_DATA = 4,          ///< tx_model_data: "geom_rgba"
    TX_LIST_ARRAY = 5,         ///< tx_array: "qpos"
    TX_LIST_ELEMENT = 6,       ///< tx_element: "body"
    TX_LIST_GEOM = 7,          ///< tx_geom_type: "box"
    TX_LIST_JOINT = 8,         ///< tx_joint_type: "hinge"
    TX_LIST_SWITCH = 9,        ///< tx_switch: "auto"
    TX_LIST_INTEGRATOR = 10,   ///< tx_integrator: "implicitfast"
    TX_LIST_BROADPHASE = 11,   ///< tx_broadphase: "sweep"
    TX_LIST_NARROWPHASE = 12,  ///< tx_narrowphase: "gjk"
    TX_LIST_SENSOR = 13,       ///< tx_sensor_type: "gyro"
    TX_LIST_OBJECT = 14,       ///< tx_object: "site"
    TX_LIST_DYNAMICS = 15,     ///< tx_dynamics: "filter"
    TX_LIST_CURVE = 16,        ///< tx_force_curve: "affine"
    TX_LIST_EQUALITY = 17,     ///< tx_equality_type: "weld"
    TX_LIST_TRANSMISSION = 18, ///< tx_transmission: "tendon"
    TX_LIST_SLEEP = 19,        ///< tx_sleep_policy: "never"
    TX_LIST_STAGE = 20,        ///< tx_stage: "solve"
    TX_LIST_TARGET = 21,       ///< tx_target_choice: "avx2"
    TX_LIST_DRAW = 22,         ///< tx_draw_kind: "arrow"
    TX_LIST_LAW = 23,          ///< options.law: the names of docs/laws.md
    TX_LIST_SOLVER = 24,       ///< options.solver: "newton"
    TX_LIST_COUNT
} tx_list;

/// One more than the largest value of a list, so that `for (v = 0; v < size; v++) if (tx_list_name(list, v))` visits
/// all of it; 0 for a wrong list.
TX_API int tx_list_size(tx_list list);
/// The name of a value, as files and messages write it; static memory. Null: the list has no such value.
TX_API const char *tx_list_name(tx_list list, int value);
/// What it means, with its unit; "" where the name says all. Static memory; null: no such value.
TX_API const char *tx_list_meaning(tx_list list, int value);
/// The value of a name (case counts), -1: no such name.
TX_API int tx_list_find(tx_list list, const char *name);

/// Memory of the host program. allocate() gives `size` bytes aligned to `alignment` (a power of two, at most 64) or
/// null, release() takes them back; both may be called by several threads at once.
typedef struct tx_allocator {
    void *(*allocate)(void *context, size_t size, size_t alignment);
    void (*release)(void *context, void *memory);
    void *context;
} tx_allocator;
/// From now on all memory of the library is the host's; null: the system's again. What expat, qhull, libpng, assimp and
/// the system's threads take for themselves stays theirs. For the whole process, so call it first.
/// @return TX_ERROR_UNSUPPORTED while anything that the library has made is alive, TX_ERROR_ARGUMENT: a null function
TX_API tx_result tx_set_allocator(const tx_allocator *allocator);

/// Threads of the host program: run() has to call task(task_context, i) for every i in [0, count), in any order and on
/// any threads, and to return when all are done. Results do not depend on how it does that.
typedef struct tx_executor {
    void (*run)(void *context, void (*task)(void *task_context, int item), void *task_context, int count);
    void *context;
    int threads; ///< how many items may run at once
} tx_executor;

typedef enum tx_severity { TX_SEVERITY_WARNING = 0, TX_SEVERITY_ERROR = 1 } tx_severity;

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
    int errors, warnings;        ///< counted also beyond the messages that are kept
    struct tx_diag_notes *notes; ///< of the library, null between calls
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
