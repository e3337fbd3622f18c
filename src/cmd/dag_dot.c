#include "cmd/dag_write.h"

static void quoted(struct buf *b, struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '\\' || s.p[i] == '"')
			buf_addc(b, '\\');
		buf_addc(b, s.p[i]);
	}
}

static void graph_write(struct buf *b, const char *name, const struct digraph *g, const struct lineage_group *group,
                        const char *unit, size_t (*count)(const struct lineage_group *g))
{
	buf_addf(b, "digraph %s {\n  rankdir=LR;\n  node [shape=box];\n", name);
	for (size_t i = 0; i < g->n; i++) {
		buf_adds(b, "  \"");
		quoted(b, group[i].id);
		buf_adds(b, "\" [label=\"");
		quoted(b, group[i].id);
		buf_addf(b, "\\n(%zu %s)\"];\n", count(&group[i]), unit);
	}
	for (size_t i = 0; i < g->n; i++)
		for (size_t k = 0; k < g->out[i].n; k++) {
			buf_adds(b, "  \"");
			quoted(b, group[i].id);
			buf_adds(b, "\" -> \"");
			quoted(b, group[g->out[i].p[k]].id);
			buf_adds(b, "\";\n");
		}
	buf_addc(b, '}');
}

static size_t flowgroups_of(const struct lineage_group *g)
{
	return g->flowgroups;
}

static size_t actions_of(const struct lineage_group *g)
{
	return g->actions;
}

void dag_dot_pipelines(const struct dag *d, struct buf *b)
{
	graph_write(b, "pipeline_dependencies", &d->lineage.pipelines, d->lineage.pipeline.p, "flowgroups",
	            flowgroups_of);
}

void dag_dot_flowgroups(const struct dag *d, struct buf *b)
{
	graph_write(b, "flowgroup_dependencies", &d->lineage.flowgroups, d->lineage.flowgroup.p, "actions", actions_of);
}
