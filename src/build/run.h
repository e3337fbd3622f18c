/*
 * run.h - one run: from a project's files to validated flowgroups and written outputs.
 *
 * The only place that knows files, flowgroups and tables at once. It is told what
 * to do (struct run_options), says how it goes through a listener while it goes, and
 * returns everything there is to say as a value: it prints nothing and exits never.
 *
 * A warm run reports what a cold one would: findings of units that were not redone come
 * from the store.
 */
#ifndef LHP_BUILD_RUN_H
#define LHP_BUILD_RUN_H

#include "base/fs.h"
#include "base/map.h"
#include "build/run_result.h"

struct format_live;

enum run_task { RUN_VALIDATE, RUN_GENERATE, RUN_DIFF };

struct run_options {
	enum run_task task;
	struct str *env; /* names; {"all"} is every substitutions/NAME.yaml */
	size_t n_env;
	struct str pipeline;        /* -p, or STR_NONE: an empty one is the name of no pipeline */
	struct str output;          /* -o, or empty */
	struct str pipeline_config; /* -pc, or empty */
	bool include_tests, no_bundle, no_format, sandbox, strict;
	bool no_cache, verify, no_wait;
	bool alone;                 /* without a lock or store: the file system is nobody else's */
	size_t workers;             /* 0: as many as there are cores */
	bool unified;               /* diff: make the text of modified files */
	struct format_live *live;   /* a formatter that stays between runs, or NULL */
	/* Folders, root-relative, outside which no file changed since the last run, for one who was told; NULL: anything may have. */
	const struct map *where;
	bool mends;                 /* does nothing when outputs are as runs left them, and no input changed: they may be of other options */
};

/* When, and by which of the run's threads, a flowgroup was worked on. */
struct unit_span {
	struct str pipeline, name;
	size_t worker;
	double from, until; /* seconds of the monotonic clock */
};

/*
 * All may be NULL. Called in the thread of run_project. Findings and texts given to it live until run_project
 * returns; those of the result live as long as its arena.
 */
struct run_listener {
	void *ctx;
	/* The lines that follow are of this environment. */
	void (*env)(void *ctx, struct str name);
	/* A trail line: discover, preflight, validate, generate, format, monitoring, bundle_sync. */
	void (*phase)(void *ctx, const char *name, bool good, double seconds);
	/* One pipeline, in order of name. `failed`: its representative finding, or NULL. */
	void (*pipeline)(void *ctx, struct str name, size_t files, const struct diag *failed);
	/* A counted warning, when it is found (printed at once with --show-details). */
	void (*warning)(void *ctx, const struct diag *d);
	/* A line without a code, for the log: what is said once and never counted. */
	void (*log)(void *ctx, struct str line);
	/* Is this folder outside of what the listener sees by itself? */
	bool (*is_outside)(void *ctx, struct str dir);
	/* An input there that this run or an earlier one depended on: a file, or the names in a folder. */
	void (*outside)(void *ctx, struct str path, bool is_dir);
	/* A flowgroup that was worked on, told when all were. */
	void (*unit)(void *ctx, const struct unit_span *span);
	/* Units done so far; for a live display. */
	void (*progress)(void *ctx, size_t done, size_t total, struct str pipeline);
};

/*
 * Runs in the project at `fs`. Results are in `a`. Never fails by itself: what
 * goes wrong is in the result. Several environments: one result each, in order.
 */
void run_project(struct fs *fs, const struct run_options *o, const struct run_listener *l, struct arena *a,
                 struct run_result *result /* n_env of them */);

#endif
