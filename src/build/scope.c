/* scope.c - what a sandbox run is about: its pipelines, and the tables that they write (spec/bundle.md, section 10). */
#include "base/pool.h"
#include "build/steps.h"
#include "bundle/sandbox.h"
#include "project/recall.h"
#include "resolve/resolve.h"

struct written_job {
	struct env_run *e;
	struct names *table; /* of each unit */
	struct trace *trace; /* of each unit: the environment variables that it read */
};

/* The tables that one flowgroup writes, renamed by nobody yet; none when it cannot be resolved. */
static void written_job(void *ctx, size_t item, size_t worker)
{
	struct written_job *job = ctx;
	struct env_run *e = job->e;
	struct arena *scratch = &e->memory[worker].scratch, *keep = &e->memory[worker].keep;
	struct trace trace = { .arena = scratch };
	struct diags diags = { .arena = scratch };
	struct unit_run *run = &e->unit[item];
	struct unit u = { .project = &e->run->project, .env = &e->env, .arena = scratch, .trace = &trace, .diags = &diags };
	struct flowgroup_source whole = *run->src;
	struct flowgroup fg = { 0 };
	struct names found = { 0 };

	if (source_load(&e->run->project, scratch, &whole) && flowgroup_resolve(&u, &whole, &fg) == 0)
		sandbox_tables_written(scratch, &fg, &found);
	for (size_t i = 0; i < found.n; i++)
		*VEC_PUSH(&job->table[item], keep) = str_dup(keep, found.p[i]);
	job->trace[item].arena = keep;
	for (size_t i = 0; i < trace.n; i++)
		if (trace.p[i].kind == DEP_ENV)
			trace_add(&job->trace[item], DEP_ENV, str_dup(keep, trace.p[i].key), trace.p[i].hash, trace.p[i].at);
	arena_reset(scratch);
}

static void tables_add(struct env_run *e, struct sandbox *s)
{
	struct arena *a = &e->run->own;
	struct written_job job = { e, ARENA_ARRAY(a, struct names, e->n_unit), ARENA_ARRAY(a, struct trace, e->n_unit) };

	pool_run(e->run->workers, e->n_unit, written_job, &job);
	for (size_t i = 0; i < e->n_unit; i++) {
		trace_merge(&e->run->trace, &job.trace[i]);
		for (size_t k = 0; k < job.table[i].n; k++)
			sandbox_table_add(s, job.table[i].p[k], e->unit[i].pipeline);
	}
}

int scope_open(struct env_run *e)
{
	struct run *r = e->run;
	struct str *name = ARENA_ARRAY(&r->own, struct str, e->n_pipeline);
	struct diags warnings = { .arena = &r->own };
	struct sandbox *s;

	if (!r->o->sandbox)
		return 0;
	for (size_t i = 0; i < e->n_pipeline; i++)
		name[i] = e->pipeline[i].name;
	s = sandbox_open(&r->project, &r->trace, &r->own, e->env.name, name, e->n_pipeline, &e->result->fatal);
	if (s == NULL)
		return -1;
	tables_add(e, s);
	sandbox_seal(s, &warnings);
	for (size_t i = 0; i < warnings.n; i++)
		warning_add(e, &warnings.p[i]);
	for (size_t i = 0; i < e->n_unit; i++) {
		e->unit[i].selected = sandbox_has_pipeline(s, e->unit[i].pipeline);
		e->unit[i].left_out = !e->unit[i].selected;
	}
	for (size_t i = 0; i < e->n_pipeline; i++)
		e->pipeline[i].selected = sandbox_has_pipeline(s, e->pipeline[i].name);
	e->env.sandbox = s;
	e->env.sandbox_hash = sandbox_hash(s);
	return 0;
}
