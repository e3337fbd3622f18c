/*
 * patch_state.h - the short way through a run: patch.c goes it, touched.c finds out what must be redone on it.
 */
#ifndef LHP_BUILD_PATCH_STATE_H
#define LHP_BUILD_PATCH_STATE_H

#include "build/steps.h"

struct looked_at {
	enum unit_state state;
	const struct flowgroup_source *src; /* of what must be redone */
};

/* A pipeline of the last run. */
struct touched {
	struct old_pipeline *old; /* NULL: nothing that its units depend on changed */
	struct looked_at *unit;
	size_t redo;              /* of them */
	bool bad;                 /* the short way does not lead through it */
};

struct patch {
	struct env_run *e;
	struct view *view;
	enum work_depth depth;
	struct run_result said;   /* by the last run */
	bool logged;              /* by the last run; */
	bool logs;                /* and by this one */
	struct map source;        /* PIPELINE\nFLOWGROUP -> flowgroup_source of files that changed */
	struct touched *pipeline; /* in the order of view.standing */
	size_t n_touched;
};

/* Looks at all pipelines of the last run. False: they do not tell what must be redone, or it cannot be here. */
bool patch_look(struct patch *p);

#endif
