#include "cmd/readers.h"

#include <stdlib.h>

int readers_open(struct readers *r, struct snapshot *s, struct arena *a, const struct io *io)
{
	char *text = NULL;
	size_t n = 0;
	int rc;

	*r = (struct readers){ .io = *io };
	r->io.err = r->io.out = open_memstream(&text, &n);
	if (r->io.err == NULL)
		return -1;
	r->dag = (struct dag){ .io = &r->io,
		               .o = &r->options,
		               .arena = a,
		               .project = &s->project,
		               .trace = { .arena = a },
		               .env = s->env,
		               .root = STR(""),
		               .name = s->project.name,
		               .fatal = { .arena = a } };
	r->dag.env.keep_tokens = true; /* what cannot be resolved counts as far as it goes */
	rc = dag_analyse(&r->dag);
	fclose(r->io.err);
	free(text);
	return rc;
}

typedef bool action_is(struct arena *a, const struct lineage_action *act, struct str table);

static bool action_reads(struct arena *a, const struct lineage_action *act, struct str table)
{
	for (size_t i = 0; i < act->source.n; i++)
		if (str_eq(table_canonical(a, act->source.p[i].text), table))
			return true;
	return false;
}

static bool action_writes(struct arena *a, const struct lineage_action *act, struct str table)
{
	return act->table.n != 0 && str_eq(table_canonical(a, act->table), table);
}

/* The actions of a flowgroup follow each other. */
static void flowgroups_each(struct readers *r, action_is *is, struct str table, flowgroup_fn *each, void *ctx)
{
	const struct lineage *l = &r->dag.lineage;
	struct str canonical = table_canonical(r->dag.arena, table);
	uint32_t last = UINT32_MAX;

	for (size_t i = 0; i < l->action.n; i++) {
		uint32_t f = l->action.p[i].flowgroup;
		const struct lineage_group *g = &l->flowgroup.p[f];

		if (f == last || !is(r->dag.arena, &l->action.p[i], canonical))
			continue;
		last = f;
		each(ctx, l->pipeline.p[g->pipeline].name, g->name, r->dag.flowgroup.p[f].file);
	}
}

void readers_of(struct readers *r, struct str table, flowgroup_fn *each, void *ctx)
{
	flowgroups_each(r, action_reads, table, each, ctx);
}

void writers_of(struct readers *r, struct str table, flowgroup_fn *each, void *ctx)
{
	flowgroups_each(r, action_writes, table, each, ctx);
}
