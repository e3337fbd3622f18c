/*
 * source_name.h - the format name of a user's data source class.
 *
 * Spark asks the class method `name()`. It is read, not run: the text that
 * `@classmethod def name(cls): return "x"` returns, in the body of that class
 * (spec/load_transform.md 3.7 and 8, item 14). A class without such a method goes by its own name.
 */
#ifndef LHP_EMIT_SOURCE_NAME_H
#define LHP_EMIT_SOURCE_NAME_H

#include "base/str.h"

/* Borrowed from `text` or `class_name`. */
struct str source_name_find(struct str text, struct str class_name);

/*
 * The same for a sink's class (spec/write_test.md 9.5), whose text is searched more loosely: the first class method `name`
 * behind the head of the class, to the end of the text, and the first text behind a `return` after that.
 */
struct str sink_format_find(struct str text, struct str class_name);

#endif
