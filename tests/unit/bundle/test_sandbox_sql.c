#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "sandbox_set.h"

struct row {
	const char *sql, *renamed; /* renamed: NULL when nothing changes */
};

static void check(const struct row *row, size_t n)
{
	struct arena a = { 0 };
	struct renames r = set_of(&a, docks);

	for (size_t i = 0; i < n; i++) {
		struct splices found = { 0 };

		sql_renames(&r, &a, str_of(row[i].sql), &found);
		assert_same(&a, splices_apply(&found, &a, str_of(row[i].sql)), row[i].renamed != NULL ? row[i].renamed : row[i].sql);
	}
	arena_release(&a);
}

#define CHECK(rows) check(rows, sizeof rows / sizeof *rows)

static void members_are_renamed_in_their_own_spelling(void **state)
{
	static const struct row row[] = {
		{ "SELECT * FROM port_a.raw.berths b", "SELECT * FROM port_a.raw.kari_berths b" },
		{ "FROM Port_A.RAW.Berths", "FROM Port_A.RAW.kari_Berths" },
		{ "FROM `port_a`.raw.`berths`", "FROM `port_a`.raw.`kari_berths`" },
		{ "FROM port_a . raw\n. berths", "FROM port_a . raw\n. kari_berths" },
		{ "FROM raw.moorings, out.sent", "FROM raw.kari_moorings, out.kari_sent" },
		{ "FROM x.out.sent", "FROM x.out.kari_sent" },
		{ "FROM port_a.raw.`berth use`", "FROM port_a.raw.`kari_berth use`" },
		{ "FROM STREAM(raw.moorings)", "FROM STREAM(raw.kari_moorings)" },
		{ "port_a.raw.berths", "port_a.raw.kari_berths" },
		{ "\"raw.moorings\"", "\"raw.kari_moorings\"" },
	};

	(void)state;
	CHECK(row);
}

static void a_column_may_follow(void **state)
{
	static const struct row row[] = {
		{ "port_a.raw.berths.id", "port_a.raw.kari_berths.id" },
		{ "raw.moorings.id = raw . moorings . id", "raw.kari_moorings.id = raw . kari_moorings . id" },
		{ "raw.moorings.`raw`.moorings", "raw.kari_moorings.`raw`.moorings" },
	};

	(void)state;
	CHECK(row);
}

static void longer_names_are_other_tables(void **state)
{
	static const struct row row[] = {
		{ "port_a.raw.berths_old, port_a.raw.berths2", NULL },
		{ "my_raw.moorings, x.raw.moorings, x . raw.moorings", NULL },
		{ "$raw.moorings, raw.moorings$x, raw.moorings`x`", NULL },
		{ "raw.`moorings`x, `x`raw.moorings", NULL },
		{ "\xc3\xa9raw.moorings, raw.moorings\xc3\xa9", NULL },
		{ "raw.berths, moorings", NULL },
		{ "", NULL },
		{ "raw.", NULL },
		{ "raw.`moorings", NULL },
	};

	(void)state;
	CHECK(row);
}

static void literals_and_comments_are_left_alone(void **state)
{
	static const struct row row[] = {
		{ "'raw.moorings' raw.moorings", "'raw.moorings' raw.kari_moorings" },
		{ "'it''s raw.moorings', raw.moorings", "'it''s raw.moorings', raw.kari_moorings" },
		{ "'it\\'s raw.moorings', raw.moorings", "'it\\'s raw.moorings', raw.kari_moorings" },
		{ "-- raw.moorings\nraw.moorings", "-- raw.moorings\nraw.kari_moorings" },
		{ "-- it's\nraw.moorings", "-- it's\nraw.kari_moorings" },
		{ "/* raw.moorings ' */ raw.moorings", "/* raw.moorings ' */ raw.kari_moorings" },
		{ "`it's` raw.moorings", "`it's` raw.kari_moorings" },
		/* what nothing closes hides nothing */
		{ "\"'\" raw.moorings", "\"'\" raw.kari_moorings" },
		{ "/* open raw.moorings", "/* open raw.kari_moorings" },
		{ "raw.moorings --", "raw.kari_moorings --" },
	};

	(void)state;
	CHECK(row);
}

static void literals_that_name_a_table_are_code(void **state)
{
	static const struct row row[] = {
		{ "table_changes('raw.moorings', 1)", "table_changes('raw.kari_moorings', 1)" },
		{ "IDENTIFIER('port_a.raw.`berths`')", "IDENTIFIER('port_a.raw.`kari_berths`')" },
		{ "Identifier (\n'raw.moorings' )", "Identifier (\n'raw.kari_moorings' )" },
		{ "identifier('raw.moorings' || 'x')", NULL },
		{ "table_changes(1, 'raw.moorings')", NULL },
		{ "my_identifier('raw.moorings')", NULL },
		{ "concat('raw.moorings')", NULL },
		{ "identifier('raw.moorings'", NULL },
		{ "identifier('raw.moorings'), 'raw.moorings'", "identifier('raw.kari_moorings'), 'raw.moorings'" },
	};

	(void)state;
	CHECK(row);
}

static void sql_hides_what_stands_in_literals_and_comments(void **state)
{
	(void)state;
	assert_true(sql_hides(STR("a = '?'"), '?'));
	assert_true(sql_hides(STR("a -- ?"), '?'));
	assert_true(sql_hides(STR("a /* ? */"), '?'));
	assert_false(sql_hides(STR("'a' = ?"), '?'));
	assert_false(sql_hides(STR("-- a\n?"), '?'));
	assert_false(sql_hides(STR("`it's` ?"), '?'));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_are_renamed_in_their_own_spelling),
		cmocka_unit_test(a_column_may_follow),
		cmocka_unit_test(longer_names_are_other_tables),
		cmocka_unit_test(literals_and_comments_are_left_alone),
		cmocka_unit_test(literals_that_name_a_table_are_code),
		cmocka_unit_test(sql_hides_what_stands_in_literals_and_comments),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
