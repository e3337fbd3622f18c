#include "ui/screen.h"

static bool is_set(const struct screen_facts *f, const char *name)
{
	const char *v = f->getenv(name);

	return v != NULL && v[0] != '\0';
}

/* A line that changes must not wrap: it could not be erased. */
enum { LIVE_COLUMNS = 72 };

void screen_init(struct screen *s, const struct screen_facts *f)
{
	const char *term = f->getenv("TERM");
	bool dumb = term != NULL && strcmp(term, "dumb") == 0;
	bool colours = !is_set(f, "NO_COLOR");
	bool plain =
	    !f->out_is_terminal || f->no_progress || f->machine || is_set(f, "CI") || is_set(f, "LHP_NO_PROGRESS");

	*s = (struct screen){
		.out = f->out,
		.err = f->err,
		.trail = plain ? f->err : f->out,
		.columns = f->columns > 0 ? (size_t)f->columns : 80,
		.live = !plain && !dumb && (f->columns <= 0 || f->columns >= LIVE_COLUMNS),
		.live_form = !plain,
		.out_weights = f->out_is_terminal && !dumb,
		.err_weights = f->err_is_terminal && !dumb,
	};
	s->out_colours = s->out_weights && colours;
	s->err_colours = s->err_weights && colours;
}

struct pen screen_pen(const struct screen *s, const FILE *stream)
{
	bool out = stream == s->out;

	return (struct pen){ .weights = out ? s->out_weights : s->err_weights,
		             .colours = out ? s->out_colours : s->err_colours };
}

void screen_write(FILE *stream, struct pen *p)
{
	if (p->buf.n != 0)
		fwrite(p->buf.p, 1, p->buf.n, stream);
	fflush(stream);
	buf_reset(&p->buf);
}
