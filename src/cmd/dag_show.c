#include "cmd/dag_write.h"

#include "model/rules.h"
#include "ui/text.h"

#include <stdlib.h>

enum { SITES_SHOWN = 50, AFFECTED_SHOWN = 3, EXTERNAL_SHOWN = 5 };

static int name_cmp(const void *x, const void *y)
{
	return str_cmp(*(const struct str *)x, *(const struct str *)y);
}

const struct str *dag_depends_on(const struct dag *d, const struct digraph *g, uint32_t pipeline, size_t *n)
{
	struct str *name = ARENA_ARRAY(d->arena, struct str, g->in[pipeline].n + 1);
	*n = g->in[pipeline].n;
	for (size_t i = 0; i < *n; i++)
		name[i] = d->lineage.pipeline.p[g->in[pipeline].p[i]].name;
	qsort(name, *n, sizeof *name, name_cmp);
	return name;
}

bool dag_in_parallel(const struct dag *d, uint32_t pipeline)
{
	const struct stages *s = &d->lineage.stages;
	if (s->n == 0)
		return false;
	return s->first[s->stage[pipeline] + 1] - s->first[s->stage[pipeline]] > 1;
}

size_t dag_affected_count(const struct dag *d)
{
	size_t n = 0;
	for (size_t i = 0; i < d->doubt.n; i++)
		n += d->doubt.p[i].affected.n;
	return n;
}

struct str dag_suggestion(const struct dag_doubt *w)
{
	return w->rule == &rule_read_unresolved
	           ? STR("Declare the upstream table explicitly via `depends_on` on the action.")
	           : STR("Declare the upstream table(s) explicitly via `depends_on` on the action.");
}

static void stages_show(const struct dag *d, FILE *f)
{
	const struct stages *s = &d->lineage.stages;
	if (s->n == 0) {
		fputs("No execution order could be determined.\n", f);
		return;
	}
	fputs("Execution order\nStage\tPipeline\tNotes\n", f);
	for (size_t i = 0; i < s->n; i++)
		for (size_t k = s->first[i]; k < s->first[i + 1]; k++)
			fprintf(f, "%zu\t%.*s\t%s\n", i + 1, STR_ARG(d->lineage.pipeline.p[s->node[k]].name),
			        s->first[i + 1] - s->first[i] > 1 ? "parallel" : "");
}

static void dependencies_show(const struct dag *d, FILE *f)
{
	uint32_t *sorted = map_sorted(&d->lineage.pipeline_id, d->arena);
	if (d->lineage.pipeline.n > 0)
		fputs("Dependencies\nPipeline\tDepends on\n", f);
	for (size_t i = 0; i < d->lineage.pipeline.n; i++) {
		size_t n;
		const struct str *on = dag_depends_on(d, &d->lineage.pipelines, sorted[i], &n);
		fprintf(f, "%.*s\t%s", STR_ARG(d->lineage.pipeline.p[sorted[i]].name), n == 0 ? "-" : "");
		for (size_t k = 0; k < n; k++)
			fprintf(f, "%s%.*s", k > 0 ? ", " : "", STR_ARG(on[k]));
		fputc('\n', f);
	}
}

/* Each edge with the place where it is read. */
static void cycle_show(const struct dag *d, const struct lineage_cycle *c, FILE *f)
{
	fprintf(f, "  %.*s\n", STR_ARG(c->text));
	for (size_t i = 0; i < c->step.n; i++) {
		const struct lineage_step *s = &c->step.p[i];
		struct str maker = lineage_id(&d->lineage, s->maker), reader = lineage_id(&d->lineage, s->reader);
		fprintf(f, "    %s:%u\t%.*s reads %.*s from %.*s\n", s->source->file, s->source->line, STR_ARG(reader),
		        STR_ARG(s->source->text), STR_ARG(maker));
	}
}

static void cycles_show(const struct dag *d, FILE *f)
{
	if (d->lineage.cycle.n == 0)
		return;
	fprintf(f, "Circular dependencies: %zu\n", d->lineage.cycle.n);
	for (size_t i = 0; i < d->lineage.cycle.n; i++)
		cycle_show(d, &d->lineage.cycle.p[i], f);
	fputs("  They leave all pipelines without an order: resolve them first.\n", f);
}

static void external_show(const struct dag *d, FILE *f)
{
	const struct map *m = &d->lineage.external;
	uint32_t *sorted = map_sorted(m, d->arena);
	if (m->n == 0)
		return;
	fputs("External sources\n", f);
	if (m->n > EXTERNAL_SHOWN)
		fprintf(f, "  %zu sources (all are in the files of formats json and text)\n", m->n);
	for (size_t i = 0; i < m->n && m->n <= EXTERNAL_SHOWN; i++)
		fprintf(f, "  %.*s\n", STR_ARG(m->entry[sorted[i]].key));
}

static void doubt_show(FILE *f, const struct dag_doubt *w)
{
	fprintf(f, "%s\t%s:%u\t%.*s\t%zu: ", w->rule->code, w->file, w->line, STR_ARG(w->message), w->affected.n);
	for (size_t k = 0; k < w->affected.n && k < AFFECTED_SHOWN; k++)
		fprintf(f, "%s%.*s.%.*s", k > 0 ? ", " : "", STR_ARG(w->affected.p[k].flowgroup),
		        STR_ARG(w->affected.p[k].action));
	if (w->affected.n > AFFECTED_SHOWN)
		fprintf(f, ", +%zu more", w->affected.n - AFFECTED_SHOWN);
	fprintf(f, "\t%s\n", w->affected.p[0].edit);
}

static void doubts_show(const struct dag *d, FILE *f)
{
	if (d->doubt.n == 0)
		return;
	fprintf(f, "%zu unresolved read site(s) affecting %zu action(s)\n", d->doubt.n, dag_affected_count(d));
	fputs("Code\tUnresolved read\tReason\tAffected\tAdd depends_on in\n", f);
	for (size_t i = 0; i < d->doubt.n && i < SITES_SHOWN; i++)
		doubt_show(f, &d->doubt.p[i]);
	if (d->doubt.n > SITES_SHOWN)
		fprintf(f, "+%zu more sites\n", d->doubt.n - SITES_SHOWN);
	fputs("  Declare what cannot be read for certain with 'depends_on'.\n", f);
}

static void all_show(const struct dag *d, FILE *f)
{
	if (d->lineage.flowgroup.n == 0)
		fputs("WARNING: no flowgroups to analyse\n", f);
	fprintf(f, "Dependency analysis\n  Pipelines analyzed: %zu\n  Execution stages: %zu\n  External sources: %zu\n",
	        d->lineage.pipeline.n, d->lineage.stages.n, d->lineage.external.n);
	stages_show(d, f);
	dependencies_show(d, f);
	cycles_show(d, f);
	external_show(d, f);
	doubts_show(d, f);
}

/* Names of tables are texts of the project: none may steer the terminal. */
void dag_show(const struct dag *d)
{
	struct str shown = { 0 };
	char *text = NULL;
	FILE *f = open_memstream(&text, &shown.n);
	if (f == NULL)
		return;
	all_show(d, f);
	fclose(f);
	shown.p = text;
	shown = text_safe(d->arena, shown);
	fwrite(shown.p, 1, shown.n, d->io->err);
	free(text);
}
