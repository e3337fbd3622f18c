/*
 * text.h - columns of a terminal: how wide a text is, and where to break it.
 *
 * Width is of code points: 2 for wide East Asian ones, 0 for combining ones and for
 * escape sequences (ESC [ … m). Lines break at blanks; a word that is longer than a
 * whole line is cut, but never inside an error code (LHP-XXX-NNN), so that scripts
 * and eyes find it.
 */
#ifndef LHP_UI_TEXT_H
#define LHP_UI_TEXT_H

#include "base/str.h"

size_t text_width(struct str s);
/* Takes the next line of at most `width` columns off `*rest` ('\n' ends a line too). False when used up. */
bool text_wrap(struct str *rest, size_t width, struct str *line);
/* The text as one line: control characters and runs of blanks become one blank. */
struct str text_flat(struct arena *a, struct str s);
/* At most `width` columns; what is cut off is shown by '…'. */
struct str text_cut(struct arena *a, struct str s, size_t width);
/* Control characters other than '\n' and '\t' made visible (\x1b), so that a project cannot steer the terminal. */
struct str text_safe(struct arena *a, struct str s);
/* `text` wrapped to `columns`, every line after `indent` blanks, each ended by '\n'. */
void buf_add_wrapped(struct buf *b, struct str text, size_t indent, size_t columns);

#endif
