/* Queries as sources: spec/load_transform.md 3.3. */
#include "emit/load.h"

#include "base/utf8.h"

#include "resolve/token.h"

int load_sql(struct module *m, struct buf *b, const struct action *a)
{
	const struct node *sql = node_get(a->source, "sql"), *path = node_get(a->source, "sql_path");
	struct str text;

	if (node_has(a->source, "sql") && !node_is_str(sql)) {
		module_error(m, a, &rule_value_misshapen, node_is_null(sql) ? a->source->at : sql->at, "`sql` is %s; it must be a text.",
			     node_kind_name(sql));
		return module_hint(m, "Write the query as a text, or remove `sql` and name its file with `sql_path`");
	}
	if (node_is_str(sql)) {
		text = sql->text;
	} else if (node_is_str(path) && path->text.n > 0) {
		if (file_text(m->unit, path->text, path->at, TOKENS_ALL, true, &text) < 0)
			return module_fault(m, a);
		text = utf8_trim(text);
	} else {
		module_error(m, a, &rule_sql_text_missing, a->source->at, "The source has neither `sql` nor `sql_path`.");
		return module_hint(m, "Write the query under `sql`, or name its file with `sql_path`");
	}
	view_begin(m, b, a, module_description(m, a, "SQL source: %.*s", STR_ARG(a->name)));
	buf_adds(b, "    df = spark.sql(");
	py_block(b, text);
	buf_adds(b, ")\n");
	view_end(m, b, a);
	return 0;
}
