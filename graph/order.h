/*
 * order.h - directed graphs over numbers: stages, cycles, closure.
 *
 * Nodes are 0 … n-1; an edge goes from a producer to its reader. Edges of a node
 * keep the order they were added in. Everything lives in the arena of the struct.
 */
#ifndef LHP_GRAPH_ORDER_H
#define LHP_GRAPH_ORDER_H

#include "base/map.h"
#include "base/vec.h"

struct links {
	VEC_OF(uint32_t)
};

struct digraph {
	struct arena *arena;
	size_t n;
	struct links *out; /* readers of each node */
	struct links *in;  /* producers of each node */
	struct map edge;   /* of nodes with many producers */
};

void digraph_init(struct digraph *g, struct arena *a, size_t n);
/* False when the edge was there already. */
bool digraph_add(struct digraph *g, uint32_t from, uint32_t to);

struct stages {
	uint32_t *stage; /* of each node */
	uint32_t *node;  /* all nodes, stage after stage */
	size_t *first;   /* where each stage begins in `node`; first[n] is the end */
	size_t n;
};

/*
 * Stage 0: nodes without producers, in node order; then whoever lost the last missing one, in the order that
 * happens. False when there is a cycle (a node's edge to itself is one).
 */
bool digraph_stages(const struct digraph *g, struct stages *out);

struct cycles {
	VEC_OF(struct links)
};

/*
 * Elementary cycles, at most `limit` of them (Johnson): those of one node first, then by node order; each is
 * led by its first node in node order and does not repeat it at the end.
 */
void digraph_cycles(const struct digraph *g, size_t limit, struct cycles *out);

/* Marks everything reachable from `node` (itself only when it is on a cycle): readers, or producers with `upstream`. */
void digraph_closure(const struct digraph *g, uint32_t node, bool upstream, bool *mark);

#endif
