/*
 * summary.h - the last lines of a run (spec/errors.md 8, spec/engine.md).
 */
#ifndef LHP_UI_SUMMARY_H
#define LHP_UI_SUMMARY_H

#include "base/diag.h"
#include "ui/pen.h"

struct summary {
	bool generate;
	bool up_to_date;           /* generate: nothing had to be done */
	size_t pipelines;          /* that passed */
	size_t files;              /* generate */
	size_t warnings, failed;   /* failed: findings */
	size_t units, rebuilt, written, removed; /* shown when rebuilt < units */
	double seconds;
};

/*
 * `2 validated; 1 warning · 3 failed · 4.4s`, `1 pipeline generated · 2 files · 4.4s`, with what was reused;
 * `up to date · …` when there was nothing to do.
 */
void summary_counts(struct pen *p, const struct summary *s);
/* `⚠ W warnings (T types) — …` and one line per code in order of first appearance, cut to the width. */
void summary_warnings(struct pen *p, struct arena *a, const struct diags *warnings, size_t columns);

#endif
