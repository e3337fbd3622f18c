/*
 * finding.h - one finding as text for people.
 *
 * What was found, where (file:line:col) with the line and a caret under it, how the
 * value came about, what to do. A finding that folds others shows each of them. The
 * lines of the excerpt are read through the fs, once per file.
 */
#ifndef LHP_UI_FINDING_H
#define LHP_UI_FINDING_H

#include "base/diag.h"
#include "base/map.h"
#include "ui/pen.h"

struct fs;

struct finding_view {
	struct arena *arena;
	struct fs *fs;       /* NULL: no excerpts */
	struct map files;    /* path -> struct str *, read so far */
	bool rule_names;     /* --show-details */
	size_t columns;
};

/* "LHP-VAL-007" up to "VAL", and the heading and border of its panels. */
struct str category_name(const char *code);
enum tone category_tone(const char *code);

/* Detail, excerpt, chain, hints, rule and folded findings, every line after `indent` blanks. */
void finding_body(struct pen *p, struct finding_view *v, const struct diag *d, size_t indent);
/* `PIPELINE / FLOWGROUP  FILE  CODE  title` on one line, parts that do not exist left out; FILE is absolute. */
void finding_line(struct pen *p, const struct finding_view *v, const struct diag *d);
/* All of it in a box. */
void finding_panel(struct pen *p, struct finding_view *v, const struct diag *d);

#endif
