/* Materialized views: spec/write_test.md 9.1. */
#include "emit/write.h"

#include "base/utf8.h"

#include "resolve/token.h"

/* The query, or an empty text when the view reads its source. */
static int query_read(struct write *w, struct str *query)
{
	const struct node *sql = node_get(w->target, "sql"), *path = node_get(w->target, "sql_path");

	*query = utf8_trim(node_str(sql));
	if (node_truthy(sql) || !node_truthy(path))
		return 0;
	if (file_text(w->m->unit, node_str(path), path->at, TOKENS_ALL, true, query) < 0)
		return module_fault(w->m, w->creator);
	*query = utf8_trim(*query);
	return 0;
}

int write_materialized_view(struct write *w)
{
	struct views views;
	struct str query;

	if (query_read(w, &query) < 0)
		return -1;
	module_import(w->m, "from pyspark.sql import DataFrame");
	buf_adds(w->b, "@dp.materialized_view(\n");
	if (table_arguments_write(w, TABLE_VIEW) < 0)
		return -1;
	buf_addc(w->b, '\n');
	function_begin(w, table_function(w),
	               module_description(w->m, w->creator, "Write to %.*s from multiple sources", STR_ARG(w->full)),
	               node_mark(node_get(w->target, "table")));
	buf_adds(w->b, "    # Materialized views use batch processing\n");
	if (query.n != 0) {
		buf_adds(w->b, "    df = spark.sql(");
		py_block(w->b, query);
		buf_adds(w->b, ")\n\n    return df");
		return 0;
	}
	write_views(w, w->creator, &views);
	function_read(w, "spark.read", views.n != 0 ? views.p[0] : STR_NONE);
	return 0;
}
