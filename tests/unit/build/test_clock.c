/*
 * test_clock.c - files that change while they are looked at, and clocks that cannot be trusted.
 *
 * The seam to the disk is in between: it changes a file at a chosen reading, or shows times that a broken clock would have
 * given. Then a run must do what a cold one does.
 */
#include "shop.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

static const int64_t SECOND = 1000000000;

/* What the seam does: one test at a time. */
static struct {
	const char *victim;  /* path */
	int readings;        /* of it, so far */
	int at;              /* the reading at which it changes; 0: at none */
	bool before;         /* changes before that reading, else right after it */
	int64_t times, now;  /* of all files, and of the clock; 0: the real ones */
} seam;

/* In place, keeping inode and size, and the time of its last change with it. */
static void rewrite(struct fs *fs, const char *path, const char *from, const char *to)
{
	struct arena a = { 0 };
	const char *full = str_fmt(&a, "%.*s/%s", STR_ARG(fs->root), path).p;
	struct timespec times[2];
	struct fs_stat ignored;
	struct stat st;
	struct str bytes;
	ptrdiff_t at;
	int fd;

	assert_int_equal(strlen(from), strlen(to));
	assert_int_equal(shop_of(fs)->real->read(fs, str_of(path), &a, &bytes, &ignored), 0);
	at = str_find(bytes, str_of(from), 0);
	assert_true(at >= 0);
	assert_int_equal(stat(full, &st), 0);
	fd = open(full, O_WRONLY);
	assert_int_equal(pwrite(fd, to, strlen(to), at), (ssize_t)strlen(to));
	close(fd);
	times[0] = st.st_atim;
	times[1] = st.st_mtim;
	assert_int_equal(utimensat(AT_FDCWD, full, times, 0), 0);
	arena_release(&a);
}

static void masked(struct fs_stat *st)
{
	if (seam.times != 0)
		st->mtime_ns = st->ctime_ns = seam.times;
}

static int seam_read(struct fs *fs, struct str path, struct arena *a, struct str *bytes, struct fs_stat *st)
{
	bool is_it = seam.victim != NULL && str_is(path, seam.victim);
	bool turn = is_it && ++seam.readings == seam.at;
	int rc;

	if (turn && seam.before)
		rewrite(fs, seam.victim, "SELECT", "select");
	rc = shop_of(fs)->real->read(fs, path, a, bytes, st);
	if (turn && !seam.before)
		rewrite(fs, seam.victim, "SELECT", "select");
	masked(st);
	return rc;
}

static int seam_stat(struct fs *fs, struct str path, bool follow, struct fs_stat *st)
{
	int rc = shop_of(fs)->real->stat(fs, path, follow, st);

	masked(st);
	return rc;
}

static void seam_stat_names(struct fs *fs, struct str dir, const struct str *name, size_t n, struct fs_stat *st, int *rc)
{
	shop_of(fs)->real->stat_names(fs, dir, name, n, st, rc);
	for (size_t i = 0; i < n; i++)
		masked(&st[i]);
}

static int64_t seam_now(struct fs *fs, struct str dir)
{
	return seam.now != 0 ? seam.now : shop_of(fs)->real->now(fs, dir);
}

static void seam_open(struct shop *s)
{
	s->ops.read = seam_read;
	s->ops.stat = seam_stat;
	s->ops.stat_names = seam_stat_names;
	s->ops.now = seam_now;
	s->fs.ops = &s->ops;
	memset(&seam, 0, sizeof seam);
}

static int seamed(void **state)
{
	shop_setup(state);
	seam_open(*state);
	return 0;
}

/* Waits until nothing that was done so far could have happened just now. */
static void settle(struct shop *s)
{
	int64_t first = s->real->now(&s->fs, STR("")), now = first;

	while (now == first)
		now = s->real->now(&s->fs, STR(""));
}

/* --- while we run --- */

/* A file changes at its `at`-th reading of a run that reads it twice, to hash it and to use it. */
static void changes_while_it_is_read(int at, bool before)
{
	struct shop s;

	shop_open(&s);
	seam_open(&s);
	assert_int_equal(shop_run(&s), 0);
	shop_edit(&s, "pipelines/plain.yaml", "one", "other");
	shop_edit(&s, "sql/recent.sql", "age", "years");
	seam.victim = "sql/recent.sql";
	seam.at = at;
	seam.before = before;
	assert_int_equal(shop_run(&s), 0);
	assert_in_range(seam.readings, at, 2);
	seam.victim = NULL;
	assert_int_equal(shop_run(&s), 0);
	assert_true(str_has(shop_read(&s, GEN "silver/recent.py"), STR("select * FROM")));
	assert_like_cold(&s);
	shop_close(&s);
}

static void a_file_that_changes_before_it_is_hashed_is_made_as_it_is_then(void **state)
{
	(void)state;
	changes_while_it_is_read(1, true);
}

static void a_file_that_changes_between_hashing_and_reading_is_looked_at_again(void **state)
{
	(void)state;
	changes_while_it_is_read(2, true);
}

static void a_file_that_changes_after_it_was_read_is_seen_by_the_next_run(void **state)
{
	(void)state;
	changes_while_it_is_read(2, false);
}

/* The same in a first run, which reads it once. */
static void a_file_that_changes_under_a_first_run_is_seen_by_the_next(void **state)
{
	struct shop *s = *state;

	seam.victim = "sql/recent.sql";
	seam.at = 1;
	assert_int_equal(shop_run(s), 0);
	assert_true(str_has(shop_read(s, GEN "silver/recent.py"), STR("SELECT * FROM")));
	seam.victim = NULL;
	assert_run(s, 1, GEN "silver/recent.py", "");
	assert_true(str_has(shop_read(s, GEN "silver/recent.py"), STR("select * FROM")));
	assert_like_cold(s);
}

/* Of two flowgroups that read it, one was taken as it was before the other was made of what it is now. */
static void a_file_that_changes_under_a_run_is_looked_at_for_all_its_readers(void **state)
{
	struct shop *s = *state;

	shop_edit(s, "pipelines/plain.yaml", "sql: SELECT 1 AS a", "sql_path: sql/recent.sql");
	settle(s);
	assert_int_equal(shop_run(s), 0);
	settle(s);
	shop_edit(s, "pipelines/plain.yaml", "one", "other");
	seam.victim = "sql/recent.sql";
	seam.at = 1;
	seam.before = true;
	assert_run(s, 1, GEN "gold/plain.py", "");
	assert_int_equal(seam.readings, 1);
	seam.victim = NULL;
	assert_int_equal(shop_run(s), 0);
	assert_true(str_has(shop_read(s, GEN "silver/recent.py"), STR("select * FROM")));
	assert_like_cold(s);
}

static void a_flowgroup_file_that_changes_between_scan_and_work_is_looked_at_again(void **state)
{
	struct shop *s = *state;

	assert_int_equal(shop_run(s), 0);
	shop_edit(s, "pipelines/plain.yaml", "one", "other");
	seam.victim = "pipelines/plain.yaml";
	seam.at = 2;
	seam.before = true;
	shop_run(s);
	assert_int_equal(seam.readings, 2);
	seam.victim = NULL;
	assert_int_equal(shop_run(s), 0);
	assert_true(str_has(shop_read(s, GEN "gold/plain.py"), STR("select 1")));
	assert_like_cold(s);
}

/* --- clocks --- */

static int reads_of(struct shop *s, const char *path)
{
	seam.victim = path;
	seam.readings = seam.at = 0;
	assert_int_equal(shop_run(s), 0);
	seam.victim = NULL;
	return seam.readings;
}

/* Size, inode and time of the last change are what they were; that its inode changed is all that tells. */
static void an_edit_of_the_same_size_with_its_time_put_back_is_seen(void **state)
{
	struct shop *s = *state;

	settle(s);
	assert_int_equal(shop_run(s), 0);
	assert_int_equal(reads_of(s, "sql/recent.sql"), 0); /* trusted */
	settle(s);
	rewrite(&s->fs, "sql/recent.sql", "SELECT", "select");
	assert_run(s, 1, GEN "silver/recent.py", "");
	assert_like_cold(s);
}

/* All times are equal, so that nothing of a file tells: it is trusted only when the clock has moved on since. */
static void a_stat_says_nothing_when_it_is_not_older_than_the_clock(void **state)
{
	static const int64_t ahead[] = { 0, 1, 3600 };

	(void)state;
	for (size_t i = 0; i < sizeof ahead / sizeof *ahead; i++) {
		struct shop s;

		shop_open(&s);
		seam_open(&s);
		seam.now = 1000 * SECOND + 5;
		seam.times = seam.now + ahead[i] * SECOND; /* in the future: the clock was set back */
		assert_int_equal(shop_run(&s), 0);
		rewrite(&s.fs, "sql/recent.sql", "SELECT", "select");
		assert_run(&s, 1, GEN "silver/recent.py", "");
		rewrite(&s.fs, "pipelines/plain.yaml", "SELECT", "select");
		assert_run(&s, 1, GEN "gold/plain.py", "");
		rewrite(&s.fs, GEN "gold/plain.py", "select", "SELECT");
		assert_run(&s, 0, GEN "gold/plain.py", "");
		assert_like_cold(&s);
		shop_close(&s);
	}
}

/* On a file system that keeps whole seconds, what happened in this one or the last may have happened after we looked. */
static void coarse_times_are_trusted_after_two_seconds(void **state)
{
	static const struct {
		int64_t later;
		bool trusted;
	} when[] = { { 1, false }, { 2, false }, { 3, true } };

	(void)state;
	for (size_t i = 0; i < sizeof when / sizeof *when; i++) {
		struct shop s;

		shop_open(&s);
		seam_open(&s);
		seam.times = 1000 * SECOND;
		seam.now = seam.times + when[i].later * SECOND;
		assert_int_equal(shop_run(&s), 0);
		assert_int_equal(reads_of(&s, "sql/recent.sql"), when[i].trusted ? 0 : 1);
		shop_close(&s);
	}
}

/* The store was written at a time that is yet to come. */
static void a_clock_set_back_between_runs_hides_no_edit(void **state)
{
	struct shop *s = *state;

	seam.times = 9000 * SECOND + 7;
	seam.now = seam.times + 60 * SECOND;
	assert_int_equal(shop_run(s), 0);
	assert_int_equal(reads_of(s, "sql/recent.sql"), 0); /* trusted */
	seam.now = seam.times - 3600 * SECOND;
	seam.times = seam.now - 5 * SECOND;
	rewrite(&s->fs, "sql/recent.sql", "SELECT", "select");
	assert_run(s, 1, GEN "silver/recent.py", "");
	assert_like_cold(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_that_changes_before_it_is_hashed_is_made_as_it_is_then),
		cmocka_unit_test(a_file_that_changes_between_hashing_and_reading_is_looked_at_again),
		cmocka_unit_test(a_file_that_changes_after_it_was_read_is_seen_by_the_next_run),
		shop_test(a_file_that_changes_under_a_first_run_is_seen_by_the_next, seamed),
		shop_test(a_file_that_changes_under_a_run_is_looked_at_for_all_its_readers, seamed),
		shop_test(a_flowgroup_file_that_changes_between_scan_and_work_is_looked_at_again, seamed),
		shop_test(an_edit_of_the_same_size_with_its_time_put_back_is_seen, seamed),
		cmocka_unit_test(a_stat_says_nothing_when_it_is_not_older_than_the_clock),
		cmocka_unit_test(coarse_times_are_trusted_after_two_seconds),
		shop_test(a_clock_set_back_between_runs_hides_no_edit, seamed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
