#include "python/syntax.h"

static bool in_table(TSNode n, const char *const *table, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (tree_is(n, table[i]))
			return true;
	return false;
}

/* Names, parts of things, and brackets around such: what can be bound or deleted. */
static bool is_target(TSNode root, bool starred)
{
	static const char *const LEAVES[] = { "identifier", "attribute", "subscript", "comment", "line_continuation" };
	static const char *const HOLDERS[] = { "tuple", "list", "parenthesized_expression", "expression_list", "pattern_list",
		                               "tuple_pattern", "list_pattern", "as_pattern_target" };
	static const char *const STARS[] = { "list_splat", "list_splat_pattern" };
	struct tree_walk w;
	bool inside = true, good = true;
	TSNode n;

	tree_walk_init(&w, root);
	while (good && tree_walk_next(&w, inside, &n)) {
		inside = in_table(n, HOLDERS, sizeof HOLDERS / sizeof *HOLDERS) ||
		         (starred && in_table(n, STARS, sizeof STARS / sizeof *STARS));
		good = !ts_node_is_named(n) || inside || in_table(n, LEAVES, sizeof LEAVES / sizeof *LEAVES);
	}
	tree_walk_finish(&w);
	return good;
}

static bool has_type(TSNode assignment)
{
	return !ts_node_is_null(tree_field(assignment, "type"));
}

const char *target_check_assignment(const struct py_source *s, TSNode n)
{
	static const char *const ONE[] = { "identifier", "attribute", "subscript", "parenthesized_expression", "tuple_pattern" };
	TSNode left = tree_field(n, "left");

	(void)s;
	if (!is_target(left, true))
		return "this cannot be assigned to";
	if (tree_is(tree_field(n, "right"), "assignment") &&
	    (has_type(n) || has_type(tree_field(n, "right"))))
		return "a target with a type cannot be chained";
	if (!has_type(n))
		return NULL;
	if (tree_is(left, "tuple_pattern") && (tree_has_token(left, ",") || ts_node_named_child_count(left) != 1))
		return "only one target can have a type";
	return in_table(left, ONE, sizeof ONE / sizeof *ONE) ? NULL : "only one target can have a type";
}

const char *target_check_augmented(const struct py_source *s, TSNode n)
{
	static const char *const ONE[] = { "identifier", "attribute", "subscript", "parenthesized_expression", "tuple_pattern" };
	TSNode left = tree_field(n, "left");

	(void)s;
	if (tree_is(left, "tuple_pattern") && (tree_has_token(left, ",") || ts_node_named_child_count(left) != 1))
		return "an augmented assignment has one target";
	return in_table(left, ONE, sizeof ONE / sizeof *ONE) && is_target(left, false) ? NULL
	                                                                             : "an augmented assignment has one target";
}

const char *target_check_delete(const struct py_source *s, TSNode n)
{
	(void)s;
	for (uint32_t i = 0, count = ts_node_named_child_count(n); i < count; i++)
		if (!is_target(ts_node_named_child(n, i), false))
			return "this cannot be deleted";
	return NULL;
}

const char *target_check_as(const struct py_source *s, TSNode n)
{
	(void)s;
	return is_target(n, true) ? NULL : "this cannot be bound with `as`";
}
