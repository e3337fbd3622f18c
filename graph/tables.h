/*
 * tables.h - which producers a source stands for: views of a pipeline first, then tables of all.
 *
 * Producers are numbers that the caller chose. Rules: spec/dag.md, section 4, and
 * the wants 2 and 4 of section 12. Everything lives in the arena of the struct.
 */
#ifndef LHP_GRAPH_TABLES_H
#define LHP_GRAPH_TABLES_H

#include "base/map.h"
#include "base/vec.h"

/* Parts split at '.', backticks dropped, blanks trimmed, lower case. */
struct str table_canonical(struct arena *a, struct str name);
size_t table_parts(struct str canonical);

struct producers {
	VEC_OF(uint32_t) /* each once, in order of registration */
};

/* What is seen by one pipeline alone: its views, and its tables under LIVE.t. */
struct table_scope {
	struct map view;
	struct map local;
};

struct tables {
	struct arena *arena;
	struct map full; /* catalog.schema.table -> struct producers */
	struct map pair; /* schema.table -> struct table_pair */
};

void tables_add_view(struct tables *t, struct table_scope *pipeline, struct str name, uint32_t producer);
/* A name of two or three parts; others are ignored. */
void tables_add_table(struct tables *t, struct table_scope *pipeline, struct str name, uint32_t producer);
/* Who makes `source` for a reader in `pipeline`; NULL: nobody here, it comes from outside. */
const struct producers *tables_find(const struct tables *t, const struct table_scope *pipeline, struct str source);

#endif
