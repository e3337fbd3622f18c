/*
 * lineage.h - actions, flowgroups and pipelines, and who reads whom on each level.
 *
 * Add flowgroups and their actions in the order of discovery, with what each action
 * makes and reads; then lineage_link works out the three graphs (spec/dag.md,
 * section 3). Nodes with the same name are the same node. Texts are borrowed; the rest lives in the arena.
 */
#ifndef LHP_GRAPH_LINEAGE_H
#define LHP_GRAPH_LINEAGE_H

#include "graph/order.h"
#include "graph/tables.h"

struct lineage_source {
	struct str text;
	bool at_run_time; /* found in Python: an action that reads what it makes is no cycle */
	const char *file; /* where it stands */
	uint32_t line;
};

struct lineage_action {
	struct str name;
	uint32_t flowgroup;
	struct { VEC_OF(struct lineage_source) } source;
	struct str table;      /* what a write makes, or empty */
	struct str view;       /* its target, or empty */
	const char *kind;      /* for people: "load", "write" … */
};

struct lineage_group {     /* a flowgroup or a pipeline */
	struct str name, id;   /* id: pipeline.flowgroup, or pipeline */
	uint32_t pipeline;     /* of a flowgroup */
	size_t actions, flowgroups;
	struct links member;   /* of a flowgroup: its actions */
	struct map external;   /* of a pipeline: sources that nobody here makes */
	struct table_scope scope; /* of a pipeline */
};

/* One edge of a cycle: an action that reads what another one makes. */
struct lineage_step {
	uint32_t maker, reader;               /* actions; of several between two groups the first */
	const struct lineage_source *source;  /* as the reader names it */
};

struct lineage_cycle {
	struct str text;       /* "flowgroup level: p.a -> p.b -> p.a" */
	struct { VEC_OF(struct lineage_step) } step;
};

struct lineage {
	struct arena *arena;
	struct { VEC_OF(struct lineage_action) } action;
	struct { VEC_OF(struct lineage_group) } flowgroup, pipeline;
	struct map flowgroup_id, pipeline_id; /* -> index + 1 */
	struct tables tables;
	struct digraph actions, flowgroups, pipelines;
	struct map external;   /* of all */
	struct { VEC_OF(struct lineage_cycle) } cycle;
	struct stages stages;  /* of pipelines; n is 0 when there is a cycle on any level */
};

enum { LINEAGE_MAX_CYCLES = 20 };

void lineage_init(struct lineage *l, struct arena *a);
/* Room for so many; not needed, but quicker. */
void lineage_expect(struct lineage *l, size_t flowgroups, size_t actions);
/*
 * Index of the flowgroup; made when it is new. Called each time it is found: of one that is found twice the actions of
 * the last one are counted.
 */
uint32_t lineage_flowgroup(struct lineage *l, struct str pipeline, struct str name);
/* Adds what an action makes and reads (name, kind, view, table, source) to what others of its name in the flowgroup do. */
void lineage_add(struct lineage *l, uint32_t flowgroup, const struct lineage_action *action);
/* Adds a source, once for each text. */
void lineage_source_add(struct lineage_action *a, struct arena *arena, const struct lineage_source *s);
/* pipeline.flowgroup.action */
struct str lineage_id(const struct lineage *l, uint32_t action);
/* Who makes what an action reads; NULL: it comes from outside. */
const struct producers *lineage_makers(const struct lineage *l, uint32_t reader, const struct lineage_source *s);
/* Once, after everything was added. */
void lineage_link(struct lineage *l);

/* The edges among pipelines that come from the flowgroups kept (by index) alone. */
void lineage_pipelines_of(struct lineage *l, const bool *keep_flowgroup, struct digraph *out);

#endif
