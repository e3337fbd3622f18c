/* units.c - which flowgroups take part in a run, the work on them, and what it found, pipeline by pipeline. */
#include "base/pool.h"
#include "build/steps.h"
#include "check/check.h"
#include "model/rules.h"
#include "resolve/resolve.h"

#include <stdlib.h>

static int pipeline_cmp(const void *x, const void *y)
{
	return str_cmp(((const struct pipeline_run *)x)->name, ((const struct pipeline_run *)y)->name);
}

static void pipelines_plan(struct env_run *e)
{
	struct arena *a = &e->run->own;
	struct map seen = { 0 };
	struct {
		VEC_OF(struct pipeline_run)
	} list = { 0 };

	for (size_t i = 0; i < e->n_unit; i++)
		if (map_add(&seen, a, e->unit[i].pipeline))
			*VEC_PUSH(&list, a) = (struct pipeline_run){ .name = e->unit[i].pipeline,
				                                     .selected = e->unit[i].selected,
				                                     .findings = { .arena = a } };
	if (list.n > 1)
		qsort(list.p, list.n, sizeof *list.p, pipeline_cmp);
	e->pipeline = list.p;
	e->n_pipeline = list.n;
	seen = (struct map){ 0 };
	for (size_t i = 0; i < list.n; i++)
		map_put(&seen, a, list.p[i].name, &list.p[i]);
	for (size_t i = 0; i < e->n_unit; i++)
		((struct pipeline_run *)map_get(&seen, e->unit[i].pipeline))->n_unit++;
	for (size_t i = 0; i < list.n; i++) {
		list.p[i].unit = ARENA_ARRAY(a, size_t, list.p[i].n_unit);
		list.p[i].n_unit = 0;
	}
	for (size_t i = 0; i < e->n_unit; i++) {
		struct pipeline_run *p = map_get(&seen, e->unit[i].pipeline);

		p->unit[p->n_unit++] = i;
	}
}

int units_plan(struct env_run *e)
{
	struct run *r = e->run;
	struct unit naming = { .project = &r->project, .env = &e->env, .arena = &r->own, .trace = &r->trace };
	const struct flowgroup_source *extra;

	if (around_discover(e, &extra) != 0)
		return -1;
	e->n_unit = r->found.n + (extra != NULL);
	e->unit = ARENA_ARRAY(&r->own, struct unit_run, e->n_unit);
	for (size_t i = 0; i < e->n_unit; i++) {
		struct unit_run *u = &e->unit[i];

		u->src = i < r->found.n ? &r->found.source[i] : extra;
		flowgroup_names(&naming, u->src, &u->pipeline, &u->name);
		u->selected = r->o->pipeline.p == NULL || str_eq(r->o->pipeline, u->pipeline);
	}
	pipelines_plan(e);
	return 0;
}

struct units_job {
	struct env_run *e;
	enum work_depth depth;
	size_t *todo;
	struct unit_span *span; /* of each */
};

/* After the last environment nobody has use for the flowgroups' maps. */
static bool is_last(const struct env_run *e)
{
	return e->result == &e->run->results[e->run->o->n_env - 1];
}

static void unit_job(void *ctx, size_t item, size_t worker)
{
	struct units_job *job = ctx;
	struct env_run *e = job->e;
	struct unit_run *u = &e->unit[job->todo[item]];
	struct work_memory *m = &e->memory[worker];
	struct work_result done;
	double started = now_seconds();

	unit_work(&e->run->project, &e->env, u->src, u->selected ? job->depth : WORK_FACTS, u->checked ? &u->record : NULL, m, &done);
	u->depth = u->selected ? job->depth : WORK_FACTS;
	if (record_unpack(&m->file, done.record, &u->record) != 0)
		abort(); /* it was packed a moment ago */
	for (size_t i = 0; i < u->record.n_out; i++)
		u->record.out[i].raw = done.raw[i];
	if (is_last(e) && job->todo[item] < e->run->found.n)
		source_drop(&e->run->found.source[job->todo[item]]);
	job->span[item] = (struct unit_span){ u->pipeline, u->name, worker, started, now_seconds() };
	if (worker == 0 && e->run->l->progress != NULL)
		e->run->l->progress(e->run->l->ctx, item + 1, e->n_unit, u->pipeline);
}

void units_run(struct env_run *e, enum work_depth depth)
{
	struct units_job job = { e, depth, ARENA_ARRAY(&e->run->own, size_t, e->n_unit) };
	size_t n = 0, again = 0;

	job.span = ARENA_ARRAY(&e->run->own, struct unit_span, e->n_unit);
	for (size_t i = 0; i < e->n_unit; i++) {
		if (!e->unit[i].reused && !e->unit[i].left_out)
			job.todo[n++] = i;
		again += e->unit[i].again;
	}
	pool_run(e->run->workers, n, unit_job, &job);
	for (size_t i = 0; i < n && e->run->l->unit != NULL; i++)
		e->run->l->unit(e->run->l->ctx, &job.span[i]);
	e->result->units = e->n_unit;
	e->result->rebuilt = n - again;
	e->view.was_looked_at = true;
}

static int unit_name_cmp(const void *x, const void *y, void *units)
{
	const struct unit_run *u = units;
	size_t a = *(const size_t *)x, b = *(const size_t *)y;
	int c = str_cmp(u[a].name, u[b].name);

	return c != 0 ? c : (a > b) - (a < b);
}

static void findings_take(struct env_run *e, struct pipeline_run *p, const struct diags *from)
{
	for (size_t i = 0; i < from->n; i++) {
		if (from->p[i].rule->severity == SEV_WARNING)
			warning_add(e, &from->p[i]);
		else
			*VEC_PUSH(&p->findings, p->findings.arena) = from->p[i];
	}
}

/* Rules across flowgroups, on the facts of those that passed. */
static void facts_report(struct env_run *e)
{
	struct arena *a = &e->run->own, work = { 0 };
	struct facts *facts = ARENA_ARRAY(&work, struct facts, e->n_unit);
	struct diags found = { .arena = a };
	size_t n = 0;

	for (size_t i = 0; i < e->n_unit; i++) {
		if (e->unit[i].record.failed || e->unit[i].left_out)
			continue;
		facts[n] = e->unit[i].record.facts;
		facts[n++].selected = e->unit[i].selected;
	}
	facts_check(facts, n, &found);
	arena_release(&work);
	for (size_t i = 0; i < e->n_pipeline; i++) {
		struct diags mine = { .arena = a };

		for (size_t k = 0; k < found.n; k++)
			if (str_eq(found.p[k].pipeline, e->pipeline[i].name))
				*VEC_PUSH(&mine, a) = found.p[k];
		findings_take(e, &e->pipeline[i], &mine);
	}
}

void units_report(struct env_run *e)
{
	for (size_t i = 0; i < e->n_pipeline; i++) {
		struct pipeline_run *p = &e->pipeline[i];
		size_t *order = ARENA_ARRAY(&e->run->own, size_t, p->n_unit);

		if (!p->selected)
			continue;
		memcpy(order, p->unit, p->n_unit * sizeof *order);
		qsort_r(order, p->n_unit, sizeof *order, unit_name_cmp, e->unit);
		for (size_t k = 0; k < p->n_unit; k++)
			findings_take(e, p, &e->unit[order[k]].record.diags);
	}
	facts_report(e);
}
