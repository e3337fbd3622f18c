/* One who was told where files changed has only these folders looked at; what changed elsewhere waits for a look at everything. */
#include "shop.h"

/* A project that was made, and of which sql/recent.sql changed since; its runs look into `where`. */
static void edited(struct shop *s, struct map *where)
{
	*where = (struct map){ 0 };
	shop_open(s);
	assert_int_equal(shop_run(s), 0);
	shop_edit(s, "sql/recent.sql", "age", "years");
	s->options.where = where;
}

static void only_the_folders_named_are_looked_at(void **state)
{
	struct map where;
	struct shop s;

	(void)state;
	edited(&s, &where);
	shop_edit(&s, "pipelines/plain.yaml", "SELECT 1", "SELECT 2");
	map_add(&where, &s.arena, STR("sql"));
	assert_run(&s, 1, GEN "silver/recent.py", "");
	s.options.where = NULL;
	assert_run(&s, 1, GEN "gold/plain.py", "");
	assert_like_cold(&s);
	shop_close(&s);
}

static void nowhere_is_up_to_date(void **state)
{
	struct map where;
	struct shop s;

	(void)state;
	edited(&s, &where);
	assert_run(&s, 0, "", "");
	assert_true(s.result->up_to_date);
	shop_close(&s);
}

static void new_files_of_the_folders_named_are_found(void **state)
{
	struct map where = { 0 };
	struct shop *s = *state;

	shop_put(s, "pipelines/more.yaml", "pipeline: gold\nflowgroup: more\nactions:\n"
	                                   "  - {name: l, type: load, source: {type: sql, sql: SELECT 1 AS a}, target: v_more}\n"
	                                   "  - {name: w, type: write, source: v_more, write_target: {type: streaming_table,"
	                                   " catalog: c, schema: s, table: more}}\n");
	map_add(&where, &s->arena, STR("pipelines"));
	s->options.where = &where;
	assert_run(s, 1, GEN "gold/more.py", "");
	assert_like_cold(s);
}

/* CI trusts nobody. */
static void verify_looks_everywhere(void **state)
{
	struct map where;
	struct shop s;

	(void)state;
	edited(&s, &where);
	s.options.verify = true;
	assert_run(&s, 1, GEN "silver/recent.py", "");
	shop_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_the_folders_named_are_looked_at),
		cmocka_unit_test(nowhere_is_up_to_date),
		shop_test(new_files_of_the_folders_named_are_found, shop_made),
		cmocka_unit_test(verify_looks_everywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
