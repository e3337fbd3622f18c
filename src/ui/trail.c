#include "ui/trail.h"

#include "base/path.h"
#include "ui/text.h"

#include <time.h>

#define LIVE_STEP 0.08 /* seconds between two drawings */

static const char *const spinner[] = { "⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏" };

static const char *const words[] = {
	"reading flowgroups",  "joining pipes",           "looking for leaks",
	"following the flows", "tightening the fittings", "checking the pressure",
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static double seconds_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void trail_start(struct trail *t, const struct screen *s, struct arena *a, bool details, struct str root)
{
	*t = (struct trail){ .screen = s, .arena = a, .details = details, .root = root };
	t->pen = screen_pen(s, s->trail);
	t->started = seconds_now();
}

static void live_erase(struct trail *t)
{
	for (; t->drawn > 0; t->drawn--)
		buf_adds(&t->pen.buf, "\033[1A\033[2K");
}

static void line_end(struct trail *t)
{
	buf_addc(&t->pen.buf, '\n');
	screen_write(t->screen->trail, &t->pen);
}

static void sign_add(struct trail *t, bool good)
{
	live_erase(t);
	pen_adds(&t->pen, good ? TONE_GREEN : TONE_RED, good ? "✓ " : "✗ ");
}

void trail_env(struct trail *t, struct str name)
{
	live_erase(t);
	pen_addf(&t->pen, TONE_BOLD, "env %.*s", STR_ARG(name));
	line_end(t);
}

void trail_phase(struct trail *t, const char *name, bool good, double seconds)
{
	sign_add(t, good);
	if (t->screen->live_form)
		pen_addf(&t->pen, TONE_PLAIN, "%s  %.1fs", name, seconds);
	else
		pen_addf(&t->pen, TONE_PLAIN, "%s (%.2fs)", name, seconds);
	line_end(t);
}

void trail_pipeline(struct trail *t, struct str name, size_t files, const struct diag *failed)
{
	if (failed == NULL && t->screen->live_form && !t->details)
		return;
	sign_add(t, failed == NULL);
	pen_add(&t->pen, TONE_BOLD, text_flat(t->arena, name));
	if (failed == NULL) {
		pen_addf(&t->pen, TONE_PLAIN, "  %zu file%s", files, files == 1 ? "" : "s");
	} else {
		pen_addf(&t->pen, TONE_RED, "  %s", failed->rule->code);
		pen_addf(&t->pen, TONE_PLAIN, "  %.*s", STR_ARG(text_flat(t->arena, diag_title_of(failed))));
	}
	line_end(t);
}

void trail_warning(struct trail *t, const struct diag *d)
{
	struct str detail = text_flat(t->arena, d->detail);
	const char *file = d->file != NULL ? d->file : d->at.file;

	if (!t->details)
		return;
	live_erase(t);
	pen_addf(&t->pen, TONE_YELLOW, "! %s", d->rule->code);
	pen_addf(&t->pen, TONE_PLAIN, "  %.*s", STR_ARG(text_flat(t->arena, diag_title_of(d))));
	if (detail.n != 0)
		pen_addf(&t->pen, TONE_PLAIN, " %.*s", STR_ARG(detail));
	if (file != NULL)
		pen_addf(&t->pen, TONE_DIM, "  %.*s", STR_ARG(path_join(t->arena, t->root, str_of(file))));
	if (d->at.file != NULL && d->at.line != 0)
		pen_addf(&t->pen, TONE_DIM, ":%u:%u", d->at.line, d->at.col);
	line_end(t);
}

void trail_log(struct trail *t, struct str line)
{
	if (t->drawn > 0) {
		live_erase(t);
		screen_write(t->screen->trail, &t->pen);
	}
	fprintf(t->screen->err, "WARNING: %.*s\n", STR_ARG(text_safe(t->arena, line)));
	fflush(t->screen->err);
}

static void bar_add(struct pen *p, size_t done, size_t total)
{
	enum { BAR = 24 };
	size_t full = total != 0 ? done * BAR / total : 0;

	for (size_t i = 0; i < BAR; i++)
		pen_adds(p, i < full ? TONE_GREEN : TONE_DIM, i < full ? "━" : "─");
}

void trail_progress(struct trail *t, size_t done, size_t total, struct str pipeline)
{
	double now = seconds_now();

	if (!t->screen->live || now - t->last < LIVE_STEP)
		return;
	live_erase(t);
	t->last = now;
	t->frame++;
	pen_addf(&t->pen, TONE_CYAN, "%s ", spinner[t->frame % COUNT(spinner)]);
	bar_add(&t->pen, done, total);
	pen_addf(&t->pen, TONE_PLAIN, " %zu/%zu  ", done, total);
	pen_add(&t->pen, TONE_BOLD, text_cut(t->arena, text_flat(t->arena, pipeline), 24));
	pen_addf(&t->pen, TONE_DIM, "  %.1fs\n", now - t->started);
	pen_addf(&t->pen, TONE_DIM, "  %s…", words[(size_t)(now - t->started) / 2 % COUNT(words)]);
	line_end(t);
	t->drawn = 2;
}

void trail_finish(struct trail *t)
{
	if (t->drawn > 0) {
		live_erase(t);
		screen_write(t->screen->trail, &t->pen);
	}
	buf_release(&t->pen.buf);
}
