#include "python/tree.h"

struct texts {
	VEC_OF(struct str)
};

/* The name that a parameter binds, or a null node for a separator. */
static TSNode parameter_name(TSNode p)
{
	TSNode name;

	if (tree_is(p, "identifier"))
		return p;
	name = tree_field(p, "name");
	if (ts_node_is_null(name) && tree_is(p, "typed_parameter"))
		name = tree_first(p);
	return tree_is(name, "identifier") ? name : (TSNode){ 0 };
}

/* What p is, or for "*args: int" what stands before the colon. */
static TSNode parameter_shape(TSNode p)
{
	return tree_is(p, "typed_parameter") ? tree_first(p) : p;
}

static void parameters_read(const struct py_source *s, struct arena *a, TSNode parameters, struct py_function *out)
{
	struct texts names = { 0 };
	bool keyword_only = false;

	for (uint32_t i = 0, n = ts_node_named_child_count(parameters); i < n; i++) {
		TSNode p = ts_node_named_child(parameters, i), shape = parameter_shape(p), name = parameter_name(p);

		if (tree_is(shape, "keyword_separator") || tree_is(shape, "list_splat_pattern"))
			keyword_only = true;
		else if (tree_is(shape, "dictionary_splat_pattern"))
			out->takes_kwargs = true;
		else if (keyword_only && !ts_node_is_null(name))
			*VEC_PUSH(&names, a) = str_dup(a, tree_text(s, name));
	}
	out->keyword_only = names.p;
	out->n_keyword_only = names.n;
}

/* The i-th statement of the module when it is a plain function, decorated or not; else a null node. */
static TSNode function_at(TSNode root, uint32_t i)
{
	TSNode def = ts_node_named_child(root, i);

	if (tree_is(def, "decorated_definition"))
		def = tree_field(def, "definition");
	return tree_is(def, "function_definition") && !tree_has_token(def, "async") ? def : (TSNode){ 0 };
}

bool py_find_function(const struct py_source *s, struct arena *a, struct str name, struct py_function *out)
{
	TSNode root = ts_tree_root_node(s->tree);

	for (uint32_t i = 0, n = ts_node_named_child_count(root); i < n; i++) {
		TSNode def = function_at(root, i);

		if (ts_node_is_null(def) || !str_eq(tree_text(s, tree_field(def, "name")), name))
			continue;
		*out = (struct py_function){ .name = str_dup(a, name), .line = ts_node_start_point(def).row + 1 };
		parameters_read(s, a, tree_field(def, "parameters"), out);
		return true;
	}
	return false;
}

size_t py_function_names(const struct py_source *s, struct arena *a, struct str **out)
{
	TSNode root = ts_tree_root_node(s->tree);
	struct texts names = { 0 };

	for (uint32_t i = 0, n = ts_node_named_child_count(root); i < n; i++) {
		TSNode def = function_at(root, i);

		if (!ts_node_is_null(def))
			*VEC_PUSH(&names, a) = str_dup(a, tree_text(s, tree_field(def, "name")));
	}
	*out = names.p;
	return names.n;
}
