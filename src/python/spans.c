#include "python/tree.h"

struct spans {
	VEC_OF(struct py_span)
};

static bool is_format_string(const struct py_source *s, TSNode string)
{
	struct str start = tree_text(s, ts_node_child(string, 0));

	return str_find_char(start, 'f', 0) >= 0 || str_find_char(start, 'F', 0) >= 0;
}

static void spans_collect(const struct py_source *s, struct arena *a, bool plain, struct spans *found)
{
	struct tree_walk w;
	bool inside = true;
	TSNode n;

	tree_walk_init(&w, ts_tree_root_node(s->tree));
	while (tree_walk_next(&w, inside, &n)) {
		bool string = tree_is(n, "string");

		inside = !string;
		if (plain ? (string && !is_format_string(s, n)) || tree_is(n, "comment") : string)
			*VEC_PUSH(found, a) = (struct py_span){ ts_node_start_byte(n), ts_node_end_byte(n) };
	}
	tree_walk_finish(&w);
}

void py_plain_texts(const struct py_source *s, struct arena *a, struct py_span **out, size_t *n)
{
	struct spans found = { 0 };

	spans_collect(s, a, true, &found);
	*out = found.p;
	*n = found.n;
}

void py_strings(const struct py_source *s, struct arena *a, struct py_span **out, size_t *n)
{
	struct spans found = { 0 };

	spans_collect(s, a, false, &found);
	*out = found.p;
	*n = found.n;
}
