/* outputs.h - the files that a command makes in a project, and where two such trees differ. */
#ifndef LHP_TESTS_OUTPUTS_H
#define LHP_TESTS_OUTPUTS_H

#include "golden/case.h"
#include "law/edit.h"

/* What a command writes, as far as its words say. */
struct reach {
	bool dev, prod, out, bundle, sandbox, generates;
	struct str pipeline; /* -p, or empty */
};

struct reach reach_of(struct str line);
/* The files of a tree that are not inputs and that the command may write: path -> struct str *. */
void outputs_of(const struct edits *e, struct scratch *s, struct arena *a, const struct reach *r, struct map *out);
/* The differences go to `why`. */
bool trees_equal(const struct map *want, const struct map *got, struct buf *why);

#endif
