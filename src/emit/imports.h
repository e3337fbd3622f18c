/*
 * imports.h - the import lines of a module: which stay, split, and in which order.
 *
 * Rules: spec/load_transform.md 1.2. A statement is a whole line of Python; the
 * set is struct module's, its values are the actions that asked first.
 */
#ifndef LHP_EMIT_IMPORTS_H
#define LHP_EMIT_IMPORTS_H

#include "base/map.h"
#include "emit/module.h"

/*
 * Appends the lines in order, each with its newline. -1 with LHP-VAL-021 when two modules give one name.
 */
int imports_write(struct module *m, struct buf *b);

#endif
