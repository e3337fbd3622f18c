/* What runs with other options, or for other environments, share; and what of it must be done again. */
#include "shop.h"

#include <errno.h>

#define MODULES(dir)                                                                                                                       \
	dir "gold/mirror.py " dir "gold/plain.py " dir "ingest/raw.py " dir "shop_event_log_monitoring/monitoring.py " dir                  \
	    "silver/checked.py " dir "silver/clean.py " dir "silver/custom_python_functions/__init__.py " dir                               \
	    "silver/custom_python_functions/clean.py " dir "silver/custom_python_functions/words.py " dir "silver/recent.py"

/* --- options --- */

static void test_put(struct shop *s)
{
	shop_edit(s, "pipelines/plain.yaml", "actions:\n",
	          "actions:\n  - {name: t, type: test, test_type: uniqueness, source: c.gold.plain, columns: [a], on_violation: warn}\n");
}

static void tests_come_and_go_in_the_flowgroups_that_have_them(void **state)
{
	struct shop *s = *state;

	test_put(s);
	assert_int_equal(shop_run(s), 0);
	s->options.include_tests = true;
	assert_run(s, 1, GEN "gold/plain.py", "");
	assert_like_cold(s);
	s->options.include_tests = false;
	assert_run(s, 1, GEN "gold/plain.py", "");
	assert_like_cold(s);
}

/* Two watches with other options must not undo each other's work for ever. */
static void one_who_mends_leaves_what_other_options_made(void **state)
{
	struct shop *s = *state;

	test_put(s);
	s->options.include_tests = true;
	assert_int_equal(shop_run(s), 0);
	s->options.include_tests = false;
	s->options.mends = true;
	assert_run(s, 0, "", "");
	assert_true(s->result->idle);
	shop_put(s, GEN "gold/mirror.py", "mine\n");
	assert_run(s, 1, GEN "gold/mirror.py " GEN "gold/plain.py", "");
	assert_true(s->result->mended);
	s->options.mends = false;
	assert_like_cold(s);
}

/* A run with the option, and one without it again, find everything as it must be. */
static void assert_makes_no_difference(struct shop *s, bool *option)
{
	*option = true;
	assert_run(s, 0, "", "");
	*option = false;
	assert_run(s, 0, "", "");
	assert_true(s->result->up_to_date);
}

static void without_tests_in_the_project_their_option_redoes_nothing(void **state)
{
	struct shop *s = *state;

	assert_makes_no_difference(s, &s->options.include_tests);
}

/* What a run with tests has learned of a flowgroup says nothing of it without them. */
static void an_edit_between_runs_with_and_without_tests_is_seen_by_both(void **state)
{
	struct shop *s = *state;

	test_put(s);
	assert_int_equal(shop_run(s), 0);
	s->options.include_tests = true;
	s->options.task = RUN_VALIDATE;
	assert_run(s, 1, "", "");
	s->options.include_tests = false;
	s->options.task = RUN_GENERATE;
	shop_edit(s, "pipelines/plain.yaml", "SELECT 1", "SELECT 2");
	assert_run(s, 1, GEN "gold/plain.py", "");
	assert_like_cold(s);
	s->options.include_tests = true;
	assert_run(s, 1, GEN "gold/plain.py", "");
	assert_like_cold(s);
}

static void another_output_folder_is_filled_without_redoing_a_flowgroup(void **state)
{
	struct shop *s = *state;

	s->options.output = STR("out");
	assert_run(s, 0, "out/.lhp-output " MODULES("out/"), "");
	assert_like_cold(s);
	s->options.output = STR("");
	assert_run(s, 0, "", "");
	assert_true(s->result->up_to_date);
	shop_edit(s, "sql/recent.sql", "age", "years");
	assert_run(s, 1, GEN "silver/recent.py", "");
	s->options.output = STR("out");
	assert_run(s, 0, "out/silver/recent.py", "");
	assert_like_cold(s);
}

/* The formatter of the environment in which tests run: what it lays out is not how we write. */
static void the_formatter_comes_and_goes_without_redoing_a_flowgroup(void **state)
{
	struct shop *s = *state;
	size_t files;

	s->options.no_format = false;
	assert_int_equal(shop_run(s), 0);
	assert_int_equal(s->result->rebuilt, 0);
	assert_true(str_has(s->written, STR(GEN "gold/plain.py")));
	files = s->result->written;
	assert_like_cold(s);
	s->options.no_format = true;
	assert_int_equal(shop_run(s), 0);
	assert_int_equal(s->result->rebuilt, 0);
	assert_int_equal(s->result->written, files);
	assert_like_cold(s);
}

static void without_the_bundle_its_files_stay_and_nothing_is_redone(void **state)
{
	struct shop *s = *state;

	assert_makes_no_difference(s, &s->options.no_bundle);
}

static void what_one_run_left_is_not_an_edit_to_another(void **state)
{
	struct shop *s = *state;

	test_put(s);
	assert_int_equal(shop_run(s), 0);
	s->options.include_tests = true;
	assert_int_equal(shop_run(s), 0);
	s->options.include_tests = false;
	assert_int_equal(shop_run(s), 0);
	assert_int_equal(s->said.n, 0);
}

static void modules_go_into_a_wheel_and_out_of_it_again(void **state)
{
	struct shop *s = *state;

	shop_edit(s, "lhp.yaml", "name: shop\n", "name: shop\nwheel: {artifact_volume: /Volumes/a/b/c}\n");
	shop_put(s, "wheel.yaml", "project_defaults: {catalog: c, schema: s, packaging: wheel}\n");
	assert_int_equal(shop_run(s), 0);
	for (int i = 0; i < 2; i++) {
		s->options.pipeline_config = STR("wheel.yaml");
		assert_int_equal(shop_run(s), 0);
		assert_int_equal(s->result->rebuilt, 0);
		assert_true(str_has(s->written, STR("_wheels/gold")));
		assert_like_cold(s);
		s->options.pipeline_config = STR("config.yaml");
		assert_int_equal(shop_run(s), 0);
		assert_true(str_has(s->removed, STR("_wheels/gold")));
		assert_like_cold(s);
	}
}

/* A pipeline that only a run with other settings has is looked at by that run. */
static void a_pipeline_that_settings_take_away_is_no_matter_of_runs_without_them(void **state)
{
	struct shop *s = *state;

	shop_edit(s, "lhp.yaml", "monitoring: {", "monitoring: {materialized_views: [{name: m, sql_path: sql/watch.sql}], ");
	shop_put(s, "sql/watch.sql", "SELECT ${days} AS n\n");
	shop_put(s, "bare.yaml", "project_defaults: {catalog: c, schema: s, event_log: false}\n");
	assert_int_equal(shop_run(s), 0);
	s->options.pipeline_config = STR("bare.yaml");
	assert_int_equal(shop_run(s), 0);
	assert_true(str_has(s->removed, STR("shop_event_log_monitoring")));
	s->options.pipeline_config = STR("config.yaml");
	assert_int_equal(shop_run(s), 0);
	s->options.pipeline_config = STR("bare.yaml");
	s->options.task = RUN_VALIDATE;
	assert_int_equal(shop_run(s), 0);
	s->options.pipeline_config = STR("config.yaml");
	s->options.task = RUN_GENERATE;
	shop_edit(s, "substitutions/dev.yaml", "'10'", "'20'");
	assert_run(s, 2, GEN "shop_event_log_monitoring/monitoring.py " GEN "silver/recent.py", "");
	assert_like_cold(s);
}

/* --- environments --- */

static int dev_and_prod(void **state)
{
	struct shop *s;

	shop_setup(state);
	s = *state;
	s->env[1] = STR("prod");
	s->options.n_env = 2;
	return shop_run(s);
}

static bool is_of(struct shop *s, const char *catalog)
{
	return str_has(shop_read(s, "resources/lhp/gold.pipeline.yml"), str_of(catalog));
}

static void environments_of_one_run_share_what_the_last_of_them_makes(void **state)
{
	struct shop *s = *state;

	assert_true(is_of(s, "prod_catalog"));
	assert_int_equal(s->result[1].written, 10 + 1 + 5);
	assert_run(s, 0, "", "");
	assert_true(s->result[0].up_to_date);
	assert_true(s->result[1].up_to_date);
	s->options.no_cache = true;
	assert_int_equal(shop_run(s), 0);
	assert_int_equal(s->written.n + s->removed.n, 0);
}

static void an_environment_by_itself_makes_what_is_shared_its_own(void **state)
{
	struct shop *s = *state;

	s->options.n_env = 1;
	assert_int_equal(shop_run(s), 0);
	assert_int_equal(s->result->rebuilt, 0);
	assert_true(is_of(s, "dev_catalog"));
	assert_like_cold(s);
	s->options.n_env = 2;
	assert_int_equal(shop_run(s), 0);
	assert_true(is_of(s, "prod_catalog"));
	assert_true(str_starts(s->written, STR("resources/lhp/")));
}

static void what_is_shared_stays_when_the_last_environment_fails(void **state)
{
	struct shop *s = *state;

	s->env[1] = STR("prod");
	s->options.n_env = 2;
	shop_put(s, "substitutions/prod.yaml", "prod: {catalog: prod_catalog}\n");
	shop_run(s);
	assert_int_equal(s->result[0].status, 0);
	assert_int_equal(s->result[1].status, 1);
	assert_int_equal(s->written.n + s->removed.n, 0);
	assert_true(is_of(s, "dev_catalog"));
}

/* --- a run that could not finish --- */

static int rename_refused(struct fs *fs, struct str from, struct str to)
{
	return str_is(to, GEN "silver/recent.py") ? -ENOSPC : shop_of(fs)->real->rename(fs, from, to);
}

static void an_output_that_could_not_be_written_is_not_taken_for_right(void **state)
{
	struct shop *s = *state;

	shop_edit(s, "sql/recent.sql", "age", "years");
	shop_edit(s, "pipelines/plain.yaml", "one", "other");
	s->ops.rename = rename_refused;
	assert_int_equal(shop_run_seamed(s), 3);
	assert_int_equal(shop_run(s), 0);
	assert_true(str_has(s->written, STR(GEN "silver/recent.py")));
	assert_like_cold(s);
}

static void an_environment_in_the_folder_of_another_is_left_alone(void **state)
{
	struct shop *s = *state;

	shop_put(s, "substitutions/dev/eu.yaml", "dev/eu: {catalog: eu, days: '1', most: '5', gold: gold}\n");
	s->env[1] = STR("dev/eu");
	s->options.n_env = 2;
	s->options.no_bundle = true;
	assert_int_equal(shop_run(s), 0);
	shop_edit(s, "pipelines/plain.yaml", "SELECT 1", "SELECT 2");
	assert_int_equal(shop_run(s), 0);
	assert_string_equal(str_cstr(&s->arena, s->written), GEN "eu/gold/plain.py " GEN "gold/plain.py");
	assert_string_equal(str_cstr(&s->arena, s->removed), "");
	s->options.n_env = 1;
	assert_run(s, 0, "", "");
	assert_like_cold(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		shop_test(tests_come_and_go_in_the_flowgroups_that_have_them, shop_setup),
		shop_test(one_who_mends_leaves_what_other_options_made, shop_setup),
		shop_test(without_tests_in_the_project_their_option_redoes_nothing, shop_made),
		shop_test(an_edit_between_runs_with_and_without_tests_is_seen_by_both, shop_setup),
		shop_test(another_output_folder_is_filled_without_redoing_a_flowgroup, shop_made),
		shop_test(the_formatter_comes_and_goes_without_redoing_a_flowgroup, shop_made),
		shop_test(without_the_bundle_its_files_stay_and_nothing_is_redone, shop_made),
		shop_test(what_one_run_left_is_not_an_edit_to_another, shop_setup),
		shop_test(modules_go_into_a_wheel_and_out_of_it_again, shop_setup),
		shop_test(a_pipeline_that_settings_take_away_is_no_matter_of_runs_without_them, shop_setup),
		shop_test(environments_of_one_run_share_what_the_last_of_them_makes, dev_and_prod),
		shop_test(an_environment_by_itself_makes_what_is_shared_its_own, dev_and_prod),
		shop_test(what_is_shared_stays_when_the_last_environment_fails, shop_made),
		shop_test(an_output_that_could_not_be_written_is_not_taken_for_right, shop_made),
		shop_test(an_environment_in_the_folder_of_another_is_left_alone, shop_setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
