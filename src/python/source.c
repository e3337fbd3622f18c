#include "python/syntax.h"
#include "python/tree.h"

#include "base/utf8.h"

#include <stdlib.h>

void tree_walk_init(struct tree_walk *w, TSNode root)
{
	*w = (struct tree_walk){ .cursor = ts_tree_cursor_new(root) };
}

void tree_walk_finish(struct tree_walk *w)
{
	ts_tree_cursor_delete(&w->cursor);
}

bool tree_walk_next(struct tree_walk *w, bool inside, TSNode *node)
{
	bool moved = !w->started || (inside && ts_tree_cursor_goto_first_child(&w->cursor));

	w->started = true;
	while (!moved) {
		if (ts_tree_cursor_goto_next_sibling(&w->cursor))
			moved = true;
		else if (!ts_tree_cursor_goto_parent(&w->cursor))
			return false;
	}
	*node = ts_tree_cursor_current_node(&w->cursor);
	return true;
}

bool tree_is(TSNode n, const char *type)
{
	return !ts_node_is_null(n) && strcmp(ts_node_type(n), type) == 0;
}

bool tree_is_filler(TSNode n)
{
	return tree_is(n, "comment") || tree_is(n, "line_continuation");
}

struct str tree_text(const struct py_source *s, TSNode n)
{
	return str_sub(s->text, ts_node_start_byte(n), ts_node_end_byte(n));
}

TSNode tree_field(TSNode n, const char *field)
{
	return ts_node_is_null(n) ? n : ts_node_child_by_field_name(n, field, (uint32_t)strlen(field));
}

TSNode tree_first(TSNode n)
{
	return ts_node_is_null(n) ? n : ts_node_named_child(n, 0);
}

bool tree_has_token(TSNode n, const char *token)
{
	for (uint32_t i = 0, count = ts_node_child_count(n); i < count; i++)
		if (tree_is(ts_node_child(n, i), token))
			return true;
	return false;
}

static struct py_error error_at(struct str text, size_t offset, const char *problem)
{
	struct py_error e = { 1, 1, str_of(problem) };

	for (size_t i = 0; i < offset && i < text.n; i++) {
		e.col++;
		if (text.p[i] == '\n') {
			e.line++;
			e.col = 1;
		}
	}
	return e;
}

/* What tree-sitter should not be asked about. */
static const char *text_refuse(struct str text, size_t *at)
{
	ptrdiff_t bad;

	*at = 0;
	if (text.n > PY_MAX_TEXT)
		return "the text is larger than a Python module may be here (16 MB)";
	bad = str_find_char(text, '\0', 0);
	if (bad >= 0) {
		*at = (size_t)bad;
		return "a NUL byte is not allowed in Python";
	}
	bad = utf8_invalid(text);
	if (bad >= 0) {
		*at = (size_t)bad;
		return "the text is not UTF-8";
	}
	return NULL;
}

static TSTree *text_parse(struct str text)
{
	TSParser *parser = ts_parser_new();
	TSTree *tree;

	ts_parser_set_language(parser, tree_sitter_python());
	tree = ts_parser_parse_string_encoding(parser, NULL, text.n != 0 ? text.p : "", (uint32_t)text.n, TSInputEncodingUTF8);
	ts_parser_delete(parser);
	return tree;
}

static struct py_source *source_parse(struct str text, bool newer, struct py_error *err)
{
	struct py_source *s;
	size_t at;
	const char *problem = text_refuse(text, &at);

	if (problem == NULL) {
		s = xmalloc(sizeof *s);
		*s = (struct py_source){ text_parse(text), text, newer };
		problem = syntax_check(s, &at);
		if (problem == NULL)
			return s;
		py_free(s);
	}
	if (err != NULL)
		*err = error_at(text, at, problem);
	return NULL;
}

struct py_source *py_parse(struct str text, struct py_error *err)
{
	return source_parse(text, false, err);
}

struct py_source *py_parse_newer(struct str text, struct py_error *err)
{
	return source_parse(text, true, err);
}

void py_free(struct py_source *s)
{
	if (s == NULL)
		return;
	ts_tree_delete(s->tree);
	free(s);
}
