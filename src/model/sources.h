/*
 * sources.h - which views an action reads, by name.
 *
 * The one answer for the order of actions, for circles and for views that nothing
 * reads (spec/load_transform.md 1.1, write_test.md 1.2): a text; the text items of
 * a list; in a map the first that is given of view, source, sources, table. Mode cdc
 * reads its cdc_config.source, if given; mode snapshot_cdc that of its block, and
 * nothing when it has a source_function.
 */
#ifndef LHP_MODEL_SOURCES_H
#define LHP_MODEL_SOURCES_H

#include "base/vec.h"
#include "model/flowgroup.h"

struct names {
	VEC_OF(struct str)
};

void action_sources(struct arena *a, const struct action *act, struct names *out);

#endif
