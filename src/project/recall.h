/*
 * recall.h - what an earlier run found in flowgroup files that have not changed since.
 *
 * Discovery asks before it reads a file. What is recalled is what reading would give, but for the
 * flowgroups' maps: a source with node == NULL is read by source_load when it is needed.
 */
#ifndef LHP_PROJECT_RECALL_H
#define LHP_PROJECT_RECALL_H

#include "project/discover.h"

struct recalled {
	const struct flowgroup_source *source;
	size_t n;
	struct diags warnings;
	bool instance;  /* the file holds a blueprint instance */
};

struct recall {
	void *ctx;
	/* False: the file must be read. */
	bool (*known)(void *ctx, struct str path, struct recalled *out);
	/* A file that was read without a finding; called from one thread. */
	void (*learn)(void *ctx, const struct door_file *file, const struct recalled *what);
};

/*
 * Gives a source that was recalled its map, with the hash of what was read now: the file may have changed since. False, and
 * HASH_NONE, when it does not hold the flowgroup any more.
 */
bool source_load(struct project *p, struct arena *a, struct flowgroup_source *src);

/*
 * What discover_file gives for a file as it is now, or NULL when it has a finding. All flowgroups of a file ask, from several threads: of a
 * file with more than one it is found out once in a run, and kept until reread_release; else it is in `a`.
 */
const struct sources *file_reread(struct project *p, struct arena *a, const struct door_yaml *y);
void reread_release(struct project *p);

#endif
