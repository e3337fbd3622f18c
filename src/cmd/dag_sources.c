#include "cmd/dag_analysis.h"

#include "graph/pyreads.h"
#include "model/fields.h"
#include "model/flowgroup.h"

/* --- doubts --- */

static int affected_cmp(const struct dag_affected *x, const struct dag_affected *y)
{
	int order = str_cmp(x->flowgroup, y->flowgroup);
	return order != 0 ? order : str_cmp(x->action, y->action);
}

static void affected_add(struct dag *d, struct dag_doubt *doubt, struct dag_affected a)
{
	size_t k = doubt->affected.n;
	for (size_t i = 0; i < k; i++)
		if (affected_cmp(&doubt->affected.p[i], &a) == 0 && strcmp(doubt->affected.p[i].edit, a.edit) == 0)
			return;
	VEC_PUSH(&doubt->affected, d->arena);
	for (; k > 0 && affected_cmp(&doubt->affected.p[k - 1], &a) > 0; k--)
		doubt->affected.p[k] = doubt->affected.p[k - 1];
	doubt->affected.p[k] = a;
}

void dag_doubt_add(struct dag *d, const struct dag_place *at, const struct rule *rule, struct str message,
                   const char *file, uint32_t line)
{
	struct str key = str_fmt(d->arena, "%s\n%s\n%u\n%.*s", rule->code, file, line, STR_ARG(message));
	void **slot = map_slot(&d->doubt_seen, d->arena, key);
	if (*slot == NULL) {
		*VEC_PUSH(&d->doubt, d->arena) =
		    (struct dag_doubt){ .rule = rule, .message = message, .file = file, .line = line };
		*slot = (void *)(uintptr_t)d->doubt.n;
	}
	affected_add(d, &d->doubt.p[(uintptr_t)*slot - 1],
	             (struct dag_affected){ at->flowgroup, at->action, at->file });
}

/* --- what an action makes --- */

/* catalog.schema.table, or what there is of it; the old `database` stands for the first two. */
static struct str table_of(struct dag *d, const struct node *map)
{
	struct str catalog = node_get_text(map, "catalog"), schema = node_get_text(map, "schema");
	struct str table = node_get_text(map, "table"), database = node_get_text(map, "database");
	if (catalog.n == 0 && schema.n == 0)
		schema = database;
	if (table.n == 0 || schema.n == 0)
		return table;
	if (catalog.n == 0)
		return str_fmt(d->arena, "%.*s.%.*s", STR_ARG(schema), STR_ARG(table));
	return str_fmt(d->arena, "%.*s.%.*s.%.*s", STR_ARG(catalog), STR_ARG(schema), STR_ARG(table));
}

static struct str table_made(struct dag *d, const struct node *target)
{
	struct str type = kind_of(target);
	if (str_is(type, "sink"))
		return str_is(node_get_text(target, "sink_type"), "delta")
		           ? node_str(node_path(target, "options.tableName"))
		           : STR_NONE;
	if (!str_is(type, "streaming_table") && !str_is(type, "materialized_view"))
		return STR_NONE;
	bool named = node_get_text(target, "schema").n > 0 || node_get_text(target, "database").n > 0;
	return named ? table_of(d, target) : STR_NONE;
}

/* --- explicit sources --- */

static void texts_add(struct dag *d, struct lineage_action *a, const struct node *n)
{
	if (node_is_str(n))
		dag_source_add(d, a, n->text, false);
	for (size_t i = 0; node_is(n, NODE_LIST) && i < n->list.n; i++)
		if (node_is_str(n->list.item[i]))
			dag_source_add(d, a, n->list.item[i]->text, false);
}

/* The first of view, source, sources, table. */
static void mapping_add(struct dag *d, struct lineage_action *a, const struct node *source)
{
	static const char *const keys[] = { "view", "source", "sources" };
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (node_truthy(node_get(source, keys[i]))) {
			texts_add(d, a, node_get(source, keys[i]));
			return;
		}
	if (!str_is(kind_of(source), "jdbc")) /* a table of another database */
		dag_source_add(d, a, table_of(d, source), false);
}

static void explicit_add(struct dag *d, struct lineage_action *a, const struct node *action)
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
		mapping_add(d, a, source);
	else
		texts_add(d, a, source);
	if (!str_is(kind_of(action), "test"))
		return;
	texts_add(d, a, node_get(action, "reference"));
	texts_add(d, a, node_get(action, "lookup_table"));
}

/* --- bodies --- */

static int sql_bodies_read(struct dag *d, const struct dag_body *b, const struct node *action)
{
	const struct node *source = node_get(action, "source");
	const struct node *holder[] = { action, str_is(kind_of(source), "sql") ? source : NULL,
		                        node_get(action, "write_target") };
	for (size_t i = 0; i < sizeof holder / sizeof *holder; i++) {
		const struct node *inline_text = node_get(holder[i], "sql"), *path = node_get(holder[i], "sql_path");
		if (node_is_str(inline_text) && inline_text->text.n > 0)
			dag_sql_read(d, b, dag_secrets_named(d, inline_text->text), b->at->file);
		else if (node_is_str(path) && path->text.n > 0 && dag_sql_file_read(d, b, path) < 0)
			return -1;
	}
	return 0;
}

/* Texts, lists of texts and maps; NULL for anything else. */
static struct py_value *value_of(struct dag *d, const struct node *n)
{
	if (node_is_str(n))
		return py_value_text(d->arena, dag_secrets_named(d, n->text));
	if (node_is(n, NODE_MAP)) {
		struct py_value *map = py_value_map(d->arena);
		for (size_t i = 0; i < n->map.n; i++) {
			struct py_value *v = node_is_str(n->map.pair[i].key) ? value_of(d, n->map.pair[i].value) : NULL;
			if (v != NULL)
				py_value_put(d->arena, map, n->map.pair[i].key->text, v);
		}
		return map;
	}
	if (!node_is(n, NODE_LIST))
		return NULL;
	struct str *item = ARENA_ARRAY(d->arena, struct str, n->list.n + 1);
	for (size_t i = 0; i < n->list.n; i++) {
		if (!node_is_str(n->list.item[i]))
			return NULL;
		item[i] = dag_secrets_named(d, n->list.item[i]->text);
	}
	return py_value_list(d->arena, item, n->list.n);
}

static const struct py_value *parameters_of(struct dag *d, const struct node *map)
{
	const struct node *parameters = node_get(map, "parameters");
	return node_is(parameters, NODE_MAP) ? value_of(d, parameters) : py_value_map(d->arena);
}

static int module_read(struct dag *d, const struct dag_body *b, const struct node *path, const struct py_entry *entry)
{
	return node_is_str(path) && path->text.n > 0 ? dag_python_file_read(d, b, path, entry) : 0;
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

static int python_bodies_read(struct dag *d, const struct dag_body *b, const struct node *action)
{
	const struct node *source = node_get(action, "source"), *target = node_get(action, "write_target");
	const struct node *function = node_path(target, "snapshot_cdc_config.source_function");
	const struct node *handler = node_get(target, "batch_handler");
	struct str name = node_get_text(source, "function_name");
	struct py_entry transform = { node_get_text(action, "function_name"), transform_position(source), false,
		                      parameters_of(d, action) };
	struct py_entry load = { name.n > 0 ? name : entity_text(&entity_source, NULL, "function_name"), 2, false,
		                 parameters_of(d, source) };
	struct py_entry snapshot = { node_get_text(function, "function"), 0, true, parameters_of(d, function) };
	if (module_read(d, b, node_get(action, "module_path"), &transform) < 0)
		return -1;
	if (str_is(kind_of(source), "python") && module_read(d, b, node_get(source, "module_path"), &load) < 0)
		return -1;
	if (module_read(d, b, node_get(target, "module_path"), NULL) < 0)
		return -1;
	if (node_is_str(handler) && handler->text.n > 0)
		dag_python_read(d, b, dag_secrets_named(d, handler->text), b->at->file, NULL);
	return module_read(d, b, node_get(function, "file"), &snapshot);
}

int dag_action_read(struct dag *d, uint32_t flowgroup, const char *file, const struct node *action)
{
	const struct node *depends_on = node_get(action, "depends_on");
	struct lineage_action *a = lineage_add(&d->lineage, flowgroup, node_get_text(action, "name"));
	struct dag_place at = { d->lineage.flowgroup.p[flowgroup].name, a->name, file };
	bool declared = node_is(depends_on, NODE_LIST) && depends_on->list.n > 0;
	struct dag_body b = { &at, declared, a };
	a->kind = str_cstr(d->arena, kind_of(action));
	a->view = node_get_text(action, "target");
	if (str_is(kind_of(action), "write"))
		a->table = dag_secrets_named(d, table_made(d, node_get(action, "write_target")));
	explicit_add(d, a, action);
	for (size_t i = 0; declared && i < depends_on->list.n; i++)
		if (node_is_str(depends_on->list.item[i]))
			dag_source_add(d, a, table_canonical(d->arena, depends_on->list.item[i]->text), false);
	if (declared && d->o->trust_depends_on)
		return 0;
	return sql_bodies_read(d, &b, action) < 0 || python_bodies_read(d, &b, action) < 0 ? -1 : 0;
}
