/*
 * run_state.h - what one run knows: shared by the files of build/, which do its steps (steps.h).
 */
#ifndef LHP_BUILD_RUN_STATE_H
#define LHP_BUILD_RUN_STATE_H

#include "build/publish.h"
#include "build/record.h"
#include "build/run.h"
#include "build/work.h"
#include "build/around.h"
#include "build/engine.h"
#include "build/view.h"
#include "emit/format.h"

/* A flowgroup of this run and environment. */
struct unit_run {
	const struct flowgroup_source *src;
	struct str pipeline;     /* its folder: names with tokens replaced */
	struct str name;
	bool selected;           /* by -p, or in the sandbox */
	bool left_out;           /* outside the sandbox: not worked on */
	bool reused;             /* its record came from the store */
	bool again;              /* worked on again, though its values are the same: lines moved, or its texts are wanted; */
	bool checked;            /* then the findings and facts of its record stand */
	enum work_depth depth;   /* of its record */
	struct record record;
	struct old_pipeline *old;  /* what the store has, when it has anything: reused or compared */
	const struct kept_unit *kept;
};

struct pipeline_run {
	struct str name;
	bool selected;
	size_t *unit;            /* indexes into units, in discovery order */
	size_t n_unit;
	const struct kept *rest; /* of the short way: it has these, too, as they are kept; else NULL */
	struct diags findings;   /* of its flowgroups, by name, then across flowgroups */
	size_t n_files;
};

/* Outputs that are being laid out. */
struct layout {
	struct format_batch *batch;    /* at work; then what waits in its folder (output.waits); or NULL */
	struct format_item *item;
	size_t *output;                /* index of each in the run's outputs */
	size_t n;
};

/* Everything that the environments of one run share. */
struct run {
	struct fs *fs;
	const struct run_options *o;
	const struct run_listener *l;
	struct arena *arena;     /* results */
	struct arena own;        /* freed at the end of the run */
	struct door *door;
	struct project project;
	struct trace trace;      /* of the project: lhp.yaml, listings, discovery */
	struct discovery found;
	size_t workers;
	bool verify;
	double started;
	struct run_result *results;
	struct transcript before; /* what was said before the first environment */
	struct {
		VEC_OF(struct run_stat)
	} stat;
	struct run_hits hits[HITS_KINDS];
	uint64_t hashed_bytes;
};

/* One environment of it. */
struct env_run {
	struct run *run;
	struct env env;
	struct run_result *result;
	struct unit_run *unit;
	size_t n_unit;
	struct pipeline_run *pipeline; /* by name */
	size_t n_pipeline;
	struct view view;
	struct transcript transcript;  /* what was said of this environment */
	struct str output;             /* folder of the modules: generated/ENV, or -o; root-relative, or absolute */
	struct outputs out;
	struct around around;
	bool format;
	struct {
		struct formatter program;
		struct hash128 stat;       /* of its file */
		bool is_known;             /* which version it is: in a run that knows of no output the first texts tell; then */
		struct str notice;         /* what is to be said of it, */
		struct hash128 identity;   /* and of what it makes: the pinned version, or this very file */
	} formatter;
	struct layout layout;
	struct {
		VEC_OF(struct str)
	} removed;                     /* outputs, and emptied folders, that the sweep took away */
	struct {
		VEC_OF(struct scope)
	} swept;                       /* where the run left what the project makes, and nothing else */
	struct {
		VEC_OF(struct str)
	} stands;                      /* folders in it that stand even when empty */
	bool replayed, published;
	bool patched;                  /* patch.c did it: `unit` and `pipeline` are only those redone, and where they are */
	bool keeps;                    /* the run came so far that its transcript stands for a run of the same inputs */
	struct buf log;
	struct work_memory *memory;    /* one per worker */
};

#endif
