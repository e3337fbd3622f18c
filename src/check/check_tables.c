/* Who writes which table of a pipeline (spec/errors.md, section 11; write_test.md, section 3.5). */
#include "check/fan_in.h"
#include "check/pipeline.h"
#include "model/rules.h"

static size_t creators_count(const struct table *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++)
		n += t->p[i].write->creates;
	return n;
}

static const struct writer *writer_of_mode(const struct table *t, const char *mode)
{
	for (size_t i = 0; i < t->n; i++)
		if (str_is(t->p[i].write->mode, mode))
			return &t->p[i];
	return NULL;
}

/* A table has one creator: the first by name that has several ends the pipeline's checks. */
static bool creators_check(const struct pipeline *p, struct diags *ds)
{
	const struct table *worst = NULL;
	struct mark at = { 0 };
	struct buf b = { 0 };
	struct diag *d;

	for (size_t i = 0; i < p->tables.n; i++) {
		const struct table *t = &p->tables.p[i];

		if (creators_count(t) > 1 && (worst == NULL || str_cmp(t->name, worst->name) < 0))
			worst = t;
	}
	if (worst == NULL)
		return true;
	for (size_t i = 0; i < worst->n; i++) {
		if (!worst->p[i].write->creates)
			continue;
		buf_addf(&b, "%s%.*s", b.n == 0 ? "" : ", ", STR_ARG(action_path(ds->arena, worst->p[i].fg, worst->p[i].write->action)));
		at = worst->p[i].write->at; /* the last one: what was there before was fine */
	}
	d = pipeline_add(ds, p, &rule_table_creators, at, "%.*s is created by %zu actions: %.*s.", STR_ARG(worst->name),
	                 creators_count(worst), STR_ARG(buf_str(&b)));
	diag_hint(ds, d, "let one action create it and set create_table: false on the others");
	buf_release(&b);
	return false;
}

/* Tables that are only added to, all in one finding. */
static void users_check(const struct pipeline *p, struct diags *ds)
{
	const struct writer *first = NULL;
	struct buf b = { 0 };
	struct diag *d;

	for (size_t i = 0; i < p->tables.n; i++) {
		const struct table *t = &p->tables.p[i];

		if (creators_count(t) != 0)
			continue;
		if (first == NULL)
			first = &t->p[0];
		buf_addf(&b, "%s%.*s, used by", b.n == 0 ? "" : "\n", STR_ARG(t->name));
		for (size_t k = 0; k < t->n; k++)
			buf_addf(&b, "%s %.*s", k == 0 ? "" : ",", STR_ARG(action_path(ds->arena, t->p[k].fg, t->p[k].write->action)));
	}
	if (first == NULL)
		return;
	d = pipeline_add(ds, p, &rule_table_no_creator, first->write->at, "Nobody in pipeline %.*s creates:\n%.*s", STR_ARG(p->name),
	                 STR_ARG(buf_str(&b)));
	diag_hint(ds, d, "let one of the actions create the table: remove its create_table: false");
	buf_release(&b);
}

static const struct writer *other_mode(const struct table *t, const char *mode)
{
	for (size_t i = 0; i < t->n; i++)
		if (!str_is(t->p[i].write->mode, mode))
			return &t->p[i];
	return NULL;
}

/* The first setting in which writers of a CDC table differ ends the pipeline's checks. */
static bool agreement_check(const struct pipeline *p, const struct table *t, struct diags *ds)
{
	struct arena *a = ds->arena;

	for (size_t i = 1; i < t->n; i++) {
		const struct writer *x = &t->p[0], *y = &t->p[i];
		struct str key, value_x, value_y;
		struct diag *d;

		if (!fan_in_differ(x->write->fan_in, y->write->fan_in, &key, &value_x, &value_y))
			continue;
		d = pipeline_add(ds, p, &rule_cdc_fan_in, y->write->at,
		                 "All CDC flows into %.*s share '%.*s', but it is %.*s in %.*s and %.*s in %.*s.", STR_ARG(t->name),
		                 STR_ARG(key), STR_ARG(value_x), STR_ARG(action_path(a, x->fg, x->write->action)), STR_ARG(value_y),
		                 STR_ARG(action_path(a, y->fg, y->write->action)));
		diag_hint(ds, d, "give both the same %.*s", STR_ARG(key));
		return false;
	}
	return true;
}

/* Modes that do not share their table: cdc only with its own kind, the others with nobody. */
static const char *const modes[] = { "cdc", "replace", "replace_where" };

static void mix_report(struct buf *b, struct mark *at, struct arena *a, const struct table *t, const char *mode)
{
	const struct writer *owner = writer_of_mode(t, mode);

	for (size_t i = 0; owner != NULL && i < t->n; i++) {
		const struct writer *w = &t->p[i];

		if (w == owner || (str_is(owner->write->mode, "cdc") && str_is(w->write->mode, "cdc")))
			continue;
		if (b->n == 0)
			*at = w->write->at;
		buf_addf(b, "%s%.*s: %.*s writes in mode %s, so %.*s cannot write there too", b->n == 0 ? "" : "\n", STR_ARG(t->name),
		         STR_ARG(action_path(a, owner->fg, owner->write->action)), mode,
		         STR_ARG(action_path(a, w->fg, w->write->action)));
		if (w->write->mode.n != 0)
			buf_addf(b, " (mode %.*s)", STR_ARG(w->write->mode));
	}
}

/* False when the checks of the pipeline end here. */
static bool sharing_check(const struct pipeline *p, struct diags *found, struct diags *ds)
{
	struct buf b = { 0 };
	struct mark at = { 0 };
	struct diag *d;
	bool agree = true;

	for (size_t i = 0; agree && i < p->tables.n; i++) {
		const struct table *t = &p->tables.p[i];

		if (writer_of_mode(t, "cdc") != NULL && other_mode(t, "cdc") == NULL)
			agree = agreement_check(p, t, ds);
	}
	for (size_t m = 0; m < sizeof modes / sizeof *modes; m++)
		for (size_t i = 0; agree && i < p->tables.n; i++)
			mix_report(&b, &at, found->arena, &p->tables.p[i], modes[m]);
	if (agree && b.n != 0) {
		d = pipeline_add(found, p, &rule_table_fan_in, at, "%.*s", STR_ARG(buf_str(&b)));
		diag_hint(found, d, "write another table, or use the same mode for all (only cdc allows several flows)");
	}
	buf_release(&b);
	return agree;
}

void pipeline_tables_check(const struct pipeline *p, struct diags *ds)
{
	struct diags found = { .arena = ds->arena };

	if (!creators_check(p, ds))
		return;
	users_check(p, &found);
	if (!sharing_check(p, &found, ds))
		return;
	pipeline_quarantines_check(p, &found);
	diags_append(ds, &found);
}
