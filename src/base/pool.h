/*
 * pool.h - the same work on many items, by several threads.
 *
 * Items are handed out in order, one at a time; the caller waits for all. With
 * one worker (or one item) everything runs in the calling thread, in order.
 */
#ifndef LHP_BASE_POOL_H
#define LHP_BASE_POOL_H

#include <stddef.h>

/* Calls work(ctx, item, worker) for item in [0, n); worker in [0, workers). */
void pool_run(size_t workers, size_t n, void (*work)(void *ctx, size_t item, size_t worker), void *ctx);
size_t pool_default_workers(void); /* cores this process may use, at least 1 */

#endif
