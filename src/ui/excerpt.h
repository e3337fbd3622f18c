/*
 * excerpt.h - the line that a finding points at, with a caret under the place.
 */
#ifndef LHP_UI_EXCERPT_H
#define LHP_UI_EXCERPT_H

#include "base/diag.h"
#include "ui/finding.h"
#include "ui/pen.h"

/* Content of a project file, read once. False when there is none to show (unreadable, not text). */
bool excerpt_read(struct finding_view *v, const char *file, struct str *bytes);
/*
 * Two lines: ` 12 │ text` and the caret under column at.col (counted in characters). A line that
 * is too long is shown around that column. Nothing when the file has no such line.
 */
void excerpt_draw(struct pen *p, struct arena *a, struct str bytes, struct mark at, size_t indent, size_t columns);

#endif
