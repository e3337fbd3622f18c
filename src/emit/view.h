/*
 * view.h - what loads and transforms have in common: a decorated function that makes `df` and returns it.
 *
 * The raw shapes are those of spec/load_transform.md sections 1, 3 and 4.
 */
#ifndef LHP_EMIT_VIEW_H
#define LHP_EMIT_VIEW_H

#include "emit/module.h"

/* `@dp.temporary_view()`, `def TARGET():` and the docstring, each with its newline. */
void view_begin(struct module *m, struct buf *b, const struct action *a, struct str doc);
/* `def TARGET():` and the docstring alone. */
void view_def(struct module *m, struct buf *b, const struct action *a, struct str doc);
/* Metadata columns, if any, and `return df`, each after an empty line. No newline at the end. */
void view_end(struct module *m, struct buf *b, const struct action *a);
/* The same, but an empty line stands for metadata columns that there are not. */
void view_end_apart(struct module *m, struct buf *b, const struct action *a);
/* The metadata columns with their comment line, or nothing. */
void view_metadata(struct module *m, struct buf *b, const struct action *a);

/* A reader chain, one `\`-continued call a line: `    df = spark.readStream`, then ` \` newline `        .CALL(`. */
void reader_begin(struct buf *b, const char *reader);
void reader_call(struct buf *b, const char *call);
void reader_option(struct module *m, struct buf *b, struct str key, const struct node *value);
void reader_option_text(struct buf *b, struct str key, struct str value);

/* "spark.readStream" for the mode `stream`, else "spark.read". */
const char *reader_of(struct str mode);

/* Text of a source's key for people: str() of its value, or empty. */
struct str source_text(struct module *m, const struct action *a, const char *key);

/*
 * The map under `key` of the source, an empty one when absent or false (as Python sees it); NULL with LHP-VAL-008 when it is
 * something else.
 */
const struct node *source_map(struct module *m, const struct action *a, const char *key);

#endif
