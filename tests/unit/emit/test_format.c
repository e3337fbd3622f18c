#include "emit/format_folder.h"
#include "emit/format_live.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static void a_batch_comes_out_laid_out(void **state)
{
	struct arena a = { 0 };
	struct formatter f;
	struct str problem;
	struct format_item item[] = {
		{ .name = STR("p/a.py"), .raw = STR("x  =  'a'\n") },
		{ .name = STR("p/b.py"), .raw = STR("") },
		{ .name = STR("p/c.py"), .raw = STR("f( a,\n  b )\n") },
	};

	(void)state;
	if (formatter_find(&f, &a) != 0)
		skip();
	assert_int_equal(format_batch(&f, &a, item, 3, &problem), 0);
	assert_int_equal(problem.n, 0);
	assert_true(str_is(item[0].text, "x = \"a\"\n"));
	assert_true(str_is(item[1].text, ""));
	assert_true(str_is(item[2].text, "f(a, b)\n"));
	arena_release(&a);
}

static void many_texts_wait_until_they_are_read(void **state)
{
	struct arena a = { 0 };
	struct formatter f;
	struct format_batch *b;
	struct str problem, text;
	struct format_item item[] = { { .name = STR("a.py"), .raw = STR("x  =  1\n") }, { .name = STR("b.py"), .raw = STR("y  =  2\n") } };

	(void)state;
	if (formatter_find(&f, &a) != 0)
		skip();
	assert_int_equal(format_start(&f, &a, item, 2, &b, &problem), 0);
	assert_non_null(b);
	assert_int_equal(format_wait(&b, &problem), 0);
	assert_non_null(b);
	assert_null(item[0].text.p);
	assert_int_equal(format_read(b, 1, &a, &text), 0);
	assert_true(str_is(text, "y = 2\n"));
	assert_int_equal(format_read(b, 0, &a, &text), 0);
	assert_true(str_is(text, "x = 1\n"));
	format_end(b);
	assert_int_equal(format_start(&f, &a, item, 1, &b, &problem), 0);
	assert_int_equal(format_wait(&b, &problem), 0);
	assert_null(b);
	assert_true(str_is(item[0].text, "x = 1\n"));
	arena_release(&a);
}

static bool is_there(struct arena *a, const char *where, const char *name)
{
	return access(str_fmt(a, "%s/%s", where, name).p, F_OK) == 0;
}

static void copies_put(struct arena *a, const char *where, const char *name, time_t at)
{
	const struct timespec times[] = { { .tv_sec = at }, { .tv_sec = at } };
	struct str path = str_fmt(a, "%s/%s", where, name);

	assert_int_equal(mkdir(path.p, 0700), 0);
	assert_int_equal(mkdir(str_fmt(a, "%s/0", path.p).p, 0700), 0);
	assert_int_equal(utimensat(AT_FDCWD, path.p, times, 0), 0);
}

static void what_a_killed_run_left_goes_with_the_next(void **state)
{
	char where[] = "/tmp/lhp-test-left-XXXXXX";
	struct format_folder f = { 0 };
	struct arena a = { 0 };
	struct fs fs;
	int used;

	(void)state;
	assert_non_null(mkdtemp(where));
	copies_put(&a, where, "lhp-format-killed", 1000);
	copies_put(&a, where, "lhp-format-used", 1000);
	copies_put(&a, where, "lhp-format-young", time(NULL));
	copies_put(&a, where, "of-somebody-else", 1000);
	used = open(str_fmt(&a, "%s/lhp-format-used", where).p, O_RDONLY | O_DIRECTORY);
	assert_int_equal(flock(used, LOCK_EX), 0);
	assert_int_equal(format_folder_make(&f, &a, where), 0);
	assert_false(is_there(&a, where, "lhp-format-killed"));
	assert_true(is_there(&a, where, "lhp-format-used"));
	assert_true(is_there(&a, where, "lhp-format-young"));
	assert_true(is_there(&a, where, "of-somebody-else"));
	format_folder_remove(&f);
	close(used);
	assert_int_equal(fs_open(&fs, &a, str_of(where)), 0);
	fs_remove_tree(&fs, STR(""));
	fs_close(&fs);
	rmdir(where);
	arena_release(&a);
}

static void a_text_that_does_not_parse_fails_alone(void **state)
{
	struct arena a = { 0 };
	struct formatter f;
	struct str problem;
	struct format_item item[] = {
		{ .name = STR("p/a.py"), .raw = STR("x  =  1\n") },
		{ .name = STR("p/b.py"), .raw = STR("y = 1\ndef f(:\n    pass\n") },
		{ .name = STR("p/c.py"), .raw = STR("z  =  1\n") },
	};

	(void)state;
	if (formatter_find(&f, &a) != 0)
		skip();
	assert_int_equal(format_batch(&f, &a, item, 3, &problem), 0);
	assert_false(item[0].failed);
	assert_true(str_is(item[0].text, "x = 1\n"));
	assert_true(item[1].failed);
	assert_true(str_starts(item[1].problem, STR("p/b.py:2:7: ")));
	assert_false(item[2].failed);
	assert_true(str_is(item[2].text, "z = 1\n"));
	arena_release(&a);
}

static void one_text_comes_out_as_in_a_batch(void **state)
{
	struct arena a = { 0 };
	struct formatter f;
	struct str problem;
	struct format_item good = { .name = STR("p/a.py"), .raw = STR("x  =  'a'\r\n") }, empty = { .name = STR("p/b.py"), .raw = STR("") };
	struct format_item bad = { .name = STR("p/c.py"), .raw = STR("y = 1\ndef f(:\n    pass\n") };

	(void)state;
	if (formatter_find(&f, &a) != 0)
		skip();
	assert_int_equal(format_batch(&f, &a, &good, 1, &problem), 0);
	assert_true(str_is(good.text, "x = \"a\"\r\n"));
	assert_int_equal(format_batch(&f, &a, &empty, 1, &problem), 0);
	assert_true(str_is(empty.text, ""));
	assert_int_equal(format_batch(&f, &a, &bad, 1, &problem), 0);
	assert_true(bad.failed);
	assert_true(str_starts(bad.problem, STR("p/c.py:2:7: ")));
	arena_release(&a);
}

/* A program that is no formatter: it fails, or is of another version. */
static struct formatter script_make(struct arena *a, const char *text)
{
	char path[] = "/tmp/lhp-test-ruff-XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	assert_int_equal(fchmod(fd, 0755), 0);
	close(fd);
	return (struct formatter){ str_dup(a, str_of(path)) };
}

static void a_program_that_fails_says_why(void **state)
{
	struct arena a = { 0 };
	struct formatter f = script_make(&a, "#!/bin/sh\necho out of luck >&2\nexit 3\n");
	struct format_item item = { .name = STR("a.py"), .raw = STR("x\n") };
	struct str problem;

	(void)state;
	assert_int_equal(format_batch(&f, &a, &item, 1, &problem), -EIO);
	assert_true(str_has(problem, STR("out of luck")));
	unlink(f.program.p);
	arena_release(&a);
}

static void another_version_is_used_and_said(void **state)
{
	struct arena a = { 0 };
	struct formatter f = script_make(&a, "#!/bin/sh\ncase \"$*\" in *required-version*)\n"
					     "  echo 'Cause: Required version `==0.13.3` does not match' >&2; exit 2;; esac\n"
					     "read raw && echo $raw y || echo y >0/0.py\n");
	struct format_item item[] = { { .name = STR("a.py"), .raw = STR("x\n") }, { .name = STR("b.py"), .raw = STR("z\n") } };
	struct str problem;

	(void)state;
	assert_int_equal(format_batch(&f, &a, item, 1, &problem), 0);
	assert_true(str_has(problem, STR("another version")));
	assert_true(str_is(item[0].text, "x y\n"));
	assert_int_equal(format_batch(&f, &a, item, 2, &problem), 0);
	assert_true(str_has(problem, STR("another version")));
	assert_true(str_is(item[0].text, "y\n"));
	assert_true(str_is(item[1].text, "z\n"));
	unlink(f.program.p);
	arena_release(&a);
}

static void a_program_that_is_not_there_is_an_error(void **state)
{
	struct arena a = { 0 };
	struct formatter f = { STR("/nowhere/ruff") };
	struct format_item item = { .name = STR("a.py"), .raw = STR("x\n") };
	struct str problem, own = str_dup(&a, str_of(getenv("LHP_RUFF")));

	(void)state;
	assert_int_equal(format_batch(&f, &a, &item, 1, &problem), -ENOENT);
	assert_true(str_has(problem, STR("/nowhere/ruff")));
	setenv("LHP_RUFF", "/nowhere/ruff", 1);
	assert_int_equal(formatter_find(&f, &a), -ENOENT);
	if (own.n != 0)
		setenv("LHP_RUFF", own.p, 1);
	else
		unsetenv("LHP_RUFF");
	arena_release(&a);
}

/* Many copies are written by several threads, in several folders; each comes back as its own, and so do complaints. */
static void many_come_back_as_their_own(void **state)
{
	enum { MANY = 203, BAD = 107 };
	struct arena a = { 0 };
	struct formatter f = { .workers = 4 };
	struct format_item item[MANY];
	struct str problem;

	(void)state;
	if (formatter_find(&f, &a) != 0)
		skip();
	for (size_t i = 0; i < MANY; i++)
		item[i] = (struct format_item){ .name = str_fmt(&a, "p/%zu.py", i),
			                        .raw = i == BAD ? STR("x = (\n") : str_fmt(&a, "x  =  %zu\n", i) };
	assert_int_equal(format_batch(&f, &a, item, MANY, &problem), 0);
	for (size_t i = 0; i < MANY; i++) {
		assert_int_equal(item[i].failed, i == BAD);
		if (i != BAD)
			assert_true(str_eq(item[i].text, str_fmt(&a, "x = %zu\n", i)));
	}
	assert_true(str_starts(item[BAD].problem, STR("p/107.py:")));
	arena_release(&a);
}

static void temporary_files_are_gone_afterwards(void **state)
{
	struct arena a = { 0 };
	char dir[] = "/tmp/lhp-test-tmp-XXXXXX";
	struct formatter f = script_make(&a, "#!/bin/sh\nexit 1\n");
	struct format_item item[] = { { .name = STR("a.py"), .raw = STR("x\n") }, { .name = STR("b.py"), .raw = STR("x\n") } };
	struct str problem;

	(void)state;
	assert_non_null(mkdtemp(dir));
	setenv("TMPDIR", dir, 1);
	assert_true(format_batch(&f, &a, item, 2, &problem) < 0);
	unsetenv("TMPDIR");
	assert_int_equal(rmdir(dir), 0);
	unlink(f.program.p);
	arena_release(&a);
}

static void a_live_one_lays_out_text_after_text(void **state)
{
	struct arena a = { 0 };
	struct format_live live = { 0 };
	struct formatter f;
	struct format_item item[] = {
		{ .name = STR("p/a.py"), .raw = STR("x  =  'a'\n") },
		{ .name = STR("p/b.py"), .raw = STR("# \xC3\xA9\n\n\ny = '\xC3\xA9' ; z  = 1\n# end\n") },
	};

	(void)state;
	if (formatter_find(&f, &a) != 0)
		skip();
	format_live_start(&live, &f);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(format_live_items(&live, &f, &a, item, 2), 0);
		assert_true(str_is(item[0].text, "x = \"a\"\n"));
		assert_true(str_is(item[1].text, "# \xC3\xA9\n\n\ny = \"\xC3\xA9\"\nz = 1\n# end\n"));
	}
	format_live_stop(&live);
	/* It is started by whoever needs it. */
	assert_int_equal(format_live_items(&live, &f, &a, item, 2), 0);
	format_live_stop(&live);
	arena_release(&a);
}

static void a_live_one_is_not_believed_when_it_changes_nothing(void **state)
{
	struct arena a = { 0 };
	struct format_live live = { 0 };
	struct formatter f;
	struct str problem;
	struct format_item bad = { .name = STR("p/a.py"), .raw = STR("def f(:\n") }, good = { .name = STR("p/b.py"), .raw = STR("x = 1\n") };

	(void)state;
	if (formatter_find(&f, &a) != 0)
		skip();
	f.live = &live;
	assert_int_equal(format_live_items(&live, &f, &a, &bad, 1), -1);
	assert_int_equal(format_batch(&f, &a, &bad, 1, &problem), 0);
	assert_true(bad.failed);
	assert_int_equal(format_batch(&f, &a, &good, 1, &problem), 0);
	assert_true(str_is(good.text, "x = 1\n"));
	format_live_stop(&live);
	arena_release(&a);
}

static void a_live_one_that_says_nothing_is_left_alone(void **state)
{
	struct arena a = { 0 };
	struct format_live live = { 0 };
	struct formatter f = script_make(&a, "#!/bin/sh\nexit 0\n");
	struct format_item item = { .name = STR("p/a.py"), .raw = STR("x  =  1\n") };

	(void)state;
	assert_int_equal(format_live_items(&live, &f, &a, &item, 1), -1);
	assert_true(live.refused);
	format_live_stop(&live);
	unlink(f.program.p);
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_batch_comes_out_laid_out),
		cmocka_unit_test(many_texts_wait_until_they_are_read),
		cmocka_unit_test(what_a_killed_run_left_goes_with_the_next),
		cmocka_unit_test(a_text_that_does_not_parse_fails_alone),
		cmocka_unit_test(one_text_comes_out_as_in_a_batch),
		cmocka_unit_test(a_program_that_fails_says_why),
		cmocka_unit_test(another_version_is_used_and_said),
		cmocka_unit_test(a_program_that_is_not_there_is_an_error),
		cmocka_unit_test(many_come_back_as_their_own),
		cmocka_unit_test(temporary_files_are_gone_afterwards),
		cmocka_unit_test(a_live_one_lays_out_text_after_text),
		cmocka_unit_test(a_live_one_is_not_believed_when_it_changes_nothing),
		cmocka_unit_test(a_live_one_that_says_nothing_is_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
