#include "build/around.h"
#include "base/path.h"
#include "build/run_internal.h"
#include "bundle/resource.h"
#include "model/rules.h"

static void around_open(struct env_run *e)
{
	struct run *r = e->run;
	struct around *x = &e->around;

	x->unit = (struct unit){ .project = &r->project, .env = &e->env, .arena = &r->own, .trace = &r->trace, .diags = &e->result->fatal };
	x->bundle = (struct bundle){ .unit = &x->unit, .config_path = r->o->pipeline_config };
	x->bundle_on = !r->o->no_bundle && r->o->task != RUN_DIFF && bundle_exists(&r->project, &r->trace);
	x->name = ARENA_ARRAY(&r->own, struct str, e->n_pipeline + 1);
	for (size_t i = 0; i < e->n_pipeline; i++)
		x->name[x->n++] = e->pipeline[i].name;
}

int around_preflight(struct env_run *e)
{
	struct around *x = &e->around;

	around_open(e);
	if (!x->bundle_on)
		return 0;
	if (bundle_config_read(&x->bundle, true) != 0)
		return -1;
	return bundle_check(&x->bundle, x->name, x->n);
}

int around_settings(struct env_run *e)
{
	struct around *x = &e->around;

	return x->bundle.config == NULL && e->run->o->task == RUN_GENERATE ? bundle_config_read(&x->bundle, false) : 0;
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

static int resources_publish(struct env_run *e)
{
	struct around *x = &e->around;
	struct arena *a = &e->run->own;
	struct outputs made = { 0 };
	struct scope scope = { .dir = STR("resources/lhp") };
	struct fs_stat st;

	if (fs_lstat(e->run->fs, scope.dir, &st) == 0 && st.type != FS_DIR)
		return resources_refused(e, &st);
	for (size_t i = 0; i < e->n_pipeline; i++) {
		struct str name = e->pipeline[i].name;

		if (e->pipeline[i].selected)
			outputs_add(&made, a, str_fmt(a, "resources/lhp/%.*s.pipeline.yml", STR_ARG(name)),
			            resource_text(a, name, bundle_settings(&x->bundle, name)));
	}
	if (e->run->o->pipeline.n != 0)
		scope.only = str_fmt(a, "resources/lhp/%.*s.pipeline.yml", STR_ARG(e->run->o->pipeline));
	return publish_stage(e, &made, &scope, &scope.dir, 1);
}

void around_sync(struct env_run *e)
{
	double started = now_seconds();
	int rc;

	if (!e->around.bundle_on)
		return;
	rc = resources_publish(e);
	say_phase(e->run, "bundle_sync", rc == 0, started);
}
