/* Both file systems, the real one in a temporary folder and the one in memory, keep the same promises. */
#include "base/fs_mem.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

struct place {
	struct arena arena;
	struct fs fs;
	char top[64];
	bool real;
};

static struct place *place_new(void **state, bool real)
{
	struct place *p = calloc(1, sizeof *p);

	p->real = real;
	if (real) {
		strcpy(p->top, "/tmp/lhp-fs-XXXXXX");
		assert_non_null(mkdtemp(p->top));
		assert_int_equal(fs_open(&p->fs, &p->arena, str_of(p->top)), 0);
	} else {
		fs_mem_open(&p->fs, &p->arena);
	}
	*state = p;
	return p;
}

static int real_make(void **state)
{
	place_new(state, true);
	return 0;
}

static int mem_make(void **state)
{
	place_new(state, false);
	return 0;
}

static int place_drop(void **state)
{
	struct place *p = *state;

	if (p->real) {
		fs_remove_tree(&p->fs, str_of(p->top));
		fs_close(&p->fs);
	}
	arena_release(&p->arena);
	free(p);
	return 0;
}

static void link_make(struct place *p, const char *path, const char *target)
{
	char full[128];

	if (!p->real) {
		fs_mem_link(&p->fs, path, target);
		return;
	}
	snprintf(full, sizeof full, "%s/%s", p->top, path);
	assert_int_equal(symlink(target, full), 0);
}

static void assert_text(struct place *p, const char *path, const char *want)
{
	struct str got;

	assert_int_equal(fs_read(&p->fs, str_of(path), &p->arena, &got, NULL), 0);
	assert_string_equal(got.p, want);
}

static void replace_puts_a_file_in_the_place_of_a_link(void **state)
{
	struct place *p = *state;
	struct fs_stat st;
	struct fs_listing l;

	assert_int_equal(fs_replace(&p->fs, STR("target"), STR("old")), 0);
	link_make(p, "link", "target");
	assert_int_equal(fs_replace(&p->fs, STR("link"), STR("new")), 0);
	assert_int_equal(fs_lstat(&p->fs, STR("link"), &st), 0);
	assert_int_equal(st.type, FS_FILE);
	assert_text(p, "link", "new");
	assert_text(p, "target", "old");
	assert_int_equal(fs_list(&p->fs, STR(""), &p->arena, &l), 0);
	assert_int_equal(l.n, 2); /* no temporary file is left */
}

static void a_file_may_have_the_longest_name_there_is(void **state)
{
	struct place *p = *state;
	char path[4 + 255 + 1];

	snprintf(path, sizeof path, "dir/%0255d", 7);
	assert_int_equal(fs_mkdirs(&p->fs, STR("dir")), 0);
	assert_int_equal(fs_replace(&p->fs, str_of(path), STR("x")), 0);
	assert_text(p, path, "x");
}

static void what_a_killed_run_left_of_a_file_goes_with_the_next_one(void **state)
{
	struct place *p = *state;
	struct fs_listing l;
	char left[64] = "";

	if (fork() == 0) {
		setrlimit(RLIMIT_FSIZE, &(struct rlimit){ 1, 1 }); /* SIGXFSZ in the middle of writing */
		fs_replace(&p->fs, STR("f"), STR("text"));
		_exit(0);
	}
	wait(NULL);
	assert_int_equal(fs_list(&p->fs, STR(""), &p->arena, &l), 0);
	assert_int_equal(l.n, 1);
	snprintf(left, sizeof left, "%.*s", STR_ARG(l.entry[0].name));
	assert_true(left[0] == '.' && str_ends(str_of(left), STR(".lhp-tmp")));
	assert_int_equal(fs_replace(&p->fs, STR("f"), STR("text")), 0);
	assert_false(fs_is_file(&p->fs, str_of(left)));
}

static void remove_tree_does_not_follow_links(void **state)
{
	struct place *p = *state;

	assert_int_equal(fs_mkdirs(&p->fs, STR("keep")), 0);
	assert_int_equal(fs_replace(&p->fs, STR("keep/x"), STR("x")), 0);
	assert_int_equal(fs_mkdirs(&p->fs, STR("go/deep")), 0);
	link_make(p, "go/deep/out", "../../keep");
	assert_text(p, "go/deep/out/x", "x");
	assert_int_equal(fs_remove_tree(&p->fs, STR("go")), 0);
	assert_false(fs_is_dir(&p->fs, STR("go")));
	assert_text(p, "keep/x", "x");
	assert_int_equal(fs_remove_tree(&p->fs, STR("go")), 0);
}

static void what_is_not_there_is_enoent_below_a_file_too(void **state)
{
	struct place *p = *state;
	struct fs_stat st;
	struct fs_listing l;
	struct str s;

	assert_int_equal(fs_replace(&p->fs, STR("f"), STR("")), 0);
	assert_int_equal(fs_stat(&p->fs, STR("f/x"), &st), -ENOENT);
	assert_int_equal(fs_read(&p->fs, STR("none"), &p->arena, &s, NULL), -ENOENT);
	assert_int_equal(fs_read(&p->fs, STR(""), &p->arena, &s, NULL), -EISDIR);
	assert_int_equal(fs_list(&p->fs, STR("none"), &p->arena, &l), -ENOENT);
	assert_int_equal(fs_list(&p->fs, STR("f"), &p->arena, &l), -ENOTDIR);
}

static void folders_are_not_made_over_files_or_dead_links(void **state)
{
	struct place *p = *state;

	assert_int_equal(fs_replace(&p->fs, STR("f"), STR("")), 0);
	link_make(p, "dead", "nowhere");
	assert_int_equal(fs_mkdirs(&p->fs, STR("f")), -ENOTDIR);
	assert_int_equal(fs_mkdirs(&p->fs, STR("dead")), -ENOTDIR);
	assert_int_equal(fs_mkdirs(&p->fs, STR("a/b")), 0);
	assert_int_equal(fs_mkdirs(&p->fs, STR("a/b")), 0);
}

static void listings_are_sorted_bytewise_with_types(void **state)
{
	struct place *p = *state;
	struct fs_listing l;

	assert_int_equal(fs_replace(&p->fs, STR("b"), STR("")), 0);
	assert_int_equal(fs_mkdirs(&p->fs, STR("a/sub")), 0);
	link_make(p, "B", "a");
	assert_int_equal(fs_list(&p->fs, STR(""), &p->arena, &l), 0);
	assert_int_equal(l.n, 3);
	assert_true(str_is(l.entry[0].name, "B") && l.entry[0].type == FS_LINK);
	assert_true(str_is(l.entry[1].name, "a") && l.entry[1].type == FS_DIR);
	assert_true(str_is(l.entry[2].name, "b") && l.entry[2].type == FS_FILE);
}

static void the_kth_call_fails_once_and_leaves_the_old_file(void **state)
{
	struct place *p = *state;

	fs_mem_write(&p->fs, "d/f", "old");
	fs_mem_fail(&p->fs, FS_CALL_RENAME, 1, EIO);
	assert_int_equal(fs_replace(&p->fs, STR("d/f"), STR("new")), -EIO);
	assert_text(p, "d/f", "old");
	assert_int_equal(fs_replace(&p->fs, STR("d/f"), STR("new")), 0);
	assert_text(p, "d/f", "new");
	assert_int_equal(fs_mem_calls(&p->fs, FS_CALL_RENAME), 2);
}

static void the_clock_stands_until_it_is_moved(void **state)
{
	struct place *p = *state;
	struct fs_stat before, after;

	fs_mem_write(&p->fs, "f", "a");
	assert_int_equal(fs_stat(&p->fs, STR("f"), &before), 0);
	fs_mem_write(&p->fs, "f", "b");
	assert_int_equal(fs_stat(&p->fs, STR("f"), &after), 0);
	assert_int_equal(before.mtime_ns, after.mtime_ns);
	assert_int_equal(before.ino, after.ino);
	fs_mem_clock_add(&p->fs, 5);
	assert_int_equal(fs_replace(&p->fs, STR("f"), STR("c")), 0);
	assert_int_equal(fs_stat(&p->fs, STR("f"), &after), 0);
	assert_int_equal(after.mtime_ns, FS_MEM_START + 5);
	assert_int_not_equal(before.ino, after.ino);
	fs_mem_stamp(&p->fs, "f", before.ino, 7, 9);
	assert_int_equal(fs_stat(&p->fs, STR("f"), &after), 0);
	assert_true(after.ino == before.ino && after.mtime_ns == 7 && after.ctime_ns == 9);
}

#define BOTH(name)                                                 \
	cmocka_unit_test_setup_teardown(name, real_make, place_drop), \
	    cmocka_unit_test_setup_teardown(name, mem_make, place_drop)
#define REAL(name) cmocka_unit_test_setup_teardown(name, real_make, place_drop)
#define MEM(name) cmocka_unit_test_setup_teardown(name, mem_make, place_drop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH(replace_puts_a_file_in_the_place_of_a_link),
		REAL(a_file_may_have_the_longest_name_there_is),
		REAL(what_a_killed_run_left_of_a_file_goes_with_the_next_one),
		BOTH(remove_tree_does_not_follow_links),
		BOTH(what_is_not_there_is_enoent_below_a_file_too),
		BOTH(folders_are_not_made_over_files_or_dead_links),
		BOTH(listings_are_sorted_bytewise_with_types),
		MEM(the_kth_call_fails_once_and_leaves_the_old_file),
		MEM(the_clock_stands_until_it_is_moved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
