/*
 * resource.h - the bundle resource file of one pipeline, byte for byte (spec/bundle.md, section 2).
 */
#ifndef LHP_BUNDLE_RESOURCE_H
#define LHP_BUNDLE_RESOURCE_H

#include "yaml/node.h"

/* `settings`: merged, tokens replaced, without `packaging`. The text ends with one newline. */
struct str resource_text(struct arena *a, struct str pipeline, const struct node *settings);

/* A setting that no block can show. */
struct misfit {
	const char *key;
	enum { MISFIT_NO_LIST, MISFIT_NO_MAP } kind;
	const struct node *node; /* NULL: there is none */
};
struct misfit resource_misfit(const struct node *settings);

#endif
