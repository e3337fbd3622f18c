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

static void group_say(struct readers *r, uint32_t f, void (*each)(void *, struct str, struct str, const char *), void *ctx)
{
	const struct lineage *l = &r->dag.lineage;
	const struct lineage_group *g = &l->flowgroup.p[f];

	each(ctx, l->pipeline.p[g->pipeline].name, g->name, r->dag.flowgroup.p[f].file);
}

static bool action_reads(struct readers *r, const struct lineage_action *act, struct str table)
{
	for (size_t i = 0; i < act->source.n; i++)
		if (str_eq(table_canonical(r->dag.arena, act->source.p[i].text), table))
			return true;
	return false;
}

void readers_of(struct readers *r, struct str table, void (*each)(void *, struct str, struct str, const char *), void *ctx)
{
	const struct lineage *l = &r->dag.lineage;
	struct str canonical = table_canonical(r->dag.arena, table);
	uint32_t last = UINT32_MAX;

	for (size_t i = 0; i < l->action.n; i++) {
		if (l->action.p[i].flowgroup == last || !action_reads(r, &l->action.p[i], canonical))
			continue;
		last = l->action.p[i].flowgroup;
		group_say(r, last, each, ctx);
	}
}

void writers_of(struct readers *r, struct str table, void (*each)(void *, struct str, struct str, const char *), void *ctx)
{
	const struct lineage *l = &r->dag.lineage;
	struct str canonical = table_canonical(r->dag.arena, table);
	uint32_t last = UINT32_MAX;

	for (size_t i = 0; i < l->action.n; i++) {
		const struct lineage_action *act = &l->action.p[i];

		if (act->flowgroup == last || act->table.n == 0 || !str_eq(table_canonical(r->dag.arena, act->table), canonical))
			continue;
		last = act->flowgroup;
		group_say(r, last, each, ctx);
	}
}
