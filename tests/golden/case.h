/*
 * case.h - a golden case laid out in a scratch folder, and lhp run in it, in this process.
 */
#ifndef LHP_TESTS_CASE_H
#define LHP_TESTS_CASE_H

#include "base/fs.h"
#include "base/map.h"
#include "golden/txtar.h"

struct scratch {
	struct arena arena;
	struct str top, root, home; /* absolute */
	struct fs fs;               /* at root */
};

/* Makes a scratch folder; with the files of the sections `project/…` in it. */
void scratch_make(struct scratch *s, const struct txtar *t);
void scratch_drop(struct scratch *s);

/* Runs `lhp LINE` (split as a shell does; NAME=VALUE words in front set the environment). Output of both streams in *out. */
int scratch_run(struct scratch *s, struct str line, struct str *out);

/* path -> struct str * of the contents of every file, but for what is never compared (.lhp, .git, markers). */
void scratch_tree(struct scratch *s, struct arena *a, struct map *tree);

#endif
