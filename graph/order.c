#include "graph/order.h"

void digraph_init(struct digraph *g, struct arena *a, size_t n)
{
	*g = (struct digraph){ .arena = a, .n = n };
	g->out = ARENA_ARRAY(a, struct links, n + 1);
	g->in = ARENA_ARRAY(a, struct links, n + 1);
}

enum { FEW = 16 };

/* False when the edge is known. The producers of a node are searched one by one as long as they are few. */
static bool edge_is_new(struct digraph *g, uint32_t from, uint32_t to)
{
	const struct links *in = &g->in[to];
	for (size_t i = 0; i < in->n && in->n <= FEW; i++)
		if (in->p[i] == from)
			return false;
	if (in->n < FEW)
		return true;
	for (size_t i = 0; in->n == FEW && i < in->n; i++) {
		uint32_t pair[2] = { in->p[i], to };
		map_add(&g->edge, g->arena, str_dup(g->arena, (struct str){ (const char *)pair, sizeof pair }));
	}
	uint32_t pair[2] = { from, to };
	return map_add(&g->edge, g->arena, str_dup(g->arena, (struct str){ (const char *)pair, sizeof pair }));
}

bool digraph_add(struct digraph *g, uint32_t from, uint32_t to)
{
	if (!edge_is_new(g, from, to))
		return false;
	*VEC_PUSH(&g->out[from], g->arena) = to;
	*VEC_PUSH(&g->in[to], g->arena) = from;
	return true;
}

bool digraph_stages(const struct digraph *g, struct stages *out)
{
	size_t *missing = ARENA_ARRAY(g->arena, size_t, g->n + 1), done = 0, end = 0;
	*out = (struct stages){ .stage = ARENA_ARRAY(g->arena, uint32_t, g->n + 1),
		                .node = ARENA_ARRAY(g->arena, uint32_t, g->n + 1),
		                .first = ARENA_ARRAY(g->arena, size_t, g->n + 1) };
	for (uint32_t i = 0; i < g->n; i++) {
		missing[i] = g->in[i].n;
		if (missing[i] == 0)
			out->node[end++] = i;
	}
	while (done < end) {
		size_t stage_end = end;
		out->first[out->n++] = done;
		for (; done < stage_end; done++) {
			uint32_t node = out->node[done];
			out->stage[node] = (uint32_t)out->n - 1;
			for (size_t k = 0; k < g->out[node].n; k++)
				if (--missing[g->out[node].p[k]] == 0)
					out->node[end++] = g->out[node].p[k];
		}
	}
	out->first[out->n] = done;
	return done == g->n;
}

/* --- cycles --- */

struct search {
	const struct digraph *g;
	uint32_t start;        /* nodes before it are gone */
	uint32_t *component;   /* strongly connected component of each node, from 1 */
	uint32_t *index, *low; /* of Tarjan's search */
	uint32_t next_index, n_component;
	bool *blocked;
	struct links *waiting; /* blocked nodes to free with this one */
	struct links stack, path;
	struct links next; /* edge to try, for each node of the path */
	size_t limit;
	struct cycles *out;
};

static struct links sorted_links(struct arena *a, const struct links *l)
{
	struct links out = { 0 };
	for (size_t i = 0; i < l->n; i++) {
		size_t k = out.n;
		VEC_PUSH(&out, a);
		for (; k > 0 && out.p[k - 1] > l->p[i]; k--)
			out.p[k] = out.p[k - 1];
		out.p[k] = l->p[i];
	}
	return out;
}

/* One step down or up of Tarjan's search; its call stack is path and next. */
static void component_pop(struct search *s, uint32_t node)
{
	if (s->low[node] != s->index[node])
		return;
	s->n_component++;
	uint32_t member;
	do {
		member = s->stack.p[--s->stack.n];
		s->component[member] = s->n_component;
	} while (member != node);
}

static void component_push(struct search *s, uint32_t node)
{
	s->index[node] = s->low[node] = ++s->next_index;
	*VEC_PUSH(&s->stack, s->g->arena) = node;
	*VEC_PUSH(&s->path, s->g->arena) = node;
	*VEC_PUSH(&s->next, s->g->arena) = 0;
}

static void component_search(struct search *s, uint32_t root)
{
	component_push(s, root);
	while (s->path.n > 0) {
		uint32_t node = s->path.p[s->path.n - 1], *edge = &s->next.p[s->next.n - 1];
		if (*edge < s->g->out[node].n) {
			uint32_t to = s->g->out[node].p[(*edge)++];
			if (to < s->start)
				continue;
			if (s->index[to] == 0)
				component_push(s, to);
			else if (s->component[to] == 0 && s->index[to] < s->low[node])
				s->low[node] = s->index[to];
			continue;
		}
		component_pop(s, node);
		s->path.n--;
		s->next.n--;
		if (s->path.n > 0 && s->low[node] < s->low[s->path.p[s->path.n - 1]])
			s->low[s->path.p[s->path.n - 1]] = s->low[node];
	}
}

/* Components of the nodes from s->start on. */
static void components_find(struct search *s)
{
	size_t bytes = s->g->n * sizeof *s->component;
	memset(s->component, 0, bytes);
	memset(s->index, 0, bytes);
	memset(s->low, 0, bytes);
	s->next_index = s->n_component = 0;
	s->stack.n = s->path.n = s->next.n = 0;
	for (uint32_t i = s->start; i < s->g->n; i++)
		if (s->index[i] == 0)
			component_search(s, i);
}

/* Moves `start` to the first node that shares its component with another one. False when there is none. */
static bool start_find(struct search *s)
{
	components_find(s);
	for (; s->start < s->g->n; s->start++)
		for (size_t k = 0; k < s->g->out[s->start].n; k++) {
			uint32_t to = s->g->out[s->start].p[k];
			if (to > s->start && s->component[to] == s->component[s->start])
				return true;
		}
	return false;
}

static void unblock(struct search *s, uint32_t node)
{
	struct links todo = { 0 };
	*VEC_PUSH(&todo, s->g->arena) = node;
	while (todo.n > 0) {
		uint32_t one = todo.p[--todo.n];
		if (!s->blocked[one])
			continue;
		s->blocked[one] = false;
		for (size_t i = 0; i < s->waiting[one].n; i++)
			*VEC_PUSH(&todo, s->g->arena) = s->waiting[one].p[i];
		s->waiting[one].n = 0;
	}
}

static void cycle_add(struct search *s)
{
	struct links cycle = { 0 };
	for (size_t i = 0; i < s->path.n; i++)
		*VEC_PUSH(&cycle, s->g->arena) = s->path.p[i];
	*VEC_PUSH(s->out, s->g->arena) = cycle;
}

static void circuit_push(struct search *s, uint32_t node)
{
	s->blocked[node] = true;
	*VEC_PUSH(&s->path, s->g->arena) = node;
	*VEC_PUSH(&s->next, s->g->arena) = 0;
}

/* All circuits through s->start: Johnson's CIRCUIT with a stack of its own. */
static void circuits_find(struct search *s, const struct links *edges, bool *found)
{
	s->path.n = s->next.n = 0;
	memset(s->blocked, 0, s->g->n);
	for (size_t i = 0; i < s->g->n; i++)
		s->waiting[i].n = 0;
	circuit_push(s, s->start);
	found[s->start] = false;
	while (s->path.n > 0 && s->out->n < s->limit) {
		uint32_t node = s->path.p[s->path.n - 1], *edge = &s->next.p[s->next.n - 1];
		if (*edge < edges[node].n) {
			uint32_t to = edges[node].p[(*edge)++];
			if (to < s->start || to == node || s->component[to] != s->component[s->start])
				continue;
			if (to == s->start) {
				cycle_add(s);
				found[node] = true;
			} else if (!s->blocked[to]) {
				circuit_push(s, to);
				found[to] = false;
			}
			continue;
		}
		s->path.n--;
		s->next.n--;
		if (found[node])
			unblock(s, node);
		for (size_t k = 0; !found[node] && k < edges[node].n; k++)
			if (edges[node].p[k] >= s->start && s->component[edges[node].p[k]] == s->component[s->start])
				*VEC_PUSH(&s->waiting[edges[node].p[k]], s->g->arena) = node;
		if (s->path.n > 0)
			found[s->path.p[s->path.n - 1]] |= found[node];
	}
}

void digraph_cycles(const struct digraph *g, size_t limit, struct cycles *out)
{
	struct search s = { .g = g, .limit = limit, .out = out };
	*out = (struct cycles){ 0 };
	for (uint32_t i = 0; i < g->n && out->n < limit; i++)
		for (size_t k = 0; k < g->out[i].n; k++)
			if (g->out[i].p[k] == i) {
				struct links self = { 0 };
				*VEC_PUSH(&self, g->arena) = i;
				*VEC_PUSH(out, g->arena) = self;
			}
	s.component = ARENA_ARRAY(g->arena, uint32_t, g->n + 1);
	s.index = ARENA_ARRAY(g->arena, uint32_t, g->n + 1);
	s.low = ARENA_ARRAY(g->arena, uint32_t, g->n + 1);
	if (out->n >= limit || !start_find(&s))
		return;
	s.blocked = ARENA_ARRAY(g->arena, bool, g->n + 1);
	s.waiting = ARENA_ARRAY(g->arena, struct links, g->n + 1);
	bool *found = ARENA_ARRAY(g->arena, bool, g->n + 1);
	struct links *edges = ARENA_ARRAY(g->arena, struct links, g->n + 1);
	for (size_t i = 0; i < g->n; i++)
		edges[i] = sorted_links(g->arena, &g->out[i]);
	do {
		circuits_find(&s, edges, found);
		s.start++;
	} while (out->n < limit && start_find(&s));
}

void digraph_closure(const struct digraph *g, uint32_t node, bool upstream, bool *mark)
{
	const struct links *edges = upstream ? g->in : g->out;
	struct links todo = { 0 };
	memset(mark, 0, g->n);
	*VEC_PUSH(&todo, g->arena) = node;
	while (todo.n > 0) {
		uint32_t one = todo.p[--todo.n];
		for (size_t k = 0; k < edges[one].n; k++)
			if (!mark[edges[one].p[k]]) {
				mark[edges[one].p[k]] = true;
				*VEC_PUSH(&todo, g->arena) = edges[one].p[k];
			}
	}
}
