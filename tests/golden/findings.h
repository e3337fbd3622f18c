/*
 * findings.h - what a case announces, against what a run found.
 *
 * A comment in a file of the project announces a finding in the line above it, in the column of the caret:
 *
 *	name: 7
 *	#     ^ settings.shape
 *
 * `--` serves in SQL; several rules at one place stand one after another, several places in lines one below
 * another. The section `findings` announces what no comment can: lines of RULE, or RULE FILE[:LINE[:COL]].
 * Findings are read from the lines of `--message-format json`; a run that prints none of those is asked for the
 * names of the rules in its panels only.
 */
#ifndef LHP_TESTS_FINDINGS_H
#define LHP_TESTS_FINDINGS_H

#include "base/map.h"
#include "golden/txtar.h"

/* Rules that some case announced and found. */
struct rules_seen {
	struct arena arena;
	struct map rules;
};

/* Each difference is a line in `problems`; rules that were announced and found go to `seen`. */
void findings_compare(struct buf *problems, struct arena *a, const struct txtar *t, struct str out,
                      struct rules_seen *seen);

#endif
