#include "resolve/metadata.h"

#include "base/utf8.h"
#include "model/fields.h"
#include "model/rules.h"
#include "project/project.h"
#include "python/memory.h"
#include "resolve/resolve.h"
#include "resolve/token.h"

static const struct {
	const char *name, *expression;
} built_in[] = {
	{ "_ingestion_timestamp", "F.current_timestamp()" },
	{ "_source_file", "F.input_file_name()" },
	{ "_pipeline_run_id", "F.lit(spark.conf.get(\"pipelines.id\", \"unknown\"))" },
	{ "_pipeline_name", "F.lit(\"${pipeline_name}\")" },
	{ "_flowgroup_name", "F.lit(\"${flowgroup_name}\")" },
};

/* --- imports --- */

struct import_list {
	VEC_OF(struct str)
};

static const char *const function_names[] = { "udf", "pandas_udf", "broadcast", NULL };
static const char *const type_names[] = {
	"StructType", "StructField", "StringType", "LongType", "IntegerType", "DoubleType", "FloatType", "BooleanType",
	"DateType", "TimestampType", "DecimalType", "BinaryType", "ByteType", "ShortType", NULL,
};

static void import_add(struct arena *a, struct import_list *out, struct str statement)
{
	for (size_t i = 0; i < out->n; i++)
		if (str_eq(out->p[i], statement))
			return;
	*VEC_PUSH(out, a) = statement;
}

static void name_import(struct arena *a, struct str name, struct import_list *out)
{
	if (str_is(name, "F."))
		import_add(a, out, STR("from pyspark.sql import functions as F"));
	for (size_t i = 0; function_names[i] != NULL; i++)
		if (str_is(name, function_names[i]))
			import_add(a, out, str_fmt(a, "from pyspark.sql.functions import %s", function_names[i]));
	for (size_t i = 0; type_names[i] != NULL; i++)
		if (str_is(name, type_names[i]))
			import_add(a, out, str_fmt(a, "from pyspark.sql.types import %s", type_names[i]));
}

/* For a text that does not parse: words followed by '(', and F followed by '.'. */
static void words_import(struct arena *a, struct str s, struct import_list *out)
{
	size_t i = 0;

	while (i < s.n) {
		size_t from = i;
		struct str word;

		while (i < s.n && ascii_is_word(s.p[i]))
			i++;
		word = str_sub(s, from, i);
		if (i < s.n && str_is(word, "F") && s.p[i] == '.')
			name_import(a, STR("F."), out);
		if (i < s.n && word.n != 0 && s.p[i] == '(')
			name_import(a, word, out);
		i += i == from;
	}
}

/* Import statements that an expression needs, appended to the list. */
static void metadata_imports(struct unit *u, struct str expression, struct import_list *out)
{
	struct arena *a = u->arena;
	struct str *name;
	size_t n;

	if (!py_memory_names(project_python(u->project), a, expression, &name, &n)) {
		words_import(a, expression, out);
		return;
	}
	for (size_t i = 0; i < n; i++)
		name_import(a, name[i], out);
}

/* --- expressions --- */

struct context {
	struct unit *u;
	const struct flowgroup *fg;
	const struct action *action;
	struct str column;
	struct mark at;
};

static int expression_refuse(struct context *c, const struct rule *rule, struct str what, const char *hint)
{
	struct diag *d = unit_diag(c->u, rule, c->at, "the expression of the column '%.*s', selected by action '%.*s', holds %.*s",
	                           STR_ARG(c->column), STR_ARG(c->action->name), STR_ARG(what));

	d->action = c->action->name;
	diag_hint(c->u->diags, d, "%s", hint);
	return -1;
}

static int secrets_refuse(struct context *c, struct str s)
{
	if (!str_has(s, STR("${secret:")))
		return 0;
	return expression_refuse(c, &rule_metadata_secret, STR("a secret"), "metadata expressions cannot use secrets");
}

/* Anything left of ${…}, %{…} or {{…}}. */
static int leftovers_refuse(struct context *c, struct str s)
{
	static const struct {
		const char *open, *close;
	} form[] = { { "${", "}" }, { "%{", "}" }, { "{{", "}}" } };

	for (size_t i = 0; i < sizeof form / sizeof *form; i++) {
		ptrdiff_t open = str_find(s, str_of(form[i].open), 0);
		ptrdiff_t close = open < 0 ? -1 : str_find(s, str_of(form[i].close), (size_t)open);

		if (close < 0)
			continue;
		return expression_refuse(c, &rule_metadata_token,
		                         str_sub(s, (size_t)open, (size_t)close + strlen(form[i].close)),
		                         "define the token in the substitutions file, or correct its name");
	}
	return 0;
}

/* ${source_table}: of delta and jdbc loads. False when the action has none. */
static bool source_table(struct arena *a, const struct action *action, struct str *out)
{
	const struct node *source = action->source, *table = node_get(source, "table");
	struct str kind = kind_of(source);

	if (action->type != ACTION_LOAD || (!str_is(kind, "delta") && !str_is(kind, "jdbc")))
		return false;
	*out = table != NULL ? node_text(a, table) : STR("unknown_table");
	if (str_is(kind, "delta") && node_truthy(node_get(source, "catalog")) && node_truthy(node_get(source, "schema")))
		*out = str_fmt(a, "%.*s.%.*s.%.*s", STR_ARG(node_text(a, node_get(source, "catalog"))),
		               STR_ARG(node_text(a, node_get(source, "schema"))), STR_ARG(*out));
	return true;
}

static int expression_resolve(struct context *c, struct str s, struct str *out)
{
	struct arena *a = c->u->arena;
	struct str table;

	s = str_replace(a, s, STR("${pipeline_name}"), c->fg->pipeline);
	s = str_replace(a, s, STR("${flowgroup_name}"), c->fg->name);
	if (source_table(a, c->action, &table))
		s = str_replace(a, s, STR("${source_table}"), table);
	if (secrets_refuse(c, s) < 0 || tokens_apply(c->u, s, c->at, TOKENS_DOLLAR, &s) < 0 || secrets_refuse(c, s) < 0)
		return -1;
	*out = s;
	return leftovers_refuse(c, s);
}

/* --- available columns --- */

struct column {
	struct str expression;
	const struct node *imports; /* list, or NULL */
	struct mark at;
};

static bool applies_to_view(const struct node *column)
{
	const struct node *list = node_get(column, "applies_to");

	for (size_t i = 0; i < node_len(list); i++)
		if (str_is(node_str(list->list.item[i]), "view"))
			return true;
	return false;
}

static bool column_built_in(struct str name, struct column *out)
{
	for (size_t i = 0; i < sizeof built_in / sizeof *built_in; i++) {
		if (!str_is(name, built_in[i].name))
			continue;
		*out = (struct column){ .expression = str_of(built_in[i].expression) };
		return true;
	}
	return false;
}

/*
 * The column `name` when a view may have it. A column that is there is recorded
 * by itself; that it is not there depends on all of them.
 */
static bool column_find(struct unit *u, struct str name, struct column *out)
{
	const struct node *all = node_path(u->project->root, "operational_metadata.columns"), *n = node_get_s(all, name);

	if (n == NULL || str_find_char(name, '.', 0) >= 0)
		project_key(u->project, u->trace, "operational_metadata.columns");
	else
		project_key(u->project, u->trace, str_fmt(u->arena, "operational_metadata.columns.%.*s", STR_ARG(name)).p);
	if (node_len(all) == 0)
		return column_built_in(name, out);
	if (!applies_to_view(n))
		return false;
	*out = (struct column){
		.expression = node_get_text(n, "expression"),
		.imports = node_get(n, "additional_imports"),
		.at = node_mark(node_get(n, "expression")),
	};
	return true;
}

/* --- selection --- */

static bool emits_columns(const struct action *a)
{
	switch (a->type) {
	case ACTION_LOAD: return true;
	case ACTION_TRANSFORM: return !str_is(node_get_text(a->map, "transform_type"), "schema");
	case ACTION_WRITE: return str_is(kind_of(a->write_target), "sink");
	case ACTION_TEST: return false;
	}
	return false;
}

static void select_list(struct map *names, struct arena *a, const struct node *list)
{
	for (size_t i = 0; node_is(list, NODE_LIST) && i < list->list.n; i++)
		if (node_is_str(list->list.item[i]))
			map_add(names, a, list->list.item[i]->text);
}

static int column_resolve(struct context *c, const struct column *column, struct meta_column *out)
{
	struct import_list imports = { 0 };

	*out = (struct meta_column){ .name = c->column, .at = column->at };
	if (expression_resolve(c, column->expression, &out->expression) < 0)
		return -1;
	metadata_imports(c->u, out->expression, &imports);
	for (size_t i = 0; i < node_len(column->imports); i++)
		import_add(c->u->arena, &imports, node_str(column->imports->list.item[i]));
	out->imports = imports.p;
	out->n_imports = imports.n;
	return 0;
}

static int action_resolve(struct unit *u, struct flowgroup *fg, struct action *action, const struct node *preset)
{
	const struct node *own = node_get(action->map, "operational_metadata");
	struct map names = { 0 };
	uint32_t *order;

	if (!emits_columns(action) || (own != NULL && own->kind != NODE_LIST && own->kind != NODE_NULL &&
	                                              !entity_truth(&entity_action, action->map, "operational_metadata")))
		return 0;
	select_list(&names, u->arena, preset);
	select_list(&names, u->arena, node_get(fg->map, "operational_metadata"));
	select_list(&names, u->arena, own);
	order = map_sorted(&names, u->arena);
	action->meta = ARENA_ARRAY(u->arena, struct meta_column, names.n);
	action->n_meta = 0;
	for (size_t i = 0; i < names.n; i++) {
		struct context c = { u, fg, action, names.entry[order[i]].key, { 0 } };
		struct column column;

		if (!column_find(u, c.column, &column))
			continue;
		c.at = column.at.file != NULL ? column.at : node_mark(action->map);
		if (column_resolve(&c, &column, &action->meta[action->n_meta]) < 0)
			return -1;
		action->n_meta++;
	}
	return 0;
}

int metadata_resolve(struct unit *u, struct flowgroup *fg, const struct node *preset)
{
	for (size_t i = 0; i < fg->n; i++)
		if (action_resolve(u, fg, &fg->action[i], preset) < 0)
			return -1;
	return 0;
}
