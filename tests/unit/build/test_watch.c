/* Whose doing it was: what a watch makes of changes while its caller builds. */
#include "base/fs.h"
#include "base/path.h"
#include "build/watch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static const struct str OUTPUT[WATCH_OUTPUTS] = { [0] = { "generated/dev", 13 } };

/* A watch that was told of a change of in.txt: its caller builds. */
struct building {
	char root[32];
	struct arena arena;
	struct fs fs;
	struct watch watch;
	struct watch_change change;
};

static void put(struct building *b, const char *path)
{
	assert_int_equal(fs_replace(&b->fs, str_of(path), STR("x")), 0);
}

static enum watch_end wait_for(struct building *b)
{
	return watch_wait(&b->watch, 50, &b->change);
}

static int building_start(void **state)
{
	struct building *b = *state = xmalloc(sizeof *b);

	*b = (struct building){ .root = "/tmp/lhp-watch-XXXXXX" };
	assert_non_null(mkdtemp(b->root));
	assert_int_equal(fs_open(&b->fs, &b->arena, str_of(b->root)), 0);
	assert_int_equal(fs_mkdirs(&b->fs, STR("sql")), 0);
	assert_int_equal(fs_mkdirs(&b->fs, STR("generated/dev")), 0);
	watch_open(&b->watch, b->fs.root, OUTPUT, -1);
	put(b, "in.txt");
	assert_int_equal(wait_for(b), WATCH_CHANGED);
	assert_non_null(b->change.where);
	return 0;
}

static int building_end(void **state)
{
	struct building *b = *state;

	watch_close(&b->watch);
	fs_remove_tree(&b->fs, STR(""));
	fs_close(&b->fs);
	rmdir(b->root);
	arena_release(&b->arena);
	free(b);
	return 0;
}

static void a_build_that_changes_nothing_owns_nothing(void **state)
{
	struct building *b = *state;

	assert_int_equal(watch_own(&b->watch), WATCH_OWN_NOTHING);
	assert_int_equal(wait_for(b), WATCH_QUIET);
}

static void outputs_that_change_meanwhile_are_owned_and_inputs_told(void **state)
{
	struct building *b = *state;

	put(b, "generated/dev/a.py");
	assert_int_equal(watch_own(&b->watch), WATCH_OWN_OUTPUTS);
	assert_int_equal(wait_for(b), WATCH_QUIET);
	put(b, "generated/dev/a.py");
	put(b, "sql/b.sql");
	assert_int_equal(watch_own(&b->watch), WATCH_OWN_OUTPUTS);
	assert_int_equal(wait_for(b), WATCH_CHANGED);
	assert_string_equal(b->change.first, "b.sql");
	assert_int_equal(b->change.n, 1);
}

static int queue_length(void)
{
	FILE *f = fopen("/proc/sys/fs/inotify/max_queued_events", "r");
	int n;

	assert_non_null(f);
	assert_int_equal(fscanf(f, "%d", &n), 1);
	fclose(f);
	return n;
}

static void a_build_that_writes_more_than_is_kept_has_lost_events_and_wakes_nobody(void **state)
{
	struct building *b = *state;

	for (int i = queue_length() / 2 + 1; i > 0; i--) {
		b->fs.ops->create(&b->fs, STR("generated/dev/a.py"), STR("x"), 0666);
		b->fs.ops->unlink(&b->fs, STR("generated/dev/a.py"));
	}
	assert_int_equal(fs_mkdirs(&b->fs, STR("sql/new")), 0);
	assert_int_equal(watch_own(&b->watch), WATCH_OWN_LOST);
	assert_int_equal(wait_for(b), WATCH_QUIET);
	assert_int_equal(watch_own(&b->watch), WATCH_OWN_NOTHING);
	put(b, "sql/new/c.sql");
	assert_int_equal(wait_for(b), WATCH_CHANGED);
	assert_string_equal(b->change.first, "c.sql");
	assert_false(b->change.everything);
}

static void a_link_has_everything_looked_at_but_not_the_lock_of_an_editor(void **state)
{
	struct building *b = *state;

	assert_int_equal(symlink("somebody@host.1:2", str_fmt(&b->arena, "%s/sql/.#b.sql", b->root).p), 0);
	assert_int_equal(wait_for(b), WATCH_CHANGED);
	assert_non_null(b->change.where);
	put(b, "sql/b.sql");
	assert_int_equal(wait_for(b), WATCH_CHANGED);
	assert_non_null(b->change.where);
	assert_int_equal(symlink("b.sql", str_fmt(&b->arena, "%s/sql/c.sql", b->root).p), 0);
	assert_int_equal(wait_for(b), WATCH_CHANGED);
	assert_null(b->change.where);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_build_that_changes_nothing_owns_nothing, building_start, building_end),
		cmocka_unit_test_setup_teardown(outputs_that_change_meanwhile_are_owned_and_inputs_told, building_start, building_end),
		cmocka_unit_test_setup_teardown(a_build_that_writes_more_than_is_kept_has_lost_events_and_wakes_nobody, building_start, building_end),
		cmocka_unit_test_setup_teardown(a_link_has_everything_looked_at_but_not_the_lock_of_an_editor, building_start, building_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
