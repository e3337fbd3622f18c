/*
 * affected.h - which flowgroups two states of a project make differently.
 *
 * Both are snapshots worked on to WORK_EMIT. A flowgroup is changed when the bytes of a file that it makes,
 * the tables that it writes, or whether it has errors, differ; where it stands does not matter.
 */
#ifndef LHP_BUILD_AFFECTED_H
#define LHP_BUILD_AFFECTED_H

#include "build/snapshot.h"

enum change_kind { CHANGE_ADDED, CHANGE_CHANGED, CHANGE_REMOVED };

struct change {
	enum change_kind kind;
	struct str pipeline, flowgroup;
	const char *file;      /* that defines it: now, or before when it is removed */
	const char *why;       /* "code", "tables", "has errors now" … */
	const struct snapshot_unit *before, *after; /* NULL: not there */
};

struct changes {
	VEC_OF(struct change)  /* by pipeline, flowgroup */
};

/* `before` may be NULL: nothing was there. */
void changes_find(struct arena *a, const struct snapshot *before, const struct snapshot *after, struct changes *out);

#endif
