#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "sandbox_set.h"

static void references_match_by_their_parts(void **state)
{
	static const struct {
		const char *reference, *renamed;
	} row[] = {
		/* three parts */
		{ "port_a.raw.berths", "port_a.raw.kari_berths" },
		{ "PORT_A.Raw.Berths", "PORT_A.Raw.kari_Berths" },
		{ "port_a . raw.`Berths`", "port_a . raw.`kari_Berths`" },
		{ "port_a.raw. berths ", "port_a.raw.kari_berths" },
		{ "`port_a`.`raw`.`berth use`", "`port_a`.`raw`.`kari_berth use`" },
		{ "port_c.raw.berths", "port_c.raw.berths" },
		{ "port_b.raw.moorings", "port_b.raw.moorings" },
		/* ... or of a member without catalog */
		{ "any.out.sent", "any.out.kari_sent" },
		/* two parts: one catalog only */
		{ "raw.moorings", "raw.kari_moorings" },
		{ "raw.berths", "raw.berths" },
		{ "out.sent", "out.kari_sent" },
		/* others never */
		{ "berths", "berths" },
		{ "x.port_a.raw.berths", "x.port_a.raw.berths" },
		{ "", "" },
		{ "...", "..." },
		/* what was renamed is no member */
		{ "port_a.raw.kari_berths", "port_a.raw.kari_berths" },
	};
	struct arena a = { 0 };
	struct renames r = set_of(&a, docks);

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		assert_same(&a, renames_reference(&r, &a, str_of(row[i].reference)), row[i].renamed);
	arena_release(&a);
}

static void a_pair_with_and_without_catalog_is_two_tables(void **state)
{
	static const char *const both[] = { "c.s.t", "s.t", NULL };
	struct arena a = { 0 };
	struct renames r = set_of(&a, both);

	(void)state;
	assert_true(renames_match(&r, &a, STR("c.s.t")));
	assert_false(renames_match(&r, &a, STR("s.t")));
	assert_false(renames_match(&r, &a, STR("d.s.t")));
	arena_release(&a);
}

static void the_pattern_may_hold_the_table_first(void **state)
{
	struct arena a = { 0 };
	struct renames r = set_of(&a, docks);

	(void)state;
	r.pattern = STR("{table}__kari_sbx");
	assert_same(&a, renames_leaf(&r, &a, STR("ev_dock")), "ev_dock__kari_sbx");
	assert_same(&a, renames_reference(&r, &a, STR("raw.`moorings`")), "raw.`moorings__kari_sbx`");
	arena_release(&a);
}

static void a_name_with_an_unknown_part_may_match(void **state)
{
	static const struct {
		const char *part[3]; /* NULL: unknown */
		size_t n;
		bool may;
	} row[] = {
		{ { NULL, "raw", "berths" }, 3, true },
		{ { "port_a", NULL, "berths" }, 3, true },
		{ { "port_a", "raw", NULL }, 3, true },
		{ { "other", "raw", NULL }, 3, true }, /* raw.moorings has one catalog */
		{ { "other", "gold", NULL }, 3, false },
		{ { "port_a", NULL, "wind" }, 3, false },
		{ { NULL, "moorings" }, 2, true },
		{ { NULL, "berths" }, 2, false },
		{ { "raw", NULL }, 2, true },
	};
	struct arena a = { 0 };
	struct renames r = set_of(&a, docks);

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct str part[3];

		for (size_t k = 0; k < row[i].n; k++)
			part[k] = row[i].part[k] != NULL ? str_of(row[i].part[k]) : STR_NONE;
		assert_int_equal(renames_may_match(&r, part, row[i].n), row[i].may);
	}
	arena_release(&a);
}

static void edits_apply_in_order_of_place(void **state)
{
	struct arena a = { 0 };
	struct splices e = { 0 };

	(void)state;
	splices_add(&e, &a, 6, 7, STR("Z"));
	splices_add(&e, &a, 0, 1, STR("aa"));
	splices_add(&e, &a, 3, 3, STR("+"));
	assert_same(&a, splices_apply(&e, &a, STR("xbc de z")), "aabc+ deZz");
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(references_match_by_their_parts),
		cmocka_unit_test(a_pair_with_and_without_catalog_is_two_tables),
		cmocka_unit_test(the_pattern_may_hold_the_table_first),
		cmocka_unit_test(a_name_with_an_unknown_part_may_match),
		cmocka_unit_test(edits_apply_in_order_of_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
