/*
 * format_live.h - a formatter that stays: for watch, where starting a program costs more than all else.
 *
 * `ruff server` is spoken to in the Language Server Protocol over a socket: a text is opened, formatted, closed. It
 * is told to look at no settings but ours. It is asked only for few texts, and only a text that comes back changed is believed: what
 * it leaves as it is may be wrong as well as right, and is a matter of format_batch, as is every text when the server
 * is of another version than the pinned one, silent for two seconds, or gone.
 *
 * A zeroed one is valid. It belongs to one thread. A server whose program was replaced on disk is started anew.
 */
#ifndef LHP_EMIT_FORMAT_LIVE_H
#define LHP_EMIT_FORMAT_LIVE_H

#include "emit/format.h"

#include <sys/types.h>

struct format_live {
	pid_t pid;           /* 0: not started */
	int fd;              /* of the socket */
	bool greeted;        /* it has answered our greeting */
	bool refused;        /* not one to work with: not started again */
	int asked;           /* number of the last request */
	struct buf in;       /* received, not read */
	struct str program;  /* this very file: */
	uint64_t ino;
	int64_t mtime_ns;
	struct arena arena;
};

/* Starts it, and waits for nothing. */
void format_live_start(struct format_live *live, const struct formatter *f);
/* 0 with all texts laid out; or -1: ask format_batch. */
int format_live_items(struct format_live *live, const struct formatter *f, struct arena *a, struct format_item *item, size_t n);
void format_live_stop(struct format_live *live);

#endif
