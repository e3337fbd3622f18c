#include "graph/lineage.h"

#include <stdlib.h>

void lineage_init(struct lineage *l, struct arena *a)
{
	*l = (struct lineage){ .arena = a, .tables = { .arena = a } };
}

void lineage_expect(struct lineage *l, size_t flowgroups, size_t actions)
{
	l->flowgroup.p = ARENA_ARRAY(l->arena, struct lineage_group, flowgroups);
	l->flowgroup.cap = flowgroups;
	l->action.p = ARENA_ARRAY(l->arena, struct lineage_action, actions);
	l->action.cap = actions;
}

/* Index of `id` in its level, or of a new one (*made set). */
static uint32_t index_of(struct lineage *l, struct map *ids, struct str id, size_t n, bool *made)
{
	void **slot = map_slot(ids, l->arena, id);
	*made = *slot == NULL;
	if (*made)
		*slot = (void *)(uintptr_t)(n + 1);
	return (uint32_t)((uintptr_t)*slot - 1);
}

uint32_t lineage_flowgroup(struct lineage *l, struct str pipeline, struct str name)
{
	bool made;
	uint32_t p = index_of(l, &l->pipeline_id, pipeline, l->pipeline.n, &made);
	if (made)
		*VEC_PUSH(&l->pipeline, l->arena) = (struct lineage_group){ .name = pipeline, .id = pipeline };
	l->pipeline.p[p].flowgroups++;
	struct str id = str_cat_sep(l->arena, pipeline, '.', name);
	uint32_t f = index_of(l, &l->flowgroup_id, id, l->flowgroup.n, &made);
	if (made)
		*VEC_PUSH(&l->flowgroup, l->arena) = (struct lineage_group){ .name = name, .id = id, .pipeline = p };
	l->flowgroup.p[f].actions = 0;
	return f;
}

void lineage_source_add(struct lineage_action *a, struct arena *arena, const struct lineage_source *s)
{
	for (size_t i = 0; i < a->source.n; i++)
		if (str_eq(a->source.p[i].text, s->text)) {
			a->source.p[i].at_run_time &= s->at_run_time;
			return;
		}
	*VEC_PUSH(&a->source, arena) = *s;
}

/* The action of this name, or a new one. */
static uint32_t action_index(struct lineage *l, struct lineage_group *flowgroup, const struct lineage_action *action)
{
	for (size_t i = 0; i < flowgroup->member.n; i++)
		if (str_eq(l->action.p[flowgroup->member.p[i]].name, action->name))
			return flowgroup->member.p[i];
	*VEC_PUSH(&flowgroup->member, l->arena) = (uint32_t)l->action.n;
	*VEC_PUSH(&l->action, l->arena) = (struct lineage_action){ .name = action->name };
	return (uint32_t)l->action.n - 1;
}

void lineage_add(struct lineage *l, uint32_t flowgroup, const struct lineage_action *action)
{
	struct lineage_group *f = &l->flowgroup.p[flowgroup], *p = &l->pipeline.p[f->pipeline];
	uint32_t at = action_index(l, f, action);
	struct lineage_action *a = &l->action.p[at];
	struct lineage_action before = *a;
	f->actions++;
	p->actions++;
	*a = *action;
	a->flowgroup = flowgroup;
	for (size_t i = 0; i < before.source.n; i++)
		lineage_source_add(a, l->arena, &before.source.p[i]);
	if (a->view.n > 0)
		tables_add_view(&l->tables, &p->scope, a->view, at);
	if (a->table.n > 0)
		tables_add_table(&l->tables, &p->scope, a->table, at);
}

struct str lineage_id(const struct lineage *l, uint32_t action)
{
	const struct lineage_action *a = &l->action.p[action];
	return str_cat_sep(l->arena, l->flowgroup.p[a->flowgroup].id, '.', a->name);
}

static uint32_t flowgroup_of(const struct lineage *l, uint32_t action)
{
	return l->action.p[action].flowgroup;
}

static uint32_t pipeline_index_of(const struct lineage *l, uint32_t action)
{
	return l->flowgroup.p[flowgroup_of(l, action)].pipeline;
}

static struct lineage_group *pipeline_of(const struct lineage *l, uint32_t action)
{
	return &l->pipeline.p[pipeline_index_of(l, action)];
}

const struct producers *lineage_makers(const struct lineage *l, uint32_t reader, const struct lineage_source *s)
{
	return tables_find(&l->tables, &pipeline_of(l, reader)->scope, s->text);
}

static void source_link(struct lineage *l, uint32_t reader, const struct lineage_source *s)
{
	const struct producers *makers = lineage_makers(l, reader, s);
	if (makers == NULL && map_add(&pipeline_of(l, reader)->external, l->arena, s->text))
		map_add(&l->external, l->arena, s->text);
	for (size_t i = 0; makers != NULL && i < makers->n; i++)
		if (makers->p[i] != reader || !s->at_run_time)
			digraph_add(&l->actions, makers->p[i], reader);
}

struct pair {
	uint32_t from, to;
	const struct lineage_group *group;
};

static int pair_cmp(const void *x, const void *y)
{
	const struct pair *a = x, *b = y;
	int order = str_cmp(a->group[a->from].id, b->group[b->from].id);
	return order != 0 ? order : str_cmp(a->group[a->to].id, b->group[b->to].id);
}

/* The edges of `below` (among those kept, when `keep` is given) between different groups of the level above, sorted by
 * name. */
static void level_link(struct lineage *l, const struct digraph *below, const bool *keep, const uint32_t *group_of,
                       const struct lineage_group *group, size_t n, struct digraph *out)
{
	struct {
		VEC_OF(struct pair)
	} pairs = { 0 };
	digraph_init(out, l->arena, n);
	for (uint32_t i = 0; i < below->n; i++)
		for (size_t k = 0; k < below->out[i].n; k++) {
			uint32_t from = group_of[i], to = group_of[below->out[i].p[k]];
			if (from != to && (keep == NULL || (keep[i] && keep[below->out[i].p[k]])))
				*VEC_PUSH(&pairs, l->arena) = (struct pair){ from, to, group };
		}
	if (pairs.n > 0)
		qsort(pairs.p, pairs.n, sizeof *pairs.p, pair_cmp);
	for (size_t i = 0; i < pairs.n; i++)
		digraph_add(out, pairs.p[i].from, pairs.p[i].to);
}

/* --- cycles --- */

struct level {
	const char *name;
	struct str (*id)(const struct lineage *l, uint32_t node);
	uint32_t (*of)(const struct lineage *l, uint32_t action); /* the node that an action is in */
};

static struct str flowgroup_id(const struct lineage *l, uint32_t i)
{
	return l->flowgroup.p[i].id;
}

static struct str pipeline_id(const struct lineage *l, uint32_t i)
{
	return l->pipeline.p[i].id;
}

static uint32_t action_of(const struct lineage *l, uint32_t action)
{
	(void)l;
	return action;
}

static const struct lineage_source *source_between(const struct lineage *l, uint32_t maker, uint32_t reader)
{
	const struct lineage_action *a = &l->action.p[reader];
	for (size_t i = 0; i < a->source.n; i++) {
		const struct producers *makers = lineage_makers(l, reader, &a->source.p[i]);
		for (size_t k = 0; makers != NULL && k < makers->n; k++)
			if (makers->p[k] == maker)
				return &a->source.p[i];
	}
	return NULL;
}

/* The first edge among actions that makes the edge between two nodes of a level. */
static struct lineage_step step_between(const struct lineage *l, const struct level *level, uint32_t from, uint32_t to)
{
	for (uint32_t i = 0; i < l->actions.n; i++)
		for (size_t k = 0; level->of(l, i) == from && k < l->actions.out[i].n; k++) {
			uint32_t reader = l->actions.out[i].p[k];
			if (level->of(l, reader) == to)
				return (struct lineage_step){ i, reader, source_between(l, i, reader) };
		}
	return (struct lineage_step){ 0 };
}

static void cycle_tell(struct lineage *l, const struct level *level, const struct links *nodes)
{
	struct lineage_cycle *cycle = VEC_PUSH(&l->cycle, l->arena);
	struct buf b = { 0 };
	buf_addf(&b, "%s level: ", level->name);
	for (size_t k = 0; k < nodes->n; k++) {
		buf_addf(&b, "%.*s -> ", STR_ARG(level->id(l, nodes->p[k])));
		*VEC_PUSH(&cycle->step, l->arena) = step_between(l, level, nodes->p[k], nodes->p[(k + 1) % nodes->n]);
	}
	buf_add(&b, level->id(l, nodes->p[0]));
	cycle->text = buf_take(&b, l->arena);
	buf_release(&b);
}

static void cycles_tell(struct lineage *l, const struct level *level, const struct digraph *g)
{
	struct cycles found;
	digraph_cycles(g, LINEAGE_MAX_CYCLES - l->cycle.n, &found);
	for (size_t i = 0; i < found.n; i++)
		cycle_tell(l, level, &found.p[i]);
}

void lineage_link(struct lineage *l)
{
	uint32_t *of = ARENA_ARRAY(l->arena, uint32_t, l->action.n + l->flowgroup.n + 1);
	digraph_init(&l->actions, l->arena, l->action.n);
	for (uint32_t i = 0; i < l->action.n; i++)
		for (size_t k = 0; k < l->action.p[i].source.n; k++)
			source_link(l, i, &l->action.p[i].source.p[k]);
	for (size_t i = 0; i < l->action.n; i++)
		of[i] = l->action.p[i].flowgroup;
	level_link(l, &l->actions, NULL, of, l->flowgroup.p, l->flowgroup.n, &l->flowgroups);
	for (size_t i = 0; i < l->flowgroup.n; i++)
		of[i] = l->flowgroup.p[i].pipeline;
	level_link(l, &l->flowgroups, NULL, of, l->pipeline.p, l->pipeline.n, &l->pipelines);
	cycles_tell(l, &(struct level){ "action", lineage_id, action_of }, &l->actions);
	cycles_tell(l, &(struct level){ "flowgroup", flowgroup_id, flowgroup_of }, &l->flowgroups);
	cycles_tell(l, &(struct level){ "pipeline", pipeline_id, pipeline_index_of }, &l->pipelines);
	digraph_stages(&l->pipelines, &l->stages);
	if (l->cycle.n > 0)
		l->stages.n = 0;
}

void lineage_pipelines_of(struct lineage *l, const bool *keep_flowgroup, struct digraph *out)
{
	uint32_t *of = ARENA_ARRAY(l->arena, uint32_t, l->flowgroup.n + 1);
	for (size_t i = 0; i < l->flowgroup.n; i++)
		of[i] = l->flowgroup.p[i].pipeline;
	level_link(l, &l->flowgroups, keep_flowgroup, of, l->pipeline.p, l->pipeline.n, out);
}
