/* The store: what is put is there in the next run, and what is damaged is never believed. */
#include "cache/store.h"
#include "base/fs.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

struct place {
	char top[64];
	struct str dir;
	struct arena a;
};

static int place_make(void **state)
{
	struct place *p = calloc(1, sizeof *p);

	snprintf(p->top, sizeof p->top, "/tmp/lhp-store-XXXXXX");
	assert_non_null(mkdtemp(p->top));
	p->dir = str_fmt(&p->a, "%s/cache", p->top);
	{
		struct fs fs;

		assert_int_equal(fs_open(&fs, &p->a, str_of(p->top)), 0);
		assert_int_equal(fs_mkdirs(&fs, STR("cache")), 0);
		fs_close(&fs);
	}
	*state = p;
	return 0;
}

static int place_drop(void **state)
{
	struct place *p = *state;
	struct fs fs;

	assert_int_equal(fs_open(&fs, &p->a, str_of("/tmp")), 0);
	fs_remove_tree(&fs, str_of(p->top + 5));
	fs_close(&fs);
	arena_release(&p->a);
	free(p);
	return 0;
}

static struct store *opened(struct place *p, const char *build, struct str *notice)
{
	struct store *s;

	assert_int_equal(store_open(&s, p->dir, str_of(build), notice, &p->a), 0);
	return s;
}

static void filled(struct place *p)
{
	struct str notice;
	struct store *s = opened(p, "b1", &notice);

	store_put(s, 'X', 0, STR("a"), STR("alpha"));
	store_put(s, 'X', 1, STR("b"), STR("beta"));
	store_put(s, 'X', 1, STR("c"), STR(""));
	assert_int_equal(store_commit(s), 0);
	store_close(s);
}

static void a_record_is_there_in_the_next_run(void **state)
{
	struct place *p = *state;
	struct str notice;
	struct store *s;

	filled(p);
	s = opened(p, "b1", &notice);
	assert_int_equal(notice.n, 0);
	assert_false(store_is_new(s));
	assert_true(str_is(store_get(s, &p->a, 'X', 0, STR("a")), "alpha"));
	assert_true(str_is(store_get(s, &p->a, 'X', 1, STR("b")), "beta"));
	assert_null(store_get(s, &p->a, 'X', 0, STR("b")).p);
	assert_null(store_get(s, &p->a, 'Y', 0, STR("a")).p);
	store_close(s);
}

static int count_one(void *ctx, struct str name, struct str bytes)
{
	(void)name;
	(void)bytes;
	++*(int *)ctx;
	return 0;
}

static void a_walk_sees_one_group_only(void **state)
{
	struct place *p = *state;
	struct str notice;
	struct store *s;
	int n = 0;

	filled(p);
	s = opened(p, "b1", &notice);
	assert_int_equal(store_each(s, 'X', 1, count_one, &n), 0);
	assert_int_equal(n, 2);
	store_close(s);
}

static void a_dropped_record_is_gone(void **state)
{
	struct place *p = *state;
	struct str notice;
	struct store *s;

	filled(p);
	s = opened(p, "b1", &notice);
	store_drop(s, 'X', 0, STR("a"));
	assert_int_equal(store_commit(s), 0);
	assert_null(store_get(s, &p->a, 'X', 0, STR("a")).p);
	assert_true(str_is(store_get(s, &p->a, 'X', 1, STR("b")), "beta"));
	store_close(s);
}

static void the_map_grows_when_it_is_full(void **state)
{
	struct place *p = *state;
	struct str notice, big = { arena_alloc(&p->a, 3 << 20), 3 << 20 };
	struct store *s = opened(p, "b1", &notice);

	for (int i = 0; i < 12; i++)
		store_put(s, 'B', 0, str_fmt(&p->a, "%d", i), big);
	assert_int_equal(store_commit(s), 0);
	store_close(s);
	s = opened(p, "b1", &notice);
	assert_int_equal(store_get(s, &p->a, 'B', 0, STR("11")).n, 3 << 20);
	store_close(s);
}

/* Long enough for several pieces, of another length each, and telling for what round it was written. */
static struct str content_of(struct place *p, int i, int round)
{
	struct buf b = { 0 };
	struct str out;

	for (int k = 0; k < 100 + i % 7 * 90 + round * 50; k++)
		buf_addf(&b, "%d/%d ", i, round);
	out = buf_take(&b, &p->a);
	buf_release(&b);
	return out;
}

/* A commit that changes most of a file makes a new one of old and new records; other commits change the old one. */
static void records_old_and_new_are_there_after_much_or_little_changed(void **state)
{
	enum { N = 300, ROUNDS = 5 };
	static const int every[ROUNDS] = { 1, 2, 40, 1, 3 };
	struct place *p = *state;
	int written[N];
	struct str notice;

	for (int round = 0; round < ROUNDS; round++) {
		struct store *s = opened(p, "b1", &notice);

		assert_int_equal(notice.n, 0);
		for (int i = round; i < N; i += every[round]) {
			bool drops = round > 0 && i % 5 == 0;

			written[i] = drops ? -1 : round;
			if (drops)
				store_drop(s, 'X', (uint32_t)i % 3, str_fmt(&p->a, "%d", i));
			else
				store_put(s, 'X', (uint32_t)i % 3, str_fmt(&p->a, "%d", i), content_of(p, i, round));
		}
		assert_int_equal(store_commit(s), 0);
		store_close(s);
		s = opened(p, "b1", &notice);
		assert_int_equal(store_count_damaged(s), 0);
		for (int i = 0; i < N; i++) {
			struct str got = store_get(s, &p->a, 'X', (uint32_t)i % 3, str_fmt(&p->a, "%d", i));

			if (written[i] < 0)
				assert_null(got.p);
			else
				assert_true(str_eq(got, content_of(p, i, written[i])));
		}
		store_close(s);
	}
}

/* Files may grow up to this size, as if the disk were full then; 0: as they like. */
static void room_limit(rlim_t size)
{
	static struct rlimit before;

	if (size != 0) {
		signal(SIGXFSZ, SIG_IGN);
		assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){ size, before.rlim_max }), 0);
	} else {
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	}
}

static int commit_within(struct store *s, rlim_t size)
{
	int rc;

	for (char name[8] = "big-0"; name[4] <= '9'; name[4]++)
		store_put(s, 'X', 0, str_of(name), (struct str){ (char[9000]){ 0 }, 9000 });
	room_limit(size);
	rc = store_commit(s);
	room_limit(0);
	store_close(s);
	return rc;
}

static void a_commit_that_finds_no_room_leaves_the_store_as_it_was(void **state)
{
	struct place *p = *state;
	struct str notice;
	struct store *s;
	struct stat before, after;
	const char *data = str_fmt(&p->a, "%.*s/data.mdb", STR_ARG(p->dir)).p;

	filled(p);
	assert_int_equal(stat(data, &before), 0);
	for (rlim_t more = 0; more < 12000; more += 3000) {
		assert_int_equal(commit_within(opened(p, "b1", &notice), (rlim_t)before.st_size + more), -EFBIG);
		assert_int_equal(stat(data, &after), 0);
		assert_int_equal(before.st_size, after.st_size);
		s = opened(p, "b1", &notice);
		assert_int_equal(notice.n, 0);
		assert_true(str_is(store_get(s, &p->a, 'X', 0, STR("a")), "alpha"));
		assert_null(store_get(s, &p->a, 'X', 0, STR("big-0")).p);
		store_close(s);
	}
	assert_int_equal(commit_within(opened(p, "b1", &notice), RLIM_INFINITY), 0);
	s = opened(p, "b1", &notice);
	assert_int_equal(store_get(s, &p->a, 'X', 0, STR("big-9")).n, 9000);
	store_close(s);
}

static void a_first_commit_that_finds_no_room_leaves_nothing(void **state)
{
	struct place *p = *state;
	struct str notice;
	struct store *s;

	for (rlim_t size = 1; size < 20000; size += 3000) {
		int rc = commit_within(opened(p, "b1", &notice), size);

		assert_true(rc == -EFBIG || rc == -ENOSPC); /* what LMDB calls it of a file's first pages */
		s = opened(p, "b1", &notice);
		assert_int_equal(notice.n, 0);
		assert_true(store_is_new(s));
		store_close(s);
	}
}

static void another_build_starts_cold(void **state)
{
	struct place *p = *state;
	struct str notice;
	struct store *s;

	filled(p);
	s = opened(p, "b2", &notice);
	assert_true(store_is_new(s));
	assert_true(str_starts(notice, STR("The cache is of another version of lhp and was moved to ")));
	assert_null(store_get(s, &p->a, 'X', 0, STR("a")).p);
	store_close(s);
}

static void damage_at(struct place *p, long at, int by)
{
	char path[128];
	FILE *f;
	int c;

	snprintf(path, sizeof path, "%.*s/data.mdb", STR_ARG(p->dir));
	f = fopen(path, "r+b");
	assert_non_null(f);
	fseek(f, at, SEEK_SET);
	c = fgetc(f);
	fseek(f, at, SEEK_SET);
	fputc(c ^ by, f);
	fclose(f);
}

static void any_flipped_byte_means_a_cold_start(void **state)
{
	struct place *p = *state;
	struct str notice;
	struct store *s;

	for (long at = 0; at < 12288; at += 257) {
		filled(p);
		damage_at(p, at, 0x41);
		s = opened(p, "b1", &notice);
		assert_true(store_is_new(s));
		assert_true(str_starts(notice, STR("The cache could not be trusted and was moved to ")));
		store_close(s);
	}
}

/* A file of the same bytes in its place, as when a folder is restored. */
static void data_replace(struct place *p)
{
	struct fs fs;
	struct str bytes;

	assert_int_equal(fs_open(&fs, &p->a, p->dir), 0);
	assert_int_equal(fs_read(&fs, STR("data.mdb"), &p->a, &bytes, NULL), 0);
	assert_int_equal(fs_replace(&fs, STR("data.mdb"), bytes), 0);
	fs_close(&fs);
}

static void a_file_that_others_wrote_to_meanwhile_is_not_sealed(void **state)
{
	struct place *p = *state;

	for (int damaged = 0; damaged < 2; damaged++)
		for (int commits = 0; commits < 2; commits++) {
			struct str notice;
			struct store *s;

			filled(p);
			s = opened(p, "b1", &notice);
			assert_int_equal(notice.n, 0);
			for (int i = 0; i < commits; i++) {
				store_put(s, 'X', 0, STR("a"), STR("gamma"));
				assert_int_equal(store_commit(s), 0);
			}
			usleep(20 * 1000); /* the clock of a file system moves on in steps */
			if (damaged)
				damage_at(p, 9000, 0x41);
			else
				data_replace(p);
			store_put(s, 'X', 0, STR("a"), STR("delta"));
			assert_int_equal(store_commit(s), 0);
			store_close(s);
			s = opened(p, "b1", &notice);
			assert_true(store_is_new(s));
			store_close(s);
		}
}

static void a_truncated_file_means_a_cold_start(void **state)
{
	struct place *p = *state;
	char path[128];
	struct str notice;
	struct store *s;

	filled(p);
	snprintf(path, sizeof path, "%.*s/data.mdb", STR_ARG(p->dir));
	assert_int_equal(truncate(path, 4096), 0);
	s = opened(p, "b1", &notice);
	assert_true(store_is_new(s));
	store_close(s);
}

static const char *in_cache(struct place *p, const char *name)
{
	return str_fmt(&p->a, "%.*s/%s", STR_ARG(p->dir), name).p;
}

/* Twice, so that what was set aside is in the way of the next one. */
static void what_is_no_file_means_a_cold_start(void **state)
{
	static const struct {
		const char *name;
		bool folder;
	} thing[] = { { "data.mdb", true }, { "data.mdb", false }, { "seal", true }, { "seal", false } };
	struct place *p = *state;
	struct store *s;
	struct str notice;

	for (size_t i = 0; i < 2 * sizeof thing / sizeof *thing; i++) {
		const char *path = in_cache(p, thing[i / 2].name);

		filled(p);
		assert_int_equal(unlink(path), 0);
		assert_int_equal(thing[i / 2].folder ? mkdir(path, 0777) : mkfifo(path, 0666), 0);
		s = opened(p, "b1", &notice);
		assert_true(str_has(notice, STR("could not be trusted")));
		assert_true(store_is_new(s));
		store_close(s);
	}
}

static void a_folder_in_the_place_of_a_seal_alone_is_no_hindrance(void **state)
{
	struct place *p = *state;
	struct store *s;
	struct str notice;

	assert_int_equal(mkdir(in_cache(p, "seal"), 0777), 0);
	assert_int_equal(mkdir(in_cache(p, ".seal.lhp-tmp"), 0777), 0);
	filled(p);
	s = opened(p, "b1", &notice);
	assert_false(store_is_new(s));
	store_close(s);
}

static void a_missing_seal_means_a_cold_start(void **state)
{
	struct place *p = *state;
	char path[128];
	struct str notice;
	struct store *s;

	filled(p);
	snprintf(path, sizeof path, "%.*s/seal", STR_ARG(p->dir));
	assert_int_equal(unlink(path), 0);
	s = opened(p, "b1", &notice);
	assert_true(store_is_new(s));
	store_close(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_record_is_there_in_the_next_run, place_make, place_drop),
		cmocka_unit_test_setup_teardown(a_walk_sees_one_group_only, place_make, place_drop),
		cmocka_unit_test_setup_teardown(a_dropped_record_is_gone, place_make, place_drop),
		cmocka_unit_test_setup_teardown(records_old_and_new_are_there_after_much_or_little_changed, place_make, place_drop),
		cmocka_unit_test_setup_teardown(the_map_grows_when_it_is_full, place_make, place_drop),
		cmocka_unit_test_setup_teardown(a_commit_that_finds_no_room_leaves_the_store_as_it_was, place_make, place_drop),
		cmocka_unit_test_setup_teardown(a_first_commit_that_finds_no_room_leaves_nothing, place_make, place_drop),
		cmocka_unit_test_setup_teardown(another_build_starts_cold, place_make, place_drop),
		cmocka_unit_test_setup_teardown(any_flipped_byte_means_a_cold_start, place_make, place_drop),
		cmocka_unit_test_setup_teardown(a_file_that_others_wrote_to_meanwhile_is_not_sealed, place_make, place_drop),
		cmocka_unit_test_setup_teardown(a_truncated_file_means_a_cold_start, place_make, place_drop),
		cmocka_unit_test_setup_teardown(what_is_no_file_means_a_cold_start, place_make, place_drop),
		cmocka_unit_test_setup_teardown(a_folder_in_the_place_of_a_seal_alone_is_no_hindrance, place_make, place_drop),
		cmocka_unit_test_setup_teardown(a_missing_seal_means_a_cold_start, place_make, place_drop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
