#include "python/tree.h"

#include "base/map.h"

/* Statements that the grammar files under "expression statement" but that no expression may be. */
static const char *const NO_EXPRESSION[] = { "assignment", "augmented_assignment", "named_expression", "yield" };

/* The expression that is all of a module, or a null node. */
static TSNode only_expression(const struct py_source *s, bool comments)
{
	TSNode root = ts_tree_root_node(s->tree), found = { 0 };

	for (uint32_t i = 0, n = ts_node_named_child_count(root); i < n; i++) {
		TSNode child = ts_node_named_child(root, i);

		if (comments && tree_is(child, "comment"))
			continue;
		if (!tree_is(child, "expression_statement") || !ts_node_is_null(found))
			return (TSNode){ 0 };
		found = child;
	}
	if (ts_node_is_null(found) || tree_has_token(root, ";"))
		return (TSNode){ 0 };
	for (size_t i = 0; i < sizeof NO_EXPRESSION / sizeof *NO_EXPRESSION; i++)
		if (tree_has_token(found, NO_EXPRESSION[i]))
			return (TSNode){ 0 };
	return found;
}

bool py_is_expression(struct str text, struct py_error *err)
{
	struct py_source *s = py_parse(str_trim(text), err);
	bool good;

	if (s == NULL)
		return false;
	good = !ts_node_is_null(only_expression(s, false));
	if (!good && err != NULL)
		*err = (struct py_error){ 1, 1, STR("this is not one expression") };
	py_free(s);
	return good;
}

/* Is this identifier a name that is looked up, and not the label of an attribute, argument or parameter? */
static bool is_read(TSNode parent, const char *field)
{
	static const char *const BINDERS[] = { "lambda_parameters", "list_splat_pattern", "dictionary_splat_pattern", "pattern_list",
		                               "tuple_pattern", "list_pattern" };

	if (field != NULL && strcmp(field, "attribute") == 0)
		return false;
	if (field != NULL && strcmp(field, "name") == 0)
		return false; /* keyword_argument, default_parameter, named_expression */
	if (field != NULL && strcmp(field, "left") == 0 && tree_is(parent, "for_in_clause"))
		return false;
	for (size_t i = 0; i < sizeof BINDERS / sizeof *BINDERS; i++)
		if (tree_is(parent, BINDERS[i]))
			return false;
	return true;
}

/* The node around the cursor's and around the parentheses that are. */
static TSNode cursor_parent(const TSTreeCursor *at)
{
	TSTreeCursor up = ts_tree_cursor_copy(at);
	TSNode parent = { 0 };

	while (ts_tree_cursor_goto_parent(&up)) {
		parent = ts_tree_cursor_current_node(&up);
		if (!tree_is(parent, "parenthesized_expression"))
			break;
	}
	ts_tree_cursor_delete(&up);
	return parent;
}

static void names_collect(const struct py_source *s, TSNode root, struct arena *a, struct map *names)
{
	struct tree_walk w;
	TSNode n;

	tree_walk_init(&w, root);
	while (tree_walk_next(&w, true, &n)) {
		TSNode parent = cursor_parent(&w.cursor);

		if (!tree_is(n, "identifier") || !is_read(parent, ts_tree_cursor_current_field_name(&w.cursor)))
			continue;
		map_add(names, a, str_dup(a, tree_text(s, n)));
		if (tree_is(parent, "attribute"))
			map_add(names, a, str_cat(a, tree_text(s, n), STR(".")));
	}
	tree_walk_finish(&w);
}

bool py_names_read(struct str expression, struct arena *a, struct str **name, size_t *n)
{
	struct py_source *s = py_parse(str_trim(expression), NULL);
	struct map names = { 0 };
	TSNode root = { 0 };

	*name = NULL;
	*n = 0;
	if (s != NULL)
		root = only_expression(s, true);
	if (ts_node_is_null(root)) {
		py_free(s);
		return false;
	}
	names_collect(s, root, a, &names);
	*name = ARENA_ARRAY(a, struct str, names.n);
	for (size_t i = 0; i < names.n; i++)
		(*name)[i] = names.entry[i].key;
	*n = names.n;
	py_free(s);
	return true;
}
