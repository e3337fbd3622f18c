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
};

struct lineage_action {
	struct str name, id;   /* id: pipeline.flowgroup.action */
	uint32_t flowgroup;
	struct { VEC_OF(struct lineage_source) } source;
	struct str table;      /* what a write makes, or empty */
	struct str view;       /* its target, or empty */
	const char *kind;      /* for people: "load", "write" … */
};

struct lineage_group {     /* a flowgroup or a pipeline */
	struct str name, id;
	uint32_t pipeline;     /* of a flowgroup */
	size_t actions, flowgroups;
	struct map external;   /* sources that nobody here makes */
};

struct lineage_cycle {
	struct str text;       /* "flowgroup level: p.a -> p.b -> p.a" */
};

struct lineage {
	struct arena *arena;
	struct { VEC_OF(struct lineage_action) } action;
	struct { VEC_OF(struct lineage_group) } flowgroup, pipeline;
	struct map action_id, flowgroup_id, pipeline_id; /* -> index + 1 */
	struct tables tables;
	struct digraph actions, flowgroups, pipelines;
	struct map external;   /* of all */
	struct { VEC_OF(struct lineage_cycle) } cycle;
	struct stages stages;  /* of pipelines; n is 0 when there is a cycle on any level */
};

enum { LINEAGE_MAX_CYCLES = 20 };

void lineage_init(struct lineage *l, struct arena *a);
/* Index of the flowgroup; made when it is new. */
uint32_t lineage_flowgroup(struct lineage *l, struct str pipeline, struct str name);
struct lineage_action *lineage_add(struct lineage *l, uint32_t flowgroup, struct str name);
/* Once, after everything was added. */
void lineage_link(struct lineage *l);

/* The edges among pipelines that come from the flowgroups kept (by index) alone. */
void lineage_pipelines_of(struct lineage *l, const bool *keep_flowgroup, struct digraph *out);

#endif
