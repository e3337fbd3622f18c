/*
 * pytext.h - YAML values as Python source text.
 *
 * The forms of spec/write_test.md 1.1 (S, S', B, P, C) and spec/load_transform.md
 * 2.3. Everything of the user's that goes into code goes through here: nothing is
 * pasted between quotes by hand. Names, which cannot be quoted, go through
 * module_name (module.h).
 *
 * Secrets: a text that holds `${secret:S/K}` becomes `dbutils.secrets.get(scope='S', key='K')` when it is
 * nothing else, and an f-string with that call in braces otherwise, the text's own
 * braces doubled. Inner quotes are single unless the text has at least two more
 * single than double quotes (write_test.md 11.3); the formatter normalises them.
 * Keys of maps never hold secrets.
 *
 * All functions append to `b`.
 */
#ifndef LHP_EMIT_PYTEXT_H
#define LHP_EMIT_PYTEXT_H

#include "yaml/node.h"

/* S: "…" */
void py_text(struct buf *b, struct str s);
/* S': '…' */
void py_text_single(struct buf *b, struct str s);
/*
 * B with its quotes: """…""". With a secret: f"""…""", except that a text of one line without `"` is the peer's
 * `""f"…"""` (three literals side by side), which the formatter joins or breaks in the peer's way.
 */
void py_block(struct buf *b, struct str s);
/* A docstring: py_block, but a text of several lines or with `"` keeps its secrets as text. */
void py_doc(struct buf *b, struct str s);
/*
 * P: JSON spelling of lists, maps and scalars. A YAML date or time cannot be written: then the
 * offending node is returned (LHP-ACT-002) and `b` is cut back to what it was. NULL: fine. An absent node is None.
 */
const struct node *py_data(struct buf *b, const struct node *n);
void py_data_text(struct buf *b, struct str s); /* P of a text */
/* Python's repr() of a value: 'text', True, [1, 'a']. */
void py_repr(struct buf *b, const struct node *n);
/* An option's value: True, 5, 0.5, "text"; lists and maps are the text of their repr (load_transform.md 2.3). */
void py_option_value(struct buf *b, struct arena *a, const struct node *n);
/* C with its "# ", without a newline at the end: each later line gets "# " unless it is blank or a comment. */
void py_comment(struct buf *b, struct str s);

/* `s` with every character outside [A-Za-z0-9_] replaced by '_'. */
struct str py_word(struct arena *a, struct str s);
/*
 * The same, but letters and digits of every script stay, as in Python's names; '_' goes in front of a leading digit
 * (write_test.md 12, item 2).
 */
struct str py_identifier(struct arena *a, struct str s);
/* Is `s` a Python identifier (letters of any script) and no keyword? */
bool py_is_name(struct str s);

#endif
