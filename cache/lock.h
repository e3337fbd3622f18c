/*
 * lock.h - one run that writes at a time.
 *
 * flock on the cache folder itself: nothing is written to take it, and the
 * kernel gives it up when the process dies. Where flock does not work (some network
 * file systems) a file `lock` made with O_EXCL, holding pid and start time, takes its place.
 */
#ifndef LHP_CACHE_LOCK_H
#define LHP_CACHE_LOCK_H

#include "base/str.h"

struct lock {
	int fd;
	bool is_file;
	struct str dir;
};

struct lock_holder {
	int pid;          /* 0: not known */
	char command[128];
	long since;       /* seconds since the epoch */
};

/*
 * Takes the lock of the absolute folder `dir`, which must exist. With `wait` it
 * waits; without, -EWOULDBLOCK when another run holds it. `*holder` is filled in whenever there is one.
 */
int lock_take(struct lock *l, struct str dir, bool wait, struct lock_holder *holder,
              void (*waiting)(void *ctx, const struct lock_holder *holder), void *ctx);
void lock_give(struct lock *l);

#endif
