/* test_hindrance.c - what keeps a run from its work although the project is fine: the formatter, another run. */
#include "cmd_case.h"
#include "two_flowgroups.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

static void assert_found(const struct cmd_case *c, const char *code, const char *rule)
{
	assert_non_null(strstr(c->err, code));
	assert_non_null(strstr(c->err, rule));
}

/* The program of LHP_RUFF: a script, or with NULL none. */
static void formatter_set(struct cmd_case *c, const char *script)
{
	struct str path = str_fmt(&c->arena, "%s/ruff", c->folder);

	if (script != NULL) {
		case_put(c, "ruff", script);
		assert_int_equal(chmod(path.p, 0755), 0);
	}
	setenv("LHP_RUFF", path.p, 1);
}

static void a_formatter_that_is_absent_or_fails_writes_nothing(void **state)
{
	const char *own = getenv("LHP_RUFF");
	struct arena a = { 0 };
	struct cmd_case c;

	(void)state;
	own = own != NULL ? str_cstr(&a, str_of(own)) : NULL;
	case_open(&c);
	two_flowgroups_put(&c);
	formatter_set(&c, NULL);
	assert_int_equal(case_run(&c, "generate -e dev -s"), 1);
	assert_found(&c, "LHP-CFG-034", "rule: format.missing");
	formatter_set(&c, "#!/bin/sh\necho broken >&2\nexit 2\n");
	assert_int_equal(case_run(&c, "generate -e dev -s"), 1);
	assert_found(&c, "LHP-CFG-033", "rule: format.failed");
	assert_false(fs_is_dir(&c.fs, STR("generated/dev/gold_orders")));
	assert_int_equal(case_run(&c, "generate -e dev --no-format"), 0);
	case_close(&c);
	if (own != NULL)
		setenv("LHP_RUFF", own, 1);
	else
		unsetenv("LHP_RUFF");
	arena_release(&a);
}

static void another_run_is_not_waited_for_with_no_wait(void **state)
{
	struct cmd_case *c = *state;
	int fd;

	assert_int_equal(fs_mkdirs(&c->fs, STR(".lhp/cache")), 0);
	fd = open(str_fmt(&c->arena, "%s/.lhp/cache", c->folder).p, O_RDONLY | O_DIRECTORY);
	assert_true(fd >= 0);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	assert_int_equal(case_run(c, "generate -e dev --no-wait --no-format -s"), 4);
	assert_found(c, "LHP-GEN-903", "rule: run.locked");
	assert_false(fs_is_dir(&c->fs, STR("generated")));
	assert_int_equal(close(fd), 0);
	assert_int_equal(case_run(c, "generate -e dev --no-wait --no-format"), 0);
}

static void files_of_dag_that_cannot_be_written_are_a_failure_of_the_machine(void **state)
{
	struct cmd_case *c = *state;

	assert_int_equal(case_run(c, "dag -o lhp.yaml/deep"), 3);
	assert_found(c, "LHP-IO-005", "rule: output.unwritable");
	assert_int_equal(fs_mkdirs(&c->fs, STR(".lhp/dependencies/demo_orchestration.job.yml")), 0);
	assert_int_equal(case_run(c, "dag --format job"), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_formatter_that_is_absent_or_fails_writes_nothing),
		case_test(files_of_dag_that_cannot_be_written_are_a_failure_of_the_machine, two_flowgroups),
		case_test(another_run_is_not_waited_for_with_no_wait, two_flowgroups),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
