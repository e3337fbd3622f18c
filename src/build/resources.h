/*
 * resources.h - what stands around the flowgroups of a snapshot, for comparing two of them: monitoring's own flowgroup, and files
 * of a pipeline that no flowgroup makes (resource files and wiring of the bundle, notebook and job of monitoring, the hook
 * that sets tags).
 *
 *	snapshot_open(&s, …); resources_open(&r, &s, config); snapshot_work(&s, …); resources_render(&r);
 *
 * Rendered, never written. A wheel's name among the dependencies is left out: it follows from the code, which is
 * compared by itself. All lives in the snapshot's arena.
 */
#ifndef LHP_BUILD_RESOURCES_H
#define LHP_BUILD_RESOURCES_H

#include "build/snapshot.h"
#include "bundle/monitoring.h"

struct resource {
	struct str pipeline, path; /* that it is about; of the file: several pipelines may share one */
	struct str text;           /* what decides about it */
};

struct resources {
	struct snapshot *s;
	struct unit unit;
	struct bundle bundle;
	struct monitoring monitoring;
	struct flowgroup_source source; /* monitoring's flowgroup */
	struct str *pipeline;      /* all that a run would know, that of monitoring too, sorted */
	size_t n_pipeline;
	bool has_bundle;
	struct { VEC_OF(struct resource) } file;
};

/* Adds monitoring's flowgroup to the snapshot. `config_path`: as given with -pc, or empty. 0, or -1 with findings in s->diags. */
int resources_open(struct resources *r, struct snapshot *s, struct str config_path);
/* Once the snapshot was worked on. 0, or -1 with findings in s->diags. */
int resources_render(struct resources *r);

#endif
