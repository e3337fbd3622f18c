#include "cmd/dag_write.h"

#include "model/rules.h"

#include <time.h>

enum { EXTERNAL_SHOWN = 5, AFFECTED_SHOWN = 5, EDITS_SHOWN = 3 };

static void section(struct buf *b, const char *title)
{
	buf_addf(b, "%s\n", title);
	buf_add_repeat(b, '-', 40);
	buf_addc(b, '\n');
}

static void banner(struct buf *b)
{
	time_t now = time(NULL);
	struct tm local;
	char text[32];
	localtime_r(&now, &local);
	strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &local);
	buf_add_repeat(b, '=', 80);
	buf_adds(b, "\nLAKEHOUSE PLUMBER - PIPELINE DEPENDENCY ANALYSIS\n");
	buf_add_repeat(b, '=', 80);
	buf_addf(b, "\nGenerated at: %s\n\n", text);
}

static void joined(struct buf *b, const struct str *text, size_t n, size_t most)
{
	for (size_t i = 0; i < n && i < most; i++)
		buf_addf(b, "%s%.*s", i > 0 ? ", " : "", STR_ARG(text[i]));
}

static void summary(const struct dag *d, struct buf *b)
{
	section(b, "SUMMARY");
	buf_addf(
	    b,
	    "Total Pipelines: %zu\nTotal Execution Stages: %zu\nExternal Sources: %zu\nCircular Dependencies: %zu\n\n",
	    d->lineage.pipeline.n, d->lineage.stages.n, d->lineage.external.n, d->lineage.cycle.n);
}

static void order(const struct dag *d, struct buf *b)
{
	const struct stages *s = &d->lineage.stages;
	section(b, "EXECUTION ORDER");
	if (s->n == 0)
		buf_adds(b, "No pipelines found or circular dependencies prevent execution order.\n");
	for (size_t i = 0; i < s->n; i++) {
		buf_addf(b, "Stage %zu: ", i + 1);
		for (size_t k = s->first[i]; k < s->first[i + 1]; k++)
			buf_addf(b, "%s%.*s", k > s->first[i] ? ", " : "",
			         STR_ARG(d->lineage.pipeline.p[s->node[k]].name));
		buf_adds(b, s->first[i + 1] - s->first[i] > 1 ? " (parallel)\n" : "\n");
	}
	buf_addc(b, '\n');
}

static void pipeline_details(const struct dag *d, struct buf *b, uint32_t i)
{
	const struct lineage_group *g = &d->lineage.pipeline.p[i];
	size_t n;
	const struct str *on = dag_depends_on(d, &d->lineage.pipelines, i, &n);
	buf_addf(b, "Pipeline: %.*s\n  Flowgroups: %zu\n  Actions: %zu\n  Depends on: ", STR_ARG(g->name),
	         g->flowgroups, g->actions);
	joined(b, on, n, n);
	buf_adds(b, n == 0 ? "None\n  Stage: " : "\n  Stage: ");
	if (d->lineage.stages.n > 0)
		buf_addf(b, "%u\n", d->lineage.stages.stage[i]);
	else
		buf_adds(b, "N/A\n");
	buf_addf(b, "  Can run parallel: %s\n", dag_in_parallel(d, i) ? "True" : "False");
	uint32_t *sorted = map_sorted(&g->external, d->arena);
	for (size_t k = 0; k < g->external.n && k < EXTERNAL_SHOWN; k++)
		buf_addf(b, "%s%.*s", k > 0 ? ", " : "  External sources: ", STR_ARG(g->external.entry[sorted[k]].key));
	if (g->external.n > 0)
		buf_addc(b, '\n');
	if (g->external.n > EXTERNAL_SHOWN)
		buf_addf(b, "    ... and %zu more\n", g->external.n - EXTERNAL_SHOWN);
	buf_addc(b, '\n');
}

static void details(const struct dag *d, struct buf *b)
{
	uint32_t *sorted = map_sorted(&d->lineage.pipeline_id, d->arena);
	section(b, "PIPELINE DETAILS");
	for (size_t i = 0; i < d->lineage.pipeline.n; i++)
		pipeline_details(d, b, sorted[i]);
}

static void external(const struct dag *d, struct buf *b)
{
	const struct map *m = &d->lineage.external;
	uint32_t *sorted = map_sorted(m, d->arena);
	if (m->n == 0)
		return;
	section(b, "EXTERNAL SOURCES");
	for (size_t i = 0; i < m->n; i++)
		buf_addf(b, "  %.*s\n", STR_ARG(m->entry[sorted[i]].key));
	buf_addc(b, '\n');
}

static void cycles(const struct dag *d, struct buf *b)
{
	if (d->lineage.cycle.n == 0)
		return;
	section(b, "CIRCULAR DEPENDENCIES");
	buf_adds(b, "\xe2\x9a\xa0\xef\xb8\x8f  WARNING: Circular dependencies detected!\n"
	            "These must be resolved before pipeline execution:\n");
	for (size_t i = 0; i < d->lineage.cycle.n; i++)
		buf_addf(b, "  %.*s\n", STR_ARG(d->lineage.cycle.p[i].text));
	buf_addc(b, '\n');
}

static void file_add(const struct dag *d, struct buf *b, const char *file)
{
	if (file[0] != '/')
		buf_addf(b, "%.*s/", STR_ARG(d->root));
	buf_adds(b, file);
}

/* The YAML files to edit, each once. */
static void edits(const struct dag *d, struct buf *b, const struct dag_doubt *w)
{
	struct map seen = { 0 };
	for (size_t i = 0; i < w->affected.n; i++)
		if (map_add(&seen, d->arena, str_of(w->affected.p[i].edit)) && seen.n <= EDITS_SHOWN) {
			buf_adds(b, seen.n > 1 ? ", " : "");
			file_add(d, b, w->affected.p[i].edit);
		}
	if (seen.n > EDITS_SHOWN)
		buf_addf(b, " +%zu more", seen.n - EDITS_SHOWN);
}

static void doubts(const struct dag *d, struct buf *b)
{
	if (d->doubt.n == 0)
		return;
	section(b, "DEPENDENCY EXTRACTION WARNINGS");
	buf_addf(b, "%zu unresolved site(s) affecting %zu action(s)\n", d->doubt.n, dag_affected_count(d));
	for (size_t i = 0; i < d->doubt.n; i++) {
		const struct dag_doubt *w = &d->doubt.p[i];
		buf_addf(b, "  %s ", w->rule->code);
		file_add(d, b, w->file);
		buf_addf(b, ":%u\n    %.*s\n    Affected (%zu): ", w->line, STR_ARG(w->message), w->affected.n);
		for (size_t k = 0; k < w->affected.n && k < AFFECTED_SHOWN; k++)
			buf_addf(b, "%s%.*s.%.*s", k > 0 ? ", " : "", STR_ARG(w->affected.p[k].flowgroup),
			         STR_ARG(w->affected.p[k].action));
		if (w->affected.n > AFFECTED_SHOWN)
			buf_addf(b, ", +%zu more", w->affected.n - AFFECTED_SHOWN);
		buf_adds(b, "\n    Add depends_on in: ");
		edits(d, b, w);
		buf_addf(b, "\n    Suggestion: %.*s\n", STR_ARG(dag_suggestion(w)));
	}
	buf_addc(b, '\n');
}

/* --- the tree --- */

struct tree {
	const struct dag *d;
	struct buf *b;
	bool *shown;
	struct buf margin;
};

/* Readers of a pipeline by name. */
static struct links children_of(const struct tree *t, uint32_t node)
{
	const struct lineage *l = &t->d->lineage;
	struct links out = { 0 };
	for (size_t i = 0; i < l->pipelines.out[node].n; i++) {
		uint32_t child = l->pipelines.out[node].p[i];
		size_t k = out.n;
		VEC_PUSH(&out, t->d->arena);
		for (; k > 0 && str_cmp(l->pipeline.p[out.p[k - 1]].name, l->pipeline.p[child].name) > 0; k--)
			out.p[k] = out.p[k - 1];
		out.p[k] = child;
	}
	return out;
}

static bool line_add(struct tree *t, uint32_t node, bool last)
{
	const struct lineage_group *g = &t->d->lineage.pipeline.p[node];
	buf_add(t->b, buf_str(&t->margin));
	buf_addf(t->b, "%s%.*s",
	         last ? "\xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 " : "\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 ",
	         STR_ARG(g->name));
	if (t->shown[node]) {
		buf_adds(t->b, " (already shown)\n");
		return false;
	}
	t->shown[node] = true;
	buf_addf(t->b, " (%zu flowgroups, %zu actions)\n", g->flowgroups, g->actions);
	return true;
}

/* Siblings waiting to be shown, one level of the tree each. */
struct level {
	struct links node;
	size_t next, margin;
};

static void branch_add(struct tree *t, struct links roots)
{
	struct {
		VEC_OF(struct level)
	} stack = { 0 };
	*VEC_PUSH(&stack, t->d->arena) = (struct level){ .node = roots };
	while (stack.n > 0) {
		struct level *top = &stack.p[stack.n - 1];
		if (top->next == top->node.n) {
			stack.n--;
			continue;
		}
		uint32_t node = top->node.p[top->next++];
		bool last = top->next == top->node.n;
		t->margin.n = top->margin;
		if (!line_add(t, node, last))
			continue;
		buf_adds(&t->margin, last ? "    " : "\xe2\x94\x82   ");
		*VEC_PUSH(&stack, t->d->arena) = (struct level){ .node = children_of(t, node), .margin = t->margin.n };
	}
}

static void tree(const struct dag *d, struct buf *b)
{
	struct tree t = { d, b, ARENA_ARRAY(d->arena, bool, d->lineage.pipeline.n + 1), { 0 } };
	uint32_t *sorted = map_sorted(&d->lineage.pipeline_id, d->arena);
	struct links roots = { 0 };
	section(b, "DEPENDENCY TREE");
	for (size_t i = 0; i < d->lineage.pipeline.n; i++)
		if (d->lineage.pipelines.in[sorted[i]].n == 0)
			*VEC_PUSH(&roots, d->arena) = sorted[i];
	branch_add(&t, roots);
	buf_release(&t.margin);
	if (d->lineage.pipeline.n == 0)
		buf_adds(b, "No pipelines found.\n");
	else if (roots.n == 0)
		buf_adds(b, "\xe2\x9a\xa0\xef\xb8\x8f  No root pipelines found (possible circular dependencies)\n");
	b->n--; /* the file ends without a newline */
}

void dag_text_write(const struct dag *d, struct buf *b)
{
	banner(b);
	summary(d, b);
	order(d, b);
	details(d, b);
	external(d, b);
	cycles(d, b);
	doubts(d, b);
	tree(d, b);
}
