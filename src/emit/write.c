#include "emit/write.h"

struct mode_row {
	const char *mode;
	int (*write)(struct write *w);
};

/* Any other mode is standard (write_test.md 12, item 6). */
static const struct mode_row MODES[] = {
	{ "cdc", write_cdc },
	{ "snapshot_cdc", write_snapshot_cdc },
	{ "replace", write_replace },
	{ "replace_where", write_replace_where },
};

static int streaming_table_write(struct write *w)
{
	struct str mode = node_get_text(w->target, "mode");

	for (size_t i = 0; i < sizeof MODES / sizeof *MODES; i++)
		if (str_is(mode, MODES[i].mode))
			return MODES[i].write(w);
	return write_standard(w);
}

static int table_refuse(struct write *w)
{
	const struct node *table = node_get(w->target, "table");

	module_error(w->m, w->creator, &rule_value_misshapen, node_is_null(table) ? w->target->at : table->at,
	             "`table` is %s; it must be a text.", node_kind_name(table));
	return module_hint(w->m, "Put the name in quotes");
}

int emit_writes(struct module *m, struct buf *b, const struct write_group *group)
{
	struct write w = { .m = m, .b = b, .group = group, .creator = group->creator,
		           .target = group->creator->write_target };
	struct str type = kind_of(group->action[0]->write_target);

	if (!str_is(type, "sink") && !node_is_str(node_get(w.target, "table")))
		return table_refuse(&w);
	w.full = full_table_name(m->unit->arena, w.target);
	if (str_is(type, "materialized_view"))
		return write_materialized_view(&w);
	if (str_is(type, "sink"))
		return write_sink(&w);
	return streaming_table_write(&w);
}

static void view_add(struct write *w, struct views *out, struct str view)
{
	if (view.n != 0)
		*VEC_PUSH(out, w->m->unit->arena) = view;
}

static struct str item_view(struct write *w, const struct node *item)
{
	static const char *const KEYS[] = { "table", "view", "name" };
	struct str view;

	if (node_is_str(item))
		return item->text;
	view = node_is(item, NODE_MAP) ? full_table_name(w->m->unit->arena, item) : STR_NONE;
	for (size_t i = 0; view.n == 0 && i < sizeof KEYS / sizeof *KEYS; i++)
		view = node_get_text(item, KEYS[i]);
	return view;
}

void write_views(struct write *w, const struct action *a, struct views *out)
{
	*out = (struct views){ 0 };
	if (!node_is(a->source, NODE_LIST)) {
		view_add(w, out, node_str(a->source));
		return;
	}
	for (size_t i = 0; i < a->source->list.n; i++)
		view_add(w, out, item_view(w, a->source->list.item[i]));
}

void sink_views(struct write *w, const struct action *a, struct views *out)
{
	*out = (struct views){ 0 };
	view_add(w, out, node_str(a->source));
	for (size_t i = 0; node_is(a->source, NODE_LIST) && i < a->source->list.n; i++) {
		const struct node *item = a->source->list.item[i];

		view_add(w, out, node_is_str(item) ? item->text : node_get_text(item, "view"));
	}
}

struct str flow_name(struct write *w, const struct action *a, size_t k, size_t n)
{
	struct arena *arena = w->m->unit->arena;
	struct str name = str_replace(arena, str_replace(arena, a->name, STR("-"), STR("_")), STR(" "), STR("_"));

	if (str_starts(name, STR("write_")))
		name = str_skip(name, STR("write_").n);
	if (!str_starts(name, STR("f_")))
		name = str_cat(arena, STR("f_"), name);
	name = py_identifier(arena, name);
	return n > 1 ? str_fmt(arena, "%.*s_%zu", STR_ARG(name), k) : name;
}

void argument_text(struct buf *b, const char *key, struct str value)
{
	buf_addf(b, "    %s=", key);
	py_text(b, value);
	buf_adds(b, ",\n");
}

int argument_data(struct write *w, const struct action *a, const char *key, const struct node *value)
{
	buf_addf(w->b, "    %s=", key);
	if (module_data(w->m, w->b, a, value) < 0)
		return -1;
	buf_adds(w->b, ",\n");
	return 0;
}

void function_begin(struct write *w, struct str name, struct str doc, struct mark at)
{
	buf_adds(w->b, "def ");
	module_name(w->m, w->b, name, at);
	buf_adds(w->b, "():\n    ");
	py_doc(w->b, doc);
	buf_addc(w->b, '\n');
}

void function_read(struct write *w, const char *reader, struct str view)
{
	buf_addf(w->b, "    df = %s.table(", reader);
	py_text(w->b, view);
	buf_adds(w->b, ")\n\n    return df");
}

int flows_write(struct write *w, int (*one)(struct write *w, const struct action *a, struct str name, struct str view))
{
	for (size_t i = 0; i < w->group->n; i++) {
		const struct action *a = w->group->action[i];
		struct views views;

		write_views(w, a, &views);
		for (size_t k = 0; k < views.n; k++)
			if (one(w, a, flow_name(w, a, k + 1, views.n), views.p[k]) < 0)
				return -1;
	}
	return 0;
}
