/*
 * format.h - the seam to the formatter: raw Python texts in, the texts that go to disk out.
 *
 * Runs ruff (pinned version 0.13.3: format --isolated, target py311, 88 columns) once for a batch, on copies in a
 * private temporary folder outside the project (in memory, if it fits), or on a single text by standard input and output,
 * without a cache of its own. Found by LHP_RUFF, then PATH, then the tool folder beside the program or of the checkout
 * (.tools/). Texts whose hash the caller already knows need not be given: the caller keeps (hash of raw + version) -> text.
 *
 * The pinned version is asked for in the same start of the program; another one is used all the same, and said.
 * Calls are safe from several threads at once.
 */
#ifndef LHP_EMIT_FORMAT_H
#define LHP_EMIT_FORMAT_H

#include "base/arena.h"
#include "base/str.h"

struct format_item {
	struct str name; /* for messages only */
	struct str raw;
	struct str text; /* out */
	bool failed;     /* out: it does not parse; `problem` says where */
	struct str problem;
};

struct format_live;

struct formatter {
	struct str program; /* absolute path, or empty when none was found */
	struct format_live *live; /* one that stays (emit/format_live.h), or NULL */
	size_t workers;           /* threads that write and remove copies */
};

enum { FORMAT_TEXT_MOST = 16 << 20 };

/* The environment that the program is started in: without what would colour or change its words. */
char **formatter_environment(struct arena *a);
/* Looks for the program, without starting it. -ENOENT when there is none. */
int formatter_find(struct formatter *f, struct arena *a);
extern const char FORMATTER_PINNED[];     /* "0.13.3" */
extern const char FORMATTER_INSTALL[];    /* the line that installs it, for messages */
/*
 * 0; items that do not parse have `failed`. A negative errno when the program could not be run, with `*problem`. A
 * program of another version than the pinned one: 0, with a `*problem` that says so.
 */
int format_batch(const struct formatter *f, struct arena *a, struct format_item *item, size_t n, struct str *problem);

/*
 * The same, in two steps: the program runs while the caller does something else. *out is not NULL when there is something to wait for; it
 * lives in `a`, and is to be given to format_end, at any moment. The items are wanted to the end, their `raw` no more.
 */
struct format_batch;
int format_start(const struct formatter *f, struct arena *a, struct format_item *item, size_t n, struct format_batch **out,
                 struct str *problem);
/*
 * Waits for the end. Then *b is NULL, and the items have their texts; or it is not, and they wait where the program left them, since
 * they may be very many, to be read one at a time.
 */
int format_wait(struct format_batch **b, struct str *problem);
/* The text of an item that waits. From any thread. 0, or a negative errno. */
int format_read(struct format_batch *b, size_t i, struct arena *a, struct str *text);
/* All of them at once; *b ends, and is NULL. */
int format_take(struct format_batch **b, struct str *problem);
void format_end(struct format_batch *b); /* accepts NULL */

#endif
