/*
 * watch.c - what `lhp watch` leaves and shows, always in the end, is what it would in a fresh copy.
 *
 * For each project of a session, a watch in a child process, and bursts of random edits below it. After each burst, what a new
 * watch makes of a fresh copy of the inputs is awaited from the living one: the same errors, or the same tree. How long that
 * takes is no part of it, but for a minute after which nothing more will come. At times the child sleeps through a burst,
 * events are lost, or the root moves away and back. At the end it is interrupted, and a run must find what a cold one makes.
 */
#include "base/path.h"
#include "cmd/cli.h"
#include "law/outputs.h"
#include "law/session.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_MS = 60000, TICK_MS = 5 };

struct live {
	struct scratch at;
	pid_t pid;
	struct str log;            /* path of what it says */
};

struct watched {
	struct session *session;
	struct arena arena;        /* of one burst */
	struct edits edits;
	struct live live;
	const char *options;
	struct buf said;
};

static const char *variable(const char *name)
{
	return getenv(name);
}

static void child(const struct live *l, const char *options)
{
	char *argv[] = { (char *)(uintptr_t) "lhp", (char *)(uintptr_t) "watch", (char *)(uintptr_t) "-e", (char *)(uintptr_t) "dev",
		         (char *)(uintptr_t)options, NULL };
	FILE *log = fopen(l->log.p, "w");
	struct io io = { .out = log, .err = log, .cwd = l->at.root, .columns = 110, .getenv = variable };

	/* A test that is killed leaves nobody behind. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	_exit(lhp_main(options[0] != '\0' ? 5 : 4, argv, &io));
}

static void live_start(struct live *l, const char *options)
{
	l->log = str_fmt(&l->at.arena, "%.*s/watch.log", STR_ARG(l->at.home));
	fflush(NULL);
	l->pid = fork();
	if (l->pid == 0)
		child(l, options);
}

/* The exit status; above 1000 for a signal that was not caught. */
static int live_stop(struct live *l)
{
	int status = 0;

	kill(l->pid, SIGINT);
	waitpid(l->pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

static struct str live_log(struct live *l, struct arena *a)
{
	struct str text;

	return fs_read(&l->at.fs, l->log, a, &text, NULL) == 0 ? text : STR("");
}

static bool is_head(struct str line)
{
	return line.n > 8 && line.p[2] == ':' && line.p[5] == ':' && str_has(line, STR(" → "));
}

/* The errors that the last build showed; empty when it was good. p == NULL: there was no build. */
static struct str errors_shown(struct live *l, struct arena *a)
{
	struct str log = live_log(l, a), line, out = STR_NONE;

	while (str_cut(&log, '\n', &line)) {
		if (is_head(line))
			out = str_has(line, STR(" error")) && !str_has(line, STR("errors fixed")) ? STR("errors:\n") : STR("");
		else if (str_starts(line, STR("  ")) && out.n != 0)
			out = str_fmt(a, "%.*s%.*s\n", STR_ARG(out), STR_ARG(line));
	}
	return out.p != NULL ? str_replace(a, out, l->at.root, STR("<ROOT>")) : out;
}

static bool validates(const struct watched *w)
{
	return strcmp(w->options, "--validate") == 0;
}

/* None, when outputs are left as they are. */
static void outputs_now(struct watched *w, struct scratch *s, struct map *out)
{
	struct reach r = reach_of(STR("generate -e dev"));

	*out = (struct map){ 0 };
	if (!validates(w))
		outputs_of(&w->edits, s, &w->arena, &r, out);
}

/* What a new watch makes of a fresh copy. */
struct wanted {
	struct str errors;         /* p == NULL: it does not even start */
	struct map tree;
};

static void wanted_make(struct watched *w, struct wanted *want)
{
	struct live cold = { 0 };
	siginfo_t ended = { 0 };

	scratch_make(&cold.at, NULL);
	edits_lay(&w->edits, &cold.at.fs);
	live_start(&cold, w->options);
	while (errors_shown(&cold, &w->arena).p == NULL && waitid(P_PID, (id_t)cold.pid, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	       ended.si_pid == 0)
		usleep(1000 * TICK_MS);
	live_stop(&cold);
	w->session->runs++;
	want->errors = errors_shown(&cold, &w->arena);
	outputs_now(w, &cold.at, &want->tree);
	scratch_drop(&cold.at);
}

static bool is_as_wanted(struct watched *w, const struct wanted *want, struct buf *why)
{
	struct str errors = errors_shown(&w->live, &w->arena);
	struct map tree;

	if (want->errors.p == NULL && errors.n != 0)
		return true;
	if (!str_eq(errors, want->errors)) {
		buf_addf(why, "it shows %.*s\nnot %.*s\n", STR_ARG(errors), STR_ARG(want->errors));
		return false;
	}
	outputs_now(w, &w->live.at, &tree);
	return errors.n != 0 || trees_equal(&want->tree, &tree, why);
}

static bool await(struct watched *w, const struct wanted *want)
{
	struct buf why = { 0 };
	bool good = false;

	for (int i = 0; !good && i < PATIENCE_MS / TICK_MS; i++) {
		why.n = 0;
		usleep(1000 * TICK_MS);
		good = is_as_wanted(w, want, &why);
	}
	if (!good)
		buf_addf(&w->said, "After a minute still:\n%.*sIts log:\n%.*s", STR_ARG(buf_str(&why)), STR_ARG(live_log(&w->live, &w->arena)));
	buf_release(&why);
	return good;
}

/* More events than the kernel keeps for somebody who sleeps. */
static void flood(struct watched *w)
{
	struct fs *fs = &w->live.at.fs;

	for (int i = 0; i < 9000; i++) {
		fs->ops->create(fs, STR("flood.txt"), STR("x"), 0666);
		fs->ops->unlink(fs, STR("flood.txt"));
	}
	buf_adds(&w->said, "; a flood of events");
}

static void root_move(struct watched *w)
{
	struct str root = w->live.at.root, away = str_cat(&w->arena, root, STR("_away"));

	if (rename(str_cstr(&w->arena, root), str_cstr(&w->arena, away)) != 0)
		return;
	usleep(1000 * edits_random(&w->edits, 60));
	rename(str_cstr(&w->arena, away), str_cstr(&w->arena, root));
	buf_adds(&w->said, "; the root was away");
}

static void burst(struct watched *w)
{
	struct edits *e = &w->edits;
	/* One alone is seen for itself; among many, any other wakes the watch. */
	unsigned n = edits_random(e, 2) == 0 ? 1 : 2 + edits_random(e, 7), pause = edits_random(e, 3);
	bool asleep = edits_random(e, 6) == 0;

	if (asleep)
		kill(w->live.pid, SIGSTOP);
	for (unsigned i = 0; i < n; i++) {
		edits_make(e, &w->live.at.fs, &w->said);
		buf_adds(&w->said, "; ");
		if (pause != 0)
			usleep(1000 * edits_random(e, 20 * pause));
	}
	if (asleep && edits_random(e, 4) == 0)
		flood(w);
	if (!asleep && edits_random(e, 30) == 0)
		root_move(w);
	if (asleep)
		kill(w->live.pid, SIGCONT);
	buf_addf(&w->said, "%s\n", asleep ? " (asleep)" : "");
}

static bool burst_check(struct watched *w, int i)
{
	struct wanted want = { 0 };

	arena_reset(&w->arena);
	buf_addf(&w->said, "%d: ", i);
	burst(w);
	wanted_make(w, &want);
	return await(w, &want);
}

/* After the last burst: an exit as promised, and a store that is good for the next run. */
static bool end_check(struct watched *w)
{
	struct str line = validates(w) ? STR("validate -e dev") : str_fmt(&w->arena, "generate -e dev %s", w->options);
	int status = live_stop(&w->live), warm, cold;
	struct scratch fresh;
	struct map made, want;
	struct str said, expected;
	bool good;

	scratch_make(&fresh, NULL);
	edits_lay(&w->edits, &fresh.fs);
	warm = scratch_run(&w->live.at, line, &said);
	cold = scratch_run(&fresh, line, &expected);
	outputs_now(w, &w->live.at, &made);
	outputs_now(w, &fresh, &want);
	good = status == 130 && warm == cold && (cold != 0 || trees_equal(&want, &made, &w->said));
	if (!good)
		buf_addf(&w->said, "watch ended with %d; then %d:\n%.*scold %d:\n%.*s", status, warm, STR_ARG(said), cold, STR_ARG(expected));
	scratch_drop(&fresh);
	return good;
}

/* A folder without lhp.yaml cannot be watched. */
static bool can_start(struct watched *w)
{
	return edits_has(&w->edits, STR("lhp.yaml"));
}

/* To its first build: before it the project may not go. */
static void start(struct watched *w)
{
	live_start(&w->live, w->options);
	for (int i = 0; errors_shown(&w->live, &w->arena).p == NULL && i < PATIENCE_MS / TICK_MS; i++)
		usleep(1000 * TICK_MS);
}

static bool watch_run(struct session *s, const struct txtar *project)
{
	static const char *const options[] = { "--no-format", "--no-format", "", "--no-bundle", "--include-tests", "--validate" };
	struct watched w = { .session = s };
	bool good = true;
	int i = 0;

	scratch_make(&w.live.at, project);
	edits_init(&w.edits, project, s->seed);
	w.options = options[edits_random(&w.edits, sizeof options / sizeof *options)];
	if (can_start(&w)) {
		start(&w);
		for (; good && i < s->steps && !session_is_over(s); i++, s->steps_done++)
			good = burst_check(&w, i);
		good = end_check(&w) && good;
	}
	if (!good)
		session_report(s, i - 1, buf_str(&w.said));
	edits_finish(&w.edits);
	scratch_drop(&w.live.at);
	buf_release(&w.said);
	arena_release(&w.arena);
	return good;
}

int main(int argc, char **argv)
{
	return session_main(watch_run, argc, argv);
}
