/*
 * writer.h - a value as PyYAML's safe_dump writes it.
 *
 * Block style, keys in order, width 80, ASCII only (spec: bundle, appendix A).
 */
#ifndef LHP_YAML_WRITER_H
#define LHP_YAML_WRITER_H

#include "yaml/node.h"

/* Without the final newline. */
void yaml_dump(struct buf *b, const struct node *n);
/* The dump with `indent` blanks before every non-empty line but the first. */
void yaml_dump_indented(struct buf *b, const struct node *n, size_t indent);

/* Would YAML read the text, written plain, as structure or a comment rather than one scalar? */
bool yaml_is_structure(struct str s);
/* The text between double quotes, on one line: quotes, backslashes and line ends escaped, the rest as it is. */
void yaml_quoted(struct buf *b, struct str s);

#endif
