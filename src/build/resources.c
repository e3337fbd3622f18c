#include "build/resources.h"

#include "bundle/monitoring.h"
#include "bundle/resource.h"

/* All pipelines that the run would know, that of monitoring too, sorted. */
static struct str *names_take(struct snapshot *s, struct bundle *b, size_t *n)
{
	struct map seen = { 0 };
	struct monitoring m = { 0 };
	struct str *name;
	uint32_t *order;

	for (size_t i = 0; i < s->n; i++)
		map_add(&seen, &s->arena, s->unit[i].pipeline);
	name = ARENA_ARRAY(&s->arena, struct str, seen.n + 1);
	order = map_sorted(&seen, &s->arena);
	for (size_t i = 0; i < seen.n; i++)
		name[i] = seen.entry[order[i]].key;
	*n = seen.n;
	monitoring_open(&m, b, name, seen.n);
	if (m.has_pipeline && map_add(&seen, &s->arena, m.pipeline))
		name[(*n)++] = m.pipeline;
	return name;
}

/* Packaging is no line of the file, yet decides what it points to. */
static struct str *rendered(struct bundle *b, struct str pipeline)
{
	struct arena *a = b->unit->arena;
	struct str *text = ARENA_NEW(a, struct str), file = resource_text(a, pipeline, bundle_settings(b, pipeline));

	*text = str_fmt(a, "%.*s\n%.*s", STR_ARG(bundle_packaging(b, pipeline)), STR_ARG(file));
	return text;
}

int resources_render(struct snapshot *s, struct str config_path, struct resources *out)
{
	struct unit *u = ARENA_NEW(&s->arena, struct unit);
	struct bundle b = { .unit = u, .config_path = config_path };
	struct str *name;
	size_t n;

	*out = (struct resources){ 0 };
	*u = (struct unit){ .project = &s->project, .env = &s->env, .arena = &s->arena, .trace = &s->trace, .diags = &s->diags };
	if (!bundle_exists(&s->project, &s->trace))
		return 0;
	b.monitoring = monitoring_pipeline(&s->project, &s->trace);
	if (bundle_config_read(&b, config_path.n != 0) != 0)
		return -1;
	name = names_take(s, &b, &n);
	for (size_t i = 0; i < n; i++)
		map_put(&out->text, &s->arena, name[i], rendered(&b, name[i]));
	return 0;
}
