#include "build/resources.h"

#include "bundle/hooks.h"
#include "bundle/resource.h"
#include "bundle/wiring.h"

static void pipelines_take(struct resources *r)
{
	struct arena *a = &r->s->arena;
	struct map seen = { 0 };
	uint32_t *order;

	for (size_t i = 0; i < r->s->n; i++)
		map_add(&seen, a, r->s->unit[i].pipeline);
	order = map_sorted(&seen, a);
	r->pipeline = ARENA_ARRAY(a, struct str, seen.n);
	r->n_pipeline = seen.n;
	for (size_t i = 0; i < seen.n; i++)
		r->pipeline[i] = seen.entry[order[i]].key;
}

int resources_open(struct resources *r, struct snapshot *s, struct str config_path)
{
	*r = (struct resources){ .s = s };
	r->unit = (struct unit){ .project = &s->project, .env = &s->env, .arena = &s->arena, .trace = &s->trace, .diags = &s->diags };
	r->bundle = (struct bundle){ .unit = &r->unit, .config_path = config_path };
	r->bundle.monitoring = monitoring_pipeline(&s->project, &s->trace);
	r->has_bundle = bundle_exists(&s->project, &s->trace);
	if (config_path.n != 0 && bundle_config_read(&r->bundle, r->has_bundle) != 0)
		return -1;
	pipelines_take(r);
	monitoring_open(&r->monitoring, &r->bundle, r->pipeline, r->n_pipeline);
	if (monitoring_source(&r->monitoring, &r->bundle, &r->source) != 0)
		return -1;
	if (r->source.node != NULL) {
		snapshot_add(s, &r->source);
		pipelines_take(r);
	}
	return 0;
}

static void file_add(struct resources *r, struct str pipeline, struct str path, struct str text)
{
	*VEC_PUSH(&r->file, &r->s->arena) = (struct resource){ pipeline, path, text };
}

/* Packaging is no line of the file, yet decides what it points to. */
static void bundle_files(struct resources *r, struct str pipeline)
{
	struct arena *a = &r->s->arena;
	struct str packaging = bundle_packaging(&r->bundle, pipeline);
	struct str text = resource_text(a, pipeline, bundle_settings(&r->bundle, pipeline));

	file_add(r, pipeline, str_fmt(a, "resources/lhp/%.*s.pipeline.yml", STR_ARG(pipeline)),
	         str_fmt(a, "%.*s\n%.*s", STR_ARG(packaging), STR_ARG(text)));
	if (str_is(packaging, "wheel"))
		file_add(r, pipeline, STR("resources/lhp/_wheels.bundle.yml"), wiring_text(&r->unit, wiring_volume(&r->unit)));
}

static void tags_file(struct resources *r, struct str pipeline)
{
	struct snapshot *s = r->s;
	const struct facts **facts = ARENA_ARRAY(&s->arena, const struct facts *, s->n);
	struct out_files files = { 0 };
	struct buf log = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		if (!s->unit[i].record.failed_check && str_eq(s->unit[i].pipeline, pipeline))
			facts[n++] = &s->unit[i].record.facts;
	uc_tags_files(&r->unit, pipeline, facts, n, &files, &log);
	buf_release(&log);
	for (size_t i = 0; i < files.n; i++)
		file_add(r, pipeline, str_fmt(&s->arena, "generated/%.*s/%.*s", STR_ARG(s->env.name), STR_ARG(files.p[i].path)), files.p[i].raw);
}

static int monitoring_files(struct resources *r)
{
	struct arena *a = &r->s->arena;
	struct str pipeline = r->monitoring.pipeline, job;

	if (!r->monitoring.on)
		return 0;
	file_add(r, pipeline, str_fmt(a, "monitoring/%.*s/union_event_logs.py", STR_ARG(r->s->env.name)),
	         monitoring_notebook(&r->monitoring, &r->bundle));
	if (monitoring_job(&r->monitoring, &r->bundle, &job) != 0)
		return -1;
	file_add(r, pipeline, str_fmt(a, "resources/%.*s.job.yml", STR_ARG(pipeline)), job);
	return 0;
}

int resources_render(struct resources *r)
{
	for (size_t i = 0; i < r->n_pipeline; i++) {
		if (r->has_bundle)
			bundle_files(r, r->pipeline[i]);
		tags_file(r, r->pipeline[i]);
	}
	return monitoring_files(r);
}
