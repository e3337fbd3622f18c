/*
 * streaming.h - the chain of views before a replace_where write (write_test.md, sections 8.2 and 8.4).
 *
 * A view is looked for among those of its own flowgroup, else of the pipeline's other
 * flowgroups; a view that nobody makes is an external table and ends the chain.
 */
#ifndef LHP_CHECK_STREAMING_H
#define LHP_CHECK_STREAMING_H

#include "base/map.h"
#include "check/facts.h"

/* The views of one pipeline. */
struct views {
	const struct facts *const *fg; /* its flowgroups */
	size_t n;
	struct map first;              /* view -> where it is made first: struct view_place */
};

struct view_place {
	const struct facts *fg;
	const struct view_made *view;
};

void views_init(struct views *v, struct arena *a, const struct facts *const *fg, size_t n);

/* Everything before a view, itself first, each once, nearest first; no further than about a thousand. */
struct chain {
	VEC_OF(struct view_place)
};
void chain_of(const struct views *v, struct arena *a, const struct facts *home, struct str view, struct chain *out);

/* The first link that is a stream by itself, or NULL. */
const struct view_place *chain_streaming(const struct chain *c);
/* The first link that writes unstable metadata, or NULL. */
const struct view_place *chain_unstable(const struct chain *c);

#endif
