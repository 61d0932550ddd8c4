// task.h - a small pool of threads that runs independent items. Which thread runs an item changes no result.
#pragma once
#include <stdbool.h>

#include "thixis/base.h"

typedef struct tx_pool tx_pool;
typedef void tx_task(void *context, int item);

/// A pool that uses `threads` threads, the caller included; null when memory or threads are out. threads >= 1.
tx_pool *tx_pool_create(int threads);
/// A pool that has its items run by the host program.
tx_pool *tx_pool_create_hosted(const tx_executor *host);
void tx_pool_destroy(tx_pool *pool);
int tx_pool_threads(const tx_pool *pool);

/// Runs task(context, i) for every i in [0, count) and returns when all are done. Not re-entrant.
void tx_pool_run(tx_pool *pool, tx_task *task, void *context, int count);

/// How many items of a job are sure to run side by side, so that they may wait for each other: all threads, but 1 where
/// the host program runs the items, or pool is null.
int tx_pool_together(const tx_pool *pool);
/// Item `item` of such a job (one item a thread at most) has come to place `at` of its work; places ascend from 0.
void tx_pool_pass(tx_pool *pool, int item, long long at);
/// Waits until another item of the job has come to place `at`, and sees all it did before. @return its place
long long tx_pool_await(tx_pool *pool, int item, long long at);
