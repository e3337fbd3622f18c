/*
 * tree.h - the parsed tree inside src/python, and one way to walk it.
 *
 * The walk is in document order and holds its own stack, so depth costs heap, never call stack.
 */
#ifndef LHP_PYTHON_TREE_H
#define LHP_PYTHON_TREE_H

#include "python/pysrc.h"

#include <tree_sitter/api.h>

const TSLanguage *tree_sitter_python(void);

struct py_source {
	TSTree *tree;
	struct str text;
	bool newer; /* f-strings of Python 3.12 */
};

struct tree_walk {
	TSTreeCursor cursor;
	bool started;
};

void tree_walk_init(struct tree_walk *w, TSNode root);
/* The next node, before its children; with `inside` false the last one's children are passed over. False at the end. */
bool tree_walk_next(struct tree_walk *w, bool inside, TSNode *node);
void tree_walk_finish(struct tree_walk *w);

bool tree_is(TSNode n, const char *type);
bool tree_is_filler(TSNode n);                               /* a comment or continued line: may stand anywhere */
struct str tree_text(const struct py_source *s, TSNode n); /* its text */
TSNode tree_field(TSNode n, const char *field);              /* ts_node_is_null when there is none */
TSNode tree_first(TSNode n);                                 /* first named child, or a null node; of a null node too */
bool tree_has_token(TSNode n, const char *token);            /* a direct child of that type */

#endif
