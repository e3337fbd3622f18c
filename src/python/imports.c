#include "python/tree.h"

struct imports {
	VEC_OF(struct py_import)
};

struct import_names {
	VEC_OF(struct py_import_name)
};

/* The text of a dotted name without the blanks, comments and line breaks that may stand in it. */
static struct str dotted_text(const struct py_source *s, struct arena *a, TSNode dotted)
{
	struct buf b = { 0 };
	struct str out;

	for (uint32_t i = 0, n = ts_node_named_child_count(dotted); i < n; i++) {
		TSNode part = ts_node_named_child(dotted, i);

		if (!tree_is(part, "identifier"))
			continue;
		if (b.n != 0)
			buf_add(&b, STR("."));
		buf_add(&b, tree_text(s, part));
	}
	out = buf_take(&b, a);
	buf_release(&b);
	return out;
}

static struct py_import_name import_name(const struct py_source *s, struct arena *a, TSNode n)
{
	if (tree_is(n, "aliased_import"))
		return (struct py_import_name){ dotted_text(s, a, tree_field(n, "name")),
			                        str_dup(a, tree_text(s, tree_field(n, "alias"))) };
	return (struct py_import_name){ dotted_text(s, a, n), STR_NONE };
}

static struct str names_text(struct arena *a, const struct import_names *names)
{
	struct buf b = { 0 };
	struct str out;

	for (size_t i = 0; i < names->n; i++) {
		buf_add(&b, i != 0 ? STR(", ") : STR_NONE);
		buf_add(&b, names->p[i].name);
		if (names->p[i].as.n != 0)
			buf_addf(&b, " as %.*s", STR_ARG(names->p[i].as));
	}
	out = buf_take(&b, a);
	buf_release(&b);
	return out;
}

/* "M", ".", "..M": the part after `from`. */
static void module_read(const struct py_source *s, struct arena *a, TSNode module, struct py_import *out)
{
	if (tree_is(module, "dotted_name")) {
		out->module = dotted_text(s, a, module);
		return;
	}
	for (uint32_t i = 0, n = ts_node_named_child_count(module); i < n; i++) {
		TSNode part = ts_node_named_child(module, i);

		if (tree_is(part, "import_prefix"))
			out->level = (unsigned)str_count_char(tree_text(s, part), '.');
		else if (tree_is(part, "dotted_name"))
			out->module = dotted_text(s, a, part);
	}
}

static void import_read(const struct py_source *s, struct arena *a, TSNode n, struct py_import *out)
{
	struct import_names names = { 0 };
	TSPoint start = ts_node_start_point(n);

	*out = (struct py_import){ .at = ts_node_start_byte(n), .end = ts_node_end_byte(n),
		                   .from = !tree_is(n, "import_statement"),
		                   .line = start.row + 1, .col = start.column + 1 };
	for (uint32_t i = 0, count = ts_node_child_count(n); i < count; i++) {
		TSNode child = ts_node_child(n, i);
		const char *field = ts_node_field_name_for_child(n, i);

		if (tree_is(child, "wildcard_import"))
			*VEC_PUSH(&names, a) = (struct py_import_name){ STR("*"), STR_NONE };
		else if (field != NULL && strcmp(field, "module_name") == 0)
			module_read(s, a, child, out);
		else if (field != NULL && strcmp(field, "name") == 0)
			*VEC_PUSH(&names, a) = import_name(s, a, child);
	}
	if (tree_is(n, "future_import_statement"))
		out->module = STR("__future__");
	out->names = names_text(a, &names);
	out->name = names.p;
	out->n_name = names.n;
}

void py_imports(const struct py_source *s, struct arena *a, struct py_import **out, size_t *n)
{
	struct imports found = { 0 };
	struct tree_walk w;
	TSNode node;

	tree_walk_init(&w, ts_tree_root_node(s->tree));
	while (tree_walk_next(&w, true, &node))
		if (tree_is(node, "import_statement") || tree_is(node, "import_from_statement") ||
		    tree_is(node, "future_import_statement"))
			import_read(s, a, node, VEC_PUSH(&found, a));
	tree_walk_finish(&w);
	*out = found.p;
	*n = found.n;
}
