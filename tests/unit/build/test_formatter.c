/* The formatter of a run: how often it is started, which version it is, and what that is good for. Scripts take its place. */
#include "emit/format_live.h"
#include "shop.h"

#include <sys/stat.h>

#define COUNTS "echo x >>\"$(dirname \"$0\")/starts\"\n"
#define LAYS_OUT                                                                                     \
	"case \"$*\" in *stdin*) cat; echo '# laid out';; *) for f in */*.py; do echo '# laid out' >>$f; done;; esac\n"
#define PINNED "#!/bin/sh\n" COUNTS LAYS_OUT
#define OTHER                                                                                        \
	"#!/bin/sh\n" COUNTS "case \"$*\" in *required-version*) echo 'Required version does not match' >&2; exit 2;; esac\n" LAYS_OUT
#define BROKEN "#!/bin/sh\n" COUNTS "echo out of luck >&2\nexit 3\n"

static const char *own;

static void program_put(struct shop *s, const char *script)
{
	shop_put(s, "tools/ruff", script);
	assert_int_equal(chmod(str_fmt(&s->arena, "%s/tools/ruff", s->folder).p, 0755), 0);
}

static size_t starts(struct shop *s)
{
	struct str bytes;
	int rc = fs_read(&s->fs, STR("tools/starts"), &s->arena, &bytes, NULL);

	fs_remove_tree(&s->fs, STR("tools/starts"));
	return rc == 0 ? str_count_char(bytes, '\n') : 0;
}

static int setup(void **state)
{
	struct shop *s;

	shop_setup(state);
	s = *state;
	s->options.no_format = false;
	setenv("LHP_RUFF", str_fmt(&s->arena, "%s/tools/ruff", s->folder).p, 1);
	return 0;
}

static int teardown(void **state)
{
	if (own != NULL)
		setenv("LHP_RUFF", own, 1);
	else
		unsetenv("LHP_RUFF");
	return shop_teardown(state);
}

static bool is_another(const struct shop *s)
{
	return str_has(buf_str(&s->said), STR("another version of ruff"));
}

static void the_first_texts_tell_the_version(void **state)
{
	struct shop *s = *state;

	program_put(s, PINNED);
	assert_int_equal(shop_run(s), 0);
	assert_int_equal(starts(s), 1);
	assert_false(is_another(s));
	assert_true(str_ends(shop_read(s, GEN "gold/plain.py"), STR("# laid out\n")));
	assert_run(s, 0, "", "");
	shop_edit(s, "sql/recent.sql", "age", "years");
	assert_run(s, 1, GEN "silver/recent.py", "");
	assert_int_equal(starts(s), 1);
	assert_like_cold(s);
}

static void another_version_is_said_in_each_run_that_has_texts_for_it(void **state)
{
	struct shop *s = *state;

	program_put(s, OTHER);
	assert_int_equal(shop_run(s), 0);
	assert_true(is_another(s));
	assert_run(s, 0, "", "");
	assert_true(is_another(s));
	shop_edit(s, "sql/recent.sql", "age", "years");
	assert_run(s, 1, GEN "silver/recent.py", "");
	assert_true(is_another(s));
	fs_remove_tree(&s->fs, STR("pipelines/plain.yaml"));
	assert_run(s, 0, "", GEN "gold/plain.py");
	assert_true(is_another(s));
	assert_like_cold(s);
}

static void what_one_version_laid_out_another_does_again(void **state)
{
	struct shop *s = *state;

	program_put(s, OTHER);
	assert_int_equal(shop_run(s), 0);
	program_put(s, PINNED);
	starts(s);
	assert_int_equal(shop_run(s), 0);
	assert_false(is_another(s));
	assert_int_equal(starts(s), 2);
	assert_int_equal(s->result->written, 0);
	assert_run(s, 0, "", "");
	assert_true(s->result->up_to_date);
	assert_like_cold(s);
}

/* The same is said by a run that knows what the last one made, and by one that knows nothing. */
static void one_that_fails_is_told_of_after_the_flowgroups(void **state)
{
	struct shop *s = *state;

	program_put(s, PINNED);
	assert_int_equal(shop_run(s), 0);
	program_put(s, BROKEN);
	shop_edit(s, "pipelines/plain.yaml", "gold, table: plain", "gold, tabel: plain");
	for (int cold = 0; cold < 2; cold++) {
		s->options.no_cache = cold;
		assert_int_equal(shop_run(s), 1);
		assert_int_equal(s->result->findings.n, 1);
		assert_int_equal(s->result->fatal.n, 0);
	}
	shop_edit(s, "pipelines/plain.yaml", "tabel", "table");
	for (int cold = 0; cold < 2; cold++) {
		s->options.no_cache = cold;
		assert_int_equal(shop_run(s), 1);
		assert_int_equal(s->result->findings.n, 0);
		assert_string_equal(s->result->fatal.p[0].rule->code, "LHP-CFG-033");
		assert_int_equal(s->result->written, 0);
	}
}

/* The one that stays is spoken to, and no other is started. */
static void a_formatter_that_stays_is_not_started_again(void **state)
{
	struct shop *s = *state;
	struct format_live live = { 0 };
	struct formatter f;

	if (own != NULL)
		setenv("LHP_RUFF", own, 1);
	else
		unsetenv("LHP_RUFF");
	if (formatter_find(&f, &s->arena) != 0)
		skip();
	program_put(s, str_fmt(&s->arena, "#!/bin/sh\n" COUNTS "exec %.*s \"$@\"\n", STR_ARG(f.program)).p);
	setenv("LHP_RUFF", str_fmt(&s->arena, "%s/tools/ruff", s->folder).p, 1);
	s->options.live = &live;
	assert_int_equal(shop_run(s), 0);
	for (int i = 0; i < 3; i++) {
		shop_edit(s, "pipelines/plain.yaml", "SELECT 1", "SELECT 11");
		assert_run(s, 1, GEN "gold/plain.py", "");
		if (i == 0)
			starts(s); /* also of the one that stays */
	}
	assert_int_equal(starts(s), 0);
	format_live_stop(&live);
	s->options.live = NULL;
	assert_like_cold(s);
}

#define formatter_test(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		formatter_test(the_first_texts_tell_the_version),
		formatter_test(another_version_is_said_in_each_run_that_has_texts_for_it),
		formatter_test(what_one_version_laid_out_another_does_again),
		formatter_test(one_that_fails_is_told_of_after_the_flowgroups),
		formatter_test(a_formatter_that_stays_is_not_started_again),
	};

	own = getenv("LHP_RUFF");
	own = own != NULL ? strdup(own) : NULL;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
