/*
 * lines.h - lines of text as Python splits them.
 *
 * A line ends at \n, \r, \r\n, \v, \f, \x1c-\x1e, U+0085, U+2028 or U+2029. What
 * goes to disk is normalised with this rule (spec/load_transform.md section 1), and so are
 * comments: none of these may end one early.
 */
#ifndef LHP_EMIT_LINES_H
#define LHP_EMIT_LINES_H

#include "base/str.h"

/* Takes the next line, without its end, off `*rest`. False when `*rest` is used up: "a\n" is one line, "" none. */
bool text_line_cut(struct str *rest, struct str *line);
/* Without the white space of Unicode at its end. */
struct str text_trim_end(struct str s);

#endif
