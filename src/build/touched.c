/* touched.c - which units of the last run must be redone on the short way, found out by several threads. */
#include "base/pool.h"
#include "build/patch_state.h"
#include "project/current.h"

/* The flowgroup's own text among what the unit depends on. False: it is a blueprint's, or not known. */
static bool own_text(const struct old_pipeline *old, const struct kept_unit *unit, struct flowgroup_source *src)
{
	struct node_key key;

	for (size_t i = 0; i < unit->n_dep; i++) {
		const struct dep *d = &old->kept.dep[unit->dep[i]];

		if (d->kind != DEP_NODE || !node_key_read(d->key, &key) || !str_is(key.file, unit->file))
			continue;
		*src = (struct flowgroup_source){ .pipeline = old->kept.pipeline, .name = unit->name, .file = unit->file, .index = key.index,
			                          .hash = d->hash, .key = d->key, .at.file = unit->file };
		return true;
	}
	return false;
}

/* Of a file that did not change, the unit tells where in it the flowgroup is. */
static const struct flowgroup_source *source_of(struct patch *p, const struct old_pipeline *old, const struct kept_unit *unit)
{
	struct arena *a = old->kept.arena;
	const struct flowgroup_source *changed = map_get(&p->source, str_cat_sep(a, old->kept.pipeline, '\n', unit->name));
	struct flowgroup_source *src;

	if (unit->file == NULL || changed != NULL)
		return changed != NULL && str_eq(str_of(changed->file), str_of(unit->file)) ? changed : NULL;
	src = ARENA_NEW(a, struct flowgroup_source);
	return map_find(&p->view->changed.path, str_of(unit->file)) == NULL && own_text(old, unit, src) ? src : NULL;
}

/* Of variables and options the transcript tells whether they are as they were. */
static bool any_touched(const struct patch *p, struct old_pipeline *old, const struct kept_unit *unit, bool nodes_only)
{
	for (size_t i = 0; i < unit->n_dep; i++) {
		enum dep_kind kind = old->kept.dep[unit->dep[i]].kind;

		if (kind != DEP_ENV && (!nodes_only || kind == DEP_NODE) &&
		    view_dep_glance(p->view, old, unit->dep[i]) != DEP_UNTOUCHED)
			return true;
	}
	return false;
}

/* Was the unit kept by a run with other options or variables? Then it does not tell what the transcript's run knew of it. */
static bool is_of_another_run(const struct patch *p, const struct old_pipeline *old, const struct kept_unit *unit)
{
	for (size_t i = 0; i < unit->n_dep; i++) {
		const struct dep *d = &old->kept.dep[unit->dep[i]];

		if (d->kind == DEP_ENV && !hash_eq(d->hash, dep_now(&p->e->run->project, &p->e->env, d->kind, d->key)))
			return true;
	}
	return false;
}

static bool text_is_touched(const struct patch *p, struct old_pipeline *old, const struct kept_unit *unit)
{
	return any_touched(p, old, unit, true) || map_find(&p->view->changed.path, str_of(unit->file)) != NULL;
}

/* False: the unit cannot be redone here. Its source is looked for only when it counts. */
static bool unit_look(struct patch *p, struct old_pipeline *old, const struct kept_unit *unit, struct looked_at *at)
{
	if (!any_touched(p, old, unit, false))
		return true;
	if (unit->depth < p->depth || is_of_another_run(p, old, unit))
		return false;
	if (text_is_touched(p, old, unit)) {
		at->src = source_of(p, old, unit);
		if (at->src == NULL)
			return false;
	}
	at->state = view_unit_state(p->e, at->src, old, unit, p->depth);
	if (at->state != UNIT_CLEAN && at->src == NULL)
		at->src = source_of(p, old, unit);
	return at->state == UNIT_CLEAN || at->src != NULL;
}

/* False: one of the units cannot be redone here. */
static bool units_look(struct patch *p, struct touched *t)
{
	for (size_t i = 0; i < t->old->kept.n; i++) {
		if (!unit_look(p, t->old, &t->old->kept.unit[i], &t->unit[i]))
			return false;
		t->redo += t->unit[i].state != UNIT_CLEAN;
	}
	return true;
}

static struct touched touched_look(struct patch *p, struct arena *a, struct str pipeline)
{
	struct touched t = { 0 };
	bool good, is_touched = view_pipeline_touched(p->e, pipeline, &good);

	t.bad = !good;
	if (!is_touched)
		return t;
	t.old = view_old_read(p->view, a, pipeline);
	if (t.old != NULL)
		t.unit = ARENA_ARRAY(a, struct looked_at, t.old->kept.n);
	t.bad = t.old == NULL || !units_look(p, &t) || (t.redo != 0 && view_old_open(p->view, t.old) != 0);
	return t;
}

static void touched_job(void *ctx, size_t item, size_t worker)
{
	struct patch *p = ctx;

	p->pipeline[item] = touched_look(p, &p->e->memory[worker].keep, p->view->standing.pipeline.entry[item].key);
}

/* All pipelines are known, and what was read of the touched ones is the view's. */
static bool pipelines_look(struct patch *p)
{
	size_t n = p->view->standing.pipeline.n;
	bool good = true;

	p->pipeline = ARENA_ARRAY(&p->e->run->own, struct touched, n);
	view_stored_collect(p->view);
	pool_run(p->e->run->workers, n, touched_job, p);
	for (size_t i = 0; i < n; i++) {
		good = good && !p->pipeline[i].bad;
		p->n_touched += p->pipeline[i].old != NULL;
		if (p->pipeline[i].old != NULL)
			view_old_add(p->view, p->pipeline[i].old);
	}
	return good;
}

/* Every flowgroup of a changed file is one that was there. */
static bool sources_are_old(struct patch *p)
{
	for (size_t i = 0; i < p->source.n; i++) {
		const struct flowgroup_source *src = p->source.entry[i].value;
		struct old_pipeline *old = view_old_pipeline(p->view, src->pipeline);
		const struct kept_unit *unit = old != NULL ? view_old_unit(p->view, old, src->name) : NULL;

		if (unit == NULL || !str_eq(str_of(unit->file), str_of(src->file)))
			return false;
	}
	return true;
}

bool patch_look(struct patch *p)
{
	return pipelines_look(p) && sources_are_old(p);
}
