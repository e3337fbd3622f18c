#include "cmd/dag_analysis.h"

#include "model/rules.h"
#include "project/discover.h"
#include "resolve/conceal.h"
#include "resolve/resolve.h"
#include "resolve/token.h"

static void warning_print(const struct dag *d, const struct diag *found, struct str what, const char *then)
{
	struct str title = diag_title_of(found);
	fprintf(d->io->err, "WARNING: %s %.*s", found->rule->code, STR_ARG(title));
	if (found->detail.n > 0 && !str_has(found->detail, STR("LHP-"))) /* the code shown is the finding's own */
		fprintf(d->io->err, ": %.*s", STR_ARG(found->detail));
	if (found->at.file != NULL)
		fprintf(d->io->err, " (%s:%u)", found->at.file, found->at.line);
	fprintf(d->io->err, "\n  %.*s %s\n", STR_ARG(what), then);
}

static bool is_wanted(const struct dag *d, const struct flowgroup_source *src, struct str pipeline)
{
	return (d->o->pipeline.n == 0 || str_eq(d->o->pipeline, pipeline)) &&
	       (d->o->blueprint.n == 0 || str_eq(d->o->blueprint, src->blueprint));
}

/* The list of actions and the names, resolved or, when that fails, as written. */
struct taken {
	struct str pipeline, name;
	const struct node *map;
};

static void flowgroup_take(struct dag *d, const struct flowgroup_source *src, struct taken *out)
{
	struct diags found = { .arena = d->arena };
	struct flowgroup fg;
	struct unit u = { d->project, &d->env, d->arena, &d->trace, &found, src->pipeline, src->name, src->file };
	if (flowgroup_resolve(&u, src, &fg) == 0) {
		*out = (struct taken){ fg.pipeline, fg.name, fg.map };
		return;
	}
	findings_conceal(&u, src->node);
	flowgroup_names(&u, src, &out->pipeline, &out->name);
	out->map = src->node;
	if (!is_wanted(d, src, out->pipeline))
		return;
	for (size_t i = 0; i < found.n; i++)
		if (found.p[i].rule->severity == SEV_ERROR) {
			struct str what = str_fmt(d->arena, "%.*s.%.*s", STR_ARG(out->pipeline), STR_ARG(out->name));
			warning_print(d, &found.p[i], what, "stays in the graph as it is written");
			return;
		}
}

static int flowgroup_read(struct dag *d, const struct flowgroup_source *src)
{
	struct taken t;
	flowgroup_take(d, src, &t);
	if (!is_wanted(d, src, t.pipeline))
		return 0;
	const struct node *actions = node_get(t.map, "actions");
	uint32_t f = lineage_flowgroup(&d->lineage, t.pipeline, t.name);
	if (f == d->flowgroup.n)
		*VEC_PUSH(&d->flowgroup, d->arena) =
		    (struct dag_flowgroup){ src->file, node_get_text(t.map, "job_name") };
	for (size_t i = 0; node_is(actions, NODE_LIST) && i < actions->list.n; i++)
		if (node_is(actions->list.item[i], NODE_MAP) &&
		    dag_action_read(d, f, src->file, actions->list.item[i]) < 0)
			return -1;
	return 0;
}

static int sources_find(struct dag *d, struct sources *out)
{
	struct diags unused = { .arena = d->arena }, blueprints = { .arena = d->arena };
	struct buf log = { 0 };
	if (discover_plain(d->project, &d->trace, d->arena, &d->fatal, out, &unused) < 0)
		return -1;
	size_t plain = out->n;
	if (discover_blueprints(d->project, &d->trace, d->arena, &blueprints, &log, out) < 0) {
		out->n = plain;
		if (blueprints.n > 0)
			warning_print(d, &blueprints.p[0], STR("No flowgroup of a blueprint"), "is in the graph");
	}
	buf_release(&log);
	return 0;
}

int dag_analyse(struct dag *d)
{
	struct sources sources = { 0 };
	lineage_init(&d->lineage, d->arena);
	if (sources_find(d, &sources) < 0)
		return -1;
	for (size_t i = 0; i < sources.n; i++)
		if (flowgroup_read(d, &sources.p[i]) < 0)
			return -1;
	lineage_link(&d->lineage);
	return 0;
}
