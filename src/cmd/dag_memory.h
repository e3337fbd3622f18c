/*
 * dag_memory.h - the units of the last run of `lhp dag`, and which of them still stand.
 *
 * A unit stands while no file, listing or variable that it was read from has another content. The record: version,
 * notice, n { dependencies }, n { index of its dependencies, key, hash, unit }, where dependencies are n { path }
 * n { variable hash }, each set once: flowgroups of one template share theirs.
 */
#ifndef LHP_CMD_DAG_MEMORY_H
#define LHP_CMD_DAG_MEMORY_H

#include "base/intern.h"
#include "build/reading.h"
#include "cmd/dag_unit.h"
#include "project/discover.h"

/* A unit as it is stored. */
struct dag_kept {
	struct str key;      /* of its source (project/discover.h) */
	struct hash128 hash; /* of its source */
	struct str deps;     /* packed; those of its own file go without saying */
	struct str bytes;    /* the unit, packed */
	struct dag_unit unit;
	bool stands;         /* of the store: nothing has changed but, perhaps, its own file */
};

struct dag_memory {
	struct intern names;
	const struct reading *reading;
	struct dag_kept *unit; /* in order of discovery */
	size_t n;
	struct str notice;     /* what was said of blueprints */
	bool stands;           /* all of it: nothing has to be discovered */
	struct map at;         /* unless all of it stands: key -> struct dag_kept that may */
};

/* `r` may be NULL: nothing is known. */
void dag_memory_open(struct dag_memory *m, struct arena *a, const struct reading *r, struct door *door);
/* The unit of this source, or NULL when it must be read. */
const struct dag_kept *dag_memory_find(const struct dag_memory *m, const struct flowgroup_source *src);
/* The dependencies of a unit just read, packed into `a`. Without an environment no token comes from a file. */
struct str dag_deps_pack(struct arena *a, const struct trace *t, const struct flowgroup_source *src,
                         bool tokens_from_file);
struct str dag_memory_pack(struct arena *a, struct str notice, const struct dag_kept *unit, size_t n);

#endif
