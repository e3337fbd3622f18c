#include "cmd_case.h"

#include "bundle/wheel.h"

/* A wheel whose module a/one.py has the path `path` instead, eight characters too. */
static void wheel_put(struct cmd_case *c, const char *path)
{
	struct wheel w;

	case_put(c, "lhp.yaml", "name: t\n");
	wheel_init(&w, &c->arena, STR("a"), STR("dev"));
	wheel_add(&w, STR("one.py"), STR("x = 1"));
	assert_int_equal(wheel_build(&w), 0);
	w.bytes = str_replace(&c->arena, w.bytes, STR("a/one.py"), str_of(path));
	assert_int_equal(fs_replace(&c->fs, STR("t.whl"), w.bytes), 0);
}

static void what_leads_out_of_the_folder_is_not_extracted(void **state)
{
	static const char *const paths[] = { "../ab.py", "/abcd.py", "./../.py" };

	(void)state;
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		struct cmd_case c;

		case_open(&c);
		wheel_put(&c, paths[i]);
		assert_int_equal(case_run(&c, "inspect-wheel ./t.whl --extract out"), 0);
		assert_non_null(strstr(c.err, "leads out of the folder"));
		assert_string_equal(c.out, "out/a/__init__.py\n");
		case_close(&c);
	}
}

static void a_damaged_module_is_told(void **state)
{
	struct cmd_case *c = *state;
	struct str bytes;

	wheel_put(c, "a/one.py");
	assert_int_equal(fs_read(&c->fs, STR("t.whl"), &c->arena, &bytes, NULL), 0);
	assert_int_equal(fs_replace(&c->fs, STR("t.whl"), str_replace(&c->arena, bytes, STR("x = 1"), STR("x = 2"))), 0);
	assert_int_equal(case_run(c, "inspect-wheel t.whl"), 0);
	assert_int_equal(case_run(c, "inspect-wheel t.whl --extract out"), 1);
	assert_non_null(strstr(c->err, "LHP-IO-024"));
}

static void it_works_in_a_project_only(void **state)
{
	struct cmd_case *c = *state;

	wheel_put(c, "a/one.py");
	assert_int_equal(fs_remove_tree(&c->fs, STR("lhp.yaml")), 0);
	assert_int_equal(case_run(c, "inspect-wheel ./t.whl"), 1);
	assert_non_null(strstr(c->err, "LHP-CFG-011"));
}

static void a_folder_that_cannot_be_made_is_a_failure_of_the_machine(void **state)
{
	struct cmd_case *c = *state;

	wheel_put(c, "a/one.py");
	assert_int_equal(case_run(c, "inspect-wheel t.whl --extract lhp.yaml/out"), 3);
	assert_non_null(strstr(c->err, "LHP-IO-005"));
	assert_non_null(strstr(c->err, "cannot be written: Not a directory"));
	assert_int_equal(fs_mkdirs(&c->fs, STR("out/a/one.py")), 0);
	assert_int_equal(case_run(c, "inspect-wheel t.whl --extract out"), 3);
	assert_non_null(strstr(c->err, "out/a/one.py cannot be written: Is a directory"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_leads_out_of_the_folder_is_not_extracted),
		case_test(a_damaged_module_is_told, case_setup),
		case_test(it_works_in_a_project_only, case_setup),
		case_test(a_folder_that_cannot_be_made_is_a_failure_of_the_machine, case_setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
