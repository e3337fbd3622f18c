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

/* What one worker works in. */
struct work_memory {
	struct arena scratch; /* empty after each unit */
	struct arena keep;    /* records */
	struct arena raw;     /* raw texts */
	struct intern file;   /* names of files in records that were unpacked into `keep` */
};

void work_memory_init(struct work_memory *m);
void work_memory_release(struct work_memory *m);

/*
 * Works on one flowgroup. The packed record and the raw texts, in the order of the record's files, are in `m`. `checked`: a record of
 * which all but the texts stands, so that the flowgroup is not judged again, if it is what it was then; or NULL.
 */
struct work_result {
	struct str record;  /* packed */
	struct str *raw;    /* of record files, in order */
	size_t n_raw;
};

void unit_work(struct project *p, const struct env *env, const struct flowgroup_source *src, enum work_depth depth,
               const struct record *checked, struct work_memory *m, struct work_result *out);

#endif
