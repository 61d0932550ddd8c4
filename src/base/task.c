// task.c - worker threads take items from one shared counter; the caller works too and waits for the last.
#include "base/task.h"

#include <pthread.h>

#include "base/memory.h"

struct tx_pool {
    pthread_mutex_t lock;
    pthread_cond_t wake, idle;
    pthread_t *workers;
    int worker_count;
    bool stop;
    tx_executor host; // run: instead of the workers

    // the job at hand; all fields under the lock
    tx_task *task;
    void *context;
    int next, count, running;
};

// takes items until none is left; the lock is held on entry and on exit
static void work(tx_pool *pool) {
    while (pool->next < pool->count) {
        int item = pool->next++;
        pool->running++;
        pthread_mutex_unlock(&pool->lock);
        pool->task(pool->context, item);
        pthread_mutex_lock(&pool->lock);
        pool->running--;
    }
}

static void *worker(void *argument) {
    tx_pool *pool = argument;
    pthread_mutex_lock(&pool->lock);
    while (!pool->stop) {
        work(pool);
        if (pool->running == 0) pthread_cond_signal(&pool->idle);
        if (!pool->stop && pool->next >= pool->count) pthread_cond_wait(&pool->wake, &pool->lock);
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
    pool->stop = true;
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
    if (pool->worker_count == 0 || count == 1) {
        for (int i = 0; i < count; i++) task(context, i);
        return;
    }
    pthread_mutex_lock(&pool->lock);
    pool->task = task, pool->context = context;
    pool->next = 0, pool->count = count;
    pthread_cond_broadcast(&pool->wake);
    work(pool);
    while (pool->running > 0) pthread_cond_wait(&pool->idle, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}
