/* What makes a table: spec/write_test.md 2.2, 4.1, 8.1, 9.1. */
#include "emit/schema_file.h"
#include "emit/write.h"
#include "yaml/node_build.h"

enum form { FORM_TEXT, FORM_DATA, FORM_SCHEMA, FORM_TRUE };

enum { ON_STREAMING = 1 << TABLE_STREAMING, ON_VIEW = 1 << TABLE_VIEW, ON_REPLACE_WHERE = 1 << TABLE_REPLACE_WHERE };
enum { ON_ALL = ON_STREAMING | ON_VIEW | ON_REPLACE_WHERE };

/* In the order of the code. Empty and false ones are left out. */
static const struct argument {
	const char *name, *key;
	enum form form;
	int on;
} ARGUMENTS[] = {
	{ "table_properties", "table_properties", FORM_DATA, ON_ALL },
	{ "spark_conf", "spark_conf", FORM_DATA, ON_ALL },
	{ "partition_cols", "partition_columns", FORM_DATA, ON_ALL },
	{ "cluster_by", "cluster_columns", FORM_DATA, ON_ALL },
	{ "cluster_by_auto", "cluster_by_auto", FORM_TRUE, ON_ALL },
	{ "path", "path", FORM_TEXT, ON_ALL },
	{ "schema", "table_schema", FORM_SCHEMA, ON_ALL },
	{ "row_filter", "row_filter", FORM_TEXT, ON_ALL },
	{ "temporary", "temporary", FORM_TRUE, ON_ALL },
	{ "refresh_schedule", "refresh_schedule", FORM_TEXT, ON_VIEW },
	{ "refresh_policy", "refresh_policy", FORM_TEXT, ON_VIEW },
	{ "private", "private", FORM_TRUE, ON_ALL },
};

static const char RESET_ALLOWED[] = "pipelines.reset.allowed";

static void separator_add(struct write *w)
{
	buf_adds(w->b, ",\n    ");
}

static int data_argument(struct write *w, const char *name, const struct node *value)
{
	separator_add(w);
	buf_addf(w->b, "%s=", name);
	return module_data(w->m, w->b, w->creator, value);
}

/* A full reload would lose what earlier predicates wrote. */
static int kept_properties(struct write *w)
{
	struct arena *a = w->m->unit->arena;
	const struct node *given = node_get(w->target, "table_properties");
	struct node *all = node_is(given, NODE_MAP) ? node_copy(a, given) : node_new(a, NODE_MAP, w->target->at);

	if (!node_has(all, RESET_ALLOWED))
		node_set(a, all, str_of(RESET_ALLOWED), node_new_str(a, w->target->at, STR("false")));
	return data_argument(w, "table_properties", all);
}

/* Views and tables of replace_where always have them. */
static int properties_argument(struct write *w, enum table_kind kind)
{
	const struct node *given = node_get(w->target, "table_properties");

	if (kind == TABLE_REPLACE_WHERE)
		return kept_properties(w);
	if (kind == TABLE_STREAMING && !node_truthy(given))
		return 0;
	return data_argument(w, "table_properties",
	                     node_is_null(given) ? node_new(w->m->unit->arena, NODE_MAP, w->target->at) : given);
}

static int schema_argument(struct write *w, const struct node *value, enum table_kind kind)
{
	struct str ddl = node_text(w->m->unit->arena, value);

	if (schema_is_file(ddl) && schema_ddl_read(w->m, w->creator, value, SCHEMA_TEXT_ANY, &ddl) < 0)
		return -1;
	separator_add(w);
	buf_adds(w->b, "schema=");
	if (kind == TABLE_VIEW)
		py_text(w->b, ddl);
	else
		py_block(w->b, ddl);
	return 0;
}

static int argument_write(struct write *w, const struct argument *row, enum table_kind kind)
{
	const struct node *value = node_get(w->target, row->key);

	if (row == &ARGUMENTS[0])
		return properties_argument(w, kind);
	if (!node_truthy(value))
		return 0;
	switch (row->form) {
	case FORM_DATA: return data_argument(w, row->name, value);
	case FORM_SCHEMA: return schema_argument(w, value, kind);
	case FORM_TRUE:
		separator_add(w);
		buf_addf(w->b, "%s=True", row->name);
		return 0;
	default:
		separator_add(w);
		buf_addf(w->b, "%s=", row->name);
		py_text(w->b, node_text(w->m->unit->arena, value));
		return 0;
	}
}

static struct str comment_of(struct write *w, enum table_kind kind)
{
	struct arena *a = w->m->unit->arena;
	const struct node *comment = node_get(w->target, "comment");
	struct str table = node_get_text(w->target, "table");

	if (!node_is_null(comment))
		return node_text(a, comment);
	return str_fmt(a, "%s: %.*s", kind == TABLE_VIEW ? "Materialized view" : "Streaming table", STR_ARG(table));
}

int table_arguments_write(struct write *w, enum table_kind kind)
{
	const struct node *predicate = node_path(w->target, "replace_where_config.replace_where");

	buf_adds(w->b, "    name=");
	py_text(w->b, w->full);
	separator_add(w);
	buf_adds(w->b, "comment=");
	py_text(w->b, comment_of(w, kind));
	for (size_t i = 0; i < sizeof ARGUMENTS / sizeof *ARGUMENTS; i++)
		if ((ARGUMENTS[i].on & (1 << kind)) != 0 && argument_write(w, &ARGUMENTS[i], kind) < 0)
			return -1;
	if (kind == TABLE_REPLACE_WHERE) {
		separator_add(w);
		buf_adds(w->b, "replace_where=");
		py_text(w->b, node_str(predicate));
	}
	buf_addc(w->b, ')');
	return 0;
}

int table_create_write(struct write *w, const char *head)
{
	buf_addf(w->b, "%s\ndp.create_streaming_table(\n", head);
	if (table_arguments_write(w, TABLE_STREAMING) < 0)
		return -1;
	buf_addc(w->b, '\n');
	return 0;
}

struct str table_function(struct write *w)
{
	return py_identifier(w->m->unit->arena, node_get_text(w->target, "table"));
}
