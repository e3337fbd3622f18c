/*
 * snapshot.h - a project in one environment, worked on in memory: no store, no lock, nothing written.
 *
 * For commands that compare (why, affected, cache verify). The folder may be a disk or a
 * git commit: whatever the fs shows. Everything lives until snapshot_close.
 */
#ifndef LHP_BUILD_SNAPSHOT_H
#define LHP_BUILD_SNAPSHOT_H

#include "build/record.h"
#include "build/work.h"

struct snapshot_unit {
	const struct flowgroup_source *src;
	struct str pipeline, name; /* resolved */
	struct record record;      /* after snapshot_work */
	bool worked;
};

struct snapshot {
	struct arena arena;
	struct door *door;
	struct project project;
	struct trace trace;
	struct discovery found;
	struct env env;
	struct diags diags;        /* what keeps the project from being read */
	struct snapshot_unit *unit; /* in discovery order */
	size_t n;
	struct work_memory *memory; /* one per worker */
	size_t workers;
};

/* Reads the project and the names of its flowgroups. 0, or -1 with findings in s->diags. `fn`: where variables come from. */
int snapshot_open(struct snapshot *s, struct fs *fs, struct str env, bool include_tests, const char *(*fn)(const char *name));
/* One more flowgroup, which must live as long as the snapshot. Once, before the work. */
void snapshot_add(struct snapshot *s, const struct flowgroup_source *src);
/* Takes every unit so far as `depth` says. Once. */
void snapshot_work(struct snapshot *s, enum work_depth depth);
void snapshot_close(struct snapshot *s);

#endif
