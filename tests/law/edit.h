/*
 * edit.h - random edits of a project, the way people and tools make them.
 *
 * The inputs as they should be on disk are kept in memory: a cold copy is laid from them, and reverting
 * brings an original back. The same seed gives the same edits.
 */
#ifndef LHP_TESTS_EDIT_H
#define LHP_TESTS_EDIT_H

#include "base/fs.h"
#include "base/map.h"
#include "golden/txtar.h"

struct content {
	struct str bytes; /* p == NULL: no file */
	bool is_link;     /* then `bytes` is where it leads */
};

struct input {
	struct content original, now; /* none originally: made by an edit; none now: deleted */
};

enum { EDIT_VARIABLES = 2 };

struct edits {
	struct arena arena;
	struct map input;         /* path -> struct input */
	uint64_t state;           /* of the random numbers */
	const char *variable[EDIT_VARIABLES]; /* values of WORKSPACE_ENV and LOGICAL_ENV; NULL: not set */
	int names;                /* made so far */
};

void edits_init(struct edits *e, const struct txtar *t, uint64_t seed);
void edits_finish(struct edits *e);
unsigned edits_random(struct edits *e, unsigned below);
bool edits_has(const struct edits *e, struct str path);
/* One edit of an input or an output, on disk and in memory; what it was is added to `said`. */
void edits_make(struct edits *e, struct fs *fs, struct buf *said);
/* One of an output. */
void edits_make_output(struct edits *e, struct fs *fs, struct buf *said);
/* Writes all inputs into an empty folder. */
void edits_lay(struct edits *e, struct fs *fs);
/* Sets the environment variables that edits flip. */
void edits_environment(const struct edits *e);
/* What some input holds, or empty. */
struct str edits_any_text(struct edits *e);
/* A pipeline named in some file, or empty. */
struct str edits_any_pipeline(struct edits *e);

#endif
