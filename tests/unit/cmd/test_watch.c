/* `lhp watch` in a child process: what it leaves equals a cold run. */
#include "two_flowgroups.h"

#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>

struct watched {
	struct cmd_case c;
	pid_t pid;
	char log[96];
	bool terminal; /* as if the log were one */
};

static void watch_child(const struct watched *w, bool validate)
{
	char *argv[] = { (char *)(uintptr_t) "lhp", (char *)(uintptr_t) "watch", (char *)(uintptr_t)(validate ? "--validate" : "--no-format"),
		         NULL };
	FILE *log = fopen(w->log, "w");
	struct io io = { .out = log, .err = log, .cwd = str_of(w->c.folder), .columns = 80, .getenv = no_env,
		         .out_is_terminal = w->terminal, .err_is_terminal = w->terminal };

	/* A test that fails leaves nobody behind. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	_exit(lhp_main(3, argv, &io));
}

static struct str log_text(struct watched *w)
{
	struct str bytes;

	return fs_read(&w->c.fs, str_of(w->log), &w->c.arena, &bytes, NULL) == 0 ? bytes : STR("");
}

/* Up to ten seconds, until the log has `text` this many times. */
static void await(struct watched *w, const char *text, size_t times)
{
	for (int i = 0; i < 1000; i++) {
		struct str log = log_text(w);
		size_t n = 0;

		for (ptrdiff_t at = 0; (at = str_find(log, str_of(text), (size_t)at)) >= 0; at++)
			n++;
		if (n >= times)
			return;
		usleep(10000);
	}
	fail_msg("'%s' %zu times did not come:\n%.*s", text, times, STR_ARG(log_text(w)));
}

/* Until nothing was said for three seconds: more than a build takes on a busy machine. */
static void await_quiet(struct watched *w)
{
	size_t said = 0;

	for (int quiet = 0; quiet < 30; quiet++) {
		size_t now = log_text(w).n;

		quiet = now != said ? 0 : quiet;
		said = now;
		usleep(100000);
	}
}

static void watch_again(struct watched *w, bool validate)
{
	unlink(w->log);
	w->pid = fork();
	if (w->pid == 0)
		watch_child(w, validate);
	await(w, "start → ", 1);
}

static void watch_start_on(struct watched *w, bool validate, bool terminal)
{
	w->terminal = terminal;
	case_open(&w->c);
	two_flowgroups_put(&w->c);
	snprintf(w->log, sizeof w->log, "%s.log", w->c.folder);
	watch_again(w, validate);
}

static void watch_start(struct watched *w, bool validate)
{
	watch_start_on(w, validate, false);
}

static void watch_stop(struct watched *w)
{
	int status;

	assert_int_equal(kill(w->pid, SIGINT), 0);
	assert_int_equal(waitpid(w->pid, &status, 0), w->pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 130);
}

static void shell(const struct watched *w, const char *command)
{
	char line[600];

	snprintf(line, sizeof line, "cd %s && %s", w->c.folder, command);
	assert_int_equal(system(line), 0);
}

/* The store is whole and up to date, and a cold run would write the same. */
static void assert_as_cold(struct watched *w)
{
	assert_int_equal(case_run(&w->c, "generate -e dev --no-format"), 0);
	assert_non_null(strstr(w->c.err, "up to date"));
	shell(w, "cp -r generated kept && rm -rf generated .lhp");
	assert_int_equal(case_run(&w->c, "generate -e dev --no-format --no-cache"), 0);
	shell(w, "diff -r generated kept");
}

static void watch_end(struct watched *w)
{
	unlink(w->log);
	case_close(&w->c);
}

/* What happens, if anything, and what is said of it, so many times since the start; or it is waited until nothing more is. */
struct step {
	const char *command, *says;
	size_t times;
};

#define UNTIL_QUIET NULL

/* A watch from start to end, in which all steps happen; $FAR is a folder outside of the project. */
static void steps_follow(const struct step *step, size_t n)
{
	struct watched w;

	watch_start(&w, false);
	for (; n > 0; n--, step++) {
		if (step->command != NULL)
			shell(&w, str_fmt(&w.c.arena, "FAR=$PWD.far && %s", step->command).p);
		if (step->says == UNTIL_QUIET)
			await_quiet(&w);
		else if (step->times != 0)
			await(&w, step->says, step->times);
		else
			assert_false(str_has(log_text(&w), str_of(step->says)));
	}
	watch_stop(&w);
	assert_as_cold(&w);
	shell(&w, "rm -rf $PWD.far");
	watch_end(&w);
}

#define watch_through(steps) steps_follow(steps, sizeof(steps) / sizeof *(steps))

static void each_way_of_saving_is_one_build(void **state)
{
	static const struct step steps[] = {
		{ "printf 'SELECT 1 AS a' > sql/recent.sql", " recent.sql → 1 flowgroup, 1 file, ", 1 },
		{ "printf 'SELECT 2 AS a' > sql/.new && mv sql/.new sql/recent.sql", " recent.sql → 1 flowgroup, 1 file, ", 2 },
		{ "printf x > sql/.recent.sql.swp; printf 'SELECT 3 AS a' > sql/4913 && mv sql/recent.sql sql/recent.sql~ && "
		  "mv sql/4913 sql/recent.sql && rm sql/recent.sql~ sql/.recent.sql.swp", " recent.sql → 1 flowgroup, 1 file, ", 3 },
	};

	(void)state;
	watch_through(steps);
}

static void new_folders_are_watched_with_what_they_hold(void **state)
{
	static const struct step steps[] = {
		{ "mkdir -p pipelines/a/b/c && sed 's/orders_mirror/first/' pipelines/mirror.yaml > pipelines/a/b/c/first.yaml",
		  " → 1 flowgroup, 1 file, ", 1 },
		{ "sed 's/orders_mirror/second/' pipelines/mirror.yaml > pipelines/a/b/c/second.yaml", " second.yaml → 1 flowgroup, 1 file, ", 1 },
		/* The move and the edit may be one build or two. */
		{ "mv pipelines/a pipelines/z && sed -i 's/gold, table: second/gold, table: third/' pipelines/z/b/c/second.yaml", " 1 file, ", 3 },
	};

	(void)state;
	watch_through(steps);
}

static void a_checkout_of_many_files_ends_like_a_cold_run(void **state)
{
	struct watched w;

	(void)state;
	watch_start(&w, false);
	shell(&w, "git init -q . && printf 'generated/\\n.lhp/\\nkept/\\n' > .gitignore && git add -A && "
	          "git -c user.name=a -c user.email=a@example.com commit -qm one && git checkout -q -b other && "
	          "for i in $(seq 500); do sed \"s/orders_mirror/m$i/\" pipelines/mirror.yaml > pipelines/m$i.yaml; done && "
	          "git add -A && git -c user.name=a -c user.email=a@example.com commit -qm two");
	await(&w, "more → ", 1);
	shell(&w, "git checkout -q -");
	await_quiet(&w);
	shell(&w, "git checkout -q other && printf 'SELECT 9 AS a' > sql/recent.sql");
	await_quiet(&w);
	watch_stop(&w);
	assert_int_equal(case_run(&w.c, "generate -e dev --no-format"), 0);
	assert_non_null(strstr(w.c.err, "up to date"));
	assert_true(fs_is_file(&w.c.fs, STR("generated/dev/gold_orders/m500.py")));
	assert_as_cold(&w);
	watch_end(&w);
}

/* The watcher sleeps while more happens than the kernel keeps for it; the edit comes last and is lost. */
static void lost_events_end_in_a_full_scan(void **state)
{
	struct watched w;

	(void)state;
	watch_start(&w, false);
	assert_int_equal(kill(w.pid, SIGSTOP), 0);
	shell(&w, "n=$(($(cat /proc/sys/fs/inotify/max_queued_events) / 2)) && mkdir many && rmdir many && cd sql && "
	          "seq $n | xargs touch && seq $n | xargs rm && printf 'SELECT 7 AS a' > recent.sql");
	assert_int_equal(kill(w.pid, SIGCONT), 0);
	await(&w, " full scan → 1 flowgroup, 1 file, ", 1);
	shell(&w, "printf 'SELECT 8 AS a' > sql/recent.sql");
	await(&w, " recent.sql → 1 flowgroup, 1 file, ", 1);
	watch_stop(&w);
	assert_as_cold(&w);
	watch_end(&w);
}

static void linked_folders_are_watched_and_circles_end(void **state)
{
	struct watched w;

	(void)state;
	watch_start(&w, false);
	shell(&w, "mkdir .lhp/far && printf 'SELECT 1 AS a' > .lhp/far/recent.sql && ln -s ../.lhp/far sql/far && "
	          "sed -i s,sql/recent,sql/far/recent, pipelines/recent.yaml");
	await(&w, " → 1 flowgroup, 1 file, ", 1);
	shell(&w, "printf 'SELECT 2 AS a' > .lhp/far/recent.sql");
	await(&w, " recent.sql → 1 flowgroup, 1 file, ", 1);
	watch_stop(&w);
	shell(&w, "for i in 1 2 3 4; do ln -s .. pipelines/up$i && ln -s ../pipelines sql/down$i; done");
	watch_again(&w, false);
	shell(&w, "printf 'SELECT 3 AS a' > .lhp/far/recent.sql");
	await(&w, " recent.sql → 1 flowgroup, 1 file, ", 1);
	shell(&w, "rm sql/down* && mkdir pipelines/new && sed 's/orders_mirror/more/' pipelines/mirror.yaml > pipelines/new/more.yaml");
	await(&w, " → 1 flowgroup, 1 file, ", 2);
	shell(&w, "sed -i 's/gold, table: more/gold, table: other/' pipelines/new/more.yaml");
	await(&w, " more.yaml → 1 flowgroup, 1 file, ", 1);
	watch_stop(&w);
	watch_end(&w);
}

/* Of a change under a file's other name nobody tells: it is found by the look that follows a build when all is quiet. */
static void what_nobody_tells_of_is_found_by_a_second_look(void **state)
{
	static const struct step steps[] = {
		{ "mkdir .lhp/far && ln sql/recent.sql .lhp/far/recent.sql", UNTIL_QUIET },
		{ "printf 'SELECT 2 AS a' > .lhp/far/recent.sql && touch pipelines/note.txt", " note.txt → ", 1 },
		{ NULL, " elsewhere → 1 flowgroup, 1 file, ", 1 },
	};

	(void)state;
	watch_through(steps);
}

static void inputs_beside_outputs_are_watched(void **state)
{
	static const struct step steps[] = {
		{ "mkdir monitoring && printf 'SELECT 1 AS a' > monitoring/recent.sql && "
		  "sed -i s,sql/recent,monitoring/recent, pipelines/recent.yaml",
		  " → 1 flowgroup, 1 file, ", 1 },
		{ "printf 'SELECT 2 AS a' > monitoring/recent.sql", " recent.sql → 1 flowgroup, 1 file, ", 1 },
	};

	(void)state;
	watch_through(steps);
}

static void files_outside_of_the_project_are_watched(void **state)
{
	static const struct step steps[] = {
		{ "mkdir -p $FAR/sql && printf 'SELECT 1 AS a' > $FAR/sql/recent.sql && "
		  "sed -i s,sql/recent,../$(basename $FAR)/sql/recent, pipelines/recent.yaml", " recent.yaml → 1 flowgroup, 1 file, ", 1 },
		{ NULL, UNTIL_QUIET },
		{ "printf x > $FAR/sql/other.sql; printf 'SELECT 2 AS a' > $FAR/sql/recent.sql", " recent.sql → 1 flowgroup, 1 file, ", 1 },
		{ "printf 'SELECT 3 AS a' > $FAR/sql/.new && mv $FAR/sql/.new $FAR/sql/recent.sql", " recent.sql → 1 flowgroup, 1 file, ", 2 },
		{ NULL, " other.sql", 0 },
		{ "rm -r $FAR", " → 1 error, ", 1 },
		/* Not at once: each folder is watched only when it is there. */
		{ NULL, UNTIL_QUIET },
		{ "mkdir $FAR", UNTIL_QUIET },
		{ "mkdir $FAR/sql", UNTIL_QUIET },
		{ "printf 'SELECT 4 AS a' > $FAR/sql/recent.sql", " recent.sql → 1 flowgroup, 1 file, errors fixed, ", 1 },
	};

	(void)state;
	watch_through(steps);
}

static void files_that_links_lead_to_are_watched(void **state)
{
	static const struct step steps[] = {
		{ "mkdir -p $FAR/sql && printf 'SELECT 1 AS a' > $FAR/sql/far.sql && ln -s far.sql $FAR/sql/near.sql && "
		  "rm sql/recent.sql && ln -s $FAR/sql/near.sql sql/recent.sql", " recent.sql → 1 flowgroup, 1 file, ", 1 },
		{ NULL, UNTIL_QUIET },
		{ "printf x > $FAR/sql/other.sql; printf 'SELECT 2 AS a' > $FAR/sql/far.sql", " far.sql → 1 flowgroup, 1 file, ", 1 },
		{ "printf 'SELECT 3 AS a' > $FAR/sql/.new && mv $FAR/sql/.new $FAR/sql/far.sql", " far.sql → 1 flowgroup, 1 file, ", 2 },
		{ "printf 'SELECT 4 AS a' > $FAR/sql/more.sql && ln -sf more.sql $FAR/sql/near.sql", " near.sql → 1 flowgroup, 1 file, ", 1 },
		{ NULL, " other.sql", 0 },
		{ "rm -r $FAR", " → 1 error, ", 1 },
		{ NULL, UNTIL_QUIET },
		{ "mkdir -p $FAR/sql", UNTIL_QUIET },
		{ "ln -s far.sql $FAR/sql/near.sql", UNTIL_QUIET },
		{ "printf 'SELECT 5 AS a' > $FAR/sql/far.sql", " far.sql → 1 flowgroup, 1 file, errors fixed, ", 1 },
	};

	(void)state;
	watch_through(steps);
}

static void links_that_are_there_at_the_start_are_followed(void **state)
{
	struct watched w;

	(void)state;
	watch_start(&w, false);
	shell(&w, "mkdir $PWD.far && mv sql/recent.sql $PWD.far/far.sql && ln -s $PWD.far/far.sql sql/recent.sql");
	await(&w, " recent.sql → ", 1);
	watch_stop(&w);
	watch_again(&w, false);
	shell(&w, "printf 'SELECT 2 AS a' > $PWD.far/far.sql");
	await(&w, " far.sql → 1 flowgroup, 1 file, ", 1);
	watch_stop(&w);
	shell(&w, "rm -r $PWD.far");
	watch_end(&w);
}

static void inputs_in_folders_of_other_environments_are_watched(void **state)
{
	static const struct step steps[] = {
		{ "mkdir -p monitoring/queries && printf 'SELECT 1 AS a' > monitoring/queries/recent.sql && "
		  "sed -i s,sql/recent,monitoring/queries/recent, pipelines/recent.yaml", " → 1 flowgroup, 1 file, ", 1 },
		{ NULL, UNTIL_QUIET },
		{ "printf x > monitoring/queries/other.sql; printf 'SELECT 2 AS a' > monitoring/queries/recent.sql",
		  " recent.sql → 1 flowgroup, 1 file, ", 1 },
		{ NULL, " other.sql", 0 },
		{ "rm -r monitoring", " → 1 error, ", 1 },
		{ NULL, UNTIL_QUIET },
		{ "mkdir -p monitoring/queries", UNTIL_QUIET },
		{ "printf 'SELECT 3 AS a' > monitoring/queries/recent.sql", " recent.sql → 1 flowgroup, 1 file, errors fixed, ", 1 },
	};

	(void)state;
	watch_through(steps);
}

static void outputs_changed_by_hand_are_put_right(void **state)
{
	static const struct step steps[] = {
		{ "printf x >> generated/dev/silver_orders/orders_recent.py", " orders_recent.py → 0 flowgroups, 1 file, ", 1 },
		{ "rm generated/dev/gold_orders/orders_mirror.py", " orders_mirror.py → 0 flowgroups, 1 file, ", 1 },
		{ "mkdir -p generated/dev/mine/of && printf x > generated/dev/mine/of/mine.py", " 0 flowgroups, 1 file, ", 3 },
		{ "rm -r generated", " 0 flowgroups, 2 files, ", 1 },
		{ "printf x >> generated/dev/silver_orders/orders_recent.py", " orders_recent.py → 0 flowgroups, 1 file, ", 2 },
	};

	(void)state;
	watch_through(steps);
}

/* Nothing of ours was ever there that could be put right. */
static void what_hindered_the_first_build_is_seen_to_go(void **state)
{
	struct watched w;

	(void)state;
	case_open(&w.c);
	case_put(&w.c, "generated/dev", "in the way");
	two_flowgroups_put(&w.c);
	snprintf(w.log, sizeof w.log, "%s.log", w.c.folder);
	w.terminal = false;
	watch_again(&w, false);
	await(&w, " → 1 error, ", 1);
	shell(&w, "mv generated/dev generated/was");
	await(&w, ", errors fixed, ", 1);
	watch_stop(&w);
	watch_end(&w);
}

static size_t builds_of(struct watched *w)
{
	struct str log = log_text(w), line;
	size_t n = 0;

	while (str_cut(&log, '\n', &line))
		n += str_has(line, STR(" → "));
	return n;
}

static void what_the_watch_writes_wakes_nobody(void **state)
{
	struct watched w;

	(void)state;
	watch_start(&w, false);
	shell(&w, "printf 'SELECT 1 AS a' > sql/recent.sql");
	await(&w, " recent.sql → 1 flowgroup, 1 file, ", 1);
	await_quiet(&w);
	assert_int_equal(builds_of(&w), 2);
	watch_stop(&w);
	watch_end(&w);
}

static void errors_of_hidden_files_come_and_go(void **state)
{
	struct watched w;

	(void)state;
	watch_start(&w, true);
	shell(&w, "printf 'pipeline: p\nflowgroup: [\n' > pipelines/bad.yaml");
	await(&w, " bad.yaml → 1 error, ", 1);
	shell(&w, "cp pipelines/bad.yaml pipelines/.bad.yaml");
	await(&w, "  pipelines/.bad.yaml:3:1: LHP-", 1);
	shell(&w, "rm pipelines/.bad.yaml");
	await(&w, "  pipelines/bad.yaml:3:1: LHP-", 2);
	watch_stop(&w);
	watch_end(&w);
}

static void errors_stand_with_their_places_until_they_are_fixed(void **state)
{
	struct watched w;

	(void)state;
	watch_start(&w, true);
	shell(&w, "printf 'pipeline: p\\nflowgroup: [\\n' > pipelines/bad.yaml");
	await(&w, " bad.yaml → 1 error, ", 1);
	await(&w, "  pipelines/bad.yaml:3:1: LHP-", 1);
	shell(&w, "rm pipelines/bad.yaml");
	await(&w, ", errors fixed, ", 1);
	watch_stop(&w);
	assert_false(fs_is_dir(&w.c.fs, STR("generated")));
	watch_end(&w);
}

#define ERASED(rows) "\033[" rows "F\033[0J"
/* Head and finding are wider than a row. */
#define LONG_NAME "a_name_that_is_too_long_for_a_row_of_the_terminal_that_is_eighty_columns_wide_and_no_more"

static void errors_on_a_terminal_are_erased_with_all_the_rows_that_they_take(void **state)
{
	struct watched w;

	(void)state;
	watch_start_on(&w, true, true);
	shell(&w, "printf 'pipeline: p\\nflowgroup: [\\n' > pipelines/" LONG_NAME ".yaml");
	await(&w, " → 1 error, ", 1);
	await(&w, ".yaml:3:1: LHP-CFG-009", 1);
	shell(&w, "rm pipelines/*_*.yaml");
	await(&w, ", errors fixed, ", 1);
	watch_stop(&w);
	/* Two of the head, 119 columns, and five of the finding, 359. */
	if (!str_has(log_text(&w), STR(ERASED("7"))))
		fail_msg("%.*s", STR_ARG(log_text(&w)));
	watch_end(&w);
}

static void a_warning_on_a_terminal_is_not_erased_with_the_errors_above_it(void **state)
{
	struct watched w;
	ptrdiff_t at;

	(void)state;
	watch_start_on(&w, false, true);
	shell(&w, "printf 'pipeline: p\\nflowgroup: [\\n' > pipelines/bad.yaml");
	await(&w, " bad.yaml → 1 error, ", 1);
	shell(&w, "printf x > generated/dev/mine.txt && rm pipelines/bad.yaml");
	await(&w, ", errors fixed, ", 1);
	watch_stop(&w);
	at = str_find(log_text(&w), STR("WARNING: generated/dev/mine.txt is not made by"), 0);
	assert_true(at >= 0);
	assert_true(str_find(log_text(&w), STR("\033["), (size_t)at) < 0);
	watch_end(&w);
}

static void nothing_that_is_shown_steers_the_terminal(void **state)
{
	struct watched w;

	(void)state;
	watch_start_on(&w, true, true);
	shell(&w, "printf 'pipeline: p\\nflowgroup: f\\nuse_template: \"t\\\\e[31m\"\\n' > pipelines/bad.yaml");
	await(&w, "1 error, ", 1);
	await(&w, "t\\x1b[31m", 1);
	watch_stop(&w);
	watch_end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_way_of_saving_is_one_build),
		cmocka_unit_test(new_folders_are_watched_with_what_they_hold),
		cmocka_unit_test(a_checkout_of_many_files_ends_like_a_cold_run),
		cmocka_unit_test(lost_events_end_in_a_full_scan),
		cmocka_unit_test(linked_folders_are_watched_and_circles_end),
		cmocka_unit_test(what_nobody_tells_of_is_found_by_a_second_look),
		cmocka_unit_test(inputs_beside_outputs_are_watched),
		cmocka_unit_test(files_outside_of_the_project_are_watched),
		cmocka_unit_test(files_that_links_lead_to_are_watched),
		cmocka_unit_test(links_that_are_there_at_the_start_are_followed),
		cmocka_unit_test(inputs_in_folders_of_other_environments_are_watched),
		cmocka_unit_test(outputs_changed_by_hand_are_put_right),
		cmocka_unit_test(what_hindered_the_first_build_is_seen_to_go),
		cmocka_unit_test(what_the_watch_writes_wakes_nobody),
		cmocka_unit_test(errors_of_hidden_files_come_and_go),
		cmocka_unit_test(errors_stand_with_their_places_until_they_are_fixed),
		cmocka_unit_test(errors_on_a_terminal_are_erased_with_all_the_rows_that_they_take),
		cmocka_unit_test(a_warning_on_a_terminal_is_not_erased_with_the_errors_above_it),
		cmocka_unit_test(nothing_that_is_shown_steers_the_terminal),
	};

	unsetenv("CI"); /* there every look is at everything */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
