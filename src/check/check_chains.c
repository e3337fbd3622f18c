/* Quarantines that share their tables, and what stands before replace_where writes (spec/errors.md 11; write_test.md 8.2, 8.4). */
#include "check/pipeline.h"
#include "model/rules.h"

struct quarantine_user {
	const struct facts *fg;
	const struct quarantine_made *made;
};

void pipeline_quarantines_check(const struct pipeline *p, struct diags *ds)
{
	struct map seen = { 0 }; /* dlq and source table -> the first user */
	struct buf b = { 0 };
	struct mark at = { 0 };
	struct arena *a = ds->arena;

	for (size_t i = 0; i < p->n; i++)
		for (size_t k = 0; k < p->fg[i]->n_quarantine; k++) {
			const struct quarantine_made *q = &p->fg[i]->quarantine[k];
			struct str dlq = str_lower(a, q->dlq_table);
			void **slot = map_slot(&seen, a, str_fmt(a, "%.*s\n%.*s", STR_ARG(dlq), STR_ARG(q->source_table)));
			struct quarantine_user *first = *slot;

			if (first == NULL) {
				first = ARENA_NEW(a, struct quarantine_user);
				*first = (struct quarantine_user){ p->fg[i], q };
				*slot = first;
				continue;
			}
			if (b.n == 0)
				at = q->at;
			buf_addf(&b, "%s%.*s and %.*s both send rejected rows of %.*s to %.*s", b.n == 0 ? "" : "\n",
			         STR_ARG(action_path(a, first->fg, first->made->action)), STR_ARG(action_path(a, p->fg[i], q->action)),
			         STR_ARG(q->source_table), STR_ARG(q->dlq_table));
		}
	if (b.n != 0)
		diag_hint(ds, pipeline_add(ds, p, &rule_quarantine_shared, at, "%.*s", STR_ARG(buf_str(&b))),
		          "give each its own dlq_table or source_table");
	buf_release(&b);
}

static struct diag *write_add(struct diags *ds, const struct facts *fg, const struct replace_where_write *w,
                              const struct rule *rule, const struct view_place *link, const char *what)
{
	struct diag *d = diag_add(ds, rule, w->at, "%.*s %s view '%.*s', made by %.*s.",
	                          STR_ARG(action_path(ds->arena, fg, w->action)), what, STR_ARG(link->view->view),
	                          STR_ARG(action_path(ds->arena, link->fg, link->view->action)));

	d->pipeline = fg->pipeline;
	d->flowgroup = fg->flowgroup;
	d->file = fg->file;
	d->action = w->action;
	return d;
}

static void write_check(const struct views *views, const struct facts *fg, const struct replace_where_write *w, struct diags *ds)
{
	struct chain chain = { 0 };
	const struct view_place *link;

	chain_of(views, ds->arena, fg, w->view, &chain);
	link = chain_streaming(&chain);
	if (link != NULL)
		diag_hint(ds, write_add(ds, fg, w, &rule_replace_where_streaming_view, link,
		                        "replaces rows and needs a batch source, but there is the streaming"),
		          "read it in batches: readMode: batch");
	link = chain_unstable(&chain);
	if (link != NULL)
		diag_hint(ds, write_add(ds, fg, w, &rule_replace_where_metadata, link,
		                        "replaces rows with new values at each run: a metadata column calls a function that is not "
		                        "deterministic in"),
		          "switch the column off with operational_metadata: false, or use a value of the data");
}

void pipeline_chains_check(const struct pipeline *p, struct diags *ds)
{
	struct views views;
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		n += p->fg[i]->n_replace_where;
	if (n == 0)
		return;
	views_init(&views, ds->arena, p->fg, p->n);
	for (size_t i = 0; i < p->n; i++)
		for (size_t k = 0; p->fg[i]->selected && k < p->fg[i]->n_replace_where; k++)
			write_check(&views, p->fg[i], &p->fg[i]->replace_where[k], ds);
}
