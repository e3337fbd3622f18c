#include "bundle/libzip.h"
#include "unit/bundle/wheel_arena.h"

static void assert_text(struct str got, const char *want)
{
	assert_string_equal(str_cstr(arena, got), want);
}

static void wheel_make(struct wheel *w)
{
	wheel_init(w, arena, STR("2_ship-log"), STR("dev"));
	wheel_add(w, STR("ports.py"), STR("x = 1  \r\n"));
	wheel_add(w, STR("custom_python_functions/tide.py"), STR("y = 2"));
	wheel_add(w, STR("custom_python_functions/__init__.py"), STR(""));
	wheel_add(w, STR("test_reporting_providers/__init__.py"), STR(""));
	assert_int_equal(wheel_build(w), 0);
}

static void packages_have_names_that_python_can_import(void **state)
{
	static const struct {
		const char *pipeline, *package;
	} row[] = {
		{ "ports", "ports" },
		{ "2_ship-log", "p_2_ship_log" },
		{ "Ship.Log", "ship_log" },
		{ "gr\xc3\xb6\xc3\x9f""e", "gr__e" }, /* one for a letter, not for a byte */
		{ "K\xC4\xB0", "ki_" }, /* the capital of i with a dot becomes i and a dot of its own */
		{ "", "p_" },
		{ "custom_python_functions", "custom_python_functions_pkg" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct wheel w;

		wheel_init(&w, arena, str_of(row[i].pipeline), STR("dev"));
		assert_text(w.package, row[i].package);
	}
}

static void modules_stand_in_path_order_with_their_text_trimmed(void **state)
{
	static const struct {
		const char *path, *text;
	} want[] = {
		{ "custom_python_functions/tide.py", "y = 2\n" },
		{ "p_2_ship_log/__init__.py", "# Modules of one pipeline, packed by lhp\n" },
		{ "p_2_ship_log/ports.py", "x = 1\n" },
		{ "test_reporting_providers/__init__.py", "" },
	};
	struct wheel_entries m = { 0 };
	struct wheel w;

	(void)state;
	wheel_make(&w);
	assert_int_equal(wheel_read(arena, w.bytes, SIZE_MAX, &m), WHEEL_GOOD);
	assert_int_equal(m.n, sizeof want / sizeof *want);
	for (size_t i = 0; i < m.n; i++) {
		assert_text(m.p[i].path, want[i].path);
		assert_text(m.p[i].text, want[i].text);
		assert_int_equal(m.p[i].size, strlen(want[i].text));
	}
}

static void a_pipeline_without_modules_has_a_wheel(void **state)
{
	struct wheel_entries m = { 0 };
	struct wheel w;

	(void)state;
	wheel_init(&w, arena, STR("ports"), STR("dev"));
	assert_int_equal(wheel_build(&w), 0);
	assert_int_equal(wheel_read(arena, w.bytes, 0, &m), WHEEL_GOOD);
	assert_int_equal(m.n, 1);
	assert_text(m.p[0].path, "ports/__init__.py");
}

static void file_names_are_lower_case_in_any_script(void **state)
{
	struct wheel w;

	(void)state;
	wheel_init(&w, arena, STR("GR\xC3\x96SSE.-X"), STR("dev"));
	assert_int_equal(wheel_build(&w), 0);
	assert_true(str_starts(w.file, STR("lhp_gr\xC3\xB6sse_x_dev_")));
}

static void same_members_give_the_same_bytes_in_any_order(void **state)
{
	struct wheel w, other;

	(void)state;
	wheel_make(&w);
	wheel_init(&other, arena, STR("2_ship-log"), STR("dev"));
	wheel_add(&other, STR("test_reporting_providers/__init__.py"), STR(""));
	wheel_add(&other, STR("custom_python_functions/tide.py"), STR("y = 2"));
	wheel_add(&other, STR("ports.py"), STR("x = 1"));
	assert_int_equal(wheel_build(&other), 0);
	assert_true(str_eq(other.file, w.file));
	assert_true(str_eq(other.bytes, w.bytes));
}

/* sha256 of "ports/fg.py", a zero byte and "x = 1\n", as sha256sum says. */
static void the_name_holds_the_hash_of_what_is_packed(void **state)
{
	struct wheel w;

	(void)state;
	wheel_init(&w, arena, STR("ports"), STR("dev"));
	wheel_add(&w, STR("fg.py"), STR("x = 1"));
	assert_int_equal(wheel_build(&w), 0);
	assert_text(w.file, "lhp_ports_dev_45a979605ac5-0.9.3-py3-none-any.whl");
}

static void two_modules_with_one_path_cannot_be_packed(void **state)
{
	struct wheel w;

	(void)state;
	wheel_init(&w, arena, STR("ports"), STR("dev"));
	wheel_add(&w, STR("__init__.py"), STR("x = 1"));
	assert_int_equal(wheel_build(&w), -1);
	assert_int_equal(libzip_problem().n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ARENA_TEST(packages_have_names_that_python_can_import),
		ARENA_TEST(modules_stand_in_path_order_with_their_text_trimmed),
		ARENA_TEST(a_pipeline_without_modules_has_a_wheel),
		ARENA_TEST(file_names_are_lower_case_in_any_script),
		ARENA_TEST(same_members_give_the_same_bytes_in_any_order),
		ARENA_TEST(the_name_holds_the_hash_of_what_is_packed),
		ARENA_TEST(two_modules_with_one_path_cannot_be_packed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
