/*
 * run_internal.h - the parts of one run, shared by the files of build/.
 */
#ifndef LHP_BUILD_RUN_INTERNAL_H
#define LHP_BUILD_RUN_INTERNAL_H

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
	bool again;              /* worked on again, though its values are the same: lines moved, or its texts are wanted */
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
	struct diags findings;   /* of its flowgroups, by name, then across flowgroups */
	size_t n_files;
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
		struct hash128 identity;   /* of what it makes: the pinned version, or this very file */
	} formatter;
	struct {
		VEC_OF(struct str)
	} removed;                     /* outputs that the sweep took away */
	bool replayed, published;
	bool patched;                  /* patch.c did it: `unit` and `pipeline` are only those it looked at */
	bool keeps;                    /* the run came so far that its transcript stands for a run of the same inputs */
	struct buf log;
	struct arena *keep;            /* one per worker: records and raw texts */
	struct arena *scratch;
};

double now_seconds(void);
/* A row of --stats: `count` things done since `started`, in all environments together. Returns the time now. */
double stat_add(struct run *r, const char *name, size_t count, double started);
void say_phase(const struct run *r, const char *name, bool good, double started);
void say_log(struct run *r, struct buf *log); /* line by line; emptied */
/* Adds to the counted warnings, once per (code, file), and tells the listener. */
void warning_add(struct env_run *e, const struct diag *d);

/* units.c: makes the list of units and pipelines; runs the units; sorts their findings under their pipelines. */
int units_plan(struct env_run *e);
void units_run(struct env_run *e, enum work_depth depth);
void units_report(struct env_run *e);

/* scope.c: with --sandbox, what is in it: pipelines are selected, env.sandbox is set. -1 with a finding. */
int scope_open(struct env_run *e);

/*
 * patch.c: does the run by redoing units alone, when that gives all that has changed. False: it does not, and nothing happened
 * but that some files may be right already.
 */
bool env_patch(struct env_run *e);
/* run.c: formatter and tokens. -1 with a finding. */
int env_settings(struct env_run *e);
/* run.c: lays out what was assembled. -1 with a finding. */
int format_run(struct env_run *e);

/*
 * run.c: writes `made`, sweeps the scope (NULL: nothing is swept), and adds the files to e->out. `keep` are folders that stand
 * even when empty. 0, or -1 with a finding; the status is then 3.
 */
int publish_stage(struct env_run *e, struct outputs *made, const struct scope *scope, struct str *keep, size_t n_keep);
/* run.c: does the folder hold a file that a run of ours wrote? */
bool publish_left_ours(struct env_run *e, struct str dir);

/* preflight.c */
int preflight(struct env_run *e);

/* assemble.c: the outputs of all selected pipelines; formatting.c lays them out. -1 with findings. */
int outputs_assemble(struct env_run *e);
/* Adds the output of a unit's file to e->out; without its text when the right one is on disk. */
void output_plan(struct env_run *e, const struct record_file *f);
int outputs_format(struct env_run *e);
/* formatting.c: finds the formatter, and out whether it is the pinned one. -1 with a finding. */
int formatter_open(struct env_run *e);
/* Hash of the stat of the formatter that would be used; HASH_NONE when there is none. */
struct hash128 formatter_stat_hash(struct fs *fs, struct arena *a, struct formatter *f);
/* Hash of what a file is made from: its raw text, and whether and by what it is formatted. */
struct hash128 output_tag(const struct env_run *e, struct hash128 raw);
/* output_folder.c: generated/ENV, or the folder that -o names, however it is spelled: root-relative, or absolute when it is outside. */
struct str output_folder(struct run *r, struct str env);
/*
 * output_folder.c: sets e->output. -1, status 2 and a finding when -o names a folder that must not be swept: by its path alone; and,
 * before anything is written, because inputs are in it or around it.
 */
int output_folder_open(struct env_run *e);
int output_folder_check(struct env_run *e);
/* Folder that modules go to. */
struct str output_dir(const struct env_run *e);

/* diff.c */
void outputs_diff(struct env_run *e);

#endif
