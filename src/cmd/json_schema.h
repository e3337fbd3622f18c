/*
 * json_schema.h - the tables of model/fields.h as JSON Schema (2020-12), for editors.
 *
 * The schemas accept what lhp accepts and what becomes it: a bool or a number may be a
 * text with a token; in templates and blueprints any value may be a text.
 */
#ifndef LHP_CMD_JSON_SCHEMA_H
#define LHP_CMD_JSON_SCHEMA_H

#include "base/str.h"

/* "flowgroup", "preset", "template", "project", "substitution", "blueprint"; ends with NULL. */
extern const char *const schema_kinds[];
/* The schema of one kind of file, indented, with a final newline. False when there is no such kind. */
bool schema_write(struct buf *b, struct str kind);

#endif
