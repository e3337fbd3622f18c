#include "cmd/dag_take.h"

#include "graph/pyreads.h"
#include "model/fields.h"
#include "model/flowgroup.h"

/* --- what an action makes --- */

/* catalog.schema.table, or what there is of it; the old `database` stands for the first two. */
static struct str table_of(struct arena *a, const struct node *map)
{
	struct str catalog = node_get_text(map, "catalog"), schema = node_get_text(map, "schema");
	struct str table = node_get_text(map, "table"), database = node_get_text(map, "database");
	if (catalog.n == 0 && schema.n == 0)
		schema = database;
	if (table.n == 0 || schema.n == 0)
		return table;
	if (catalog.n == 0)
		return str_fmt(a, "%.*s.%.*s", STR_ARG(schema), STR_ARG(table));
	return str_fmt(a, "%.*s.%.*s.%.*s", STR_ARG(catalog), STR_ARG(schema), STR_ARG(table));
}

static struct str table_made(struct arena *a, const struct node *target)
{
	struct str type = kind_of(target);
	if (str_is(type, "sink"))
		return str_is(node_get_text(target, "sink_type"), "delta")
		           ? node_str(node_path(target, "options.tableName"))
		           : STR_NONE;
	if (!str_is(type, "streaming_table") && !str_is(type, "materialized_view"))
		return STR_NONE;
	bool named = node_get_text(target, "schema").n > 0 || node_get_text(target, "database").n > 0;
	return named ? table_of(a, target) : STR_NONE;
}

/* --- explicit sources --- */

static void text_add(struct dag_take *t, struct str text, const struct node *at)
{
	struct mark mark = node_mark(at);
	text = dag_secrets_named(t->unit->arena, text);
	dag_source_add(t, text, (struct dag_place){ mark.file != NULL ? mark.file : t->unit->file, mark.line, false });
}

static void texts_add(struct dag_take *t, const struct node *n)
{
	if (node_is_str(n))
		text_add(t, n->text, n);
	for (size_t i = 0; node_is(n, NODE_LIST) && i < n->list.n; i++)
		if (node_is_str(n->list.item[i]))
			text_add(t, n->list.item[i]->text, n->list.item[i]);
}

/* The first of view, source, sources, table. */
static void mapping_add(struct dag_take *t, const struct node *source)
{
	static const char *const keys[] = { "view", "source", "sources" };
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (node_truthy(node_get(source, keys[i]))) {
			texts_add(t, node_get(source, keys[i]));
			return;
		}
	if (!str_is(kind_of(source), "jdbc")) /* a table of another database */
		text_add(t, table_of(t->unit->arena, source), source);
}

static void explicit_add(struct dag_take *t, const struct node *action)
{
	const struct node *target = node_get(action, "write_target"), *source = node_get(action, "source");
	struct str mode = node_get_text(target, "mode");
	const struct node *snapshot = str_is(mode, "snapshot_cdc") ? node_get(target, "snapshot_cdc_config") : NULL;
	const struct node *cdc = str_is(mode, "cdc") ? node_path(target, "cdc_config.source") : NULL;
	if (node_truthy(node_get(snapshot, "source_function")))
		return;
	if (node_truthy(cdc))
		source = cdc;
	else if (node_truthy(node_get(snapshot, "source")))
		source = node_get(snapshot, "source");
	if (node_is(source, NODE_MAP))
		mapping_add(t, source);
	else
		texts_add(t, source);
	if (!str_is(kind_of(action), "test"))
		return;
	texts_add(t, node_get(action, "reference"));
	texts_add(t, node_get(action, "lookup_table"));
}

/* --- bodies --- */

static int sql_bodies_take(struct dag_take *t, const struct node *action)
{
	const struct node *source = node_get(action, "source");
	const struct node *holder[] = { action, str_is(kind_of(source), "sql") ? source : NULL,
		                        node_get(action, "write_target") };
	for (size_t i = 0; i < sizeof holder / sizeof *holder; i++) {
		const struct node *inline_text = node_get(holder[i], "sql"), *path = node_get(holder[i], "sql_path");
		if (node_is_str(inline_text) && inline_text->text.n > 0)
			dag_sql_take(t, inline_text);
		else if (node_is_str(path) && path->text.n > 0 && dag_sql_file_take(t, path) < 0)
			return -1;
	}
	return 0;
}

/* Texts, lists of texts and maps; NULL for anything else. */
static struct py_value *value_of(struct arena *a, const struct node *n)
{
	if (node_is_str(n))
		return py_value_text(a, dag_secrets_named(a, n->text));
	if (node_is(n, NODE_MAP)) {
		struct py_value *map = py_value_map(a);
		for (size_t i = 0; i < n->map.n; i++) {
			struct py_value *v = node_is_str(n->map.pair[i].key) ? value_of(a, n->map.pair[i].value) : NULL;
			if (v != NULL)
				py_value_put(a, map, n->map.pair[i].key->text, v);
		}
		return map;
	}
	if (!node_is(n, NODE_LIST))
		return NULL;
	struct str *item = ARENA_ARRAY(a, struct str, n->list.n + 1);
	for (size_t i = 0; i < n->list.n; i++) {
		if (!node_is_str(n->list.item[i]))
			return NULL;
		item[i] = dag_secrets_named(a, n->list.item[i]->text);
	}
	return py_value_list(a, item, n->list.n);
}

static const struct py_value *parameters_of(struct arena *a, const struct node *map)
{
	const struct node *parameters = node_get(map, "parameters");
	return node_is(parameters, NODE_MAP) ? value_of(a, parameters) : py_value_map(a);
}

static int module_take(struct dag_take *t, const struct node *path, const struct py_entry *entry)
{
	return node_is_str(path) && path->text.n > 0 ? dag_python_file_take(t, path, entry) : 0;
}

/* Which parameter of a transform's function gets `parameters`: behind the views and the session. */
static unsigned transform_position(const struct node *source)
{
	if (node_is_str(source))
		return 3;
	if (node_is(source, NODE_LIST))
		return source->list.n > 0 ? 3 : 2;
	return 0;
}

static int python_bodies_take(struct dag_take *t, const struct node *action)
{
	const struct node *source = node_get(action, "source"), *target = node_get(action, "write_target");
	const struct node *function = node_path(target, "snapshot_cdc_config.source_function");
	const struct node *handler = node_get(target, "batch_handler");
	struct str name = node_get_text(source, "function_name");
	struct py_entry transform = { node_get_text(action, "function_name"), transform_position(source), false,
		                      parameters_of(t->unit->arena, action) };
	struct py_entry load = { name.n > 0 ? name : entity_text(&entity_source, NULL, "function_name"), 2, false,
		                 parameters_of(t->unit->arena, source) };
	struct py_entry snapshot = { node_get_text(function, "function"), 0, true, parameters_of(t->unit->arena, function) };
	if (module_take(t, node_get(action, "module_path"), &transform) < 0)
		return -1;
	if (str_is(kind_of(source), "python") && module_take(t, node_get(source, "module_path"), &load) < 0)
		return -1;
	if (module_take(t, node_get(target, "module_path"), NULL) < 0)
		return -1;
	if (node_is_str(handler) && handler->text.n > 0)
		dag_python_take(t, handler, NULL);
	return module_take(t, node_get(function, "file"), &snapshot);
}

static void declared_add(struct dag_take *t, const struct node *depends_on)
{
	for (size_t i = 0; i < depends_on->list.n; i++)
		if (node_is_str(depends_on->list.item[i]))
			text_add(t, table_canonical(t->unit->arena, depends_on->list.item[i]->text), depends_on->list.item[i]);
}

int dag_action_take(struct dag_take *t, const struct node *action)
{
	const struct node *depends_on = node_get(action, "depends_on");
	bool declared = node_is(depends_on, NODE_LIST) && depends_on->list.n > 0;
	struct lineage_action *a = t->action = VEC_PUSH(&t->out->action, t->unit->arena);
	a->name = node_get_text(action, "name");
	a->kind = str_cstr(t->unit->arena, kind_of(action));
	a->view = node_get_text(action, "target");
	t->quiet = declared;
	if (str_is(kind_of(action), "write"))
		a->table = dag_secrets_named(t->unit->arena, table_made(t->unit->arena, node_get(action, "write_target")));
	explicit_add(t, action);
	if (declared)
		declared_add(t, depends_on);
	if (declared && t->manner->trust_depends_on)
		return 0;
	return sql_bodies_take(t, action) < 0 || python_bodies_take(t, action) < 0 ? -1 : 0;
}
