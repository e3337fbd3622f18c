#include "build/around.h"
#include "base/path.h"
#include "build/steps.h"
#include "bundle/libzip.h"
#include "bundle/resource.h"
#include "bundle/wiring.h"
#include "emit/runtime.h"
#include "model/rules.h"
#include "resolve/resolve.h"
#include "yaml/node_build.h"

#include <stdlib.h>

static void around_open(struct env_run *e)
{
	struct run *r = e->run;
	struct around *x = &e->around;

	x->unit = (struct unit){ .project = &r->project, .env = &e->env, .arena = &r->own, .trace = &r->trace, .diags = &e->result->fatal };
	x->bundle = (struct bundle){ .unit = &x->unit, .config_path = r->o->pipeline_config };
	x->bundle.monitoring = monitoring_pipeline(&r->project, &r->trace);
	x->bundle_on = !r->o->no_bundle && r->o->task != RUN_DIFF && bundle_exists(&r->project, &r->trace);
}

static int name_cmp(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

/* Pipelines that have flowgroups, before there are units. */
static void names_take(struct env_run *e)
{
	struct run *r = e->run;
	struct around *x = &e->around;
	struct unit naming = { .project = &r->project, .env = &e->env, .arena = &r->own, .trace = &r->trace };
	struct map seen = { 0 };

	x->name = ARENA_ARRAY(&r->own, struct str, r->found.n);
	for (size_t i = 0; i < r->found.n; i++) {
		struct str pipeline, name;

		flowgroup_names(&naming, &r->found.source[i], &pipeline, &name);
		if (map_add(&seen, &r->own, pipeline))
			x->name[x->n++] = pipeline;
	}
	if (x->n > 1)
		qsort(x->name, x->n, sizeof *x->name, name_cmp);
}

/*
 * Monitoring must know who opted out, so its run reads the file already here. In a bundle run preflight reads it again, and
 * shows its faults: all but the clash of names, which is found here.
 */
static int opt_outs_read(struct env_run *e)
{
	struct around *x = &e->around;
	struct diags found = { .arena = &e->run->own }, *to = x->unit.diags;
	int rc;

	if (x->bundle.monitoring.n == 0 || x->bundle.config_path.n == 0)
		return 0;
	x->unit.diags = &found;
	rc = bundle_config_read(&x->bundle, false);
	x->unit.diags = to;
	if (rc == 0 || (x->bundle_on && found.p[0].rule != &rule_pipeline_config_both_names))
		return 0;
	diags_append(to, &found);
	return -1;
}

int around_discover(struct env_run *e, const struct flowgroup_source **extra)
{
	struct around *x = &e->around;

	*extra = NULL;
	around_open(e);
	names_take(e);
	if (opt_outs_read(e) != 0)
		return -1;
	monitoring_open(&x->monitoring, &x->bundle, x->name, x->n);
	if (monitoring_source(&x->monitoring, &x->bundle, &x->source) != 0)
		return -1;
	if (x->source.node != NULL)
		*extra = &x->source;
	return 0;
}

int around_preflight(struct env_run *e)
{
	struct around *x = &e->around;
	struct str *name = ARENA_ARRAY(&e->run->own, struct str, e->n_pipeline);

	if (test_reporting_check(&x->unit) != 0)
		return -1;
	for (size_t i = 0; i < e->n_pipeline; i++)
		name[i] = e->pipeline[i].name;
	if (x->bundle_on && (bundle_config_read(&x->bundle, true) != 0 || bundle_check(&x->bundle, name, e->n_pipeline) != 0))
		return -1;
	return monitoring_check(&x->monitoring, &x->bundle);
}

int around_settings(struct env_run *e)
{
	struct around *x = &e->around;

	return x->bundle.config == NULL && e->run->o->task == RUN_GENERATE ? bundle_config_read(&x->bundle, false) : 0;
}

/* --- files beside the modules --- */

/* Facts of the flowgroups of a pipeline (NULL: of all) that have them. */
static const struct facts **facts_of(struct env_run *e, const struct pipeline_run *p, size_t *n)
{
	size_t all = p != NULL ? p->n_unit : e->n_unit;
	const struct facts **out = ARENA_ARRAY(&e->run->own, const struct facts *, all);

	*n = 0;
	for (size_t i = 0; i < all; i++) {
		const struct unit_run *u = &e->unit[p != NULL ? p->unit[i] : i];

		if (!u->record.failed_check)
			out[(*n)++] = &u->record.facts;
	}
	return out;
}

int around_judge(struct env_run *e)
{
	struct around *x = &e->around;
	size_t n;
	const struct facts **all = facts_of(e, NULL, &n);

	if (test_reporting_used(&x->unit, all, n) != 0)
		return -1;
	for (size_t i = 0; i < e->n_pipeline; i++) {
		const struct facts **facts = facts_of(e, &e->pipeline[i], &n);

		if (e->pipeline[i].selected)
			test_reporting_clashes(&x->unit, facts, n, &e->pipeline[i].findings);
	}
	return 0;
}

bool around_packs(struct env_run *e, struct str pipeline)
{
	struct bundle *b = &e->around.bundle;

	return b->config != NULL && str_is(bundle_packaging(b, pipeline), "wheel");
}

static struct wheel *wheel_of(struct env_run *e, struct str pipeline)
{
	struct around *x = &e->around;
	struct arena *a = &e->run->own;
	struct wheel *w = map_get(&x->wheel, pipeline);

	if (w != NULL || !around_packs(e, pipeline))
		return w;
	w = ARENA_NEW(a, struct wheel);
	wheel_init(w, a, pipeline, e->env.name);
	map_put(&x->wheel, a, pipeline, w);
	return w;
}

bool around_pack(struct env_run *e, struct str pipeline, struct str path, struct str raw)
{
	struct wheel *w = wheel_of(e, pipeline);

	if (w == NULL)
		return false;
	wheel_add(w, str_skip(path, pipeline.n + 1), raw);
	return true;
}

static struct str wheel_path(struct env_run *e, const struct wheel *w)
{
	return str_fmt(&e->run->own, "_wheels/%.*s/dist/%.*s", STR_ARG(w->pipeline), STR_ARG(w->file));
}

/* A library that is not there is a fault of the machine: said once, and the run ends. */
static int wheel_refused(struct env_run *e, struct str pipeline)
{
	struct diags *ds = &e->result->fatal;
	struct str problem = libzip_problem();
	struct diag *d;

	if (problem.n == 0) {
		diag_add(ds, &rule_output_unwritable, (struct mark){ 0 }, "The wheel of %.*s could not be packed", STR_ARG(pipeline));
		return -1;
	}
	d = diag_add(ds, &rule_output_unwritable, (struct mark){ 0 }, "The wheel of %.*s cannot be packed without libzip: %.*s",
	             STR_ARG(pipeline), STR_ARG(problem));
	diag_hint(ds, d, "%s", LIBZIP_INSTALL);
	e->result->status = 3;
	return -1;
}

/* The wheel, and the module that starts it. */
static int wheel_outputs(struct env_run *e, struct pipeline_run *p)
{
	struct wheel *w = wheel_of(e, p->name);
	struct arena *a = &e->run->own;

	if (w == NULL)
		return 0;
	if (wheel_build(w) != 0)
		return wheel_refused(e, p->name);
	outputs_add(&e->out, a, path_join(a, output_dir(e), wheel_path(e, w)), w->bytes);
	outputs_add(&e->out, a, str_fmt(a, "%.*s/%.*s/%.*s", STR_ARG(output_dir(e)), STR_ARG(p->name), STR_ARG(wheel_runner_name(w))),
	            wheel_runner_text(w));
	return 0;
}

static const struct record_file *module_at(const struct env_run *e, const struct pipeline_run *p, struct str path)
{
	for (size_t i = 0; i < p->n_unit; i++) {
		const struct record *r = &e->unit[p->unit[i]].record;

		for (size_t k = 0; k < r->n_out; k++)
			if (str_eq(r->out[k].path, path))
				return &r->out[k];
	}
	return NULL;
}

/* One would take the place of the other: which, nobody could say. */
static void module_refuse(struct pipeline_run *p, const struct record_file *module)
{
	struct diag *d = diag_add(&p->findings, &rule_output_conflict, module->at, "%.*s is the name of a file that lhp puts beside the modules",
	                          STR_ARG(module->path));

	d->pipeline = p->name;
	diag_hint(&p->findings, d, "Give the flowgroup another name");
}

static void files_add(struct env_run *e, struct pipeline_run *p, const struct out_files *files)
{
	const struct record_file *module;

	for (size_t i = 0; i < files->n; i++)
		if ((module = module_at(e, p, files->p[i].path)) != NULL)
			module_refuse(p, module);
		else if (!around_pack(e, p->name, files->p[i].path, files->p[i].raw))
			outputs_add(&e->out, &e->run->own, path_join(&e->run->own, output_dir(e), files->p[i].path), files->p[i].raw);
	p->n_files += files->n;
}

static int pipeline_files(struct env_run *e, struct pipeline_run *p)
{
	struct around *x = &e->around;
	struct out_files files = { 0 };
	size_t n;
	const struct facts **facts = facts_of(e, p, &n);
	int rc = test_reporting_files(&x->unit, p->name, facts, n, &files);

	uc_tags_files(&x->unit, p->name, facts, n, &files, &e->log);
	if (x->monitoring.has_pipeline && x->monitoring.job_stats && str_eq(p->name, x->monitoring.pipeline) && wheel_of(e, p->name) == NULL)
		*VEC_PUSH(&files, &e->run->own) = (struct out_file){
			.path = str_fmt(&e->run->own, "%.*s/jobs_stats_loader.py", STR_ARG(p->name)), .raw = runtime_text(&e->run->own, "jobs_stats_loader.py")
		};
	files_add(e, p, &files);
	return rc == 0 ? wheel_outputs(e, p) : rc;
}

int around_modules(struct env_run *e)
{
	int rc = 0;

	for (size_t i = 0; i < e->n_pipeline && e->result->status == 0; i++)
		if (e->pipeline[i].selected && pipeline_files(e, &e->pipeline[i]) != 0)
			rc = -1;
	say_log(e->run, &e->log);
	return rc;
}

/* --- monitoring --- */

static int notebook_publish(struct env_run *e)
{
	struct around *x = &e->around;
	struct arena *a = &e->run->own;
	struct scope scope = { .dir = e->view.place[PLACE_MONITORING].dir, .flat = true, .goes = true };
	struct outputs made = { 0 };

	if (x->monitoring.on)
		outputs_add(&made, a, str_fmt(a, "%.*s/union_event_logs.py", STR_ARG(scope.dir)),
		            text_normalise(a, monitoring_notebook(&x->monitoring, &x->bundle)));
	return publish_stage(e, &made, &scope, NULL, 0);
}

/* The job; those that earlier runs made, of whatever name, go. In this folder only their first line tells them from users' own. */
static int job_publish(struct env_run *e)
{
	struct around *x = &e->around;
	struct arena *a = &e->run->own;
	struct scope scope = { .dir = e->view.place[PLACE_JOBS].dir, .flat = true, .suffix = ".job.yml", .head = MONITORING_JOB_HEAD };
	struct outputs made = { 0 };
	struct str job;
	int rc = x->monitoring.on ? monitoring_job(&x->monitoring, &x->bundle, &job) : 0;

	if (!e->view.place[PLACE_JOBS].filled)
		return rc;
	if (x->monitoring.on && rc == 0)
		outputs_add(&made, a, str_fmt(a, "resources/%.*s.job.yml", STR_ARG(x->monitoring.pipeline)), job);
	return publish_stage(e, &made, &scope, NULL, 0) == 0 ? rc : -1;
}

int around_monitor(struct env_run *e)
{
	double started = now_seconds();
	int rc;

	if (e->run->o->sandbox)
		return 0;
	rc = notebook_publish(e) == 0 ? job_publish(e) : -1;
	if (rc == 0)
		say_phase(e->run, "monitoring", true, started);
	return rc;
}

static int resources_refused(struct env_run *e, const struct fs_stat *st)
{
	struct diags *ds = &e->result->fatal;
	struct diag *d = diag_add(ds, &rule_bundle_resources_link, (struct mark){ .file = "resources/lhp" },
	                          "resources/lhp is a %s: what it %s is not ours to rewrite", st->type == FS_LINK ? "symbolic link" : "file",
	                          st->type == FS_LINK ? "points to" : "holds");

	diag_hint(ds, d, "Make it a folder");
	return -1;
}

/* The settings of a pipeline with its wheel among the dependencies. */
static const struct node *settings_of(struct env_run *e, struct str pipeline)
{
	struct arena *a = &e->run->own;
	const struct node *settings = bundle_settings(&e->around.bundle, pipeline), *environment = node_get(settings, "environment");
	const struct wheel *w = map_get(&e->around.wheel, pipeline);
	struct node *out, *env, *list;

	if (w == NULL)
		return settings;
	out = node_copy(a, settings);
	env = node_is(environment, NODE_MAP) ? node_copy(a, environment) : node_new(a, NODE_MAP, (struct mark){ 0 });
	list = node_is(node_get(env, "dependencies"), NODE_LIST) ? node_copy(a, node_get(env, "dependencies"))
	                                                           : node_new(a, NODE_LIST, (struct mark){ 0 });
	node_push(a, list, node_new_str(a, list->at, str_fmt(a, "../../generated/%.*s/%.*s", STR_ARG(e->env.name), STR_ARG(wheel_path(e, w)))));
	node_set(a, env, STR("dependencies"), list);
	node_set(a, out, STR("environment"), env);
	return out;
}

/* Tells the bundle where wheels are. False when it cannot be told. */
static bool wiring_add(struct env_run *e, struct outputs *made)
{
	struct unit *u = &e->around.unit;
	struct str volume;

	if (e->around.wheel.n == 0)
		return true;
	volume = wiring_volume(u);
	if (wiring_check(u, volume) != 0)
		return false;
	outputs_add(made, u->arena, STR("resources/lhp/_wheels.bundle.yml"), wiring_text(u, volume));
	return true;
}

/* Is there a setting that has no form in a resource file? With a finding. */
static bool setting_refused(struct env_run *e, struct str pipeline, const struct node *settings)
{
	struct misfit m = resource_misfit(settings);
	bool list = m.kind == MISFIT_NO_LIST;
	struct diags *ds = &e->result->fatal;
	struct diag *d;

	if (m.node == NULL)
		return false;
	d = diag_add(ds, list ? &rule_bundle_setting_list : &rule_bundle_setting_map, m.node->at,
	             "`%s` of the pipeline %.*s needs a %s here, found %s", m.key, STR_ARG(pipeline), list ? "list" : "mapping",
	             node_kind_name(m.node));
	diag_hint(ds, d, list ? "Write the items on lines of their own, each behind `- `" : "Write `key: value` lines");
	return true;
}

static int resources_publish(struct env_run *e)
{
	struct arena *a = &e->run->own;
	struct outputs made = { 0 };
	struct scope scope = { .dir = STR("resources/lhp") };
	const struct node *settings;
	struct fs_stat st;
	bool wired;

	if (fs_lstat(e->run->fs, scope.dir, &st) == 0 && st.type != FS_DIR)
		return resources_refused(e, &st);
	for (size_t i = 0; i < e->n_pipeline; i++) {
		struct str name = e->pipeline[i].name;

		if (!e->pipeline[i].selected)
			continue;
		settings = settings_of(e, name);
		if (setting_refused(e, name, settings))
			return -1;
		outputs_add(&made, a, str_fmt(a, "resources/lhp/%.*s.pipeline.yml", STR_ARG(name)), resource_text(a, name, settings));
	}
	if (e->run->o->pipeline.p != NULL)
		scope.only[0] = str_fmt(a, "resources/lhp/%.*s.pipeline.yml", STR_ARG(e->run->o->pipeline));
	wired = wiring_add(e, &made);
	if (!e->view.place[PLACE_BUNDLE].filled)
		return wired ? 0 : -1;
	return publish_stage(e, &made, &scope, &scope.dir, 1) == 0 && wired ? 0 : -1;
}

static bool is_own_folder(struct env_run *e, struct str path)
{
	struct fs_stat st;

	return fs_lstat(e->run->fs, path, &st) == 0 && st.type == FS_DIR;
}

/* A bundle that is one no more: what runs put into resources/lhp goes, and with it the folder. */
static int resources_retire(struct env_run *e)
{
	struct scope scope = { .dir = STR("resources/lhp"), .goes = true };
	struct outputs none = { 0 };
	bool whole = e->view.place[PLACE_BUNDLE].filled && e->run->o->pipeline.p == NULL;

	if (!whole || !is_own_folder(e, STR("resources")) || !is_own_folder(e, scope.dir) || !publish_left_ours(e, scope.dir))
		return 0;
	return publish_stage(e, &none, &scope, NULL, 0);
}

int around_sync(struct env_run *e)
{
	double started = now_seconds();
	int rc;

	if (!e->around.bundle_on)
		return resources_retire(e);
	rc = resources_publish(e);
	say_phase(e->run, "bundle_sync", rc == 0, started);
	return rc;
}
