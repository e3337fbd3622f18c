#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "sandbox_set.h"

struct row {
	const char *source;
	enum fstring_verdict verdict;
	const char *result; /* the new source, or the name that may be a member */
};

static void check(const struct row *row, size_t n)
{
	struct arena a = { 0 };
	struct renames r = set_of(&a, docks);

	for (size_t i = 0; i < n; i++) {
		struct splices found = { 0 };
		struct str name = STR_NONE;
		enum fstring_verdict verdict = fstring_judge(&r, &a, str_of(row[i].source), &found, &name);

		if (verdict != row[i].verdict)
			fail_msg("%s: %d", row[i].source, (int)verdict);
		if (verdict == FSTRING_RENAMED)
			assert_same(&a, splices_apply(&found, &a, str_of(row[i].source)), row[i].result);
		if (verdict == FSTRING_MISSED)
			assert_same(&a, name, row[i].result);
	}
	arena_release(&a);
}

#define CHECK(rows) check(rows, sizeof rows / sizeof *rows)

static void what_cannot_be_split_is_missed_only_with_a_member_in_it(void **state)
{
	static const struct row row[] = {
		{ "rf\"FROM raw.moorings {x}\"", FSTRING_MISSED, "raw.moorings" },
		{ "f\"FROM raw.moorings\\n {x}\"", FSTRING_MISSED, "raw.moorings" },
		{ "f\"FROM raw.moorings {p['x']}\"", FSTRING_MISSED, "raw.moorings" },
		{ "f'a' f'FROM raw.moorings {x}'", FSTRING_MISSED, "raw.moorings" },
		{ "\"\"f\"\"\"FROM raw.moorings {x}\"\"\"", FSTRING_MISSED, "raw.moorings" },
		{ "f\"FROM raw.moorings {x\"", FSTRING_MISSED, "raw.moorings" },
		{ "f\"FROM raw.moorings }\"", FSTRING_MISSED, "raw.moorings" },
		{ "f\"FROM port_a.raw.moorings\\n raw.moorings {x}\"", FSTRING_MISSED, "port_a.raw.moorings" },
		{ "f\"FROM raw.wind\\n {x}.raw.wind\"", FSTRING_NOTHING, NULL },
		{ "f\"{p['x']}.{y}.{z}\"", FSTRING_NOTHING, NULL },
	};

	(void)state;
	CHECK(row);
}

static void a_field_in_a_literal_or_comment_forbids_renaming(void **state)
{
	static const struct row row[] = {
		{ "f\"FROM raw.moorings WHERE a = '{x}'\"", FSTRING_MISSED, "raw.moorings" },
		{ "f\"FROM raw.moorings -- {x}\"", FSTRING_MISSED, "raw.moorings" },
		{ "f\"FROM raw.moorings /* {x} */\"", FSTRING_MISSED, "raw.moorings" },
		{ "f\"FROM {a}.{b} WHERE a = '{x}'\"", FSTRING_UNKNOWN, NULL },
		{ "f\"FROM raw.wind WHERE a = '{x}'\"", FSTRING_NOTHING, NULL },
	};

	(void)state;
	CHECK(row);
}

static void a_name_with_one_field_that_may_be_a_member_is_missed(void **state)
{
	static const struct row row[] = {
		{ "f\"FROM {c}.raw.moorings\"", FSTRING_MISSED, "raw.moorings" },
		{ "f\"FROM {c}.raw.berths\"", FSTRING_MISSED, "{...}.raw.berths" },
		{ "f\"FROM port_a.{s}.berths\"", FSTRING_MISSED, "port_a.{...}.berths" },
		{ "f\"FROM port_a.raw.{t}\"", FSTRING_MISSED, "port_a.raw.{...}" },
		{ "f\"FROM raw.{t}\"", FSTRING_MISSED, "raw.{...}" },
		{ "f\"FROM `port_a` . `{s}` . berths\"", FSTRING_MISSED, "`port_a`.{...}.berths" },
		{ "f\"FROM {c}.raw.{t}\"", FSTRING_MISSED, "raw.{...}" },
		{ "f\"FROM other.gold.{t}\"", FSTRING_NOTHING, NULL },
		{ "f\"FROM {c}.raw.moorings_old\"", FSTRING_NOTHING, NULL },
		{ "f\"FROM raw.moorings_{c}\"", FSTRING_NOTHING, NULL },
	};

	(void)state;
	CHECK(row);
}

static void the_rest_is_renamed_beside_its_fields(void **state)
{
	static const struct row row[] = {
		{ "f\"FROM port_a.raw.berths WHERE d = {d} AND x = 'raw.moorings'\"", FSTRING_RENAMED,
		  "f\"FROM port_a.raw.kari_berths WHERE d = {d} AND x = 'raw.moorings'\"" },
		{ "F'''FROM raw.moorings\nWHERE d = {d!r:>{w}}'''", FSTRING_RENAMED,
		  "F'''FROM raw.kari_moorings\nWHERE d = {d!r:>{w}}'''" },
		{ "f\"FROM raw.moorings WHERE {{a}} = {d}\"", FSTRING_RENAMED,
		  "f\"FROM raw.kari_moorings WHERE {{a}} = {d}\"" },
		{ "f\"FROM {a}.{b}.{c} JOIN raw.moorings\"", FSTRING_RENAMED,
		  "f\"FROM {a}.{b}.{c} JOIN raw.kari_moorings\"" },
		{ "f\"FROM {a}.{b}.{c}\"", FSTRING_UNKNOWN, NULL },
		{ "f\"FROM {a}.{b}\"", FSTRING_UNKNOWN, NULL },
		{ "f\"FROM {a}\"", FSTRING_NOTHING, NULL },
		{ "f\"{a}\"", FSTRING_NOTHING, NULL },
		{ "f\"\"", FSTRING_NOTHING, NULL },
	};

	(void)state;
	CHECK(row);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_cannot_be_split_is_missed_only_with_a_member_in_it),
		cmocka_unit_test(a_field_in_a_literal_or_comment_forbids_renaming),
		cmocka_unit_test(a_name_with_one_field_that_may_be_a_member_is_missed),
		cmocka_unit_test(the_rest_is_renamed_beside_its_fields),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
