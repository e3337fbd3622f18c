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
	struct io io;    /* whose streams lead nowhere */
};

/* 0, or -1 when the project cannot be analysed. Lives in `a`; borrows the snapshot. */
int readers_open(struct readers *r, struct snapshot *s, struct arena *a, const struct io *io);
/* Calls `each` for every flowgroup that reads a table of this name from outside its own pipeline's views, once. */
void readers_of(struct readers *r, struct str table, void (*each)(void *ctx, struct str pipeline, struct str flowgroup, const char *file),
                void *ctx);
/* The table that `name` stands for is written by these. */
void writers_of(struct readers *r, struct str table, void (*each)(void *ctx, struct str pipeline, struct str flowgroup, const char *file),
                void *ctx);

#endif
