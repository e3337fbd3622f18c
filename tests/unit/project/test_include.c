#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "project/include.h"
#include "unit/fixture.h"

static void patterns_match_as_the_table_says(void **state)
{
	static const struct {
		const char *path, *pattern;
		bool match;
	} rows[] = {
		{ "bronze/a.yaml", "bronze/*.yaml", true },
		{ "bronze/deep/a.yaml", "bronze/*.yaml", true }, /* '*' crosses '/' */
		{ "silver/a.yaml", "bronze/*.yaml", false },
		{ "silver/a.yaml", "a.yaml", true },             /* a bare name, in any folder */
		{ "silver/a.yaml", "silver/a.yaml", true },
		{ "silver/a.yaml", "silver", false },
		{ "x/a.yaml", "**/*.yaml", true },
		{ "a.yaml", "**/*.yaml", true },
		{ "x/a.yml", "**/*.yaml", false },
		{ "bronze/x/y/a.yaml", "bronze/**/*.yaml", true },
		{ "bronze/a.yaml", "bronze/**/*.yaml", true },
		{ "bronze_old/a.yaml", "bronze/**/*.yaml", true }, /* the folder need only start with it */
		{ "gold/bronze/a.yaml", "bronze/**/*.yaml", false },
		{ "bronze/x/special.yaml", "bronze/**/special.yaml", true },
		{ "a/b/c.yaml", "a/**/b/**/c.yaml", false },     /* two '**' never match */
		{ "a.yaml", "?.yaml", true },
		{ "b/a.yaml", "[ab]/a.yaml", true },
		{ "c/a.yaml", "[!ab]/?.yaml", true },
		{ "A.yaml", "a.yaml", false },
		{ "a{1,2}.yaml", "a{1,2}.yaml", true },
	};
	struct arena a = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (include_match(&a, str_of(rows[i].path), str_of(rows[i].pattern)) != rows[i].match)
			fail_msg("%s against %s is not %d", rows[i].path, rows[i].pattern, rows[i].match);
	arena_release(&a);
}

static void bad_patterns_are_known(void **state)
{
	(void)state;
	assert_true(include_pattern_bad(STR("")));
	assert_true(include_pattern_bad(STR("****/a")));
	assert_true(include_pattern_bad(STR("a[unclosed")));
	assert_false(include_pattern_bad(STR("a[b")));
	assert_false(include_pattern_bad(STR(" ")));
}

static void files_come_in_order_of_path_parts(void **state)
{
	struct paths paths = { 0 };
	struct fixture f;

	(void)state;
	fixture_open(&f);
	put(&f, "pipelines/a.yaml", "");
	put(&f, "pipelines/a-b/x.yaml", "");
	put(&f, "pipelines/a/x.yml", "");
	put(&f, "pipelines/a/x.txt", "");
	put(&f, "pipelines/Z.yaml", "");
	put(&f, "pipelines/.git/x.yaml", "");
	load(&f);
	include_walk(f.door, &f.trace, &f.arena, STR("pipelines"), (struct patterns){ 0 }, &paths);
	assert_int_equal(paths.n, 4);
	assert_text(paths.p[0], "pipelines/Z.yaml");
	assert_text(paths.p[1], "pipelines/a/x.yml");
	assert_text(paths.p[2], "pipelines/a-b/x.yaml");
	assert_text(paths.p[3], "pipelines/a.yaml");
	fixture_close(&f);
}

static void folders_that_no_pattern_reaches_are_not_listed(void **state)
{
	static const struct str pattern[] = { STR_INIT("blueprints/**/*.yaml"), STR_INIT("blueprints/deep/b.yaml") };

	(void)state;
	for (size_t i = 0; i < sizeof pattern / sizeof *pattern; i++) {
		struct paths paths = { 0 };
		struct fixture f;

		fixture_open(&f);
		put(&f, "blueprints/deep/b.yaml", "");
		put(&f, "generated/dev/p/x.yaml", "");
		load(&f);
		f.trace = (struct trace){ .arena = &f.arena };
		include_walk(f.door, &f.trace, &f.arena, STR(""), (struct patterns){ &pattern[i], 1 }, &paths);
		assert_int_equal(paths.n, 1);
		assert_text(paths.p[0], "blueprints/deep/b.yaml");
		assert_int_equal(f.trace.n, 3);
		assert_text(f.trace.p[0].key, "");
		assert_text(f.trace.p[1].key, "blueprints");
		assert_text(f.trace.p[2].key, "blueprints/deep");
		fixture_close(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(patterns_match_as_the_table_says),
		cmocka_unit_test(bad_patterns_are_known),
		cmocka_unit_test(files_come_in_order_of_path_parts),
		cmocka_unit_test(folders_that_no_pattern_reaches_are_not_listed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
