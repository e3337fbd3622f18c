/*
 * work.h - doing one unit: resolve, check, take facts, emit; nothing shared but the project.
 */
#ifndef LHP_BUILD_WORK_H
#define LHP_BUILD_WORK_H

#include "build/record.h"
#include "project/discover.h"

/* How far a unit is taken. The parts of a record that were not asked for are empty. */
enum work_depth {
	WORK_FACTS, /* resolve and facts: for flowgroups that are only looked at (-p) */
	WORK_CHECK, /* validate */
	WORK_EMIT,  /* generate, diff */
};

/*
 * Works on one flowgroup. Everything temporary is in `scratch`; the packed record and the raw
 * texts are in `keep`, in the order of the record's files. `checked`: a record of which all but the texts stands, so that the
 * flowgroup is not judged again; or NULL.
 */
struct work_result {
	struct str record;  /* packed */
	struct str *raw;    /* of record files, in order */
	size_t n_raw;
};

void unit_work(struct project *p, const struct env *env, const struct flowgroup_source *src, enum work_depth depth,
               const struct record *checked, struct arena *scratch, struct arena *keep, struct work_result *out);

#endif
