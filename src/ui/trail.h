/*
 * trail.h - how a run goes: one line per finished phase and pipeline, and live lines under them.
 *
 * Spec: errors.md, section 8. Without a live form: `✓ discover (0.12s)`, `✓ NAME  2 files`,
 * `✗ NAME  CODE  title`. On a terminal: `✓ discover  1.2s`, clean pipelines only with details,
 * and two changing lines, erased at the end.
 */
#ifndef LHP_UI_TRAIL_H
#define LHP_UI_TRAIL_H

#include "base/diag.h"
#include "ui/screen.h"

struct trail {
	const struct screen *screen;
	struct arena *arena;
	bool details;   /* --show-details */
	struct str root; /* files are shown as absolute paths */
	struct pen pen; /* of screen->trail */
	size_t drawn;   /* live lines on the screen now */
	double started, last; /* seconds of the monotonic clock: of the run, of the last drawing */
	size_t frame;
};

void trail_start(struct trail *t, const struct screen *s, struct arena *a, bool details, struct str root);
/* Several environments: whose lines follow. */
void trail_env(struct trail *t, struct str name);
void trail_phase(struct trail *t, const char *name, bool good, double seconds);
/* `failed`: the pipeline's representative finding, or NULL. */
void trail_pipeline(struct trail *t, struct str name, size_t files, const struct diag *failed);
/* Printed with details only. */
void trail_warning(struct trail *t, const struct diag *d);
/* `WARNING: text`, always on standard error. */
void trail_log(struct trail *t, struct str line);
void trail_progress(struct trail *t, size_t done, size_t total, struct str pipeline);
/* Erases what is live. Accepts a zeroed trail. */
void trail_finish(struct trail *t);

#endif
