// test_task.c - the pool runs every item exactly once, for any number of threads; also meant for the thread sanitizer.
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/task.h"
#include "sanitized.h"

enum { JOBS = SANITIZED ? 5000 : 100000, MOST = 1000 };

// plain numbers on purpose: the pool alone orders the writes of the items before what follows tx_pool_run()
typedef struct counts {
    int ran[MOST];
} counts;

static void count_item(void *context, int item) { ((counts *)context)->ran[item]++; }

static void every_item_runs_once(void **state) {
    static const int SIZES[] = {0, 1, 2, 3, 7, 8, 9, 64, MOST};
    for (int threads = 1; threads <= 8; threads++) {
        tx_pool *pool = tx_pool_create(threads);
        assert_non_null(pool);
        assert_int_equal(tx_pool_threads(pool), threads);
        for (size_t s = 0; s < sizeof SIZES / sizeof SIZES[0]; s++) {
            counts c = {0};
            for (int repeat = 1; repeat <= 20; repeat++) {
                tx_pool_run(pool, count_item, &c, SIZES[s]);
                for (int i = 0; i < MOST; i++) assert_int_equal(c.ran[i], i < SIZES[s] ? repeat : 0);
            }
        }
        tx_pool_destroy(pool);
    }
}

// many tiny jobs: a lost wake-up would hang here, an early return would break the sums
static void tiny_jobs(void **state) {
    for (int threads = 1; threads <= 8; threads += threads < 4 ? 1 : 4) {
        tx_pool *pool = tx_pool_create(threads);
        counts c = {0};
        for (int i = 0; i < JOBS; i++) tx_pool_run(pool, count_item, &c, 1 + i % 4);
        long sum = 0, wanted = 0;
        for (int i = 0; i < MOST; i++) sum += c.ran[i];
        for (int i = 0; i < JOBS; i++) wanted += 1 + i % 4;
        assert_int_equal(sum, wanted);
        tx_pool_destroy(pool);
    }
}

// what one job wrote, all items of the next one see
typedef struct chain {
    long now[16], before[16];
} chain;

static void add_neighbours(void *context, int item) {
    chain *c = context;
    c->now[item] = c->before[item] + c->before[(item + 1) % 16] % 1000;
}

static void jobs_follow_each_other(void **state) {
    chain serial = {.before = {1, 2, 3}}, pooled = serial;
    tx_pool *pool = tx_pool_create(4);
    for (int k = 0; k < JOBS / 50; k++) {
        for (int i = 0; i < 16; i++) add_neighbours(&serial, i);
        memcpy(serial.before, serial.now, sizeof serial.now);
        tx_pool_run(pool, add_neighbours, &pooled, 16);
        memcpy(pooled.before, pooled.now, sizeof pooled.now);
    }
    assert_memory_equal(&serial, &pooled, sizeof serial);
    tx_pool_destroy(pool);
}

// more than one thread works: two items that wait for each other only end on two threads
typedef struct meeting {
    pthread_mutex_t lock;
    pthread_cond_t came;
    int here;
} meeting;

static void meet(void *context, int item) {
    meeting *m = context;
    pthread_mutex_lock(&m->lock);
    m->here++;
    pthread_cond_broadcast(&m->came);
    while (m->here < 2) pthread_cond_wait(&m->came, &m->lock);
    pthread_mutex_unlock(&m->lock);
}

static void items_run_at_the_same_time(void **state) {
    tx_pool *pool = tx_pool_create(2);
    for (int k = 0; k < 100; k++) {
        meeting m = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};
        tx_pool_run(pool, meet, &m, 2);
        assert_int_equal(m.here, 2);
    }
    tx_pool_destroy(pool);
}

// items that wait for each other: each adds to what the one before it has left, round after round
typedef struct relay {
    tx_pool *pool;
    int items, rounds;
    long sum; // plain on purpose: places alone order the writes
} relay;

static void pass_on(void *context, int item) {
    relay *r = context;
    const int before = (item + r->items - 1) % r->items;
    for (int k = 0; k < r->rounds; k++) {
        const long long place = item > 0 ? k + 1 : k;
        if (place > 0) assert_true(tx_pool_await(r->pool, before, place) >= place);
        r->sum = 3 * r->sum % 1000003 + item + k;
        tx_pool_pass(r->pool, item, k + 1);
    }
}

static void items_wait_for_each_other(void **state) {
    assert_int_equal(tx_pool_together(NULL), 1);
    for (int threads = 2; threads <= 4; threads++) {
        relay r = {tx_pool_create(threads), threads, JOBS / 250, 1};
        long wanted = 1;
        assert_int_equal(tx_pool_together(r.pool), threads);
        for (int job = 0; job < 3; job++) {
            tx_pool_run(r.pool, pass_on, &r, threads);
            for (int k = 0; k < r.rounds; k++)
                for (int item = 0; item < threads; item++) wanted = 3 * wanted % 1000003 + item + k;
            assert_int_equal(r.sum, wanted);
        }
        tx_pool_destroy(r.pool);
    }
}

static void pools_come_and_go(void **state) {
    for (int i = 0; i < 200; i++) {
        tx_pool *pool = tx_pool_create(1 + i % 8);
        counts c = {0};
        if (i % 2) tx_pool_run(pool, count_item, &c, i);
        for (int k = 0; k < MOST; k++) assert_int_equal(c.ran[k], i % 2 && k < i);
        tx_pool_destroy(pool);
    }
    tx_pool_destroy(NULL);
}

// backwards, to show that the order is the host's
static void run_backwards(void *context, void (*task)(void *task_context, int item), void *task_context, int count) {
    for (int i = count - 1; i >= 0; i--) task(task_context, i);
    ++*(int *)context;
}

static void the_host_can_run_the_items(void **state) {
    (void)state;
    int calls = 0;
    counts c = {0};
    tx_pool *pool = tx_pool_create_hosted(&(tx_executor){run_backwards, &calls, 3});
    assert_non_null(pool);
    assert_int_equal(tx_pool_threads(pool), 3);
    assert_int_equal(tx_pool_together(pool), 1);
    tx_pool_run(pool, count_item, &c, 100);
    tx_pool_run(pool, count_item, &c, 0);
    for (int i = 0; i < MOST; i++) assert_int_equal(c.ran[i], i < 100);
    assert_int_equal(calls, 1);
    tx_pool_destroy(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_item_runs_once),
                                       cmocka_unit_test(the_host_can_run_the_items),
                                       cmocka_unit_test(tiny_jobs),
                                       cmocka_unit_test(jobs_follow_each_other),
                                       cmocka_unit_test(items_run_at_the_same_time),
                                       cmocka_unit_test(items_wait_for_each_other),
                                       cmocka_unit_test(pools_come_and_go)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
