/*
 * resource.h - the bundle resource file of one pipeline, byte for byte (spec/bundle.md, section 2).
 */
#ifndef LHP_BUNDLE_RESOURCE_H
#define LHP_BUNDLE_RESOURCE_H

#include "yaml/node.h"

/* `settings`: merged, tokens replaced, without `packaging`. The text ends with one newline. */
struct str resource_text(struct arena *a, struct str pipeline, const struct node *settings);

/* Truth of a setting: a text "true" or "false" (any case), as a token leaves it, counts as the boolean. */
bool setting_truthy(const struct node *n);

#endif
