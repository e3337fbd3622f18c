/* sandbox_values.c - members of R in the values of a flowgroup (spec/bundle.md, section 10, Sites in YAML). */
#include "bundle/sandbox_internal.h"
#include "yaml/node_build.h"

struct renaming {
	const struct renames *r;
	struct arena *arena;
};

static bool is_delta_sink(const struct node *target)
{
	return str_is(kind_of(target), "sink") && str_is(node_get_text(target, "sink_type"), "delta");
}

void sandbox_tables_written(struct arena *a, const struct flowgroup *fg, struct names *out)
{
	for (size_t i = 0; i < fg->n; i++) {
		const struct node *target = fg->action[i].type == ACTION_WRITE ? fg->action[i].write_target : NULL;
		struct str table = full_table_name(a, target), sink = node_str(node_path(target, "options.tableName"));

		if (table.n != 0)
			*VEC_PUSH(out, a) = table;
		if (is_delta_sink(target) && sink.n != 0)
			*VEC_PUSH(out, a) = sink;
	}
}

/* --- one value --- */

static const struct node *text_rename(void *ctx, const struct node *text)
{
	struct renaming *w = ctx;
	struct str name = renames_reference(w->r, w->arena, text->text);
	struct node *out;

	if (name.p == text->text.p)
		return text;
	out = node_copy(w->arena, text);
	out->text = name;
	return out;
}

static const struct node *value_texts(struct renaming *w, const struct node *n)
{
	return node_map_strings(w->arena, n, text_rename, w);
}

/* A text, or the texts of a list. */
static const struct node *value_reference(struct renaming *w, const struct node *n)
{
	struct node *out;

	if (node_is_str(n))
		return text_rename(w, n);
	if (!node_is(n, NODE_LIST))
		return n;
	out = node_copy(w->arena, n);
	for (size_t i = 0; i < out->list.n; i++)
		if (node_is_str(out->list.item[i]))
			out->list.item[i] = text_rename(w, out->list.item[i]);
	return out;
}

/* `table` of a map with catalog, schema and table. */
static const struct node *value_triple(struct renaming *w, const struct node *n)
{
	struct str name = full_table_name(w->arena, n);
	const struct node *table = node_get(n, "table");
	struct node *text, *out;

	if (name.n == 0 || !node_is_str(table) || !renames_match(w->r, w->arena, name))
		return n;
	text = node_copy(w->arena, table);
	text->text = renames_last_part(w->r, w->arena, table->text);
	out = node_copy(w->arena, n);
	node_set(w->arena, out, STR("table"), text);
	return out;
}

typedef const struct node *value_fn(struct renaming *w, const struct node *n);

/* `map` with the value at a dotted path replaced. */
static const struct node *path_rename(struct renaming *w, const struct node *map, struct str path, value_fn *value)
{
	struct str rest = path, key = STR_NONE;
	const struct node *old, *new;
	struct node *out;

	if (!str_cut(&rest, '.', &key))
		return value(w, map);
	old = node_get_s(map, key);
	if (old == NULL)
		return map;
	new = path_rename(w, old, rest, value);
	if (new == old)
		return map;
	out = node_copy(w->arena, map);
	node_set(w->arena, out, key, new);
	return out;
}

/* --- the table of places --- */

static bool always(const struct node *action)
{
	(void)action;
	return true;
}

static bool writes_delta_sink(const struct node *action)
{
	return is_delta_sink(node_get(action, "write_target"));
}

static bool loads_delta(const struct node *action)
{
	return str_is(kind_of(node_get(action, "source")), "delta");
}

static bool loads_python(const struct node *action)
{
	return str_is(kind_of(node_get(action, "source")), "python");
}

static bool is_python(const struct node *action)
{
	return str_is(node_get_text(action, "transform_type"), "python");
}

#define ON(type) (1u << ACTION_##type)
#define ON_ANY (ON(LOAD) | ON(TRANSFORM) | ON(WRITE) | ON(TEST))

static const struct {
	unsigned types;
	bool (*when)(const struct node *action);
	struct str path;
	value_fn *value;
} places[] = {
	{ ON(WRITE), always, STR_INIT("write_target"), value_triple },
	{ ON(WRITE), writes_delta_sink, STR_INIT("write_target.options.tableName"), value_reference },
	{ ON(WRITE), always, STR_INIT("write_target.snapshot_cdc_config.source"), value_reference },
	{ ON(WRITE), always, STR_INIT("write_target.snapshot_cdc_config.source_function.parameters"), value_texts },
	{ ON(LOAD), loads_delta, STR_INIT("source"), value_triple },
	{ ON(LOAD), loads_python, STR_INIT("source.parameters"), value_texts },
	{ ON(TRANSFORM), is_python, STR_INIT("parameters"), value_texts },
	{ ON_ANY, always, STR_INIT("source"), value_reference },
	{ ON(TEST), always, STR_INIT("reference"), value_reference },
	{ ON(TEST), always, STR_INIT("lookup_table"), value_reference },
};

static void action_rename(struct renaming *w, struct action *a)
{
	const struct node *map = a->map;

	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		if ((places[i].types & (1u << a->type)) != 0 && places[i].when(a->map))
			map = path_rename(w, map, places[i].path, places[i].value);
	if (map == a->map)
		return;
	a->map = map;
	a->source = a->source != NULL ? node_get(map, "source") : NULL;
	a->write_target = a->write_target != NULL ? node_get(map, "write_target") : NULL;
}

void sandbox_flowgroup_rename(struct unit *u, struct flowgroup *fg)
{
	const struct sandbox *s = u->env->sandbox;
	struct renaming w = { &s->r, u->arena };
	struct node *actions = node_new(u->arena, NODE_LIST, node_mark(node_get(fg->map, "actions")));
	struct node *map = node_copy(u->arena, fg->map);

	trace_add(u->trace, DEP_ENV, STR("--sandbox"), s->hash, (struct mark){ 0 });
	for (size_t i = 0; i < fg->n; i++) {
		action_rename(&w, &fg->action[i]);
		node_push(u->arena, actions, fg->action[i].map);
	}
	node_set(u->arena, map, STR("actions"), actions);
	fg->map = map;
}
