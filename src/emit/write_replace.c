/* Tables whose rows are replaced, by key or by predicate: spec/write_test.md sections 7 and 8. */
#include "emit/write.h"

static int replace_flow_write(struct write *w, const struct action *a, struct str name, struct str view)
{
	const struct node *config = node_get(w->target, "replace_config");
	struct str doc = module_description(w->m, a, "Replace-using flow to %.*s", STR_ARG(w->full));

	py_comment(w->b, str_cat(w->m->unit->arena, STR("Replace-using flow: "), name));
	buf_adds(w->b, "\n@dp.replace_flow(\n");
	argument_text(w->b, "target", w->full);
	argument_text(w->b, "name", name);
	if (argument_data(w, w->creator, "replace_using", node_get(config, "replace_using")) < 0)
		return -1;
	argument_text(w->b, "sequence_by", node_text(w->m->unit->arena, node_get(config, "sequence_by")));
	buf_adds(w->b, "    comment=");
	py_text(w->b, doc);
	buf_adds(w->b, "\n)\n");
	function_begin(w, name, doc, a->map->at);
	buf_adds(w->b, "    # Streaming flow (REPLACE USING requires a streaming source)\n");
	function_read(w, "spark.readStream", view);
	buf_addc(w->b, '\n');
	return 0;
}

int write_replace(struct write *w)
{
	if (table_create_write(w, "# Create the streaming table for the replace-using flow") < 0)
		return -1;
	buf_addc(w->b, '\n');
	return flows_write(w, replace_flow_write);
}

int write_replace_where(struct write *w)
{
	struct views views;

	buf_adds(w->b, "@dp.table(\n");
	if (table_arguments_write(w, TABLE_REPLACE_WHERE) < 0)
		return -1;
	buf_addc(w->b, '\n');
	function_begin(w, table_function(w), module_description(w->m, w->creator, "Replace-where flow to %.*s", STR_ARG(w->full)),
	               node_mark(node_get(w->target, "table")));
	write_views(w, w->creator, &views);
	function_read(w, "spark.read", views.n != 0 ? views.p[0] : STR_NONE);
	return 0;
}
