/*
 * watch.h - waiting until something below a folder changes.
 *
 * inotify, one watch for each folder, but for those that runs write and git keeps; links to folders are followed. A new folder is
 * watched, then looked through, so that nothing is lost between both. What is reported is that something
 * changed, its first name, and in which folders files did: builds look for themselves. Where inotify does not work the
 * wait ends at fixed times (`polls`).
 */
#ifndef LHP_BUILD_WATCH_H
#define LHP_BUILD_WATCH_H

#include "base/arena.h"
#include "base/map.h"

struct watch {
	int fd;               /* of inotify; -1: polls */
	int signals;          /* a signalfd, or -1: its being readable ends the wait */
	bool polls;
	struct str root;      /* absolute */
	struct arena arena;
	struct str *dir;      /* by watch descriptor; root-relative */
	size_t n_dir;
	bool links;           /* there are some: a file may change under another name than the one it is read by */
	struct {
		struct arena arena;
		struct map dir;
	} touched;            /* by the last wait */
};

enum watch_end { WATCH_CHANGED, WATCH_QUIET, WATCH_SIGNAL, WATCH_GONE };

struct watch_change {
	char first[256];      /* name of the first file, or empty */
	size_t n;             /* different names; 0: only folders, or what editors keep beside their files */
	bool everything;      /* events were lost, or a folder moved: what changed is not known */
	const struct map *where; /* folders in which files changed, until the next wait; NULL: not known */
};

enum { WATCH_SETTLE_MS = 20, WATCH_SETTLE_MAX_MS = 200, WATCH_POLL_MS = 500, WATCH_FOREVER = -1 };

/* Watches all folders that are there. Falls back to polling by itself. */
void watch_open(struct watch *w, struct str root, int signals);
void watch_close(struct watch *w);
/*
 * Sleeps until something changed and was quiet for 20 ms, or changed for 200 ms; or nothing did for `quiet_ms`; or a signal came; or the
 * root is gone.
 */
enum watch_end watch_wait(struct watch *w, long quiet_ms, struct watch_change *c);

#endif
