/*
 * run_result.h - all that there is to say of a run when it is over, one for each environment.
 *
 * Everything in it lives as long as the arena that was given to run_project.
 */
#ifndef LHP_BUILD_RUN_RESULT_H
#define LHP_BUILD_RUN_RESULT_H

#include "base/diag.h"

enum diff_state { DIFF_CREATE, DIFF_MODIFIED, DIFF_ORPHAN };

struct diff_entry {
	enum diff_state state;
	struct str path;         /* below the output folder */
	struct str before, after;
};

struct run_stat {
	struct str name;
	size_t count;
	double ms;
};

/* What the store knew already, by kind: `known` of those that were asked for. */
enum hits_kind {
	HITS_INPUTS,  /* whose stat tuple was enough */
	HITS_OUTPUTS,
	HITS_FILES,   /* of flowgroups: not parsed */
	HITS_UNITS,   /* flowgroups reused */
	HITS_KINDS
};

struct run_hits {
	uint64_t known, of;
};

struct run_result {
	int status;              /* exit status: 0, 1, 3 or 4 (spec/errors.md 2, engine.md) */
	/*
	 * Findings that end the run before or after the pipelines (phases 1-6 of spec/errors.md 3, and
	 * commit, format, monitoring, bundle_sync). generate shows the first as a panel.
	 */
	struct diags fatal;
	bool preflight_failed;   /* fatal[0] is of preflight: validate shows it in its summary line */
	struct diags findings;   /* of pipelines: by pipeline, flowgroup; then across flowgroups */
	struct diags warnings;   /* counted ones, deduplicated by (code, file) */
	size_t pipelines_good;   /* N of the summary */
	size_t files;            /* files that the selected pipelines have */
	size_t units, rebuilt, written, removed;
	bool up_to_date;         /* a warm run that found nothing to do */
	bool idle;               /* it mends, and there was nothing to mend: all else here says nothing */
	bool mended;             /* outputs were not as runs had left them */
	struct diff_entry *diff;
	size_t n_diff;
	const struct run_stat *stat; /* --stats: of the whole run, in each result */
	size_t n_stat;
	struct run_hits hits[HITS_KINDS]; /* likewise */
	uint64_t hashed_bytes;       /* of inputs and outputs, to see whether they changed */
	double seconds;
};

#endif
