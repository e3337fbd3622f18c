/*
 * readers.h - which flowgroups read a table, from the same analysis that `lhp dag` makes.
 */
#ifndef LHP_CMD_READERS_H
#define LHP_CMD_READERS_H

#include "build/snapshot.h"
#include "cmd/dag_analysis.h"

struct readers {
	struct dag dag;
	struct dag_options options;
	struct io io;    /* whose streams led nowhere, and are closed */
};

/* 0, or -1 when the project cannot be analysed. Lives in `a`; borrows the snapshot. */
int readers_open(struct readers *r, struct snapshot *s, struct arena *a, const struct io *io);
typedef void flowgroup_fn(void *ctx, struct str pipeline, struct str flowgroup, const char *file);
/* Calls `each` for every flowgroup that reads a table of this name from outside its own pipeline's views, once. */
void readers_of(struct readers *r, struct str table, flowgroup_fn *each, void *ctx);
/* For every one that writes it. */
void writers_of(struct readers *r, struct str table, flowgroup_fn *each, void *ctx);

#endif
