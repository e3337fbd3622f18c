/*
 * test_left.c - what somebody does among the outputs after a run made them, and before it noted them. The next run must see it; and
 * what is left to others must not make it look again.
 */
#include "shop.h"

#include <stdio.h>

static const struct deed *deed; /* NULL: done */
static bool wrote;              /* the run did */

/* What somebody does, and what the next run makes of it. */
struct deed {
	const char *name, *path;
	const char *text; /* NULL: the file is deleted */
	const char *written, *removed;
};

static const struct deed deeds[] = {
	{ "a_file_among_modules", GEN "gold/mine.txt", "mine\n", "", GEN "gold/mine.txt" },
	{ "a_file_beside_pipelines", GEN "mine.txt", "mine\n", "", GEN "mine.txt" },
	{ "a_folder_beside_pipelines", GEN "mine/of/mine.txt", "mine\n", "", GEN "mine/of/mine.txt" },
	{ "a_resource_file", "resources/lhp/mine.yml", "mine\n", "", "resources/lhp/mine.yml" },
	{ "a_notebook", "monitoring/dev/mine.py", "mine\n", "", "monitoring/dev/mine.py" },
	{ "a_module_that_goes", GEN "gold/plain.py", NULL, GEN "gold/plain.py", "" },
	{ "a_module_that_goes_from_where_the_run_wrote", GEN "silver/recent.py", NULL, GEN "silver/recent.py", "" },
	{ "an_edit_of_what_was_written", GEN "silver/recent.py", "mine\n", GEN "silver/recent.py", "" },
	{ "an_edit_of_what_was_right", GEN "gold/plain.py", "mine\n", GEN "gold/plain.py", "" },
	{ "an_edit_of_a_resource_file", "resources/lhp/gold.pipeline.yml", "mine\n", "resources/lhp/gold.pipeline.yml", "" },
	{ "a_file_in_the_users_folder", "resources/mine.yml", "mine\n", "", "" },
	{ "a_job_of_the_users", "resources/mine.job.yml", "mine\n", "", "" },
	{ "a_folder_beside_the_notebook", "monitoring/dev/mine/mine.py", "mine\n", "", "" },
};

static int64_t now_after_deed(struct fs *fs, struct str dir)
{
	const struct deed *d = wrote ? deed : NULL;

	if (d != NULL) {
		deed = NULL;
		fs->ops = shop_of(fs)->real;
		if (d->text != NULL)
			shop_put(shop_of(fs), d->path, d->text);
		else
			assert_int_equal(fs->ops->unlink(fs, str_of(d->path)), 0);
	}
	return shop_of(fs)->real->now(fs, dir);
}

static int rename_seen(struct fs *fs, struct str from, struct str to)
{
	wrote = true;
	return shop_of(fs)->real->rename(fs, from, to);
}

static void run_with(struct shop *s, const struct deed *d)
{
	s->ops.now = now_after_deed;
	s->ops.rename = rename_seen;
	deed = d;
	wrote = false;
	assert_int_equal(shop_run_seamed(s), 0);
	assert_null(deed);
}

static void next_run_sets_right(struct shop *s, const struct deed *d)
{
	assert_run(s, 0, d->written, d->removed);
	assert_run(s, 0, "", "");
	assert_true(s->result->up_to_date);
}

static void after_the_first_run(void **state)
{
	struct shop s;

	shop_open(&s);
	run_with(&s, *state);
	next_run_sets_right(&s, *state);
	shop_close(&s);
}

/* One flowgroup's text is new: the run does not look at the others. */
static void after_a_small_edit(void **state)
{
	struct shop s;

	shop_open(&s);
	assert_int_equal(shop_run(&s), 0);
	shop_edit(&s, "sql/recent.sql", "age", "years");
	run_with(&s, *state);
	next_run_sets_right(&s, *state);
	shop_close(&s);
}

/* The pipeline `gold` is another. */
static void after_a_large_edit(void **state)
{
	struct shop s;

	shop_open(&s);
	assert_int_equal(shop_run(&s), 0);
	shop_edit(&s, "sql/recent.sql", "age", "years");
	shop_put(&s, "pipelines/new.yaml", "pipeline: gold\nflowgroup: new\nactions:\n"
	                                   "  - {name: l, type: load, source: {type: sql, sql: SELECT 1 AS a}, target: v}\n"
	                                   "  - {name: w, type: write, source: v, write_target: {type: materialized_view, catalog: c,"
	                                   " schema: gold, table: new}}\n");
	run_with(&s, *state);
	next_run_sets_right(&s, *state);
	shop_close(&s);
}

enum { MANY = 70 };

static void many_put(struct shop *s)
{
	for (int i = 0; i < MANY; i++)
		shop_put(s, str_cstr(&s->arena, str_fmt(&s->arena, "pipelines/many/%d.yaml", i)),
		         str_cstr(&s->arena, str_fmt(&s->arena, "pipeline: many\nflowgroup: many_%d\nactions:\n"
		                                                "  - {name: l, type: load, source: {type: sql, sql: SELECT 1 AS a}, target: v}\n"
		                                                "  - {name: w, type: write, source: v, write_target: {type: materialized_view,"
		                                                " catalog: c, schema: s, table: many_%d}}\n", i, i)));
}

static int rename_and_overwrite(struct fs *fs, struct str from, struct str to)
{
	struct shop *s = shop_of(fs);
	int rc = s->real->rename(fs, from, to);
	FILE *f;

	if (!str_is(to, GEN "many/many_7.py"))
		return rc;
	f = fopen(str_cstr(&s->arena, str_fmt(&s->arena, "%s/%.*s", s->folder, STR_ARG(to))), "r+");
	assert_non_null(f);
	assert_int_equal(fputc('!', f), '!');
	assert_int_equal(fclose(f), 0);
	return rc;
}

/* Of the same size, in the same inode, and mostly in the same tick of the clock. */
static void an_edit_in_the_moment_of_writing_is_seen(void **state)
{
	struct shop *s = *state;

	many_put(s);
	s->ops.rename = rename_and_overwrite;
	s->options.workers = 1;
	assert_int_equal(shop_run_seamed(s), 0);
	assert_run(s, 0, GEN "many/many_7.py", "");
}

int main(void)
{
	enum { DEEDS = sizeof deeds / sizeof *deeds };
	static const struct {
		const char *after;
		void (*holds)(void **state);
	} when[] = { { "first_run", after_the_first_run }, { "small_edit", after_a_small_edit }, { "large_edit", after_a_large_edit } };
	enum { TIMES = sizeof when / sizeof *when };
	struct CMUnitTest tests[DEEDS * TIMES + 1];
	static char name[DEEDS * TIMES][80];
	size_t n = 0;

	for (size_t i = 0; i < TIMES; i++)
		for (size_t k = 0; k < DEEDS; k++, n++) {
			snprintf(name[n], sizeof name[n], "%s_after_a_%s", deeds[k].name, when[i].after);
			tests[n] = (struct CMUnitTest){ name[n], when[i].holds, NULL, NULL, (void *)(uintptr_t)&deeds[k] };
		}
	tests[n] = (struct CMUnitTest)shop_test(an_edit_in_the_moment_of_writing_is_seen, shop_setup);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
