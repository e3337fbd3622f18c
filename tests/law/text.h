/* text.h - what one edit makes of a text: values, lines, blocks, letters, line ends. */
#ifndef LHP_TESTS_TEXT_H
#define LHP_TESTS_TEXT_H

#include "law/edit.h"

struct text_edit {
	const char *name;           /* "delete a line of" */
	struct str (*make)(struct edits *e, struct str s);
};

const struct text_edit *text_edit_any(struct edits *e);
/* One letter of some word is another one: same size. */
struct str letter_change(struct edits *e, struct str s);

#endif
