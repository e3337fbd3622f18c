#include "cmd_case.h"

static bool made(struct cmd_case *c, const char *path)
{
	return fs_is_file(&c->fs, str_of(path));
}

static void a_plain_project_has_only_examples(void **state)
{
	struct cmd_case *c = *state;
	struct str text;

	assert_int_equal(case_run(c, "init harbour"), 0);
	assert_non_null(strstr(c->out, "created dir: resources/lhp\n"));
	assert_non_null(strstr(c->out, "created file: lhp.yaml\n"));
	assert_true(made(c, "databricks.yml") && made(c, ".gitignore") && made(c, "resources/.gitkeep"));
	assert_true(made(c, ".vscode/schemas/flowgroup.schema.json"));
	assert_true(made(c, ".github/workflows/lhp.yml"));
	assert_true(made(c, "pipelines/02_bronze/orders_bronze.yaml.tmpl"));
	assert_true(fs_is_dir(&c->fs, STR("generated")));
	assert_int_equal(fs_read(&c->fs, STR("lhp.yaml"), &c->arena, &text, NULL), 0);
	assert_true(str_has(text, STR("name: \"harbour\"\n")));
	assert_false(str_has(text, STR("@ID@")));
	assert_int_equal(case_run(c, "validate --no-bundle"), 0);
}

static void a_project_without_a_bundle_has_none_of_its_files(void **state)
{
	struct cmd_case *c = *state;

	assert_int_equal(case_run(c, "init --no-bundle harbour"), 0);
	assert_false(made(c, "databricks.yml"));
	assert_false(fs_is_dir(&c->fs, STR("resources")));
}

static void the_sample_validates_and_generates(void **state)
{
	struct cmd_case *c = *state;

	assert_int_equal(case_run(c, "init --sample --no-git harbour"), 0);
	if (case_run(c, "validate --no-bundle --strict --include-tests") != 0)
		fail_msg("%s", c->err);
	if (case_run(c, "generate -e prod --no-bundle --no-format") != 0)
		fail_msg("%s", c->err);
	assert_true(made(c, "generated/prod/bikes_gold/daily_trips.py"));
}

static void a_folder_that_holds_anything_is_refused(void **state)
{
	struct cmd_case *c = *state;

	case_put(c, ".hidden", "");
	assert_int_equal(case_run(c, "init harbour"), 1);
	assert_non_null(strstr(c->err, "LHP-IO-007"));
	assert_false(made(c, "lhp.yaml"));
}

static void quotes_in_a_name_stay_inside_the_yaml_text(void **state)
{
	struct cmd_case *c = *state;
	struct str text;

	assert_int_equal(case_run(c, "init a\"b\\c"), 0);
	assert_int_equal(fs_read(&c->fs, STR("lhp.yaml"), &c->arena, &text, NULL), 0);
	assert_true(str_has(text, STR("name: \"a\\\"b\\\\c\"\n")));
	assert_int_equal(case_run(c, "validate --no-bundle"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		case_test(a_plain_project_has_only_examples, case_setup),
		case_test(a_project_without_a_bundle_has_none_of_its_files, case_setup),
		case_test(the_sample_validates_and_generates, case_setup),
		case_test(a_folder_that_holds_anything_is_refused, case_setup),
		case_test(quotes_in_a_name_stay_inside_the_yaml_text, case_setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
