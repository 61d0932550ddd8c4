// task.c - worker threads take items from one shared counter, several at a time; the caller works too and waits for the
// last. Whoever has nothing to do looks for new work a short while before it sleeps: a step hands out several jobs of a
// few microseconds, and waking a thread costs as much.
#include "base/task.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/memory.h"

enum {
    LOOKS = 2000,         // times an idle thread looks for work, some ten microseconds in all
    CLAIMS_PER_THREAD = 8 // a thread comes for more so often: late enough to cost little, often enough to share evenly
};

struct tx_pool {
    pthread_mutex_t lock;
    pthread_cond_t wake, idle;
    pthread_t *workers;
    int worker_count;
    tx_executor host; // run: instead of the workers

    // the job at hand; written under the lock while nobody runs
    tx_task *task;
    void *context;
    int count, claim;

    atomic_int next;    // the first item that nobody has taken
    atomic_uint jobs;   // handed out so far
    atomic_int running; // workers inside the job; they enter under the lock
    atomic_bool stop;
};

static inline void relax(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

// takes items until none is left
static void work(tx_pool *pool) {
    const int claim = pool->claim, count = pool->count;
    for (;;) {
        int item = atomic_fetch_add_explicit(&pool->next, claim, memory_order_relaxed);
        if (item >= count) return;
        const int end = count - item < claim ? count : item + claim;
        for (; item < end; item++) pool->task(pool->context, item);
    }
}

// waits for a job after number `seen`; the lock is held on entry and on exit
static void wait_for_job(tx_pool *pool, unsigned seen) {
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < LOOKS && atomic_load(&pool->jobs) == seen && !atomic_load(&pool->stop); i++) relax();
    pthread_mutex_lock(&pool->lock);
    while (atomic_load(&pool->jobs) == seen && !atomic_load(&pool->stop)) pthread_cond_wait(&pool->wake, &pool->lock);
}

static void *worker(void *argument) {
    tx_pool *pool = argument;
    unsigned seen = 0;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        wait_for_job(pool, seen);
        if (atomic_load(&pool->stop)) break;
        seen = atomic_load(&pool->jobs);
        if (atomic_load(&pool->next) >= pool->count) continue; // the others were quicker
        atomic_fetch_add(&pool->running, 1);
        pthread_mutex_unlock(&pool->lock);
        work(pool);
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
    pool->workers = tx_alloc(sizeof(pthread_t) * (size_t)(threads > 1 ? threads - 1 : 1));
    for (int i = 1; i < threads && pool->workers; i++) {
        if (pthread_create(&pool->workers[pool->worker_count], NULL, worker, pool) != 0) break;
        pool->worker_count++;
    }
    if (pool->workers && pool->worker_count >= threads - 1) return pool;
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
    for (int i = 0; i < pool->worker_count; i++) pthread_join(pool->workers[i], NULL);
    pthread_mutex_destroy(&pool->lock);
    pthread_cond_destroy(&pool->wake);
    pthread_cond_destroy(&pool->idle);
    tx_free(pool->workers);
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
    pthread_mutex_lock(&pool->lock);
    pool->task = task, pool->context = context;
    pool->count = count, pool->claim = 1 + (count - 1) / (CLAIMS_PER_THREAD * (pool->worker_count + 1));
    atomic_store(&pool->next, 0);
    atomic_fetch_add(&pool->jobs, 1);
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    work(pool);
    for (int i = 0; i < LOOKS && atomic_load(&pool->running) > 0; i++) relax();
    pthread_mutex_lock(&pool->lock);
    while (atomic_load(&pool->running) > 0) pthread_cond_wait(&pool->idle, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}
