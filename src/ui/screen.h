/*
 * screen.h - where texts go, and in what dress.
 *
 * Decides from the streams and the environment (spec/errors.md 8): a live display only
 * on a terminal that is not dumb, and never with --no-progress, CI, LHP_NO_PROGRESS or
 * a message format for machines; colours only on a terminal and without NO_COLOR; which
 * stream gets the trail. Nothing else under src/ui asks the environment.
 */
#ifndef LHP_UI_SCREEN_H
#define LHP_UI_SCREEN_H

#include "ui/pen.h"

#include <stdio.h>

struct screen_facts {
	FILE *out, *err;
	bool out_is_terminal, err_is_terminal;
	int columns; /* 0: 80 */
	const char *(*getenv)(const char *name);
	bool no_progress;  /* the option, wherever it was given */
	bool machine;      /* standard output belongs to a machine */
};

struct screen {
	FILE *out, *err;
	FILE *trail;       /* the one of both that gets trail lines */
	size_t columns;
	bool live;         /* lines that change may be drawn */
	bool live_form;    /* stage lines of a terminal: `NAME  1.2s`, clean pipelines only with details */
	bool out_weights, out_colours, err_weights, err_colours;
};

void screen_init(struct screen *s, const struct screen_facts *f);
/* A pen for what goes to `stream` (s->out or s->err). */
struct pen screen_pen(const struct screen *s, const FILE *stream);
/* Writes what the pen holds and empties it. */
void screen_write(FILE *stream, struct pen *p);

#endif
