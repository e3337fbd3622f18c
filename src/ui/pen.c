#include "ui/pen.h"

static const char *const sequence[] = {
	[TONE_BOLD] = "\033[1m",   [TONE_DIM] = "\033[2m",     [TONE_RED] = "\033[31m",
	[TONE_GREEN] = "\033[32m", [TONE_YELLOW] = "\033[33m", [TONE_CYAN] = "\033[36m",
};

static bool tone_shown(const struct pen *p, enum tone tone)
{
	if (tone == TONE_PLAIN)
		return false;
	return tone == TONE_BOLD || tone == TONE_DIM ? p->weights : p->colours;
}

void pen_add(struct pen *p, enum tone tone, struct str s)
{
	bool shown = tone_shown(p, tone) && s.n != 0;

	if (shown)
		buf_adds(&p->buf, sequence[tone]);
	buf_add(&p->buf, s);
	if (shown)
		buf_adds(&p->buf, "\033[0m");
}

void pen_adds(struct pen *p, enum tone tone, const char *cstr)
{
	pen_add(p, tone, str_of(cstr));
}

void pen_addf(struct pen *p, enum tone tone, const char *fmt, ...)
{
	bool shown = tone_shown(p, tone);
	va_list ap;

	if (shown)
		buf_adds(&p->buf, sequence[tone]);
	va_start(ap, fmt);
	buf_vaddf(&p->buf, fmt, ap);
	va_end(ap);
	if (!shown)
		return;
	/* The tone ends before the line does: what a terminal clears at a line's end must not keep it. */
	bool ended = p->buf.n > 0 && p->buf.p[p->buf.n - 1] == '\n';
	p->buf.n -= ended;
	buf_adds(&p->buf, ended ? "\033[0m\n" : "\033[0m");
}
