/* watch.c - `lhp watch`: a build at each change, one line each (spec/engine.md, "watch"). */
#include "build/watch.h"

#include "build/place.h"
#include "cmd/project_run.h"
#include "emit/format_live.h"
#include "ui/text.h"

#include <errno.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

struct watching {
	struct call *call;
	struct run_options options;
	struct str env;
	struct watch watch;
	struct formatter program;
	struct format_live formatter; /* of it: a save costs no start of a program */
	size_t shown;        /* rows of errors that stand at the end of the screen */
	bool failed;         /* the last build did */
	bool good;           /* it found no errors */
	bool kept;           /* what it saw is in the store */
	bool owes_look;      /* there may be what it did not see */
	struct str output[WATCH_OUTPUTS];
	struct hash128 errors; /* of the last build */
};

/* Errors above it stay: it is not known any more how far above. */
static void log_say(void *ctx, struct str line)
{
	struct watching *w = ctx;

	warning_print(w->call->io, line);
	w->shown = 0;
}

static void options_take(struct watching *w)
{
	const struct args *a = w->call->args;

	w->env = opt_text(a, "--env");
	w->options = run_options_of(a, opt_given(a, "--validate") ? RUN_VALIDATE : RUN_GENERATE);
	w->options.env = &w->env;
	w->options.n_env = 1;
}

/* Somebody else's change of these is undone. */
static void outputs_name(struct watching *w)
{
	static const enum place_kind filled[WATCH_OUTPUTS] = { PLACE_MODULES, PLACE_MONITORING, PLACE_BUNDLE };
	struct arena *a = w->call->arena;
	struct place place[PLACES];

	places_name(place, a, w->env, str_fmt(a, "generated/%.*s", STR_ARG(w->env)));
	for (size_t i = 0; i < WATCH_OUTPUTS && w->options.task == RUN_GENERATE; i++)
		w->output[i] = place[filled[i]].dir;
}

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static void head_add(struct buf *b, const struct watching *w, const struct watch_change *change)
{
	time_t now = time(NULL);
	struct tm tm;
	char clock[16] = "";

	if (localtime_r(&now, &tm) != NULL)
		strftime(clock, sizeof clock, "%H:%M:%S", &tm);
	buf_addf(b, "%s ", clock);
	if (change == NULL)
		buf_adds(b, "start");
	else if (*change->first == '\0')
		buf_adds(b, w->watch.polls ? "look" : change->everything ? "full scan" : "folders");
	else
		buf_adds(b, change->first);
	if (change != NULL && change->n > 1)
		buf_addf(b, " and %zu more", change->n - 1);
	buf_adds(b, " → ");
}

static void counts_add(struct buf *b, const struct watching *w, const struct run_result *r)
{
	size_t files = r->written + r->removed;

	if (r->up_to_date || (w->options.task == RUN_VALIDATE && r->rebuilt == 0))
		buf_adds(b, "up to date");
	else if (w->options.task == RUN_VALIDATE)
		buf_addf(b, "%zu flowgroup%s", r->rebuilt, plural(r->rebuilt));
	else
		buf_addf(b, "%zu flowgroup%s, %zu file%s", r->rebuilt, plural(r->rebuilt), files, plural(files));
}

static void finding_add(struct buf *b, const struct diag *d)
{
	struct str title = diag_title_of(d), detail = d->detail, first;

	if (d->at.file != NULL && d->at.line != 0)
		buf_addf(b, "  %s:%u:%u: ", d->at.file, d->at.line, d->at.col);
	else
		buf_addf(b, "  %s: ", d->at.file != NULL ? d->at.file : d->file != NULL ? d->file : "project");
	buf_addf(b, "%s %.*s", d->rule->code, STR_ARG(title));
	if (d->parts == NULL && str_cut(&detail, '\n', &first) && first.n != 0)
		buf_addf(b, ": %.*s", STR_ARG(first));
	buf_addc(b, '\n');
	for (size_t i = 0; d->parts != NULL && i < d->parts->n; i++)
		finding_add(b, &d->parts->p[i]);
}

static void findings_add(struct buf *b, const struct diags *ds)
{
	for (size_t i = 0; i < ds->n; i++)
		if (ds->p[i].rule->severity == SEV_ERROR)
			finding_add(b, &ds->p[i]);
}

/* On a terminal, errors stand only as long as they are true. */
static void errors_clear(struct watching *w)
{
	if (w->shown != 0 && w->call->screen.live)
		fprintf(w->call->io->err, "\033[%zuF\033[0J", w->shown);
	w->shown = 0;
}

/* Long lines take several. */
static size_t rows_of(struct str text, size_t columns)
{
	struct str line;
	size_t n = 0;

	while (text.n != 0 && str_cut(&text, '\n', &line)) {
		size_t width = text_width(line);

		n += width <= columns ? 1 : (width + columns - 1) / columns;
	}
	return n;
}

/* False for an editor's own files, an empty folder, or a look at fixed times: nothing to say. */
static bool is_news(struct watching *w, const struct watch_change *change, const struct run_result *r, struct str errors)
{
	struct hash128 now = hash_bytes(errors);
	bool same = hash_eq(now, w->errors) && (r->status != 0) == w->failed && r->rebuilt + r->written + r->removed == 0;

	w->errors = now;
	return !same || change == NULL || change->n != 0 || change->everything;
}

static void build_show(struct watching *w, const struct watch_change *change, const struct run_result *r, struct str errors)
{
	size_t n = diags_count(&r->fatal, SEV_ERROR) + diags_count(&r->findings, SEV_ERROR);
	bool failed = r->status != 0;
	struct arena a = { 0 };
	struct buf b = { 0 };
	struct str text;

	errors_clear(w);
	head_add(&b, w, change);
	if (n != 0)
		buf_addf(&b, "%zu error%s", n, plural(n));
	else
		counts_add(&b, w, r);
	if (!failed && w->failed)
		buf_adds(&b, ", errors fixed");
	buf_addf(&b, ", %.0f ms\n%.*s", r->seconds * 1000, STR_ARG(errors));
	text = text_safe(&a, buf_str(&b));
	if (failed)
		w->shown = rows_of(text, w->call->screen.columns);
	w->failed = failed;
	fwrite(text.p, 1, text.n, w->call->io->err);
	fflush(w->call->io->err);
	buf_release(&b);
	arena_release(&a);
}

static bool is_outside(void *ctx, struct str dir)
{
	const struct watching *w = ctx;

	return watch_is_outside(&w->watch, dir);
}

static void outside_watch(void *ctx, struct str path, bool is_dir)
{
	struct watching *w = ctx;

	w->owes_look = watch_outside(&w->watch, path, is_dir) || w->owes_look;
}

/*
 * Looks where files changed, when that is known and what the last build saw was kept. A look at everything is owed when files may
 * have changed without a word: by another name (a hard link), before they were watched, among outputs while this build ran, or
 * anywhere while it wrote more than the kernel tells. What a look writes owes another only when it mended: else two watches would
 * undo each other's work for ever. What errors kept from being written cannot be mended.
 */
static void build_run(struct watching *w, const struct watch_change *change, bool is_look)
{
	const struct run_listener listener = { .ctx = w, .log = log_say, .is_outside = is_outside, .outside = outside_watch };
	struct arena a = { 0 };
	struct run_result r;
	struct buf errors = { 0 };
	enum watch_own own;

	w->options.where = w->kept && change != NULL ? change->where : NULL;
	w->options.mends = w->good && change != NULL && change->outputs_only;
	w->owes_look = w->options.where != NULL;
	watch_links(&w->watch);
	run_project(&w->call->fs, &w->options, &listener, &a, &r);
	own = watch_own(&w->watch);
	w->kept = r.status <= 1;
	w->good = r.fatal.n + r.findings.n == 0;
	w->owes_look = w->owes_look || own == WATCH_OWN_LOST ||
	               (own == WATCH_OWN_OUTPUTS && (!is_look || r.mended || r.written + r.removed == 0));
	findings_add(&errors, &r.fatal);
	findings_add(&errors, &r.findings);
	if (!r.idle && is_news(w, change, &r, buf_str(&errors)))
		build_show(w, change, &r, buf_str(&errors));
	buf_release(&errors);
	arena_release(&a);
}

/* The root was moved away or deleted: waits until it is there again. False: a signal came. */
static bool root_await(struct watching *w, int signals)
{
	struct call *c = w->call;
	struct str root = str_dup(c->arena, c->fs.root);
	struct watch wait = { .fd = -1, .signals = signals, .polls = true, .root = root };
	struct watch_change change;
	enum watch_end end;

	log_say(w, str_fmt(c->arena, "The folder %.*s is gone: waiting for it", STR_ARG(root)));
	fflush(c->io->err);
	fs_close(&c->fs);
	c->opened = false;
	do {
		end = watch_wait(&wait, WATCH_FOREVER, &change);
	} while (end == WATCH_GONE || (end == WATCH_CHANGED && fs_open(&c->fs, c->arena, root) != 0));
	watch_close(&wait);
	if (end == WATCH_SIGNAL)
		return false;
	c->opened = true;
	watch_close(&w->watch);
	watch_open(&w->watch, c->fs.root, w->output, signals);
	return true;
}

static void polling_say(struct watching *w)
{
	if (w->watch.polls)
		log_say(w, str_fmt(w->call->arena, "This file system tells of no changes: looking every %d ms", WATCH_POLL_MS));
}

static void formatter_start(struct watching *w)
{
	if (w->options.task != RUN_GENERATE || w->options.no_format || formatter_find(&w->program, w->call->arena) != 0)
		return;
	format_live_start(&w->formatter, &w->program);
	w->options.live = &w->formatter;
}

/* Its first text takes a server several times as long as any other, so it is not one that somebody waits for. */
static void formatter_warm(struct watching *w)
{
	struct format_item first = { .name = STR("first.py"), .raw = STR("x  =  1\n") };
	struct arena a = { 0 };

	if (w->options.live != NULL)
		format_live_items(w->options.live, &w->program, &a, &first, 1);
	arena_release(&a);
}

/* When nobody waits for a build. */
enum { SECOND_LOOK_MS = 1000 };

static void changes_follow(struct watching *w, int signals)
{
	struct watch_change change;

	/* Watched first, then built: what changes in between is seen. */
	watch_open(&w->watch, w->call->fs.root, w->output, signals);
	polling_say(w);
	formatter_start(w);
	build_run(w, NULL, false);
	formatter_warm(w);
	for (;;) {
		enum watch_end end = watch_wait(&w->watch, w->owes_look ? SECOND_LOOK_MS : WATCH_FOREVER, &change);

		if (end == WATCH_SIGNAL)
			return;
		if (end == WATCH_GONE) {
			if (!root_await(w, signals))
				return;
			change = (struct watch_change){ .everything = true };
		}
		if (end == WATCH_QUIET)
			change = (struct watch_change){ .first = "elsewhere" };
		build_run(w, &change, end == WATCH_QUIET);
	}
}

/* Signals are read between builds, so that each ends with its state committed. */
int cmd_watch(struct call *c)
{
	struct watching w = { .call = c };
	struct signalfd_siginfo info;
	sigset_t stop, before;
	int status = call_open(c), signals;

	if (status != 0)
		return status;
	options_take(&w);
	outputs_name(&w);
	sigemptyset(&stop);
	sigaddset(&stop, SIGINT);
	sigaddset(&stop, SIGTERM);
	sigprocmask(SIG_BLOCK, &stop, &before);
	signals = signalfd(-1, &stop, SFD_CLOEXEC);
	if (signals < 0) { /* without it nothing would end the watch */
		fprintf(c->io->err, "lhp: signals cannot be read: %s\n", strerror(errno));
		return STATUS_MACHINE;
	}
	changes_follow(&w, signals);
	if (read(signals, &info, sizeof info) != sizeof info)
		info.ssi_signo = SIGINT;
	close(signals);
	watch_close(&w.watch);
	format_live_stop(&w.formatter);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return 128 + (int)info.ssi_signo;
}
