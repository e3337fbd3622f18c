/*
 * around.h - the seam between a run and what stands around its modules (src/bundle).
 *
 * Each function is a step of the run in run.c, and says where in spec/bundle.md section 1 it belongs.
 */
#ifndef LHP_BUILD_AROUND_H
#define LHP_BUILD_AROUND_H

#include "bundle/bundle.h"

struct env_run;

struct around {
	struct unit unit;      /* of the environment as a whole */
	struct bundle bundle;
	bool bundle_on;
	struct str *name;      /* of all pipelines, sorted */
	size_t n;
};

/* Preflight after the duplicate pairs. 0, or -1 with findings in the result. */
int around_preflight(struct env_run *e);
/* Before units are generated: settings that preflight did not read (packaging). */
int around_settings(struct env_run *e);
/* After the modules were published: bundle_sync. */
void around_sync(struct env_run *e);

#endif
