/*
 * pen.h - text with tones, for a terminal or not.
 *
 * A pen writes into its buffer; tones become escape sequences only when it may use
 * them. NO_COLOR takes the colours away and leaves bold and dim (spec/errors.md 8).
 * A zeroed pen writes plain text.
 */
#ifndef LHP_UI_PEN_H
#define LHP_UI_PEN_H

#include "base/str.h"

enum tone { TONE_PLAIN, TONE_BOLD, TONE_DIM, TONE_RED, TONE_YELLOW, TONE_GREEN, TONE_CYAN };

struct pen {
	struct buf buf;
	bool weights; /* bold and dim may be used */
	bool colours;
};

void pen_add(struct pen *p, enum tone tone, struct str s);
void pen_adds(struct pen *p, enum tone tone, const char *cstr);
void pen_addf(struct pen *p, enum tone tone, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif
