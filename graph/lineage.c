#include "graph/lineage.h"

#include <stdlib.h>

void lineage_init(struct lineage *l, struct arena *a)
{
	*l = (struct lineage){ .arena = a, .tables = { .arena = a } };
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
	struct str id = str_fmt(l->arena, "%.*s.%.*s", STR_ARG(pipeline), STR_ARG(name));
	uint32_t f = index_of(l, &l->flowgroup_id, id, l->flowgroup.n, &made);
	if (made) {
		*VEC_PUSH(&l->flowgroup, l->arena) = (struct lineage_group){ .name = name, .id = id, .pipeline = p };
		l->pipeline.p[p].flowgroups++;
	}
	return f;
}

struct lineage_action *lineage_add(struct lineage *l, uint32_t flowgroup, struct str name)
{
	struct lineage_group *f = &l->flowgroup.p[flowgroup];
	bool made;
	struct str id = str_fmt(l->arena, "%.*s.%.*s", STR_ARG(f->id), STR_ARG(name));
	uint32_t a = index_of(l, &l->action_id, id, l->action.n, &made);
	if (made) {
		*VEC_PUSH(&l->action, l->arena) =
		    (struct lineage_action){ .name = name, .id = id, .flowgroup = flowgroup };
		f->actions++;
		l->pipeline.p[f->pipeline].actions++;
	}
	return &l->action.p[a];
}

static void made_register(struct lineage *l)
{
	for (uint32_t i = 0; i < l->action.n; i++) {
		const struct lineage_action *a = &l->action.p[i];
		struct str pipeline = l->pipeline.p[l->flowgroup.p[a->flowgroup].pipeline].name;
		if (a->view.n > 0)
			tables_add_view(&l->tables, pipeline, a->view, i);
		if (a->table.n > 0)
			tables_add_table(&l->tables, pipeline, a->table, i);
	}
}

static void source_link(struct lineage *l, uint32_t reader, const struct lineage_source *s)
{
	struct lineage_group *f = &l->flowgroup.p[l->action.p[reader].flowgroup];
	struct lineage_group *p = &l->pipeline.p[f->pipeline];
	const struct producers *makers = tables_find(&l->tables, p->name, s->text);
	if (makers == NULL) {
		map_add(&f->external, l->arena, s->text);
		map_add(&p->external, l->arena, s->text);
		map_add(&l->external, l->arena, s->text);
	}
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

static void cycles_tell(struct lineage *l, const char *level, const struct digraph *g,
                        struct str (*id)(const struct lineage *l, uint32_t i))
{
	struct cycles found;
	struct buf b = { 0 };
	digraph_cycles(g, LINEAGE_MAX_CYCLES - l->cycle.n, &found);
	for (size_t i = 0; i < found.n; i++) {
		buf_addf(&b, "%s level: ", level);
		for (size_t k = 0; k < found.p[i].n; k++)
			buf_addf(&b, "%.*s -> ", STR_ARG(id(l, found.p[i].p[k])));
		buf_add(&b, id(l, found.p[i].p[0]));
		VEC_PUSH(&l->cycle, l->arena)->text = buf_take(&b, l->arena);
	}
	buf_release(&b);
}

static struct str action_id(const struct lineage *l, uint32_t i)
{
	return l->action.p[i].id;
}

static struct str flowgroup_id(const struct lineage *l, uint32_t i)
{
	return l->flowgroup.p[i].id;
}

static struct str pipeline_id(const struct lineage *l, uint32_t i)
{
	return l->pipeline.p[i].id;
}

void lineage_link(struct lineage *l)
{
	uint32_t *of = ARENA_ARRAY(l->arena, uint32_t, l->action.n + l->flowgroup.n + 1);
	digraph_init(&l->actions, l->arena, l->action.n);
	made_register(l);
	for (uint32_t i = 0; i < l->action.n; i++)
		for (size_t k = 0; k < l->action.p[i].source.n; k++)
			source_link(l, i, &l->action.p[i].source.p[k]);
	for (size_t i = 0; i < l->action.n; i++)
		of[i] = l->action.p[i].flowgroup;
	level_link(l, &l->actions, NULL, of, l->flowgroup.p, l->flowgroup.n, &l->flowgroups);
	for (size_t i = 0; i < l->flowgroup.n; i++)
		of[i] = l->flowgroup.p[i].pipeline;
	level_link(l, &l->flowgroups, NULL, of, l->pipeline.p, l->pipeline.n, &l->pipelines);
	cycles_tell(l, "action", &l->actions, action_id);
	cycles_tell(l, "flowgroup", &l->flowgroups, flowgroup_id);
	cycles_tell(l, "pipeline", &l->pipelines, pipeline_id);
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
