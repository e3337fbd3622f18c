/* Links in the place of folders of outputs: replaced, never written through, never taken for what they lead to. */
#include "shop.h"

#include <stdio.h>

/* A run, after which somebody moved `dir` away and left a link to it. */
static void led_away(struct shop *s, const char *dir)
{
	char from[256], to[256];

	assert_int_equal(shop_run(s), 0);
	snprintf(from, sizeof from, "%s/%s", s->folder, dir);
	snprintf(to, sizeof to, "%s/away", s->folder);
	assert_int_equal(rename(from, to), 0);
	assert_int_equal(symlink(to, from), 0);
}

static void assert_folder(struct shop *s, const char *dir)
{
	struct fs_stat st;

	assert_int_equal(fs_lstat(&s->fs, str_of(dir), &st), 0);
	assert_int_equal(st.type, FS_DIR);
	assert_like_cold(s);
}

static void a_link_to_a_folder_is_replaced_by_the_folder(void **state)
{
	static const char *const dir[] = { GEN "gold", "generated/dev", GEN "silver/custom_python_functions", "monitoring/dev" };

	(void)state;
	for (size_t i = 0; i < sizeof dir / sizeof *dir; i++) {
		struct shop s;

		shop_open(&s);
		led_away(&s, dir[i]);
		assert_int_equal(shop_run(&s), 0);
		assert_folder(&s, dir[i]);
		shop_close(&s);
	}
}

static void an_edit_does_not_go_through_a_link(void **state)
{
	struct shop *s = *state;

	led_away(s, "generated/dev");
	shop_edit(s, "sql/recent.sql", "age", "years");
	assert_int_equal(shop_run(s), 0);
	assert_false(str_has(shop_read(s, "away/silver/recent.py"), STR("years")));
	assert_folder(s, "generated/dev");
}

static void resources_that_are_a_link_are_refused_as_by_a_cold_run(void **state)
{
	struct shop *s = *state;

	led_away(s, "resources/lhp");
	assert_int_equal(shop_run(s), 1);
	s->options.no_cache = true;
	assert_int_equal(shop_run(s), 1);
}

static void a_link_is_no_folder_to_name_for_outputs(void **state)
{
	struct shop *s = *state;

	s->options.output = STR("out");
	led_away(s, "out");
	assert_int_equal(shop_run(s), 2);
}

/* It may be on another disk. */
static void the_folder_of_all_environments_may_be_a_link(void **state)
{
	struct shop *s = *state;

	led_away(s, "generated");
	assert_int_equal(shop_run(s), 0);
	assert_like_cold(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_link_to_a_folder_is_replaced_by_the_folder),
		shop_test(an_edit_does_not_go_through_a_link, shop_setup),
		shop_test(resources_that_are_a_link_are_refused_as_by_a_cold_run, shop_setup),
		shop_test(a_link_is_no_folder_to_name_for_outputs, shop_setup),
		shop_test(the_folder_of_all_environments_may_be_a_link, shop_setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
