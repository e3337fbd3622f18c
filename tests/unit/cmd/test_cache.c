#include "two_flowgroups.h"

#include "cache/archive.h"
#include "cache/lock.h"
#include "cache/store.h"

#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>

static void byte_flip(struct cmd_case *c, const char *path, size_t at)
{
	struct str bytes;
	char *copy;

	assert_int_equal(fs_read(&c->fs, str_of(path), &c->arena, &bytes, NULL), 0);
	copy = (char *)(uintptr_t)str_cstr(&c->arena, bytes);
	memcpy(copy, bytes.p, bytes.n);
	copy[at] ^= 1;
	assert_int_equal(fs_replace(&c->fs, str_of(path), (struct str){ copy, bytes.n }), 0);
}

static void stats_count_records_by_kind(void **state)
{
	struct cmd_case *c = *state;

	assert_prints(c, "cache stats", 0, "There is no store yet: the first `lhp generate` or `lhp validate` makes it.\n");
	assert_int_equal(case_run(c, "generate -e dev --no-format"), 0);
	assert_int_equal(case_run(c, "cache stats"), 0);
	assert_non_null(strstr(c->out, "       2  pipelines with their flowgroups, "));
	assert_non_null(strstr(c->out, "Last run with something to do: 0 of 2 flowgroups reused (0.0 %)\n"));
	case_put(c, "sql/recent.sql", "SELECT 1 AS x\n");
	assert_int_equal(case_run(c, "generate -e dev --no-format"), 0);
	assert_int_equal(case_run(c, "cache stats"), 0);
	assert_non_null(strstr(c->out, "Last run with something to do: 1 of 2 flowgroups reused (50.0 %)\n"));
}

static void verify_holds_traces_against_files(void **state)
{
	struct cmd_case *c = *state;

	assert_int_equal(case_run(c, "cache verify"), 0);
	assert_non_null(strstr(c->out, "dev: 2 of 2 traces fit the files"));
	assert_non_null(strstr(c->out, "every checksum is right\n"));
	case_put(c, "sql/recent.sql", "SELECT 1 AS x\n");
	assert_int_equal(case_run(c, "cache verify"), 0);
	assert_non_null(strstr(c->out, "dev: 1 of 2 traces fit the files"));
	byte_flip(c, ".lhp/cache/data.mdb", 5000);
	assert_int_equal(case_run(c, "cache verify"), 1);
	assert_string_equal(c->err, "The store is damaged, or being written at this moment.\n");
	assert_true(fs_is_file(&c->fs, STR(".lhp/cache/data.mdb")));
}

static void clear_makes_the_next_run_cold(void **state)
{
	struct cmd_case *c = *state;

	assert_int_equal(case_run(c, "cache clear"), 0);
	assert_true(str_ends(str_of(c->out), STR(" freed; the next run is a cold one.\n")));
	assert_false(fs_is_file(&c->fs, STR(".lhp/cache/data.mdb")));
	assert_int_equal(case_run(c, "generate -e dev --no-format"), 0);
	assert_null(strstr(c->err, "up to date"));
}

static void an_imported_store_is_compared_with_the_files(void **state)
{
	struct cmd_case *c = *state;

	assert_prints(c, "cache export .lhp/x.lhp", 0, "Exported to .lhp/x.lhp\n");
	assert_int_equal(case_run(c, "cache clear"), 0);
	assert_prints(c, "cache import .lhp/x.lhp", 0, "Imported from .lhp/x.lhp; the next run compares it with the files.\n");
	assert_int_equal(case_run(c, "generate -e dev --no-format"), 0);
	assert_non_null(strstr(c->err, "up to date"));
	assert_int_equal(case_run(c, "cache import .lhp/x.lhp"), 0);
	case_put(c, "sql/recent.sql", "SELECT 1 AS x\n");
	assert_int_equal(case_run(c, "generate -e dev --no-format"), 0);
	assert_non_null(strstr(c->err, "1 of 2 flowgroups rebuilt"));
}

/* A whole and good archive, of a store that another program made. */
static void foreign_export(struct cmd_case *c, const char *file)
{
	struct str dir = str_fmt(&c->arena, "%s/.lhp/foreign", c->folder), build = STR("another program"), notice;
	struct store *s;

	assert_int_equal(fs_mkdirs(&c->fs, STR(".lhp/foreign")), 0);
	assert_int_equal(store_open(&s, dir, build, &notice, &c->arena), 0);
	store_put(s, 'G', 0, STR(""), STR("x"));
	assert_int_equal(store_commit(s), 0);
	store_close(s);
	assert_int_equal(archive_export(&c->fs, dir, build, str_of(file), &c->arena), 0);
}

static void an_export_of_another_version_is_refused(void **state)
{
	struct cmd_case *c = *state;

	foreign_export(c, ".lhp/x.lhp");
	assert_int_equal(case_run(c, "cache import .lhp/x.lhp"), 1);
	assert_string_equal(c->err, "lhp: .lhp/x.lhp was exported by another version of lhp: the store is as it was\n");
	assert_int_equal(case_run(c, "generate -e dev --no-format"), 0);
	assert_non_null(strstr(c->err, "up to date"));
}

/* What was made here is no secret of the machine that made it: the project's folder may have any name. */
static void an_export_can_be_taken_to_another_folder(void **state)
{
	struct cmd_case *c = *state, other;
	struct str bytes;

	assert_int_equal(case_run(c, "cache export .lhp/x.lhp"), 0);
	assert_int_equal(fs_read(&c->fs, STR(".lhp/x.lhp"), &c->arena, &bytes, NULL), 0);
	case_open(&other);
	two_flowgroups_put(&other);
	assert_int_equal(fs_mkdirs(&other.fs, STR(".lhp")), 0);
	assert_int_equal(fs_replace(&other.fs, STR(".lhp/x.lhp"), bytes), 0);
	assert_int_equal(case_run(&other, "cache import .lhp/x.lhp"), 0);
	assert_int_equal(case_run(&other, "generate -e dev --no-format"), 0);
	assert_non_null(strstr(other.err, "0 of 2 flowgroups rebuilt · 2 files written"));
	case_close(&other);
}

static void without_a_store_there_is_nothing_to_look_at_or_to_export(void **state)
{
	struct cmd_case *c = *state;

	assert_int_equal(case_run(c, "cache verify"), 0);
	assert_string_equal(c->err, "There is no store yet: the first `lhp generate` or `lhp validate` makes it.\n");
	assert_int_equal(case_run(c, "cache export x.lhp"), 1);
	assert_false(fs_is_file(&c->fs, STR("x.lhp")));
	assert_int_equal(case_run(c, "cache clear"), 0);
}

static void files_that_cannot_be_used_are_failures_of_the_machine(void **state)
{
	struct cmd_case *c = *state;

	assert_int_equal(case_run(c, "cache import nowhere.lhp"), 3);
	assert_string_equal(c->err, "lhp: nowhere.lhp: No such file or directory\n");
	assert_int_equal(case_run(c, "cache export no/where.lhp"), 3);
	assert_string_equal(c->err, "lhp: no/where.lhp: No such file or directory\n");
	assert_int_equal(case_run(c, "cache import"), 2);
	assert_int_equal(case_run(c, "cache export"), 2);
}

static void clear_takes_stores_along_that_were_set_aside(void **state)
{
	struct cmd_case *c = *state;

	byte_flip(c, ".lhp/cache/data.mdb", 5000);
	assert_int_equal(case_run(c, "generate -e dev --no-format"), 0);
	assert_true(fs_is_file(&c->fs, STR(".lhp/cache.bad-1")));
	assert_int_equal(case_run(c, "cache clear"), 0);
	assert_false(fs_is_file(&c->fs, STR(".lhp/cache.bad-1")));
}

static void a_damaged_export_changes_nothing(void **state)
{
	struct cmd_case *c = *state;

	assert_int_equal(case_run(c, "cache export .lhp/x.lhp"), 0);
	byte_flip(c, ".lhp/x.lhp", 3000);
	assert_int_equal(case_run(c, "cache import .lhp/x.lhp"), 1);
	assert_string_equal(c->err, "lhp: .lhp/x.lhp is damaged or no export of lhp: the store is as it was\n");
	case_put(c, ".lhp/y.lhp", "LHP");
	assert_int_equal(case_run(c, "cache import .lhp/y.lhp"), 1);
	assert_int_equal(case_run(c, "generate -e dev --no-format"), 0);
	assert_non_null(strstr(c->err, "up to date"));
}

/* `lhp LINE` in a child process, which has no part in our lock; its errors go to `log`. */
static pid_t beside(const struct cmd_case *c, const struct lock *ours, const char *const *word, int n, const char *log)
{
	pid_t pid = fork();

	if (pid == 0) {
		FILE *to = fopen(log, "w");
		struct io io = { .out = to, .err = to, .cwd = str_of(c->folder), .columns = 80, .getenv = no_env };
		char *argv[4] = { NULL };

		for (int i = 0; i < n; i++)
			argv[i] = (char *)(uintptr_t)word[i];
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(ours->fd);
		setvbuf(to, NULL, _IONBF, 0);
		_exit(lhp_main(n, argv, &io));
	}
	return pid;
}

static bool is_said(const struct cmd_case *c, const char *log, const char *text)
{
	struct arena a = { 0 };
	struct str said = STR("");
	bool found = fs_read((struct fs *)(uintptr_t)&c->fs, str_of(log), &a, &said, NULL) == 0 && str_has(said, str_of(text));

	arena_release(&a);
	return found;
}

/* It says for whom, and does its work when that one has done his. */
static void what_changes_the_store_waits_for_a_run(void **state)
{
	static const char *const line[][4] = { { "lhp", "cache", "clear" }, { "lhp", "cache", "export", ".lhp/x.lhp" },
		                               { "lhp", "cache", "import", ".lhp/x.lhp" } };
	struct cmd_case *c = *state;
	char log[96], waiting[96];

	assert_int_equal(case_run(c, "cache export .lhp/x.lhp"), 0);
	snprintf(log, sizeof log, "%s.log", c->folder);
	snprintf(waiting, sizeof waiting, "Waiting for another run of lhp in this project (process %d: ", (int)getpid());
	for (size_t i = 0; i < sizeof line / sizeof *line; i++) {
		struct lock_holder holder;
		struct lock lock;
		int status;
		pid_t pid;

		assert_int_equal(case_run(c, "validate -e dev"), 0);
		assert_int_equal(lock_take(&lock, str_fmt(&c->arena, "%s/.lhp/cache", c->folder), false, &holder, NULL, NULL), 0);
		unlink(log);
		pid = beside(c, &lock, line[i], i == 0 ? 3 : 4, log);
		for (int k = 0; k < 1000 && !is_said(c, log, waiting); k++)
			usleep(10000);
		assert_true(is_said(c, log, waiting));
		assert_int_equal(waitpid(pid, &status, WNOHANG), 0);
		lock_give(&lock);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_int_equal(status, 0);
	}
	unlink(log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		case_test(stats_count_records_by_kind, two_flowgroups),
		case_test(verify_holds_traces_against_files, two_flowgroups_made),
		case_test(clear_makes_the_next_run_cold, two_flowgroups_made),
		case_test(an_imported_store_is_compared_with_the_files, two_flowgroups_made),
		case_test(a_damaged_export_changes_nothing, two_flowgroups_made),
		case_test(an_export_of_another_version_is_refused, two_flowgroups_made),
		case_test(an_export_can_be_taken_to_another_folder, two_flowgroups_made),
		case_test(without_a_store_there_is_nothing_to_look_at_or_to_export, two_flowgroups),
		case_test(files_that_cannot_be_used_are_failures_of_the_machine, two_flowgroups_made),
		case_test(clear_takes_stores_along_that_were_set_aside, two_flowgroups_made),
		case_test(what_changes_the_store_waits_for_a_run, two_flowgroups_made),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
