/* Queries over views: spec/load_transform.md 4.1. */
#include "emit/transform.h"

#include "base/utf8.h"

#include "resolve/token.h"

static int query_read(struct module *m, const struct action *a, struct str *text)
{
	const struct node *sql = node_get(a->map, "sql"), *path = node_get(a->map, "sql_path");

	*text = node_str(sql);
	if (text->n == 0 && node_is_str(path) && file_text(m->unit, path->text, path->at, TOKENS_ALL, true, text) < 0)
		return module_fault(m, a);
	*text = utf8_trim(*text);
	return 0;
}

int transform_sql(struct module *m, struct buf *b, const struct action *a)
{
	struct str description = module_description(m, a, "SQL transform: %.*s", STR_ARG(a->name)), query;

	if (query_read(m, a, &query) < 0)
		return -1;
	buf_adds(b, "@dp.temporary_view(comment=");
	py_text(b, description);
	buf_adds(b, ")\n");
	view_def(m, b, a, description);
	buf_adds(b, "    df = spark.sql(");
	py_block(b, query);
	buf_adds(b, ")\n");
	view_end(m, b, a);
	return 0;
}
