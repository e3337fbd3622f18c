#include "cmd/dag_write.h"

#include "model/rules.h"
#include "ui/json.h"

#include <sys/time.h>
#include <time.h>

/* What is open, so that items are told from the first one: lists and maps print as Python's json.dumps(indent=2). */
struct printer {
	struct buf *b;
	unsigned depth;
	bool empty; /* nothing in the innermost one yet */
};

static void item(struct printer *p, const char *key)
{
	buf_adds(p->b, p->empty ? "\n" : ",\n");
	buf_add_repeat(p->b, ' ', (size_t)p->depth * 2);
	p->empty = false;
	if (key == NULL)
		return;
	json_text(p->b, str_of(key));
	buf_adds(p->b, ": ");
}

static void item_named(struct printer *p, struct str key)
{
	item(p, NULL);
	json_text(p->b, key);
	buf_adds(p->b, ": ");
}

static void opened(struct printer *p, char bracket)
{
	buf_addc(p->b, bracket);
	p->depth++;
	p->empty = true;
}

static void closed(struct printer *p, char bracket)
{
	p->depth--;
	if (!p->empty) {
		buf_addc(p->b, '\n');
		buf_add_repeat(p->b, ' ', (size_t)p->depth * 2);
	}
	buf_addc(p->b, bracket);
	p->empty = false;
}

static void number(struct printer *p, const char *key, size_t n)
{
	item(p, key);
	buf_addf(p->b, "%zu", n);
}

static void truth(struct printer *p, const char *key, bool value)
{
	item(p, key);
	buf_adds(p->b, value ? "true" : "false");
}

static void text(struct printer *p, const char *key, struct str value)
{
	item(p, key);
	json_text(p->b, value);
}

static void texts(struct printer *p, const char *key, const struct str *value, size_t n)
{
	item(p, key);
	opened(p, '[');
	for (size_t i = 0; i < n; i++)
		text(p, NULL, value[i]);
	closed(p, ']');
}

static void names(struct printer *p, const char *key, struct arena *a, const struct map *m)
{
	uint32_t *order = map_sorted(m, a);
	item(p, key);
	opened(p, '[');
	for (size_t i = 0; i < m->n; i++)
		text(p, NULL, m->entry[order[i]].key);
	closed(p, ']');
}

static void metadata(struct printer *p, const struct dag *d)
{
	item(p, "metadata");
	opened(p, '{');
	number(p, "total_pipelines", d->lineage.pipeline.n);
	number(p, "total_external_sources", d->lineage.external.n);
	number(p, "total_stages", d->lineage.stages.n);
	truth(p, "has_circular_dependencies", d->lineage.cycle.n > 0);
	number(p, "total_warnings", d->doubt.n);
	number(p, "total_warning_occurrences", dag_affected_count(d));
	closed(p, '}');
}

static void pipelines(struct printer *p, const struct dag *d)
{
	item(p, "pipelines");
	opened(p, '{');
	for (uint32_t i = 0; i < d->lineage.pipeline.n; i++) {
		const struct lineage_group *g = &d->lineage.pipeline.p[i];
		size_t n;
		const struct str *on = dag_depends_on(d, &d->lineage.pipelines, i, &n);
		item_named(p, g->name);
		opened(p, '{');
		texts(p, "depends_on", on, n);
		number(p, "flowgroup_count", g->flowgroups);
		number(p, "action_count", g->actions);
		names(p, "external_sources", d->arena, &g->external);
		truth(p, "can_run_parallel", dag_in_parallel(d, i));
		if (d->lineage.stages.n > 0)
			number(p, "stage", d->lineage.stages.stage[i]);
		else {
			item(p, "stage");
			buf_adds(p->b, "null");
		}
		closed(p, '}');
	}
	closed(p, '}');
}

static void stages(struct printer *p, const struct dag *d)
{
	const struct stages *s = &d->lineage.stages;
	item(p, "execution_stages");
	opened(p, '[');
	for (size_t i = 0; i < s->n; i++) {
		item(p, NULL);
		opened(p, '[');
		for (size_t k = s->first[i]; k < s->first[i + 1]; k++)
			text(p, NULL, d->lineage.pipeline.p[s->node[k]].name);
		closed(p, ']');
	}
	closed(p, ']');
}

static void cycles(struct printer *p, const struct dag *d)
{
	item(p, "circular_dependencies");
	opened(p, '[');
	for (size_t i = 0; i < d->lineage.cycle.n; i++)
		texts(p, NULL, &d->lineage.cycle.p[i].text, 1);
	closed(p, ']');
}

static struct str absolute(const struct dag *d, const char *file)
{
	return file[0] == '/' ? str_of(file) : str_fmt(d->arena, "%.*s/%s", STR_ARG(d->root), file);
}

static void doubt(struct printer *p, const struct dag *d, const struct dag_doubt *w)
{
	item(p, NULL);
	opened(p, '{');
	text(p, "code", str_of(w->rule->code));
	text(p, "message", w->message);
	text(p, "flowgroup", w->affected.p[0].flowgroup);
	text(p, "action", w->affected.p[0].action);
	text(p, "suggestion", dag_suggestion(w));
	text(p, "file_path", absolute(d, w->file));
	number(p, "line", w->line);
	text(p, "edit_yaml_path", absolute(d, w->affected.p[0].edit));
	item(p, "affected_actions");
	opened(p, '[');
	for (size_t i = 0; i < w->affected.n; i++) {
		item(p, NULL);
		opened(p, '{');
		text(p, "flowgroup", w->affected.p[i].flowgroup);
		text(p, "action", w->affected.p[i].action);
		text(p, "edit_yaml_path", absolute(d, w->affected.p[i].edit));
		closed(p, '}');
	}
	closed(p, ']');
	number(p, "affected_count", w->affected.n);
	closed(p, '}');
}

static struct str now_iso(struct arena *a)
{
	struct timeval now;
	struct tm local;
	char text_of[32];
	gettimeofday(&now, NULL);
	localtime_r(&now.tv_sec, &local);
	strftime(text_of, sizeof text_of, "%Y-%m-%dT%H:%M:%S", &local);
	return str_fmt(a, "%s.%06ld", text_of, (long)now.tv_usec);
}

void dag_json_write(const struct dag *d, struct buf *b)
{
	struct printer p = { .b = b };
	opened(&p, '{');
	metadata(&p, d);
	pipelines(&p, d);
	stages(&p, d);
	names(&p, "external_sources", d->arena, &d->lineage.external);
	cycles(&p, d);
	item(&p, "warnings");
	opened(&p, '[');
	for (size_t i = 0; i < d->doubt.n; i++)
		doubt(&p, d, &d->doubt.p[i]);
	closed(&p, ']');
	item(&p, "generation_info");
	opened(&p, '{');
	text(&p, "generated_at", now_iso(d->arena));
	text(&p, "generator", STR("LakehousePlumber DependencyAnalysisService"));
	text(&p, "version", STR("1.0"));
	closed(&p, '}');
	closed(&p, '}');
}
