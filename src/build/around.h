/*
 * around.h - the seam between a run and what stands around its modules (src/bundle).
 *
 * Each function is a step of the run in run.c, and says where in spec/bundle.md section 1 it belongs.
 */
#ifndef LHP_BUILD_AROUND_H
#define LHP_BUILD_AROUND_H

#include "bundle/bundle.h"
#include "bundle/hooks.h"
#include "bundle/monitoring.h"
#include "bundle/wheel.h"

struct env_run;

struct around {
	struct unit unit;      /* of the environment as a whole */
	struct bundle bundle;
	bool bundle_on;
	struct monitoring monitoring;
	struct flowgroup_source source; /* of the monitoring pipeline, when it has something to generate */
	struct map wheel;      /* pipeline -> struct wheel, of this run's wheel pipelines */
	struct str *name;      /* of all pipelines, sorted */
	size_t n;
};

/*
 * Right after discovery: the monitoring pipeline. `name`: of all pipelines, as far as names are known now. 0, or -1 with a
 * finding of the pipeline_config file. *extra is the flowgroup to add, or NULL.
 */
int around_discover(struct env_run *e, const struct flowgroup_source **extra);
/* Preflight after the duplicate pairs. 0, or -1 with findings in the result. */
int around_preflight(struct env_run *e);
/* Before units are generated: settings that preflight did not read (packaging). */
int around_settings(struct env_run *e);
/* What only the facts of all flowgroups tell. Findings of pipelines are added to them; -1 with one that ends the run. */
int around_judge(struct env_run *e);
/* Do the modules of a pipeline go into a wheel? Then all of their texts are wanted in each run that makes it. */
bool around_packs(struct env_run *e, struct str pipeline);
/* Takes a file of a wheel pipeline (path below the output folder) for its wheel: true when it is one. */
bool around_pack(struct env_run *e, struct str pipeline, struct str path, struct str raw);
/* Files beside the modules, to be formatted with them. -1 with a finding. */
int around_modules(struct env_run *e);
/* After the modules were published: the phase monitoring, then bundle_sync. -1 with a finding ends the run. */
int around_monitor(struct env_run *e);
int around_sync(struct env_run *e);

#endif
