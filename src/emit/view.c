#include "emit/view.h"
#include "yaml/node_build.h"

void view_def(struct module *m, struct buf *b, const struct action *a, struct str doc)
{
	const struct node *target = node_get(a->map, "target");

	buf_adds(b, "def ");
	module_name(m, b, a->target, target != NULL ? target->at : a->map->at);
	buf_adds(b, "():\n    ");
	py_doc(b, doc);
	buf_addc(b, '\n');
}

void view_begin(struct module *m, struct buf *b, const struct action *a, struct str doc)
{
	buf_adds(b, "@dp.temporary_view()\n");
	view_def(m, b, a, doc);
}

void view_metadata(struct module *m, struct buf *b, const struct action *a)
{
	if (a->n_meta == 0)
		return;
	buf_adds(b, "    # Add operational metadata columns\n");
	module_metadata(m, b, a);
}

void view_end(struct module *m, struct buf *b, const struct action *a)
{
	buf_addc(b, '\n');
	view_metadata(m, b, a);
	if (a->n_meta > 0)
		buf_addc(b, '\n');
	buf_adds(b, "    return df");
}

void view_end_apart(struct module *m, struct buf *b, const struct action *a)
{
	if (a->n_meta == 0)
		buf_addc(b, '\n');
	view_end(m, b, a);
}

void reader_begin(struct buf *b, const char *reader)
{
	buf_addf(b, "    df = %s", reader);
}

void reader_call(struct buf *b, const char *call)
{
	buf_addf(b, " \\\n        .%s(", call);
}

void reader_option(struct module *m, struct buf *b, struct str key, const struct node *value)
{
	reader_call(b, "option");
	py_text(b, key);
	buf_adds(b, ", ");
	py_option_value(b, m->unit->arena, value);
	buf_addc(b, ')');
}

void reader_option_text(struct buf *b, struct str key, struct str value)
{
	reader_call(b, "option");
	py_text(b, key);
	buf_adds(b, ", ");
	py_text(b, value);
	buf_addc(b, ')');
}

const char *reader_of(struct str mode)
{
	return str_is(mode, "stream") ? "spark.readStream" : "spark.read";
}

struct str source_text(struct module *m, const struct action *a, const char *key)
{
	const struct node *n = node_get(a->source, key);

	return n != NULL ? node_text(m->unit->arena, n) : STR("");
}

const struct node *source_map(struct module *m, const struct action *a, const char *key)
{
	const struct node *n = node_get(a->source, key);

	if (!node_truthy(n))
		return node_new(m->unit->arena, NODE_MAP, a->map->at);
	if (node_is(n, NODE_MAP))
		return n;
	module_error(m, a, &rule_options_not_a_map, n->at, "`%s` is %s; it must map option names to values.", key,
		     node_kind_name(n));
	return NULL;
}
