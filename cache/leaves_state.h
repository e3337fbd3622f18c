/*
 * leaves_state.h - inside cache/: a table of leaves in memory, which leaves.c keeps and scan.c compares with the disk.
 */
#ifndef LHP_CACHE_LEAVES_STATE_H
#define LHP_CACHE_LEAVES_STATE_H

#include "cache/leaves.h"

struct leaf_folder {
	struct str path;
	bool is_leaf;          /* its listing is an entry */
	struct leaf self;
	VEC_OF(struct leaf)    /* files; their paths are names in the folder; */
	size_t sorted;         /* the first of them in order of name, */
	struct map late;       /* and these as they came: name -> index + 1 */
	bool changed;
	bool reshaped;         /* entries came or went */
};

bool stat_same(const struct fs_stat *a, const struct fs_stat *b);
bool leaves_are_outputs(const struct leaves *l);
/* What stands beside the tables; once. 0, or -EBADMSG. */
int leaves_beside_read(struct leaves *l);
/* The table of a folder, from its record, with what stands beside it. 0, or -EBADMSG. */
int leaf_folder_open(const struct leaves *l, struct arena *a, struct str path, struct str bytes, struct leaf_folder *f);

#endif
