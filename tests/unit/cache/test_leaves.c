/* Tables of outputs: few files that were written since stand beside them, and it does not show. */
#include "base/path.h"
#include "cache/leaves.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

enum { FILES = 40, GROUP = 7 };

struct desk {
	struct arena a;
	char folder[64];
	struct store *store;
	struct fs fs;
	struct leaves l;
	uint64_t generation;
};

static void desk_open(struct desk *d)
{
	struct str notice;

	assert_int_equal(store_open(&d->store, path_join(&d->a, str_of(d->folder), STR("cache")), STR("build"), &notice, &d->a), 0);
	leaves_init(&d->l, d->store, &d->fs, &d->a, 'O', GROUP);
}

/* What is noted goes into the store, and comes from there. */
static void desk_again(struct desk *d)
{
	leaves_save(&d->l, ++d->generation);
	assert_int_equal(store_commit(d->store), 0);
	store_close(d->store);
	desk_open(d);
}

static struct leaf file_leaf(struct desk *d, unsigned i, unsigned char content)
{
	return (struct leaf){ .path = str_fmt(&d->a, "out/f%02u.py", i), .hash = { { content } }, .tag = { { content, 1 } }, .settled = true,
		              .st = { .ino = 100 + i, .size = content, .mtime_ns = 1000 + content, .ctime_ns = 1001, .type = FS_FILE } };
}

static void file_put(struct desk *d, unsigned i, unsigned char content)
{
	struct leaf leaf = file_leaf(d, i, content);

	leaves_note(&d->l, &leaf);
}

static void file_is(struct desk *d, unsigned i, unsigned char content)
{
	struct leaf want = file_leaf(d, i, content);
	const struct leaf *leaf = leaves_find(&d->l, want.path, false);

	assert_non_null(leaf);
	assert_true(hash_eq(leaf->hash, want.hash) && hash_eq(leaf->tag, want.tag) && leaf->settled);
	assert_int_equal(leaf->st.ino, want.st.ino);
	assert_int_equal(leaf->st.mtime_ns, want.st.mtime_ns);
}

static struct str record(struct desk *d, char kind, const char *name)
{
	return store_get(d->store, &d->a, kind, GROUP, str_of(name));
}

/* Forty files of content 1, in the store. */
static int desk_make(void **state)
{
	struct leaf folder = { .path = STR("out"), .is_dir = true, .hash = { { 5 } }, .tag = { { 5 } }, .settled = true };
	struct desk *d = *state = xmalloc(sizeof *d);

	*d = (struct desk){ .folder = "/tmp/lhp-leaves-XXXXXX" };
	assert_non_null(mkdtemp(d->folder));
	assert_int_equal(fs_open(&d->fs, &d->a, str_of(d->folder)), 0);
	assert_int_equal(fs_mkdirs(&d->fs, STR("cache")), 0);
	desk_open(d);
	for (unsigned i = 0; i < FILES; i++)
		file_put(d, i, 1);
	leaves_note(&d->l, &folder);
	desk_again(d);
	return 0;
}

static int desk_drop(void **state)
{
	struct desk *d = *state;

	store_close(d->store);
	fs_remove_tree(&d->fs, STR(""));
	fs_close(&d->fs);
	rmdir(d->folder);
	arena_release(&d->a);
	free(d);
	return 0;
}

static void few_stand_beside_the_table(void **state)
{
	struct desk *d = *state;
	struct str table;

	table = record(d, 'O', "out");
	assert_null(record(d, 'Q', "").p);
	for (unsigned char content = 2; content < 9; content++) {
		file_put(d, 11, content);
		desk_again(d);
		assert_true(str_eq(record(d, 'O', "out"), table));
		assert_non_null(record(d, 'Q', "").p);
		file_is(d, 10, 1);
		file_is(d, 11, content);
	}
	file_put(d, 30, 7);
	desk_again(d);
	assert_true(str_eq(record(d, 'O', "out"), table));
	file_is(d, 11, 8);
	file_is(d, 30, 7);
}

static void a_folder_that_changed_stands_beside_its_table(void **state)
{
	struct leaf folder = { .path = STR("out"), .is_dir = true, .hash = { { 5 } }, .tag = { { 5 } }, .settled = true,
		               .st = { .ino = 9, .mtime_ns = 77, .ctime_ns = 78, .type = FS_DIR } };
	struct desk *d = *state;
	struct str table;

	table = record(d, 'O', "out");
	leaves_note(&d->l, &folder);
	desk_again(d);
	assert_true(str_eq(record(d, 'O', "out"), table));
	assert_int_equal(leaves_find(&d->l, STR("out"), true)->st.mtime_ns, 77);
	file_is(d, 3, 1);
}

static void many_go_into_the_table(void **state)
{
	struct desk *d = *state;

	file_put(d, 1, 2);
	desk_again(d);
	for (unsigned i = 0; i < 9; i++)
		file_put(d, i, 3);
	desk_again(d);
	assert_null(record(d, 'Q', "").p);
	for (unsigned i = 0; i < FILES; i++)
		file_is(d, i, i < 9 ? 3 : 1);
}

static void names_that_come_and_go_go_into_the_table(void **state)
{
	struct desk *d = *state;

	file_put(d, 1, 2);
	desk_again(d);
	leaves_forget(&d->l, STR("out/f01.py"), false);
	desk_again(d);
	assert_null(record(d, 'Q', "").p);
	assert_null(leaves_find(&d->l, STR("out/f01.py"), false));
	file_is(d, 2, 1);
	file_put(d, 2, 4);
	file_put(d, 50, 6);
	file_put(d, 41, 6);
	desk_again(d);
	assert_null(record(d, 'Q', "").p);
	file_is(d, 2, 4);
	file_is(d, 41, 6);
	file_is(d, 50, 6);
	assert_null(leaves_find(&d->l, STR("out/f01.py"), false));
}

/* The scan compares the disk with what stands beside the table, not with the table. */
static void the_scan_sees_what_stands_beside(void **state)
{
	struct leaf_changes changes = { 0 };
	struct leaf leaf = { .path = STR("out/f11.py"), .tag = { { 2 } }, .settled = true };
	struct desk *d = *state;

	for (unsigned i = 0; i < FILES; i++)
		assert_int_equal(fs_mkdirs(&d->fs, STR("out")) != 0 ||
		                 fs_replace(&d->fs, str_fmt(&d->a, "out/f%02u.py", i), STR("text")) != 0, 0);
	assert_int_equal(fs_lstat(&d->fs, leaf.path, &leaf.st), 0);
	leaf.hash = hash_bytes(STR("text"));
	leaves_note(&d->l, &leaf);
	desk_again(d);
	assert_int_equal(leaves_scan(&d->l, INT64_MAX, false, NULL, 2, &changes), 0);
	assert_int_equal(changes.n, FILES - 1 + 1); /* all but this one, and the folder */
	for (size_t i = 0; i < changes.n; i++)
		assert_false(str_eq(changes.p[i].leaf.path, leaf.path));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(few_stand_beside_the_table, desk_make, desk_drop),
		cmocka_unit_test_setup_teardown(a_folder_that_changed_stands_beside_its_table, desk_make, desk_drop),
		cmocka_unit_test_setup_teardown(many_go_into_the_table, desk_make, desk_drop),
		cmocka_unit_test_setup_teardown(names_that_come_and_go_go_into_the_table, desk_make, desk_drop),
		cmocka_unit_test_setup_teardown(the_scan_sees_what_stands_beside, desk_make, desk_drop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
