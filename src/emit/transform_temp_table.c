/* Tables that live as long as the run: spec/load_transform.md 4.5. */
#include "emit/transform.h"

int transform_temp_table(struct module *m, struct buf *b, const struct action *a)
{
	struct str sql = node_get_text(a->map, "sql"), view = transform_view(a);

	if (view.n == 0 || node_is(a->source, NODE_LIST)) {
		module_error(m, a, &rule_temp_table_source, a->source != NULL ? a->source->at : a->map->at,
			     "The source is %s; a temporary table reads one view.", node_kind_name(a->source));
		return module_hint(m, "Name the view: `source: v_name`");
	}
	buf_adds(b, "@dp.table(\n    temporary=True,\n)\n");
	view_def(m, b, a, module_description(m, a, "Temporary table: %.*s", STR_ARG(a->target)));
	if (sql.n > 0) {
		buf_adds(b, "    df = spark.sql(");
		py_block(b, sql);
	} else {
		buf_addf(b, "    df = %s.table(", reader_of(module_read_mode(a, "batch")));
		py_text(b, view);
	}
	buf_adds(b, ")\n");
	view_end(m, b, a);
	return 0;
}
