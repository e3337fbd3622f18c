/*
 * watch.h - waiting until something changes below a folder, or in what else runs were made from.
 *
 * inotify, one watch for each folder, but for those that git and other runs keep: of what is in them only inputs are watched, one by
 * one. Links are followed, to folders and to files. A new folder is watched, then looked through, so that nothing is lost between
 * both. What is reported is that something changed, its first name, and in which folders files did: builds look for themselves.
 * Where inotify does not work the wait ends at fixed times (`polls`).
 *
 * Outputs are watched, too. What the caller does to them is taken out of what it is told by watch_own after each build.
 */
#ifndef LHP_BUILD_WATCH_H
#define LHP_BUILD_WATCH_H

#include "base/arena.h"
#include "base/map.h"

enum { WATCH_OUTPUTS = 3 };

struct watch {
	int fd;               /* of inotify; -1: polls */
	int signals;          /* a signalfd, or -1: its being readable ends the wait */
	bool polls;
	struct str root;      /* absolute */
	struct str output[WATCH_OUTPUTS]; /* folders that the caller fills */
	struct arena arena;
	struct watched_dir {
		struct str path;  /* root-relative; p == NULL: none */
		bool outside;     /* of the root, or left out: only files of `file` count */
	} *dir;               /* by watch descriptor */
	size_t n_dir;
	struct map file;      /* outside, or the way there: DESCRIPTOR/NAME, or DESCRIPTOR/ for all names */
	bool links;           /* there are some: a file may change under another name than the one it is read by */
	struct map link;      /* those that lead to no folder */
	struct watch_seen {
		struct arena arena;
		struct map name;      /* what became of it */
		struct map dir;       /* folders in which files changed */
		bool any, gone;
		bool all;             /* what changed is not known */
		bool folders;         /* one came or went: what changed is in it, and below */
		bool inputs;          /* something beside what runs fill */
		bool own;             /* outputs, while the caller wrote them */
		bool lost;            /* events, while the caller wrote */
		bool told;            /* by the last wait */
	} seen;
};

enum watch_end { WATCH_CHANGED, WATCH_QUIET, WATCH_SIGNAL, WATCH_GONE };

struct watch_change {
	char first[256];      /* name of the first file, or empty */
	size_t n;             /* different names; 0: only folders, or what editors keep beside their files */
	bool everything;      /* events were lost, or a folder moved: what changed is not known */
	bool outputs_only;    /* nothing but what runs fill */
	const struct map *where; /* folders in which files changed, until the next wait; NULL: not known */
};

enum { WATCH_SETTLE_MS = 20, WATCH_SETTLE_MAX_MS = 200, WATCH_POLL_MS = 500, WATCH_FOREVER = -1 };

/* Watches all folders that are there; `output`: WATCH_OUTPUTS folders that the caller fills, or NULL. Falls back to polling by itself. */
void watch_open(struct watch *w, struct str root, const struct str *output, int signals);
void watch_close(struct watch *w);
/* Is the folder outside of the root, or in one that is left out? */
bool watch_is_outside(const struct watch *w, struct str dir);
/*
 * Watches a file in such a folder, or one that is not there yet, or the names in a folder. True when it was not watched before:
 * what became of it until now is not known.
 */
bool watch_outside(struct watch *w, struct str path, bool is_dir);
/* Watches where links to files lead now. Before each build: what became of these until then, it sees by itself. */
void watch_links(struct watch *w);
/*
 * What happened so far to outputs was the caller's doing. The rest is for the next wait, but for what was lost: who writes more
 * than the kernel keeps must look at everything.
 */
enum watch_own { WATCH_OWN_NOTHING, WATCH_OWN_OUTPUTS, WATCH_OWN_LOST } watch_own(struct watch *w);
/*
 * Sleeps until something changed and was quiet for 20 ms, or changed for 200 ms; or nothing did for `quiet_ms`; or a signal came; or the
 * root is gone.
 */
enum watch_end watch_wait(struct watch *w, long quiet_ms, struct watch_change *c);

#endif
