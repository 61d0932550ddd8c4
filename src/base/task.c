// task.c - worker threads share the items of a job; the caller works too and waits for the last.
//
// Every thread has a share of its own, neighbouring items, which are the same in every job of the same size: what a
// thread wrote in one stage of a step it reads in the next, from its own cache (between two cores a line may take 0.2
// us). It takes its share from the front; who has done his own takes from the back of the others'. Whoever has nothing
// to do looks for new work a while before it sleeps: a step hands out several jobs of a few microseconds, and waking a
// thread costs as much.
#include "base/task.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

#include "base/memory.h"

enum {
    LOOKS = 6000,         // times an idle thread looks for work, some hundred microseconds in all
    LOOKS_CROWDED = 200,  // where there are more threads than processors, or an item waits for another one
    CLAIMS_PER_SHARE = 8, // a thread comes for more so often: late enough to cost little, often enough to share evenly
    LINE = 64             // bytes of a cache line
};

// a thread, and the items of its share that nobody has taken: [the lower half, the upper half)
typedef struct seat {
    _Alignas(LINE) _Atomic uint64_t left;
    _Alignas(LINE) atomic_llong passed; // how far the item of this number has come
    _Alignas(LINE) tx_pool *pool;
    pthread_t thread;
} seat;

struct tx_pool {
    pthread_mutex_t lock;
    pthread_cond_t wake, idle;
    seat *seats; // the caller's is the first
    int worker_count, looks;
    tx_executor host; // run: instead of the workers

    // the job at hand; written under the lock while nobody runs
    tx_task *task;
    void *context;
    int claim;

    _Alignas(LINE) atomic_uint jobs; // handed out so far
    atomic_int running;              // workers inside the job; they enter under the lock
    atomic_bool stop;
};

static inline void relax(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static uint64_t items(uint32_t begin, uint32_t end) { return (uint64_t)end << 32 | begin; }
static uint32_t begin_of(uint64_t left) { return (uint32_t)left; }
static uint32_t end_of(uint64_t left) { return (uint32_t)(left >> 32); }

// up to `claim` items of a share, from its front or its back; false: none is left
static bool take(seat *s, uint32_t claim, bool front, uint32_t *begin, uint32_t *end) {
    uint64_t left = atomic_load_explicit(&s->left, memory_order_relaxed), rest;
    do {
        *begin = begin_of(left), *end = end_of(left);
        if (*begin >= *end) return false;
        if (*end - *begin > claim && front) *end = *begin + claim;
        else if (*end - *begin > claim) *begin = *end - claim;
        rest = front ? items(*end, end_of(left)) : items(begin_of(left), *begin);
    } while (!atomic_compare_exchange_weak_explicit(&s->left, &left, rest, memory_order_relaxed, memory_order_relaxed));
    return true;
}

// the share of thread `own`, then what is left of the others'
static void work(tx_pool *pool, int own) {
    const int threads = pool->worker_count + 1;
    for (int k = 0; k < threads; k++) {
        seat *s = &pool->seats[(own + k) % threads];
        uint32_t begin, end;
        while (take(s, (uint32_t)pool->claim, k == 0, &begin, &end))
            for (; begin < end; begin++) pool->task(pool->context, (int)begin);
    }
}

static bool any_left(const tx_pool *pool) {
    for (int k = 0; k <= pool->worker_count; k++) {
        const uint64_t left = atomic_load(&pool->seats[k].left);
        if (begin_of(left) < end_of(left)) return true;
    }
    return false;
}

// waits for a job after number `seen`; the lock is held on entry and on exit
static void wait_for_job(tx_pool *pool, unsigned seen) {
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->looks && atomic_load(&pool->jobs) == seen && !atomic_load(&pool->stop); i++) relax();
    pthread_mutex_lock(&pool->lock);
    while (atomic_load(&pool->jobs) == seen && !atomic_load(&pool->stop)) pthread_cond_wait(&pool->wake, &pool->lock);
}

static void *worker(void *argument) {
    seat *own = argument;
    tx_pool *pool = own->pool;
    unsigned seen = 0;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        wait_for_job(pool, seen);
        if (atomic_load(&pool->stop)) break;
        seen = atomic_load(&pool->jobs);
        if (!any_left(pool)) continue; // the others were quicker
        atomic_fetch_add(&pool->running, 1);
        pthread_mutex_unlock(&pool->lock);
        work(pool, (int)(own - pool->seats));
        pthread_mutex_lock(&pool->lock);
        if (atomic_fetch_sub(&pool->running, 1) == 1) pthread_cond_signal(&pool->idle);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

tx_pool *tx_pool_create(int threads) {
    tx_pool *pool = tx_alloc(sizeof *pool);
    if (!pool) return NULL;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->idle, NULL);
    pool->looks = threads <= sysconf(_SC_NPROCESSORS_ONLN) ? LOOKS : LOOKS_CROWDED;
    pool->seats = tx_alloc(sizeof(seat) * (size_t)threads);
    // a worker waits for its first job, which is handed out when all are there
    for (int i = 1; i < threads && pool->seats; i++) {
        pool->seats[i].pool = pool;
        if (pthread_create(&pool->seats[i].thread, NULL, worker, &pool->seats[i]) != 0) break;
        pool->worker_count++;
    }
    if (pool->seats && pool->worker_count >= threads - 1) return pool;
    tx_pool_destroy(pool);
    return NULL;
}

tx_pool *tx_pool_create_hosted(const tx_executor *host) {
    tx_pool *pool = tx_pool_create(1);
    if (pool) pool->host = *host;
    return pool;
}

void tx_pool_destroy(tx_pool *pool) {
    if (!pool) return;
    pthread_mutex_lock(&pool->lock);
    atomic_store(&pool->stop, true);
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->worker_count; i++) pthread_join(pool->seats[i + 1].thread, NULL);
    pthread_mutex_destroy(&pool->lock);
    pthread_cond_destroy(&pool->wake);
    pthread_cond_destroy(&pool->idle);
    tx_free(pool->seats);
    tx_free(pool);
}

int tx_pool_threads(const tx_pool *pool) { return pool->host.run ? pool->host.threads : pool->worker_count + 1; }

void tx_pool_run(tx_pool *pool, tx_task *task, void *context, int count) {
    if (pool->host.run && count > 1) {
        pool->host.run(pool->host.context, task, context, count);
        return;
    }
    if (pool->worker_count == 0 || count <= 1) {
        for (int i = 0; i < count; i++) task(context, i);
        return;
    }
    const int threads = pool->worker_count + 1;
    pthread_mutex_lock(&pool->lock);
    pool->task = task, pool->context = context;
    pool->claim = 1 + (count - 1) / (CLAIMS_PER_SHARE * threads);
    for (int k = 0; k < threads; k++) {
        const int64_t all = count;
        atomic_store_explicit(&pool->seats[k].passed, 0, memory_order_relaxed);
        atomic_store(&pool->seats[k].left, items((uint32_t)(all * k / threads), (uint32_t)(all * (k + 1) / threads)));
    }
    atomic_fetch_add(&pool->jobs, 1);
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    work(pool, 0);
    for (int i = 0; i < pool->looks && atomic_load(&pool->running) > 0; i++) relax();
    pthread_mutex_lock(&pool->lock);
    while (atomic_load(&pool->running) > 0) pthread_cond_wait(&pool->idle, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

int tx_pool_together(const tx_pool *pool) { return pool && !pool->host.run ? pool->worker_count + 1 : 1; }

void tx_pool_pass(tx_pool *pool, int item, long long at) {
    atomic_store_explicit(&pool->seats[item].passed, at, memory_order_release);
}

long long tx_pool_await(tx_pool *pool, int item, long long at) {
    long long passed;
    for (int i = 0; (passed = atomic_load_explicit(&pool->seats[item].passed, memory_order_acquire)) < at; i++) {
        if (i < LOOKS_CROWDED) relax();
        else sched_yield();
    }
    return passed;
}
