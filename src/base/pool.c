#include "base/pool.h"
#include "base/arena.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

struct job {
	void (*work)(void *ctx, size_t item, size_t worker);
	void *ctx;
	size_t n;
	atomic_size_t next;
};

struct worker {
	struct job *job;
	size_t index;
	pthread_t thread;
};

static void *worker_run(void *arg)
{
	struct worker *w = arg;
	struct job *job = w->job;

	for (;;) {
		size_t i = atomic_fetch_add(&job->next, 1);

		if (i >= job->n)
			return NULL;
		job->work(job->ctx, i, w->index);
	}
}

void pool_run(size_t workers, size_t n, void (*work)(void *, size_t, size_t), void *ctx)
{
	struct job job = { work, ctx, n, 0 };
	struct worker *w;
	size_t started = 1;

	if (workers > n)
		workers = n;
	if (workers <= 1) {
		worker_run(&(struct worker){ &job, 0, 0 });
		return;
	}
	w = xmalloc(workers * sizeof *w);
	for (; started < workers; started++) {
		w[started] = (struct worker){ &job, started, 0 };
		if (pthread_create(&w[started].thread, NULL, worker_run, &w[started]) != 0)
			break; /* fewer threads do the same work */
	}
	w[0] = (struct worker){ &job, 0, 0 };
	worker_run(&w[0]);
	for (size_t i = 1; i < started; i++)
		pthread_join(w[i].thread, NULL);
	free(w);
}

size_t pool_default_workers(void)
{
	cpu_set_t set;
	int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;

	return n > 0 ? (size_t)n : 1;
}
