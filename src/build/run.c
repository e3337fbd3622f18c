#include "build/run.h"
#include "base/pack.h"
#include "base/path.h"
#include "base/pool.h"
#include "build/steps.h"
#include "model/fields.h"
#include "model/rules.h"
#include "model/suggest.h"
#include "project/include.h"
#include "resolve/preset.h"
#include "resolve/resolve.h"
#include "resolve/token.h"

#include <stdlib.h>
#include <time.h>

double now_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

double stat_add(struct run *r, const char *name, size_t count, double started)
{
	double now = now_seconds();
	struct run_stat *row = NULL;

	for (size_t i = 0; i < r->stat.n && row == NULL; i++)
		if (str_is(r->stat.p[i].name, name))
			row = &r->stat.p[i];
	if (row == NULL) {
		row = VEC_PUSH(&r->stat, r->arena);
		row->name = str_of(name);
	}
	row->count += count;
	row->ms += (now - started) * 1000;
	return now;
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

	rc = project_load(&r->project, r->door, &r->own, &r->trace, ds, &log);
	r->project.workers = r->workers;
	if (rc == 0)
		presets_read(&r->project, &r->trace, &log);
	stat_add(r, "project", 1, started);
	if (rc == 0)
		rc = discover(&r->project, &r->trace, &r->own, ds, &log, &r->found);
	stat_add(r, "discover", r->found.n, started);
	say_log(r, &log);
	buf_release(&log);
	if (rc == 0)
		say_phase(r, "discover", true, started);
	return rc;
}

int env_settings(struct env_run *e)
{
	struct run *r = e->run;

	project_key(&r->project, &r->trace, "apply_formatting");
	e->format = !r->o->no_format && entity_truth(&entity_project, r->project.root, "apply_formatting");
	if (e->format && r->o->task != RUN_VALIDATE && formatter_open(e) != 0)
		return -1;
	e->env.tokens = tokens_load(&r->project, &r->own, e->env.name, false, &e->result->fatal, &e->log);
	say_log(r, &e->log);
	return e->env.tokens != NULL ? 0 : -1;
}

static int env_open(struct env_run *e)
{
	struct run *r = e->run;
	struct diags *ds = &e->result->fatal;

	if (r->found.n == 0 && r->o->task == RUN_GENERATE) {
		struct diag *d = diag_add(ds, &rule_no_flowgroups, (struct mark){ .file = "lhp.yaml" },
		                          "There is no flowgroup below pipelines/, and no blueprint instance makes one");

		diag_hint(ds, d, "Add a YAML file below pipelines/, or look at `include` in lhp.yaml");
		return -1;
	}
	for (size_t i = 0; i < r->found.warnings.n; i++)
		warning_add(e, &r->found.warnings.p[i]);
	return env_settings(e);
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

	for (size_t i = 0; i < e->n_pipeline; i++) {
		struct pipeline_run *p = &e->pipeline[i];

		if (!p->selected)
			continue;
		res->pipelines_good += p->findings.n == 0;
		res->files += p->n_files;
		diags_append(&res->findings, &p->findings);
	}
	return res->findings.n != 0;
}

static bool pipeline_is_known(const struct env_run *e)
{
	for (size_t i = 0; i < e->n_pipeline; i++)
		if (e->pipeline[i].selected)
			return true;
	return e->run->o->pipeline.p == NULL;
}

static struct str pipeline_question(const struct env_run *e)
{
	struct str *name = ARENA_ARRAY(&e->run->own, struct str, e->n_pipeline);

	for (size_t i = 0; i < e->n_pipeline; i++)
		name[i] = e->pipeline[i].name;
	return suggest_question(e->run->arena, e->run->o->pipeline, name, e->n_pipeline, 3);
}

/* Work on the units, and what is to be said of them; true when all is good. */
static bool units_judge(struct env_run *e, enum work_depth depth)
{
	double at = now_seconds();
	bool failed;

	view_reuse(&e->view, e, depth);
	at = stat_add(e->run, "reuse", e->n_unit, at);
	units_run(e, depth);
	at = stat_add(e->run, "units", e->result->rebuilt, at);
	units_report(e);
	at = stat_add(e->run, "findings", e->n_unit, at);
	if (around_judge(e) != 0)
		return false;
	if (depth == WORK_EMIT) {
		outputs_assemble(e);
		if (around_modules(e) != 0)
			return false;
	}
	stat_add(e->run, "assemble", e->out.n, at);
	failed = findings_collect(e);
	pipelines_say(e, failed);
	e->keeps = true;
	return !failed;
}

static void validate_env(struct env_run *e)
{
	struct run *r = e->run;
	double started = now_seconds();
	bool good;

	if (pipeline_is_known(e)) {
		good = units_judge(e, WORK_CHECK);
	} else {
		struct diag *d = diag_add(&e->result->findings, &rule_unknown_pipeline, (struct mark){ 0 },
		                          "No flowgroup of this project has the pipeline %.*s", STR_ARG(r->o->pipeline));

		d->pipeline = r->o->pipeline;
		diag_hint(&e->result->findings, d, "%.*s", STR_ARG(pipeline_question(e)));
		if (r->l->pipeline != NULL)
			r->l->pipeline(r->l->ctx, r->o->pipeline, 0, d);
		good = false;
	}
	say_phase(r, "validate", good, started);
}

static void removed_take(void *ctx, struct str path)
{
	struct env_run *e = ctx;

	*VEC_PUSH(&e->removed, &e->run->own) = path;
}

static int waiting_read(void *ctx, size_t number, struct arena *a, struct str *text)
{
	struct env_run *e = ctx;

	return format_read(e->layout.batch, number - 1, a, text);
}

static bool output_is_known(void *ctx, struct str path)
{
	struct env_run *e = ctx;
	struct place *p = place_of(e->view.place, path);

	return place_leaf(p, path) != NULL;
}

/* Tells what this run found on the disk, line by line. Not for the transcript: the next one finds it mended. */
static void say_found(struct env_run *e, struct buf *lines)
{
	const struct run_listener *l = &e->transcript.to;
	struct str rest = str_dup(&e->run->own, buf_str(lines)), line;

	buf_reset(lines);
	while (l->log != NULL && str_cut(&rest, '\n', &line))
		if (line.n != 0)
			l->log(l->ctx, line);
}

static void edited_say(struct env_run *e, const struct outputs *made)
{
	for (size_t i = 0; i < made->n; i++)
		if (made->p[i].written && view_output_is_edited(&e->view, made->p[i].path))
			buf_addf(&e->log, "%.*s was edited by hand: made again\n", STR_ARG(made->p[i].path));
	say_found(e, &e->log);
}

bool publish_left_ours(struct env_run *e, struct str dir)
{
	struct publish p = { .fs = e->run->fs, .arena = &e->run->own, .is_ours = output_is_known, .ctx = e };

	return publish_has_ours(&p, dir);
}

int publish_stage(struct env_run *e, struct outputs *made, const struct scope *scope, struct str *keep, size_t n_keep)
{
	struct run *r = e->run;
	struct publish p = { .fs = r->fs, .arena = &r->own, .stamp = e->view.en->stamp, .workers = r->workers,
		             .diags = &e->result->fatal, .log = &e->log, .keep_dir = keep, .n_keep_dir = n_keep,
		             .waiting = waiting_read, .is_ours = output_is_known, .removed_one = removed_take, .ctx = e };
	int rc = publish_write(&p, made);

	if (rc == 0 && scope != NULL) {
		rc = publish_sweep(&p, made, scope);
		if (rc == 0)
			*VEC_PUSH(&e->swept, &r->own) = *scope;
	}
	for (size_t i = 0; rc == 0 && i < n_keep; i++)
		*VEC_PUSH(&e->stands, &r->own) = keep[i];
	e->result->written += p.written;
	e->result->removed += p.removed;
	e->published = true;
	edited_say(e, made);
	for (size_t i = 0; made != &e->out && i < made->n; i++)
		*outputs_add(&e->out, &r->own, made->p[i].path, STR("")) = made->p[i];
	if (rc != 0) {
		e->result->status = 3;
		e->keeps = false;
	}
	return rc;
}

static struct str wheel_dir(struct env_run *e, struct str pipeline)
{
	return str_fmt(&e->run->own, "%.*s/_wheels/%.*s", STR_ARG(output_dir(e)), STR_ARG(pipeline));
}

/* To the pipeline of -p, without those that stand in its folder. */
static void scope_narrow(struct env_run *e, struct scope *s)
{
	struct arena *a = &e->run->own;
	struct str one = e->run->o->pipeline;

	s->only[0] = str_cat_sep(a, s->dir, '/', one); /* of no file when the name is empty */
	s->only[1] = wheel_dir(e, one);
	for (size_t i = 0; i < e->n_pipeline; i++) {
		struct str name = e->pipeline[i].name;

		if (str_eq(name, one) || !path_is_below(name, one))
			continue;
		*VEC_PUSH(&s->but, a) = path_join(a, s->dir, name);
		*VEC_PUSH(&s->but, a) = wheel_dir(e, name);
	}
}

/* Without the environments that stand in the folder of this one. */
static void scope_spare(struct env_run *e, struct scope *s)
{
	struct arena *a = &e->run->own;
	struct str files = path_join(a, STR("substitutions"), e->env.name);
	struct paths found = { 0 };

	include_walk(e->run->door, &e->run->trace, a, files, (struct patterns){ 0 }, &found);
	for (size_t i = 0; i < found.n; i++) {
		struct str name = str_skip(found.p[i], files.n + 1);

		if (str_is(path_ext(name), ".yaml"))
			*VEC_PUSH(&s->but, a) = path_join(a, s->dir, str_sub(name, 0, name.n - path_ext(name).n));
	}
}

static int publish_env(struct env_run *e)
{
	struct run *r = e->run;
	struct str dir = output_dir(e), *keep = ARENA_ARRAY(&r->own, struct str, e->n_pipeline + 1);
	struct scope scope = { .dir = dir };
	size_t n = 0;

	keep[n++] = dir;
	for (size_t i = 0; i < e->n_pipeline; i++)
		if (e->pipeline[i].selected)
			keep[n++] = path_join(&r->own, dir, e->pipeline[i].name);
	if (r->o->output.n != 0)
		outputs_add(&e->out, &r->own, path_join(&r->own, dir, STR(".lhp-output")),
		            STR("Written by lhp: this folder is remade by each run.\n"));
	else
		scope_spare(e, &scope);
	if (r->o->pipeline.p != NULL)
		scope_narrow(e, &scope);
	return publish_stage(e, &e->out, &scope, keep, n);
}

static int format_run(struct env_run *e)
{
	double started = now_seconds();
	int rc = layout_start(e);

	if (rc == 0)
		rc = layout_finish(e);
	if (rc == 0)
		formatter_say(e);
	if (e->format && e->run->o->task == RUN_GENERATE)
		say_phase(e->run, "format", rc == 0, started);
	return rc;
}

static void generate_env(struct env_run *e)
{
	struct run *r = e->run;
	double started = now_seconds();

	if (around_settings(e) != 0 || !units_judge(e, WORK_EMIT))
		return;
	say_phase(r, "generate", true, started);
	if (r->o->task == RUN_DIFF) {
		if (format_run(e) == 0)
			outputs_diff(e);
		return;
	}
	if (!pipeline_is_known(e)) {
		e->result->pipelines_good = 1; /* the peer's line: 1 pipeline generated, 0 files */
		return;
	}
	if (format_run(e) != 0) {
		e->keeps = false;
		return;
	}
	started = now_seconds();
	if (e->view.place[PLACE_MODULES].filled && (output_folder_check(e) != 0 || publish_env(e) != 0))
		return;
	if (around_monitor(e) == 0)
		around_sync(e);
	stat_add(r, "publish", e->result->written, started);
	e->keeps = e->keeps && !diags_failed(&e->result->fatal);
}

static void env_work(struct env_run *e)
{
	struct run *r = e->run;
	struct run_result *res = e->result;
	const struct run_listener *to = r->l;

	transcript_open(&e->transcript, to);
	r->l = &e->transcript.listener;
	if (output_folder_open(e) == 0 && env_open(e) == 0 && units_plan(e) == 0 && scope_open(e) == 0 && preflight_run(e) == 0) {
		if (r->o->task == RUN_VALIDATE)
			validate_env(e);
		else
			generate_env(e);
	}
	laid_out_drop(e);
	r->l = to;
	if (res->status == 0 && (diags_failed(&res->fatal) || diags_failed(&res->findings)))
		res->status = 1;
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

	diags_settle(e->run->arena, &res->fatal);
	diags_settle(e->run->arena, &res->findings);
	diags_settle(e->run->arena, &res->warnings);
	if (res->status == 0 && e->run->o->strict && res->warnings.n != 0)
		res->status = 1;
	res->seconds = now_seconds() - e->run->started;
	res->stat = e->run->stat.p;
	res->n_stat = e->run->stat.n;
	memcpy(res->hits, e->run->hits, sizeof res->hits);
	res->hashed_bytes = e->run->hashed_bytes;
	laid_out_drop(e);
	for (size_t i = 0; e->memory != NULL && i < e->run->workers; i++)
		work_memory_release(&e->memory[i]);
	transcript_close(&e->transcript);
	buf_release(&e->log);
}

static void env_init(struct env_run *e, struct run *r, struct engine *en, size_t i)
{
	*e = (struct env_run){ .run = r, .result = &r->results[i] };
	e->env = (struct env){ .name = r->o->env[i], .include_tests = r->o->include_tests };
	e->memory = ARENA_ARRAY(&r->own, struct work_memory, r->workers);
	for (size_t k = 0; k < r->workers; k++)
		work_memory_init(&e->memory[k]);
	view_open(&e->view, en, e->env.name, i + 1 == r->o->n_env);
}

/* The environments that are as they were say again what they said; 0 when that was all. */
static size_t envs_replay(struct run *r, struct env_run *env)
{
	size_t current = 0;

	for (size_t i = 0; i < r->o->n_env; i++)
		current += view_is_current(&env[i].view);
	if (current < r->o->n_env)
		return r->o->n_env;
	for (size_t i = 0; i < r->o->n_env; i++) {
		if (view_replay(&env[i].view, env[i].env.name, i == 0, env[i].result) != 0)
			return r->o->n_env;
		env[i].replayed = true;
	}
	return 0;
}

static void envs_look(struct run *r, struct env_run *env)
{
	for (size_t i = 0; i < r->o->n_env; i++)
		view_look(&env[i].view);
}

/* Has a run that mends nothing to do? */
static bool is_idle(struct run *r, const struct engine *en, struct env_run *env)
{
	bool idle = r->o->mends && en->store != NULL && !en->any_content;

	for (size_t i = 0; i < r->o->n_env; i++) {
		env[i].result->mended = !places_are_left(env[i].view.place, r->o->pipeline);
		idle = idle && !env[i].result->mended;
	}
	for (size_t i = 0; idle && i < r->o->n_env; i++)
		env[i].result->idle = env[i].replayed = true;
	return idle;
}

/* Was all of it done by earlier runs? When an input changed it was not, and outputs are looked at when they are wanted. */
static bool is_done(struct run *r, const struct engine *en, struct env_run *env)
{
	if (en->any_content && !r->o->mends)
		return false;
	envs_look(r, env);
	return is_idle(r, en, env) || envs_replay(r, env) == 0;
}

static void envs_work(struct run *r, struct env_run *env)
{
	struct diags fatal = { .arena = r->arena };
	const struct run_listener *to = r->l;
	int rc;

	envs_look(r, env);
	transcript_open(&r->before, to);
	r->l = &r->before.listener;
	rc = project_open(r, &fatal);
	r->l = to;
	for (size_t i = 0; i < r->o->n_env; i++) {
		if (rc == 0) {
			if (to->env != NULL)
				to->env(to->ctx, env[i].env.name);
			env_work(&env[i]);
			continue;
		}
		diags_append(&env[i].result->fatal, &fatal);
		env[i].result->status = 1;
	}
}

static void result_init(struct run_result *res, struct arena *a)
{
	*res = (struct run_result){ .fatal = { .arena = a }, .findings = { .arena = a }, .warnings = { .arena = a } };
}

void run_project(struct fs *fs, const struct run_options *o, const struct run_listener *l, struct arena *a,
                 struct run_result *result)
{
	struct run r = { .fs = fs, .o = o, .l = l, .arena = a, .started = now_seconds(), .results = result };
	struct env_run *env = ARENA_ARRAY(&r.own, struct env_run, o->n_env);
	struct engine en;

	r.workers = o->workers != 0 ? o->workers : pool_default_workers();
	r.trace = (struct trace){ .arena = &r.own };
	for (size_t i = 0; i < o->n_env; i++)
		result_init(&result[i], a);
	if (engine_open(&en, &r) == 0) {
		double at = stat_add(&r, "scan", en.in.scanned, r.started);

		for (size_t i = 0; i < o->n_env; i++)
			env_init(&env[i], &r, &en, i);
		if (!is_done(&r, &en, env)) {
			r.door = door_open(fs);
			if (!env_patch(env))
				envs_work(&r, env);
			at = now_seconds();
			engine_note_inputs(&en);
			for (size_t i = 0; i < o->n_env; i++)
				view_save(&env[i].view, &env[i]);
		}
		hits_count(&r, &en, env);
		if (l->outside != NULL && en.store != NULL)
			leaves_each(&en.in, l->is_outside, l->outside, l->ctx);
		engine_commit(&en);
		stat_add(&r, "save", 1, at);
		for (size_t i = 0; i < o->n_env; i++)
			env_finish(&env[i]);
	}
	engine_close(&en);
	transcript_close(&r.before);
	project_release(&r.project);
	door_close(r.door);
	arena_release(&r.own);
}
