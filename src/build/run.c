#include "build/run.h"
#include "base/pack.h"
#include "base/path.h"
#include "base/pool.h"
#include "build/run_internal.h"
#include "model/rules.h"
#include "resolve/token.h"

#include <stdlib.h>
#include <time.h>

double now_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void say_phase(const struct run *r, const char *name, bool good, double started)
{
	if (r->l->phase != NULL)
		r->l->phase(r->l->ctx, name, good, now_seconds() - started);
}

void say_log(struct run *r, struct buf *log)
{
	struct str rest = str_dup(r->arena, buf_str(log)), line;

	buf_reset(log);
	while (str_cut(&rest, '\n', &line))
		if (line.n != 0 && r->l->log != NULL)
			r->l->log(r->l->ctx, line);
}

void warning_add(struct env_run *e, const struct diag *d)
{
	struct diags *ws = &e->result->warnings;

	for (size_t i = 0; i < ws->n; i++)
		if (ws->p[i].rule->code == d->rule->code && str_eq(str_of(ws->p[i].file), str_of(d->file)))
			return;
	*VEC_PUSH(ws, ws->arena) = *d;
	if (e->run->l->warning != NULL)
		e->run->l->warning(e->run->l->ctx, d);
}

/* Phases 1 to 3 of spec/errors.md, section 3: the project, then what it holds. Shared by all environments. */
static int project_open(struct run *r, struct diags *ds)
{
	struct buf log = { 0 };
	double started = now_seconds();
	int rc;

	r->door = door_open(r->fs);
	r->trace = (struct trace){ .arena = &r->own };
	rc = project_load(&r->project, r->door, &r->own, &r->trace, ds, &log);
	say_log(r, &log);
	buf_release(&log);
	if (rc == 0)
		rc = discover(&r->project, &r->trace, &r->own, ds, &r->found);
	if (rc == 0)
		say_phase(r, "discover", true, started);
	return rc;
}

static int env_open(struct env_run *e)
{
	struct run *r = e->run;
	struct diags *ds = &e->result->fatal;
	struct buf log = { 0 };

	if (r->found.n == 0 && r->o->task == RUN_GENERATE) {
		struct diag *d = diag_add(ds, &rule_no_flowgroups, (struct mark){ .file = "lhp.yaml" },
		                          "There is no flowgroup below pipelines/, and no blueprint instance makes one");

		diag_hint(ds, d, "Add a YAML file below pipelines/, or look at `include` in lhp.yaml");
		return -1;
	}
	for (size_t i = 0; i < r->found.warnings.n; i++)
		warning_add(e, &r->found.warnings.p[i]);
	e->env.tokens = tokens_load(&r->project, &r->own, e->env.name, false, ds, &log);
	say_log(r, &log);
	buf_release(&log);
	return e->env.tokens != NULL ? 0 : -1;
}

static int preflight_run(struct env_run *e)
{
	double started = now_seconds();
	int rc = preflight(e);

	e->result->preflight_failed = rc != 0;
	say_phase(e->run, "preflight", rc == 0, started);
	return rc;
}

static void pipelines_say(struct env_run *e, bool failed)
{
	const struct run_listener *l = e->run->l;

	for (size_t i = 0; i < e->n_pipeline; i++) {
		const struct pipeline_run *p = &e->pipeline[i];
		bool bad = p->findings.n != 0;

		if (!p->selected || l->pipeline == NULL || (failed && !bad && e->run->o->task != RUN_VALIDATE))
			continue;
		l->pipeline(l->ctx, p->name, p->n_files, bad ? &p->findings.p[0] : NULL);
	}
}

/* Moves the pipelines' findings to the result; true when there is any. */
static bool findings_collect(struct env_run *e)
{
	struct run_result *res = e->result;

	res->pipelines_good = 0;
	res->files = 0;
	for (size_t i = 0; i < e->n_pipeline; i++) {
		struct pipeline_run *p = &e->pipeline[i];

		if (!p->selected)
			continue;
		res->pipelines_good += p->findings.n == 0;
		res->files += p->n_files;
		for (size_t k = 0; k < p->findings.n; k++)
			*VEC_PUSH(&res->findings, res->findings.arena) = p->findings.p[k];
	}
	return res->findings.n != 0;
}

static bool pipeline_is_known(const struct env_run *e)
{
	for (size_t i = 0; i < e->n_pipeline; i++)
		if (e->pipeline[i].selected)
			return true;
	return e->run->o->pipeline.n == 0;
}

static void validate_env(struct env_run *e)
{
	struct run *r = e->run;
	double started = now_seconds();
	bool failed;

	units_run(e, WORK_CHECK);
	units_report(e);
	if (!pipeline_is_known(e)) {
		struct diag *d = diag_add(&e->result->findings, &rule_unknown_pipeline, (struct mark){ 0 },
		                          "No flowgroup of this project has the pipeline %.*s", STR_ARG(r->o->pipeline));

		d->pipeline = r->o->pipeline;
		if (r->l->pipeline != NULL)
			r->l->pipeline(r->l->ctx, r->o->pipeline, 0, d);
		say_phase(r, "validate", false, started);
		return;
	}
	failed = findings_collect(e);
	pipelines_say(e, failed);
	say_phase(r, "validate", !failed, started);
}

static void publish_env(struct env_run *e, struct outputs *out)
{
	struct run *r = e->run;
	struct str dir = output_dir(e);
	struct publish p = { .fs = r->fs, .arena = &r->own, .diags = &e->result->fatal, .log = &e->log };
	struct scope scope = { .dir = dir };

	p.keep_dir = ARENA_ARRAY(&r->own, struct str, e->n_pipeline + 1);
	p.keep_dir[p.n_keep_dir++] = dir;
	for (size_t i = 0; i < e->n_pipeline; i++)
		if (e->pipeline[i].selected)
			p.keep_dir[p.n_keep_dir++] = path_join(&r->own, dir, e->pipeline[i].name);
	if (r->o->output.n != 0)
		outputs_add(out, &r->own, path_join(&r->own, dir, STR(".lhp-output")), STR("Written by lhp: this folder is remade by each run.\n"));
	if (r->o->pipeline.n != 0)
		scope.only = path_join(&r->own, dir, r->o->pipeline);
	if (publish_write(&p, out) == 0)
		publish_sweep(&p, out, &scope);
	e->result->written = p.written;
	e->result->removed = p.removed;
	say_log(r, &e->log);
	if (diags_failed(&e->result->fatal))
		e->result->status = 3;
}

static bool formats(const struct run *r)
{
	const struct node *apply = project_key((struct project *)&r->project, (struct trace *)&r->trace, "apply_formatting");

	return !r->o->no_format && (apply == NULL || apply->kind != NODE_BOOL || apply->boolean);
}

/* The work of generate and diff up to the gate. 0: all is good and *out has every text. */
static int outputs_make(struct env_run *e, struct outputs *out)
{
	double started = now_seconds();
	bool failed;

	units_run(e, WORK_EMIT);
	units_report(e);
	outputs_assemble(e, out);
	failed = findings_collect(e);
	pipelines_say(e, failed);
	if (failed)
		return -1;
	say_phase(e->run, "generate", true, started);
	return 0;
}

static void generate_env(struct env_run *e)
{
	struct run *r = e->run;
	struct outputs out = { 0 };
	bool format = formats(r), good;
	double started;

	if (outputs_make(e, &out) != 0)
		return;
	if (!pipeline_is_known(e))
		e->result->pipelines_good = 1; /* the peer's line: 1 pipeline generated, 0 files */
	started = now_seconds();
	good = !format || outputs_format(e, &out) == 0;
	if (r->o->task == RUN_DIFF) {
		if (good)
			outputs_diff(e, &out);
		return;
	}
	if (format)
		say_phase(r, "format", good, started);
	if (!good || !pipeline_is_known(e))
		return;
	publish_env(e, &out);
	if (!diags_failed(&e->result->fatal))
		say_phase(r, "monitoring", true, now_seconds());
}

/* Moves findings out of the arenas of the run, which end with it. */
static void diags_settle(struct arena *a, struct diags *ds)
{
	struct buf b = { 0 };
	struct unpack u;

	diags_pack(&b, ds);
	u = unpack_of(buf_take(&b, a));
	buf_release(&b);
	if (diags_unpack(a, &u, ds) != 0)
		abort(); /* it was packed a moment ago */
}

static void env_finish(struct env_run *e)
{
	struct run_result *res = e->result;

	if (res->status == 0 && (diags_failed(&res->fatal) || diags_failed(&res->findings)))
		res->status = 1;
	if (res->status == 0 && e->run->o->strict && res->warnings.n != 0)
		res->status = 1;
	res->seconds = now_seconds() - e->run->started;
	diags_settle(e->run->arena, &res->fatal);
	diags_settle(e->run->arena, &res->findings);
	diags_settle(e->run->arena, &res->warnings);
	for (size_t i = 0; i < e->run->workers; i++) {
		arena_release(&e->scratch[i]);
		arena_release(&e->keep[i]);
	}
	buf_release(&e->log);
}

static void env_run(struct run *r, struct str name, struct run_result *result)
{
	struct env_run e = { .run = r, .env = { .name = name, .include_tests = r->o->include_tests }, .result = result };

	e.keep = ARENA_ARRAY(&r->own, struct arena, r->workers);
	e.scratch = ARENA_ARRAY(&r->own, struct arena, r->workers);
	e.warnings.arena = &r->own;
	if (r->l->env != NULL)
		r->l->env(r->l->ctx, name);
	if (env_open(&e) == 0 && units_plan(&e) == 0 && preflight_run(&e) == 0) {
		if (r->o->task == RUN_VALIDATE)
			validate_env(&e);
		else
			generate_env(&e);
	}
	env_finish(&e);
}

static void result_init(struct run_result *res, struct arena *a)
{
	*res = (struct run_result){ .fatal = { .arena = a }, .findings = { .arena = a }, .warnings = { .arena = a } };
}

void run_project(struct fs *fs, const struct run_options *o, const struct run_listener *l, struct arena *a,
                 struct run_result *result)
{
	struct run r = { .fs = fs, .o = o, .l = l, .arena = a, .started = now_seconds() };
	struct diags fatal = { .arena = a };

	r.workers = o->workers != 0 ? o->workers : pool_default_workers();
	for (size_t i = 0; i < o->n_env; i++)
		result_init(&result[i], a);
	if (project_open(&r, &fatal) != 0) {
		for (size_t i = 0; i < o->n_env; i++) {
			diags_append(&result[i].fatal, &fatal);
			diags_settle(a, &result[i].fatal);
			result[i].status = 1;
		}
	} else {
		for (size_t i = 0; i < o->n_env; i++)
			env_run(&r, o->env[i], &result[i]);
	}
	door_close(r.door);
	arena_release(&r.own);
}
