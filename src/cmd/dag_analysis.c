#include "cmd/dag_analysis.h"

#include "base/pack.h"
#include "base/pool.h"
#include "build/record.h"
#include "cmd/call.h"
#include "cmd/dag_memory.h"
#include "project/blueprint.h"
#include "project/recall.h"
#include "yaml/node_build.h"

#include <stdlib.h>

/* --- which flowgroups there are --- */

struct plan {
	struct dag *d;
	struct dag_manner manner;
	struct dag_memory memory;
	struct sources source;  /* not found when all of memory stands */
	struct dag_kept *unit;
	size_t n;
	struct str notice;      /* why there are no blueprint flowgroups, or empty */
	uint32_t *todo;         /* units to be read */
	size_t n_todo;
	struct str *fatal;      /* findings that end the run, of each of these; or empty */
	struct arena *scratch, *keep; /* one per worker */
};

/* Then nobody looks at instances: one of an unknown blueprint goes without a word here, as in the peer. */
static bool has_no_blueprint(struct plan *p)
{
	struct dag *d = p->d;
	struct diags unused = { .arena = d->arena };
	struct blueprints found = { 0 };
	return blueprints_read(d->project, &d->trace, d->arena, &unused, &found) == 0 && found.n == 0;
}

static int sources_find(struct plan *p)
{
	struct dag *d = p->d;
	struct diags unused = { .arena = d->arena }, blueprints = { .arena = d->arena };
	struct buf log = { 0 };
	if (discover_plain(d->project, &d->trace, d->arena, &d->fatal, &p->source, &unused) < 0)
		return -1;
	size_t plain = p->source.n;
	if (has_no_blueprint(p))
		return 0;
	if (discover_blueprints(d->project, &d->trace, d->arena, &blueprints, &log, &p->source) < 0) {
		p->source.n = plain;
		p->notice = dag_trouble(d->arena, &blueprints);
	}
	buf_release(&log);
	return 0;
}

/* What is known of each flowgroup; the others are to do. */
static int units_find(struct plan *p)
{
	struct arena *a = p->d->arena;
	if (p->memory.stands) {
		p->unit = p->memory.unit;
		p->n = p->memory.n;
		p->notice = p->memory.notice;
		return 0;
	}
	if (sources_find(p) < 0)
		return -1;
	p->n = p->source.n;
	p->unit = ARENA_ARRAY(a, struct dag_kept, p->n);
	p->todo = ARENA_ARRAY(a, uint32_t, p->n);
	for (uint32_t i = 0; i < p->n; i++) {
		const struct dag_kept *known = dag_memory_find(&p->memory, &p->source.p[i]);
		if (known != NULL)
			p->unit[i] = *known;
		else
			p->todo[p->n_todo++] = i;
	}
	return 0;
}

/* --- reading them --- */

static void unit_job(void *ctx, size_t item, size_t worker)
{
	struct plan *p = ctx;
	struct arena *scratch = &p->scratch[worker];
	struct trace trace = { .arena = scratch };
	struct diags found = { .arena = scratch };
	struct flowgroup_source src = p->source.p[p->todo[item]];
	struct unit u = { p->d->project, &p->d->env, scratch, &trace, &found, src.pipeline, src.name, src.file };
	struct dag_unit unit;
	struct buf b = { 0 };
	if (!source_load(p->d->project, scratch, &src))
		src.node = node_new(scratch, NODE_MAP, src.at); /* it went away a moment ago */
	if (dag_unit_read(&p->manner, &u, &src, &unit) == 0) {
		struct str deps = dag_deps_pack(&p->keep[worker], &trace, &src, p->d->o->env.n > 0);
		dag_unit_pack(&b, &unit);
		p->unit[p->todo[item]] =
		    (struct dag_kept){ .key = src.key, .hash = src.hash, .deps = deps, .bytes = buf_take(&b, &p->keep[worker]) };
	} else {
		diags_pack(&b, &found);
		p->fatal[item] = buf_take(&b, &p->keep[worker]);
	}
	buf_release(&b);
	arena_reset(scratch);
}

/* The first of the findings that end the run, in order of discovery. */
static int fatal_take(struct plan *p)
{
	for (size_t i = 0; i < p->n_todo; i++) {
		struct unpack u = unpack_of(p->fatal[i]);
		struct diags found;
		if (p->fatal[i].n == 0)
			continue;
		if (diags_unpack(p->d->arena, &u, &found) < 0)
			abort(); /* it was packed a moment ago */
		diags_append(&p->d->fatal, &found);
		return -1;
	}
	return 0;
}

/* Moves what a worker kept to the arena of the run. */
static void todo_settle(struct plan *p, size_t item)
{
	struct arena *a = p->d->arena;
	struct dag_kept *k = &p->unit[p->todo[item]];
	p->fatal[item] = str_dup(a, p->fatal[item]);
	if (p->fatal[item].n > 0)
		return;
	k->deps = str_dup(a, k->deps);
	k->bytes = str_dup(a, k->bytes);
	struct unpack u = unpack_of(k->bytes);
	dag_unit_unpack(&p->memory.names, &u, &k->unit);
	if (!unpack_done(&u))
		abort(); /* it was packed a moment ago */
}

static int units_read(struct plan *p)
{
	struct arena *a = p->d->arena;
	size_t workers = p->d->project->workers > 0 ? p->d->project->workers : 1;
	p->scratch = ARENA_ARRAY(a, struct arena, workers);
	p->keep = ARENA_ARRAY(a, struct arena, workers);
	p->fatal = ARENA_ARRAY(a, struct str, p->n_todo);
	pool_run(workers, p->n_todo, unit_job, p);
	for (size_t i = 0; i < p->n_todo; i++)
		todo_settle(p, i);
	for (size_t i = 0; i < workers; i++) {
		arena_release(&p->scratch[i]);
		arena_release(&p->keep[i]);
	}
	return fatal_take(p);
}

/* --- putting them together --- */

static void doubt_add(struct dag *d, const struct dag_unit *unit, const struct dag_doubt_found *found)
{
	struct str key = str_fmt(d->arena, "%s\n%s\n%u\n%.*s", found->rule->code, found->file, found->line,
	                         STR_ARG(found->message));
	void **slot = map_slot(&d->doubt_seen, d->arena, key);
	if (*slot == NULL) {
		*VEC_PUSH(&d->doubt, d->arena) = (struct dag_doubt){
			.rule = found->rule, .message = found->message, .file = found->file, .line = found->line
		};
		*slot = (void *)(uintptr_t)d->doubt.n;
	}
	*VEC_PUSH(&d->doubt.p[(uintptr_t)*slot - 1].affected, d->arena) =
	    (struct dag_affected){ unit->name, unit->action.p[found->action].name, unit->file };
}

static int affected_cmp(const void *x, const void *y)
{
	const struct dag_affected *a = x, *b = y;
	int order = str_cmp(a->flowgroup, b->flowgroup);
	if (order == 0)
		order = str_cmp(a->action, b->action);
	return order != 0 ? order : strcmp(a->edit, b->edit);
}

/* Sorted, each once. */
static void affected_settle(struct dag_doubt *doubt)
{
	size_t n = 1;
	qsort(doubt->affected.p, doubt->affected.n, sizeof *doubt->affected.p, affected_cmp);
	for (size_t i = 1; i < doubt->affected.n; i++)
		if (affected_cmp(&doubt->affected.p[i], &doubt->affected.p[n - 1]) != 0)
			doubt->affected.p[n++] = doubt->affected.p[i];
	doubt->affected.n = n;
}

static void unit_add(struct dag *d, const struct dag_unit *unit)
{
	uint32_t f = lineage_flowgroup(&d->lineage, unit->pipeline, unit->name);
	if (unit->trouble.n > 0)
		warning_print(d->io, str_fmt(d->arena, "%.*s\n  %.*s.%.*s stays in the graph as far as it could be resolved",
		                             STR_ARG(unit->trouble), STR_ARG(unit->pipeline), STR_ARG(unit->name)));
	if (f == d->flowgroup.n)
		*VEC_PUSH(&d->flowgroup, d->arena) = (struct dag_flowgroup){ unit->file, unit->job_name };
	for (size_t i = 0; i < unit->action.n; i++)
		lineage_add(&d->lineage, f, &unit->action.p[i]);
	for (size_t i = 0; i < unit->doubt.n; i++)
		doubt_add(d, unit, &unit->doubt.p[i]);
}

static void units_add(struct plan *p)
{
	size_t actions = 0;
	for (size_t i = 0; i < p->n; i++)
		actions += p->unit[i].unit.action.n;
	lineage_expect(&p->d->lineage, p->n, actions);
	for (size_t i = 0; i < p->n; i++)
		if (dag_is_wanted(&p->manner, &p->unit[i].unit))
			unit_add(p->d, &p->unit[i].unit);
}

static void run_keep(struct plan *p)
{
	struct dag *d = p->d;
	bool partial = d->filtered && p->n_todo > 0; /* those that were not wanted have no facts */
	if (d->reading == NULL || partial)
		return;
	reading_keep(d->reading,
	             p->memory.stands ? STR_NONE : dag_memory_pack(d->arena, p->notice, p->unit, p->n));
}

int dag_analyse(struct dag *d)
{
	struct plan p = { .d = d };
	p.manner = (struct dag_manner){ d->project, &d->env, d->o->trust_depends_on, d->o->pipeline, d->o->blueprint };
	lineage_init(&d->lineage, d->arena);
	dag_memory_open(&p.memory, d->arena, d->reading, d->project->door);
	if (units_find(&p) < 0 || units_read(&p) < 0)
		return -1;
	if (p.notice.n > 0)
		warning_print(d->io, str_fmt(d->arena, "%.*s\n  No flowgroup of a blueprint is in the graph: lhp validate tells more",
		                             STR_ARG(p.notice)));
	units_add(&p);
	for (size_t i = 0; i < d->doubt.n; i++)
		affected_settle(&d->doubt.p[i]);
	lineage_link(&d->lineage);
	run_keep(&p);
	return 0;
}
