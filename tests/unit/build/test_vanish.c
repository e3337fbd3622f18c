/* test_vanish.c - files that go away, or become others, between the moment a run looks for them and the one it reads them. */
#include "shop.h"

static const char *victim;    /* path; NULL: it is another already */
static const char *meanwhile; /* what stands in its place then; NULL: nothing */

static int read_meanwhile(struct fs *fs, struct str path, struct arena *a, struct str *bytes, struct fs_stat *st)
{
	const struct fs_ops *real = shop_of(fs)->real;

	if (victim != NULL && str_is(path, victim)) {
		victim = NULL;
		assert_int_equal(real->unlink(fs, path), 0);
		if (meanwhile != NULL)
			assert_int_equal(real->create(fs, path, str_of(meanwhile), 0666), 0);
	}
	return real->read(fs, path, a, bytes, st);
}

/* One run, in which `path` is found to be `text`, from the first look into it on; or to be gone. False: nobody looked. */
static bool run_meanwhile(struct shop *s, const char *path, const char *text)
{
	s->options.workers = 1;
	s->ops.read = read_meanwhile;
	victim = path;
	meanwhile = text;
	shop_run_seamed(s);
	return victim == NULL;
}

/* What it says and writes is not looked at. */
static int run_quietly(struct shop *s)
{
	run_project(&s->fs, &s->options, &(struct run_listener){ 0 }, &s->arena, s->result);
	return s->result->status;
}

static bool is_told(const struct run_result *r)
{
	return r->fatal.n + r->findings.n != 0;
}

/* The run says so or does without; the one after it does what a cold run of what is left does. */
static void any_input_may_vanish_while_it_is_wanted(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2 * sizeof shop_files / sizeof *shop_files; i++) {
		struct shop s;
		int status;

		shop_open(&s);
		if (i % 2 != 0)
			assert_int_equal(shop_run(&s), 0);
		shop_edit(&s, "pipelines/plain.yaml", "one", "other");
		s.options.verify = true;
		run_meanwhile(&s, shop_files[i / 2].path, NULL);
		assert_in_range(s.result->status, 0, 1);
		assert_int_equal(s.result->status != 0, is_told(s.result));
		status = run_quietly(&s);
		s.options.no_cache = true;
		if (run_quietly(&s) != status || s.result->written != 0)
			fail_msg("%s: warm %d, cold %d, %zu written", shop_files[i / 2].path, status, s.result->status, s.result->written);
		shop_close(&s);
	}
}

/* The file is another during one run, whose status is told, and its old self in the next: as in a cold one. */
static int another_for_a_run(struct shop *s, const char *path, const char *text)
{
	const char *own = str_cstr(&s->arena, shop_read(s, path));
	int status;

	assert_true(run_meanwhile(s, path, text));
	status = s->result->status;
	shop_put(s, path, own);
	assert_int_equal(shop_run(s), 0);
	assert_like_cold(s);
	return status;
}

/* Discovery recalls what the file holds; the unit, redone for its preset, reads another text; then the old one is back. */
static void what_a_unit_was_made_from_for_a_moment_does_not_stay(void **state)
{
	static const char *const texts[] = { NULL, "- no flowgroup\n", "pipeline: silver\nflowgroup: other\nactions: []\n",
		                             "pipeline: silver\nflowgroup: recent\nactions: []\n" };

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct shop s;

		shop_open(&s);
		assert_int_equal(shop_run(&s), 0);
		shop_edit(&s, "presets/kept.yaml", "one", "three");
		another_for_a_run(&s, "pipelines/recent.yaml", texts[i]);
		shop_close(&s);
	}
}

/* What validate found good stands for what it saw. */
static void what_was_judged_good_is_judged_again_when_it_is_another(void **state)
{
	static const struct {
		const char *path, *text;
	} edit[] = {
		{ "pipelines/plain.yaml", "pipeline: gold\nflowgroup: plain\nactions:\n  - {name: w, type: write, source: v}\n" },
		{ "templates/landed.yaml", "name: landed\nactions:\n  - {name: w, type: write, source: v}\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof edit / sizeof *edit; i++) {
		struct shop s;

		shop_open(&s);
		s.options.task = RUN_VALIDATE;
		assert_int_equal(shop_run(&s), 0);
		s.options.task = RUN_GENERATE;
		assert_int_equal(another_for_a_run(&s, edit[i].path, edit[i].text), 1);
		shop_close(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_input_may_vanish_while_it_is_wanted),
		cmocka_unit_test(what_a_unit_was_made_from_for_a_moment_does_not_stay),
		cmocka_unit_test(what_was_judged_good_is_judged_again_when_it_is_another),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
