// memory_failing.c - malloc and its family in front of those of the C library or of the address sanitizer. Shared
// libraries (qhull, expat, libpng) call them too, so their allocations fail like ours.
#include "memory_failing.h"

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdint.h>

#include "sanitized.h"

#if SANITIZED
#define REAL(name) __interceptor_##name
size_t __sanitizer_get_current_allocated_bytes(void);
#else
#define REAL(name) __libc_##name
#endif
void *REAL(malloc)(size_t size);
void *REAL(calloc)(size_t count, size_t size);
void *REAL(realloc)(void *old, size_t size);
void *REAL(memalign)(size_t alignment, size_t size);
void REAL(free)(void *memory);

static _Atomic bool counting, fails_onwards, happened;
static _Atomic long calls, fails_at;
static _Atomic long long living;
static _Atomic size_t counted_size;

void failing_start(long n, bool onwards) {
    calls = 0;
    happened = false;
    fails_at = n;
    fails_onwards = onwards;
    counting = true;
}

void failing_only(size_t size) { counted_size = size; }

void failing_heal(void) { fails_at = 0; }

long failing_stop(void) {
    counting = false;
    return calls;
}

bool failing_happened(void) { return happened; }

size_t failing_living(void) {
#if SANITIZED
    return __sanitizer_get_current_allocated_bytes();
#else
    return (size_t)living;
#endif
}

// whether the allocation that is being asked for shall fail
static bool fails(size_t size) {
    if (!counting || (counted_size && (size < counted_size || size > counted_size + 64))) return false;
    long call = ++calls, at = fails_at;
    if (at == 0 || (fails_onwards ? call < at : call != at)) return false;
    happened = true;
    errno = ENOMEM;
    return true;
}

// the sanitizer knows sizes better
static void *born(void *memory) {
    if (!SANITIZED && memory) living += (long long)malloc_usable_size(memory);
    return memory;
}

static void dies(void *memory) {
    if (!SANITIZED && memory) living -= (long long)malloc_usable_size(memory);
}

void *malloc(size_t size) { return fails(size) ? NULL : born(REAL(malloc)(size)); }
void *calloc(size_t count, size_t size) { return fails(count * size) ? NULL : born(REAL(calloc)(count, size)); }
void *memalign(size_t alignment, size_t size) { return fails(size) ? NULL : born(REAL(memalign)(alignment, size)); }
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

void *realloc(void *old, size_t size) {
    if (size > 0 && fails(size)) return NULL;
    size_t before = !SANITIZED && old ? malloc_usable_size(old) : 0;
    void *memory = REAL(realloc)(old, size);
    if (memory || size == 0) living -= (long long)before;
    return born(memory);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    void *got = memalign(alignment, size);
    if (!got) return ENOMEM;
    *memory = got;
    return 0;
}

void free(void *memory) {
    dies(memory);
    REAL(free)(memory);
}
