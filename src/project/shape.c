#include "project/shape.h"

#include "model/rules.h"
#include "model/suggest.h"

#include <math.h>

struct field {
	const char *key;
	enum shape shape;
	bool required;
	bool not_null; /* the default is not null, so an explicit null is wrong */
};

static const struct field flowgroup_fields[] = {
	{ "pipeline", SHAPE_TEXT, true, true },
	{ "flowgroup", SHAPE_TEXT, true, true },
	{ "job_name", SHAPE_TEXT },
	{ "variables", SHAPE_TEXT_MAP },
	{ "presets", SHAPE_TEXTS, false, true },
	{ "use_template", SHAPE_TEXT },
	{ "template_parameters", SHAPE_MAP },
	{ "actions", SHAPE_ANY, false, true },
	{ "operational_metadata", SHAPE_BOOL_OR_TEXTS },
	{ NULL },
};

static const struct field action_fields[] = {
	{ "name", SHAPE_TEXT, true, true },
	{ "source", SHAPE_SOURCE },
	{ "target", SHAPE_TEXT },
	{ "description", SHAPE_TEXT },
	{ "readMode", SHAPE_TEXT },
	{ "write_target", SHAPE_ANY }, /* another type is a finding of its flowgroup (write_test.md 12, item 4) */
	{ "transform_type", SHAPE_TRANSFORM },
	{ "sql", SHAPE_TEXT },
	{ "sql_path", SHAPE_TEXT },
	{ "expectations_file", SHAPE_TEXT },
	{ "mode", SHAPE_TEXT },
	{ "schema_inline", SHAPE_TEXT },
	{ "schema_file", SHAPE_TEXT },
	{ "enforcement", SHAPE_TEXT },
	{ "module_path", SHAPE_TEXT },
	{ "function_name", SHAPE_TEXT },
	{ "custom_datasource_class", SHAPE_TEXT },
	{ "test_type", SHAPE_TEXT },
	{ "on_violation", SHAPE_TEXT },
	{ "filter", SHAPE_TEXT },
	{ "reference", SHAPE_TEXT },
	{ "column", SHAPE_TEXT },
	{ "lookup_table", SHAPE_TEXT },
	{ "test_id", SHAPE_TEXT },
	{ "depends_on", SHAPE_TEXTS },
	{ "columns", SHAPE_TEXTS },
	{ "source_columns", SHAPE_TEXTS },
	{ "reference_columns", SHAPE_TEXTS },
	{ "required_columns", SHAPE_TEXTS },
	{ "lookup_columns", SHAPE_TEXTS },
	{ "lookup_result_columns", SHAPE_TEXTS },
	{ "parameters", SHAPE_MAP },
	{ "expectations", SHAPE_MAPS },
	{ "once", SHAPE_BOOL },
	{ "tolerance", SHAPE_INT },
	{ "operational_metadata", SHAPE_BOOL_OR_TEXTS },
	{ "quarantine", SHAPE_MAP },
	{ NULL },
};

static const struct field quarantine_fields[] = {
	{ "dlq_table", SHAPE_TEXT, true, true },
	{ "source_table", SHAPE_TEXT, true, true },
	{ NULL },
};

/* Keys inside a source or write target that name things: there a number out of a template stays text. */
static const char *const block_text_keys[] = {
	"type", "catalog", "schema", "database", "table", "path", "sql", "sql_path", "module_path", "function_name",
	"url", "user", "password", "driver", "query", "topic", "comment", "description", "sink_name", "sink_type",
	"bootstrap_servers", "subscribe", "subscribePattern", "assign", "table_schema", "tags_file", "row_filter",
	"custom_datasource_class", "custom_sink_class", "batch_handler", "format", "mode", NULL,
};

static const char *const transform_types[] = { "sql", "python", "data_quality", "temp_table", "schema", NULL };

/* --- types --- */

static bool word_in(struct str s, const char *const *word)
{
	for (; *word != NULL; word++)
		if (str_is_nocase(s, *word))
			return true;
	return false;
}

static bool name_in(struct str s, const char *const *name)
{
	for (; *name != NULL; name++)
		if (str_is(s, *name))
			return true;
	return false;
}

static const char *const yes_words[] = { "true", "yes", "on", "1", "t", "y", NULL };
static const char *const no_words[] = { "false", "no", "off", "0", "f", "n", NULL };

bool shape_truth(const struct node *n, bool fallback)
{
	if (node_is_null(n))
		return fallback;
	return n->kind == NODE_STR ? word_in(n->text, yes_words) : node_truthy(n);
}

static bool is_bool(const struct node *n)
{
	switch (n->kind) {
	case NODE_BOOL: return true;
	case NODE_STR: return word_in(n->text, yes_words) || word_in(n->text, no_words);
	case NODE_INT: return n->integer == 0 || n->integer == 1;
	case NODE_FLOAT: return n->number == 0.0 || n->number == 1.0;
	default: return false;
	}
}

static bool is_whole_text(struct str s)
{
	s = str_trim(s);
	if (s.n != 0 && (s.p[0] == '-' || s.p[0] == '+'))
		s = str_skip(s, 1);
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
	return s.n != 0;
}

static bool is_int(const struct node *n)
{
	switch (n->kind) {
	case NODE_BOOL:
	case NODE_INT: return true;
	case NODE_STR: return is_whole_text(n->text);
	case NODE_FLOAT: return isfinite(n->number) && floor(n->number) == n->number;
	default: return false;
	}
}

static bool map_fits(const struct node *n, bool text_values)
{
	if (n->kind != NODE_MAP)
		return false;
	for (size_t i = 0; i < n->map.n; i++)
		if (!node_is_str(n->map.pair[i].key) || (text_values && !node_is_str(n->map.pair[i].value)))
			return false;
	return true;
}

static bool items_fit(const struct node *n, bool texts, bool maps)
{
	if (n->kind != NODE_LIST)
		return false;
	for (size_t i = 0; i < n->list.n; i++) {
		const struct node *item = n->list.item[i];

		if (!(texts && node_is_str(item)) && !(maps && map_fits(item, false)))
			return false;
	}
	return true;
}

bool shape_fits(const struct node *n, enum shape shape)
{
	switch (shape) {
	case SHAPE_ANY: return true;
	case SHAPE_TEXT: return n->kind == NODE_STR;
	case SHAPE_BOOL: return is_bool(n);
	case SHAPE_INT: return is_int(n);
	case SHAPE_MAP: return map_fits(n, false);
	case SHAPE_TEXT_MAP: return map_fits(n, true);
	case SHAPE_TEXTS: return items_fit(n, true, false);
	case SHAPE_MAPS: return items_fit(n, false, true);
	case SHAPE_BOOL_OR_TEXTS: return is_bool(n) || items_fit(n, true, false);
	case SHAPE_SOURCE: return n->kind == NODE_STR || map_fits(n, false) || items_fit(n, true, true);
	case SHAPE_TRANSFORM: return n->kind == NODE_STR && name_in(n->text, transform_types);
	}
	return false;
}

const char *shape_name(enum shape shape)
{
	static const char *const name[] = {
		[SHAPE_ANY] = "anything",
		[SHAPE_TEXT] = "a text",
		[SHAPE_BOOL] = "true or false",
		[SHAPE_INT] = "a whole number",
		[SHAPE_MAP] = "a mapping with text keys",
		[SHAPE_TEXT_MAP] = "a mapping of texts to texts",
		[SHAPE_TEXTS] = "a list of texts",
		[SHAPE_MAPS] = "a list of mappings",
		[SHAPE_BOOL_OR_TEXTS] = "true, false or a list of texts",
		[SHAPE_SOURCE] = "a text, a list of texts, or a mapping with text keys",
		[SHAPE_TRANSFORM] = "one of sql, python, data_quality, temp_table, schema",
	};

	return name[shape];
}

/* --- checks --- */

/* The value whose type is wrong, for the mark: the item or pair inside a list or map when it is one of those. */
static const struct node *culprit(const struct node *n, enum shape shape)
{
	bool texts = shape == SHAPE_TEXTS || shape == SHAPE_SOURCE || shape == SHAPE_BOOL_OR_TEXTS;
	bool maps = shape == SHAPE_MAPS || shape == SHAPE_SOURCE;

	for (size_t i = 0; n->kind == NODE_LIST && (texts || maps) && i < n->list.n; i++)
		if (!(texts && node_is_str(n->list.item[i])) && !(maps && map_fits(n->list.item[i], false)))
			return n->list.item[i];
	for (size_t i = 0; n->kind == NODE_MAP && i < n->map.n; i++) {
		if (!node_is_str(n->map.pair[i].key))
			return n->map.pair[i].key;
		if (shape == SHAPE_TEXT_MAP && !node_is_str(n->map.pair[i].value))
			return n->map.pair[i].value;
	}
	return n;
}

static void hint_for(struct diags *ds, struct diag *d, const struct node *bad, enum shape shape)
{
	bool scalar = bad->kind != NODE_LIST && bad->kind != NODE_MAP && bad->kind != NODE_NULL;

	if (shape == SHAPE_TRANSFORM)
		diag_hint(ds, d, "use %s", shape_name(shape));
	else if (scalar && bad->kind != NODE_STR)
		diag_hint(ds, d, "put it in quotes to make it a text: \"%.*s\"",
		          STR_ARG(node_text(ds->arena, bad)));
	else if (bad->kind == NODE_STR && (shape == SHAPE_TEXTS || shape == SHAPE_BOOL_OR_TEXTS))
		diag_hint(ds, d, "write a list: [%.*s]", STR_ARG(bad->text));
}

static int field_check(struct diags *ds, const struct node *n, const struct field *f, const char *owner, struct mark at)
{
	const struct node *v = node_get(n, f->key), *bad;
	struct diag *d;

	if (v == NULL) {
		if (!f->required)
			return 0;
		d = diag_add(ds, &rule_shape_key_missing, at, "%s has no key '%s'", owner, f->key);
		diag_hint(ds, d, "add %s: …", f->key);
		return -1;
	}
	if (v->kind == NODE_NULL ? !f->not_null : shape_fits(v, f->shape))
		return 0;
	bad = culprit(v, f->shape);
	d = diag_add(ds, f->shape == SHAPE_TRANSFORM ? &rule_shape_word : &rule_shape_type, node_mark(bad),
	             "'%s' of %s must be %s; %s is %.*s", f->key, owner, shape_name(f->shape),
	             bad == v ? "it" : "a part of it", STR_ARG(node_repr(ds->arena, bad)));
	d->via = bad->via;
	hint_for(ds, d, bad, f->shape);
	return -1;
}

static int fields_check(struct diags *ds, const struct node *n, const struct field *f, const char *owner, struct mark at)
{
	for (; f->key != NULL; f++)
		if (field_check(ds, n, f, owner, at) < 0)
			return -1;
	return 0;
}

static int action_type_check(struct diags *ds, const struct node *action, const char *owner, struct mark at)
{
	static const struct str known[] = { STR_INIT("load"), STR_INIT("transform"), STR_INIT("write"),
		                            STR_INIT("test") };
	const struct node *type = node_get(action, "type");
	struct str word, question;
	struct diag *d;

	if (type == NULL || type->kind == NODE_NULL || type->kind == NODE_LIST || type->kind == NODE_MAP)
		return field_check(ds, action, &(const struct field){ "type", SHAPE_TEXT, true, true }, owner, at);
	word = node_text(ds->arena, type);
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (str_eq(word, known[i]))
			return 0;
	question = suggest_question(ds->arena, word, known, sizeof known / sizeof *known, 3);
	d = diag_add(ds, &rule_action_type, node_mark(type), "%s has the unknown type '%.*s'%s%.*s", owner,
	             STR_ARG(word), question.n != 0 ? "; " : "", STR_ARG(question));
	diag_title(ds, d, "Unknown action type: '%.*s'", STR_ARG(word));
	diag_hint(ds, d, "use one of load, transform, write, test");
	d->action = node_get_text(action, "name");
	d->via = type->via;
	return -1;
}

int action_shape_check(struct diags *ds, const struct node *action, size_t position, struct mark at)
{
	struct str name = node_get_text(action, "name");
	const char *owner = name.n != 0 ? str_fmt(ds->arena, "action '%.*s'", STR_ARG(name)).p
	                                : str_fmt(ds->arena, "action %zu", position + 1).p;
	const struct node *quarantine = node_get(action, "quarantine");
	size_t before = ds->n;

	if (!node_is(action, NODE_MAP)) {
		struct diag *d = diag_add(ds, &rule_shape_type, node_mark(action), "%s must be a mapping; it is %s",
		                          owner, node_kind_name(action));

		diag_hint(ds, d, "write each action as a list entry with name, type and its keys");
		return -1;
	}
	if (action->at.line != 0)
		at = action->at;
	if (action_type_check(ds, action, owner, at) == 0 && fields_check(ds, action, action_fields, owner, at) == 0 &&
	    (node_is_null(quarantine) ||
	     fields_check(ds, quarantine, quarantine_fields, str_fmt(ds->arena, "quarantine of %s", owner).p,
	                  node_mark(quarantine)) == 0))
		return 0;
	ds->p[before].action = name;
	return -1;
}

int flowgroup_shape_check(struct diags *ds, const struct node *n, struct mark at)
{
	const struct node *actions = node_get(n, "actions");
	struct diag *d;

	if (!node_is(n, NODE_MAP)) {
		d = diag_add(ds, &rule_shape_type, at, "a flowgroup must be a mapping; this is %s", node_kind_name(n));
		diag_hint(ds, d, "start with the keys pipeline and flowgroup");
		return -1;
	}
	if (fields_check(ds, n, flowgroup_fields, "the flowgroup", at) < 0)
		return -1;
	if (actions != NULL && actions->kind != NODE_LIST) {
		d = diag_add(ds, &rule_shape_type, node_mark(actions), "'actions' of the flowgroup must be a list; it is %s",
		             node_kind_name(actions));
		diag_hint(ds, d, "start each action with '- name: …'");
		return -1;
	}
	for (size_t i = 0; i < node_len(actions); i++)
		if (action_shape_check(ds, actions->list.item[i], i, at) < 0)
			return -1;
	return 0;
}

static enum shape action_shape(struct str key)
{
	for (const struct field *f = action_fields; f->key != NULL; f++)
		if (str_is(key, f->key))
			return f->shape;
	return SHAPE_ANY;
}

bool action_key_is_text(struct str key)
{
	enum shape shape = action_shape(key);

	return shape == SHAPE_TEXT || shape == SHAPE_SOURCE;
}

bool action_items_are_text(struct str key)
{
	enum shape shape = action_shape(key);

	return shape == SHAPE_TEXTS || shape == SHAPE_SOURCE || shape == SHAPE_BOOL_OR_TEXTS;
}

bool block_key_is_text(struct str key)
{
	return name_in(key, block_text_keys);
}
