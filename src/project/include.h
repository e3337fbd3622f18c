/*
 * include.h - which YAML files a list of include patterns selects.
 *
 * The matcher of spec/resolve.md, section 2.1: shell-style, `*` also crosses '/',
 * with the rules of the peer for `**` and for bare names. A walk reads only the
 * folders that some pattern can reach, through the door, so that each is a
 * dependency of whoever walks.
 */
#ifndef LHP_PROJECT_INCLUDE_H
#define LHP_PROJECT_INCLUDE_H

#include "base/vec.h"
#include "project/project.h"

struct patterns {
	const struct str *p;
	size_t n; /* 0: everything */
};

struct paths {
	VEC_OF(struct str) /* root-relative */
};

bool include_match(struct arena *a, struct str path, struct str pattern);
bool include_match_any(struct arena *a, struct str path, struct patterns patterns);
/* Empty, or holding `***` before '/', or `[unclosed`: LHP-CFG-005. */
bool include_pattern_bad(struct str pattern);

/* The patterns that lhp.yaml has under `key`, which is recorded; `standard` when absent or empty. */
struct patterns include_patterns(struct project *p, struct trace *t, struct arena *a, const char *key,
                                 const struct str *standard, size_t n);

/*
 * What is called *.yaml or *.yml below `dir` and whose path relative to it is selected, sorted by path_cmp: reading
 * tells whether it is a file. Links to folders are not followed, nor are .git and .lhp.
 */
void include_walk(struct door *d, struct trace *t, struct arena *a, struct str dir, struct patterns patterns,
                  struct paths *out);

#endif
