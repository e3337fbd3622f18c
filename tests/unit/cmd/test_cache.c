#include "two_flowgroups.h"

static void case_make(struct cmd_case *c)
{
	case_open(c);
	two_flowgroups_put(c);
	assert_int_equal(case_run(c, "generate -e dev --no-format"), 0);
}

static void byte_flip(struct cmd_case *c, const char *path, size_t at)
{
	struct str bytes;
	char *copy;

	assert_int_equal(fs_read(&c->fs, str_of(path), &c->arena, &bytes, NULL), 0);
	copy = (char *)(uintptr_t)str_cstr(&c->arena, bytes);
	memcpy(copy, bytes.p, bytes.n);
	copy[at] ^= 1;
	assert_int_equal(fs_replace(&c->fs, str_of(path), (struct str){ copy, bytes.n }), 0);
}

static void stats_count_records_by_kind(void **state)
{
	struct cmd_case c;

	(void)state;
	case_open(&c);
	two_flowgroups_put(&c);
	assert_int_equal(case_run(&c, "cache stats"), 0);
	assert_string_equal(c.out, "There is no store yet: the first `lhp generate` or `lhp validate` makes it.\n");
	assert_int_equal(case_run(&c, "generate -e dev --no-format"), 0);
	assert_int_equal(case_run(&c, "cache stats"), 0);
	assert_non_null(strstr(c.out, "       2  pipelines with their flowgroups, "));
	assert_non_null(strstr(c.out, "Last run with something to do: 0 of 2 flowgroups reused (0.0 %)\n"));
	case_put(&c, "sql/recent.sql", "SELECT 1 AS x\n");
	assert_int_equal(case_run(&c, "generate -e dev --no-format"), 0);
	assert_int_equal(case_run(&c, "cache stats"), 0);
	assert_non_null(strstr(c.out, "Last run with something to do: 1 of 2 flowgroups reused (50.0 %)\n"));
	case_close(&c);
}

static void verify_holds_traces_against_files(void **state)
{
	struct cmd_case c;

	(void)state;
	case_make(&c);
	assert_int_equal(case_run(&c, "cache verify"), 0);
	assert_non_null(strstr(c.out, "dev: 2 of 2 traces fit the files"));
	assert_non_null(strstr(c.out, "every checksum is right\n"));
	case_put(&c, "sql/recent.sql", "SELECT 1 AS x\n");
	assert_int_equal(case_run(&c, "cache verify"), 0);
	assert_non_null(strstr(c.out, "dev: 1 of 2 traces fit the files"));
	byte_flip(&c, ".lhp/cache/data.mdb", 5000);
	assert_int_equal(case_run(&c, "cache verify"), 1);
	assert_string_equal(c.err, "The store is damaged, or being written at this moment.\n");
	assert_true(fs_is_file(&c.fs, STR(".lhp/cache/data.mdb")));
	case_close(&c);
}

static void clear_makes_the_next_run_cold(void **state)
{
	struct cmd_case c;

	(void)state;
	case_make(&c);
	assert_int_equal(case_run(&c, "cache clear"), 0);
	assert_true(str_ends(str_of(c.out), STR(" freed; the next run is a cold one.\n")));
	assert_false(fs_is_file(&c.fs, STR(".lhp/cache/data.mdb")));
	assert_int_equal(case_run(&c, "generate -e dev --no-format"), 0);
	assert_null(strstr(c.err, "up to date"));
	case_close(&c);
}

static void an_imported_store_is_compared_with_the_files(void **state)
{
	struct cmd_case c;

	(void)state;
	case_make(&c);
	assert_int_equal(case_run(&c, "cache export .lhp/x.lhp"), 0);
	assert_string_equal(c.out, "Exported to .lhp/x.lhp\n");
	assert_int_equal(case_run(&c, "cache clear"), 0);
	assert_int_equal(case_run(&c, "cache import .lhp/x.lhp"), 0);
	assert_string_equal(c.out, "Imported from .lhp/x.lhp; the next run compares it with the files.\n");
	assert_int_equal(case_run(&c, "generate -e dev --no-format"), 0);
	assert_non_null(strstr(c.err, "up to date"));
	assert_int_equal(case_run(&c, "cache import .lhp/x.lhp"), 0);
	case_put(&c, "sql/recent.sql", "SELECT 1 AS x\n");
	assert_int_equal(case_run(&c, "generate -e dev --no-format"), 0);
	assert_non_null(strstr(c.err, "1 of 2 flowgroups rebuilt"));
	case_close(&c);
}

static void a_damaged_export_changes_nothing(void **state)
{
	struct cmd_case c;

	(void)state;
	case_make(&c);
	assert_int_equal(case_run(&c, "cache export .lhp/x.lhp"), 0);
	byte_flip(&c, ".lhp/x.lhp", 3000);
	assert_int_equal(case_run(&c, "cache import .lhp/x.lhp"), 1);
	assert_string_equal(c.err, "lhp: .lhp/x.lhp is damaged or no export of lhp: the store is as it was\n");
	case_put(&c, ".lhp/y.lhp", "LHP");
	assert_int_equal(case_run(&c, "cache import .lhp/y.lhp"), 1);
	assert_int_equal(case_run(&c, "generate -e dev --no-format"), 0);
	assert_non_null(strstr(c.err, "up to date"));
	case_close(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stats_count_records_by_kind),
		cmocka_unit_test(verify_holds_traces_against_files),
		cmocka_unit_test(clear_makes_the_next_run_cold),
		cmocka_unit_test(an_imported_store_is_compared_with_the_files),
		cmocka_unit_test(a_damaged_export_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
