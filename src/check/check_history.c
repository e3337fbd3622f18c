/* With scd_type 2 a given table schema must name the columns that hold history (write_test.md, section 3.4). */
#include "check/checker.h"
#include "project/project.h"

static const char *const history_columns[] = { "__START_AT", "__END_AT" };

/* Does the value of table_schema name a file? (write_test.md, section 2.2) */
static bool names_file(struct arena *a, struct str value)
{
	static const char *const sign[] = { "/", "\\", ".yaml", ".yml", ".json", ".ddl", ".sql" };
	struct str lower = str_lower(a, value);

	for (size_t i = 0; i < sizeof sign / sizeof *sign; i++)
		if (str_has(lower, str_of(sign[i])))
			return true;
	return false;
}

/* Names and types of the columns of a schema file, as one text; false when it has none. */
static bool columns_text(struct arena *a, const struct node *doc, struct str *out)
{
	const struct node *columns = node_get(doc, "columns");
	struct buf b = { 0 };

	for (size_t i = 0; node_is(columns, NODE_LIST) && i < columns->list.n; i++) {
		const struct node *column = columns->list.item[i];

		if (node_truthy(node_get(column, "name")) && node_truthy(node_get(column, "type")))
			buf_addf(&b, "%.*s %.*s, ", STR_ARG(node_text(a, node_get(column, "name"))),
			         STR_ARG(node_text(a, node_get(column, "type"))));
	}
	*out = buf_take(&b, a);
	buf_release(&b);
	return out->n != 0;
}

/* The schema as text. False when it cannot be read, which generate reports. */
static bool schema_text(struct checker *c, const struct node *schema, struct str *out)
{
	struct str path = str_replace(c->u->arena, schema->text, STR("\\"), STR("/"));
	struct str lower = str_lower(c->u->arena, path);
	const struct door_file *file;
	const struct door_yaml *y;

	*out = schema->text;
	if (!names_file(c->u->arena, schema->text))
		return true;
	if (str_ends(lower, STR(".yaml")) || str_ends(lower, STR(".yml")) || str_ends(lower, STR(".json"))) {
		y = door_yaml(c->u->project->door, c->u->trace, path, schema->at);
		return y->file->error == 0 && y->yaml.n_doc == 1 && columns_text(c->u->arena, y->yaml.doc[0], out);
	}
	file = door_read(c->u->project->door, c->u->trace, path, schema->at);
	*out = file->bytes;
	return file->error == 0;
}

void check_history_columns(struct checker *c)
{
	const struct node *schema = node_get(c->action->write_target, "table_schema");
	struct str text;

	if (!node_is_str(schema) || schema->text.n == 0 || !schema_text(c, schema, &text))
		return;
	for (size_t i = 0; i < sizeof history_columns / sizeof *history_columns; i++)
		if (!str_has(text, str_of(history_columns[i])))
			check_hint(c, check_add(c, &rule_cdc_history_columns, schema, "scd_type is 2, but table_schema has no column %s",
			                        history_columns[i]),
			           "add it with the type of the sequence_by column, or leave table_schema out");
}
