/* Rules across flowgroups: grouping by pipeline, and reads across pipelines (spec/errors.md, section 11; write_test.md, 8.3). */
#include "check/check.h"
#include "check/pipeline.h"
#include "model/rules.h"

struct str action_path(struct arena *a, const struct facts *fg, struct str action)
{
	return str_fmt(a, "%.*s.%.*s.%.*s", STR_ARG(fg->pipeline), STR_ARG(fg->flowgroup), STR_ARG(action));
}

struct diag *pipeline_add(struct diags *ds, const struct pipeline *p, const struct rule *rule, struct mark at, const char *fmt, ...)
{
	struct diag *d;
	va_list ap;

	va_start(ap, fmt);
	d = diag_vadd(ds, rule, at, fmt, ap);
	d->pipeline = p->name;
	va_end(ap);
	return d;
}

static void writes_group(struct arena *a, struct pipeline *p)
{
	struct map at = { 0 }; /* table -> its place in p->tables, from 1 */

	for (size_t i = 0; i < p->n; i++)
		for (size_t k = 0; k < p->fg[i]->n_write; k++) {
			const struct table_write *w = &p->fg[i]->write[k];
			void **slot = map_slot(&at, a, w->table);

			if (*slot == NULL) {
				VEC_PUSH(&p->tables, a)->name = w->table;
				*slot = (void *)(uintptr_t)p->tables.n;
			}
			*VEC_PUSH(&p->tables.p[(uintptr_t)*slot - 1], a) = (struct writer){ p->fg[i], w };
		}
}

void pipelines_group(struct arena *a, const struct facts *facts, size_t n, struct pipeline **out, size_t *n_out)
{
	struct pipeline *pipeline = ARENA_ARRAY(a, struct pipeline, n + 1);
	size_t *of = ARENA_ARRAY(a, size_t, n + 1);
	struct map at = { 0 }; /* name -> place in pipeline, from 1 */

	for (size_t i = 0; i < n; i++) {
		void **slot = map_slot(&at, a, facts[i].pipeline);
		struct pipeline *p;

		if (*slot == NULL)
			*slot = (void *)(uintptr_t)at.n;
		of[i] = (uintptr_t)*slot - 1;
		p = &pipeline[of[i]];
		p->name = facts[i].pipeline;
		p->selected |= facts[i].selected;
		p->n++;
	}
	for (size_t i = 0; i < at.n; i++) {
		pipeline[i].fg = ARENA_ARRAY(a, const struct facts *, pipeline[i].n);
		pipeline[i].n = 0;
	}
	for (size_t i = 0; i < n; i++)
		pipeline[of[i]].fg[pipeline[of[i]].n++] = &facts[i];
	for (size_t i = 0; i < at.n; i++)
		writes_group(a, &pipeline[i]);
	*out = pipeline;
	*n_out = at.n;
}

/* Table in lower case -> its replace_where write. */
static void replaced_tables(struct map *tables, struct arena *a, const struct facts *facts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < facts[i].n_write; k++) {
			struct writer *w;

			if (!str_is(facts[i].write[k].mode, "replace_where"))
				continue;
			w = ARENA_NEW(a, struct writer);
			*w = (struct writer){ &facts[i], &facts[i].write[k] };
			map_put(tables, a, str_lower(a, w->write->table), w);
		}
}

static void read_refuse(struct diags *ds, const struct facts *fg, const struct table_read *r, const struct writer *w)
{
	struct str reader = action_path(ds->arena, fg, r->action), writer = action_path(ds->arena, w->fg, w->write->action);
	struct diag *d = diag_add(ds, &rule_replace_where_read, r->at,
	                          "%.*s reads %.*s as a stream, but %.*s replaces rows of that table (mode replace_where): "
	                          "the stream fails at the first update that does.",
	                          STR_ARG(reader), STR_ARG(r->table), STR_ARG(writer));

	d->pipeline = fg->pipeline;
	d->flowgroup = fg->flowgroup;
	d->action = r->action;
	d->file = fg->file;
	diag_hint(ds, d, "read it in batches (readMode: batch), or read its change feed (options.readChangeFeed: \"true\")");
}

static void replaced_reads_check(const struct facts *facts, size_t n, struct diags *ds)
{
	struct map tables = { 0 };

	replaced_tables(&tables, ds->arena, facts, n);
	for (size_t i = 0; i < n && tables.n != 0; i++)
		for (size_t k = 0; facts[i].selected && k < facts[i].n_read; k++) {
			const struct table_read *r = &facts[i].read[k];
			const struct writer *w = map_get(&tables, str_lower(ds->arena, r->table));

			if (w != NULL && r->streaming && !r->change_feed)
				read_refuse(ds, &facts[i], r, w);
		}
}

void facts_check(const struct facts *facts, size_t n, struct diags *ds)
{
	struct arena work = { 0 };
	struct pipeline *pipeline;
	size_t n_pipeline;

	pipelines_group(&work, facts, n, &pipeline, &n_pipeline);
	for (size_t i = 0; i < n_pipeline; i++) {
		if (!pipeline[i].selected)
			continue;
		pipeline_tables_check(&pipeline[i], ds);
		pipeline_chains_check(&pipeline[i], ds);
	}
	replaced_reads_check(facts, n, ds);
	arena_release(&work);
}
