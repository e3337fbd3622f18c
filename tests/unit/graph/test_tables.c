#include "graph/tables.h"

#include <setjmp.h>
#include <stdio.h>
#include <cmocka.h>

static void a_canonical_name_has_no_quotes_blanks_or_capitals(void **state)
{
	(void)state;
	static const char *const names[][2] = {
		{ "c.s.t", "c.s.t" },          { "`C`.S.`T`", "c.s.t" }, { " c . s . t ", "c.s.t" }, { "`a.b`", "a.b" },
		{ "${CAT}.s.t", "${cat}.s.t" }, { "\xc3\x84.t", "\xc3\xa4.t" }, { "", "" },
	};
	struct arena a = { 0 };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_true(str_is(table_canonical(&a, str_of(names[i][0])), names[i][1]));
	arena_release(&a);
}

/* Producers by number: what they make. Views are of pipeline p. */
static void tables_fill(struct tables *t, struct table_scope scope[2])
{
	tables_add_view(t, &scope[0], STR("v_a"), 0);
	tables_add_view(t, &scope[0], STR("V_A"), 1);
	tables_add_view(t, &scope[0], STR("c.s.hidden"), 2);
	tables_add_table(t, &scope[0], STR("c.s.hidden"), 3);
	tables_add_table(t, &scope[0], STR("c.s.one"), 4);
	tables_add_table(t, &scope[1], STR("c.s.two"), 5);
	tables_add_table(t, &scope[1], STR("d.s.two"), 6);
	tables_add_table(t, &scope[0], STR("s.bare"), 7);
	tables_add_table(t, &scope[0], STR("s.both"), 8);
	tables_add_table(t, &scope[0], STR("e.s.both"), 9);
	tables_add_table(t, &scope[0], STR("only"), 10);
	tables_add_table(t, &scope[1], STR("C.S.One"), 11);
}

static const struct {
	const char *pipeline, *source, *producers;
} find_cases[] = {
	{ "p", "v_a", "0 1" },          /* all that make the view */
	{ "p", "`V_a`", "0 1" },
	{ "q", "v_a", "" },             /* views of other pipelines are invisible */
	{ "p", "c.s.hidden", "2" },     /* a view hides a table */
	{ "q", "c.s.hidden", "3" },
	{ "q", "c.s.one", "4 11" },     /* every writer */
	{ "q", "s.one", "4 11" },
	{ "q", "one", "" },             /* one part is never a table */
	{ "q", "x.c.s.one", "" },
	{ "q", "x.s.one", "" },
	{ "p", "s.two", "" },           /* two catalogs: ambiguous */
	{ "p", "d.s.two", "6" },
	{ "p", "s.bare", "7" },
	{ "p", "x.s.bare", "7" },       /* named without a catalog only */
	{ "p", "x.s.both", "" },
	{ "p", "s.both", "" },          /* the empty catalog counts */
	{ "p", "e.s.both", "9" },
	{ "p", "only", "" },
	{ "p", "LIVE.v_a", "0 1" },
	{ "p", "live.one", "4" },       /* a table of the own pipeline */
	{ "q", "live.one", "11" },
	{ "q", "live.bare", "" },
	{ "q", "LIVE.s.bare", "7" },
};

static void a_source_finds_views_first_and_then_tables(void **state)
{
	(void)state;
	struct arena a = { 0 };
	struct table_scope scope[2] = { 0 };
	struct tables t = { .arena = &a };
	size_t failed = 0;
	tables_fill(&t, scope);
	for (size_t i = 0; i < sizeof find_cases / sizeof *find_cases; i++) {
		struct buf b = { 0 };
		const struct producers *p = tables_find(&t, &scope[find_cases[i].pipeline[0] - 'p'], str_of(find_cases[i].source));
		for (size_t k = 0; p != NULL && k < p->n; k++)
			buf_addf(&b, "%s%u", k > 0 ? " " : "", p->p[k]);
		if (!str_is(buf_str(&b), find_cases[i].producers)) {
			printf("%s in %s: expected '%s', found '%.*s'\n", find_cases[i].source, find_cases[i].pipeline,
			       find_cases[i].producers, STR_ARG(buf_str(&b)));
			failed++;
		}
		buf_release(&b);
	}
	arena_release(&a);
	assert_int_equal(failed, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_canonical_name_has_no_quotes_blanks_or_capitals),
		cmocka_unit_test(a_source_finds_views_first_and_then_tables),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
