/* test_output_folder.c - what -o may name: a folder whose every file may be swept, and nothing else. */
#include "cmd_case.h"
#include "two_flowgroups.h"

static void assert_refused(struct cmd_case *c, const char *line, const char *why)
{
	assert_int_equal(case_run(c, line), 2);
	assert_non_null(strstr(c->err, why));
	assert_true(fs_is_file(&c->fs, STR("lhp.yaml")));
	assert_true(fs_is_file(&c->fs, STR("pipelines/recent.yaml")));
	assert_false(fs_is_dir(&c->fs, STR(".lhp/trash")));
}

static void a_folder_with_inputs_in_or_around_it_is_refused(void **state)
{
	struct cmd_case *c = *state;

	case_put(c, "functions/deep/recent.sql", "SELECT 1\n");
	case_put(c, "pipelines/deep/more.yaml", "pipeline: p\nflowgroup: more\nactions:\n"
	                                        "  - {name: l, type: load, target: v, source: {type: sql, sql_path: functions/deep/recent.sql}}\n"
	                                        "  - {name: w, type: write, source: v, write_target: {type: materialized_view,"
	                                        " catalog: c, schema: s, table: t}}\n");
	for (int warm = 0; warm < 2; warm++) {
		assert_refused(c, "generate -e dev -o .", "project's root");
		assert_refused(c, "generate -e dev -o pipelines/..", "project's root");
		assert_refused(c, "generate -e dev -o ..", "project's root");
		assert_refused(c, "generate -e dev -o /", "project's root");
		assert_refused(c, "generate -e dev -o pipelines", "holds inputs");
		assert_refused(c, "generate -e dev -o ./pipelines/out", "lies among them");
		assert_refused(c, "generate -e dev -o substitutions", "holds inputs");
		assert_refused(c, "generate -e dev -o sql", "holds inputs");
		assert_refused(c, "generate -e dev -o functions/out", "lies among them");
		assert_refused(c, "generate -e dev -o .lhp/out", "not for modules");
		assert_refused(c, "generate -e dev -o .git/hooks", "not for modules");
		assert_refused(c, "generate -e dev -o resources/lhp", "not for modules");
		assert_refused(c, "generate -e dev -o resources", "not for modules");
		assert_refused(c, "generate -e dev -o monitoring/dev", "not for modules");
		assert_int_equal(case_run(c, "generate -e dev --no-format"), 0);
	}
}

/* What a folder may be must not hang on which runs there were before. */
static void an_input_of_other_runs_alone_moves_to_the_trash(void **state)
{
	(void)state;
	for (int warm = 0; warm < 2; warm++) {
		struct cmd_case c;

		case_open(&c);
		two_flowgroups_put(&c);
		case_put(&c, "config/pc.yaml", "project_defaults: {serverless: true}\n");
		if (warm)
			assert_int_equal(case_run(&c, "generate -e dev --no-format -pc config/pc.yaml"), 0);
		assert_refused(&c, "generate -e dev --no-format -pc config/pc.yaml -o config", "holds inputs");
		assert_int_equal(case_run(&c, "generate -e dev --no-format -o config"), 0);
		assert_non_null(strstr(c.err, "config/pc.yaml is not made by this project: moved to .lhp/trash/"));
		case_close(&c);
	}
}

static void a_link_on_the_way_is_not_followed(void **state)
{
	struct cmd_case *c = *state;

	assert_int_equal(symlink("pipelines", str_cstr(&c->arena, path_join(&c->arena, str_of(c->folder), STR("out")))), 0);
	assert_refused(c, "generate -e dev -o out", "symbolic link");
	assert_refused(c, "generate -e dev -o out/deep", "symbolic link");
}

static void a_foreign_folder_outside_is_refused_and_one_of_ours_is_not(void **state)
{
	struct cmd_case c, other;
	struct arena a = { 0 };
	const char *fresh, *foreign;

	(void)state;
	case_open(&c);
	case_open(&other);
	two_flowgroups_put(&c);
	case_put(&other, "mine/letter.txt", "dear\n");
	fresh = str_cstr(&a, str_fmt(&a, "generate -e dev --no-format -o %s/new", other.folder));
	foreign = str_cstr(&a, str_fmt(&a, "generate -e dev --no-format -o %s/mine", other.folder));
	assert_refused(&c, foreign, "outside the project");
	assert_true(fs_is_file(&other.fs, STR("mine/letter.txt")));
	assert_int_equal(case_run(&c, fresh), 0);
	assert_int_equal(case_run(&c, fresh), 0);
	assert_true(fs_is_file(&other.fs, STR("new/silver_orders/orders_recent.py")));
	arena_release(&a);
	case_close(&other);
	case_close(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		case_test(a_folder_with_inputs_in_or_around_it_is_refused, two_flowgroups),
		cmocka_unit_test(an_input_of_other_runs_alone_moves_to_the_trash),
		case_test(a_link_on_the_way_is_not_followed, two_flowgroups),
		cmocka_unit_test(a_foreign_folder_outside_is_refused_and_one_of_ours_is_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
