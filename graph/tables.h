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

struct tables {
	struct arena *arena;
	struct map view;  /* pipeline NUL name -> struct producers */
	struct map full;  /* catalog.schema.table -> struct producers */
	struct map pair;  /* schema.table -> struct table_pair */
	struct map local; /* pipeline NUL table -> struct producers: what LIVE.t means */
};

void tables_add_view(struct tables *t, struct str pipeline, struct str name, uint32_t producer);
/* A name of two or three parts; others are ignored. */
void tables_add_table(struct tables *t, struct str pipeline, struct str name, uint32_t producer);
/* Who makes `source` for a reader in `pipeline`; NULL: nobody here, it comes from outside. */
const struct producers *tables_find(const struct tables *t, struct str pipeline, struct str source);

#endif
