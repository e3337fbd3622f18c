/* Auto Loader: spec/load_transform.md 3.1. */
#include "emit/load.h"

#include "base/utf8.h"

#include "emit/schema_file.h"
#include "yaml/node_build.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Keys of the source that an option has replaced, in the order in which they are added. */
static const struct {
	const char *key, *option;
} OLD_KEY[] = {
	{ "schema_location", "cloudFiles.schemaLocation" },
	{ "schema_infer_column_types", "cloudFiles.inferColumnTypes" },
	{ "max_files_per_trigger", "cloudFiles.maxFilesPerTrigger" },
	{ "schema_evolution_mode", "cloudFiles.schemaEvolutionMode" },
	{ "rescue_data_column", "cloudFiles.rescueDataColumn" },
};

/* Options that exist only with `cloudFiles.` in front. */
static const char *const PREFIXED[] = {
	"format", "schemaLocation", "inferColumnTypes", "maxFilesPerTrigger", "maxBytesPerTrigger", "schemaEvolutionMode",
	"rescueDataColumn", "includeExistingFiles", "partitionColumns", "schemaHints", "allowOverwrites", "backfillInterval",
	"cleanSource", "cleanSource.retentionDuration", "cleanSource.moveDestination", "maxFileAge",
	"useIncrementalListing", "fetchParallelism", "pathRewrites", "resourceTag", "useManagedFileEvents",
	"useNotifications", "validateOptions", "useStrictGlobber",
};

static const char HINTS[] = "cloudFiles.schemaHints";

static int old_keys_check(struct module *m, const struct action *a)
{
	const struct node *options = node_get(a->source, "options");

	for (size_t i = 0; i < COUNT(OLD_KEY); i++) {
		const struct node *old = node_get(a->source, OLD_KEY[i].key);

		if (node_is_null(old) || !node_has(options, OLD_KEY[i].option))
			continue;
		module_error(m, a, &rule_option_twice, old->at, "`%s` and the option `%s` say the same thing.", OLD_KEY[i].key,
			     OLD_KEY[i].option);
		return module_hint(m, "Remove `%s`; the option is the form that stays", OLD_KEY[i].key);
	}
	return 0;
}

static int schemas_check(struct module *m, const struct action *a)
{
	const struct node *schema = node_get(a->source, "schema"), *file = node_get(a->source, "schema_file");
	const struct node *hints = node_get(node_get(a->source, "options"), HINTS);
	const struct node *last = hints != NULL ? hints : file;

	if (node_truthy(schema) + node_truthy(file) + (hints != NULL) < 2)
		return 0;
	module_error(m, a, &rule_schema_twice, last->at, "More than one of `schema`, `schema_file` and the option `%s` is given.",
		     HINTS);
	return module_hint(m, "Keep one of them: `schema` fixes all columns, `%s` the types of some", HINTS);
}

static bool needs_prefix(struct str option)
{
	for (size_t i = 0; i < COUNT(PREFIXED); i++)
		if (str_is(option, PREFIXED[i]))
			return true;
	return false;
}

static int prefixes_check(struct module *m, const struct action *a, const struct node *options)
{
	return options_prefix_check(m, a, options, STR("cloudFiles."), needs_prefix);
}

/* Adds options as they are, or with `prefix` in front of keys that lack it; what is there keeps its place. */
static void options_add(struct module *m, struct map *to, const struct node *from, struct str prefix)
{
	struct arena *a = m->unit->arena;

	for (size_t i = 0; i < from->map.n; i++) {
		struct str key = node_text(a, from->map.pair[i].key);

		if (!str_starts(key, prefix))
			key = str_cat(a, prefix, key);
		map_put(to, a, key, (void *)(uintptr_t)from->map.pair[i].value);
	}
}

static void option_default(struct module *m, struct map *to, const char *key, const struct node *value)
{
	void **slot = map_slot(to, m->unit->arena, str_of(key));

	if (*slot == NULL)
		*slot = (void *)(uintptr_t)value;
}

static void old_keys_add(struct module *m, struct map *to, const struct action *a)
{
	struct arena *arena = m->unit->arena;

	for (size_t i = 0; i < COUNT(OLD_KEY); i++) {
		const struct node *value = node_get(a->source, OLD_KEY[i].key);

		if (node_is_null(value))
			continue;
		if (node_is(value, NODE_BOOL))
			value = node_new_str(arena, value->at, value->boolean ? STR("true") : STR("false"));
		option_default(m, to, OLD_KEY[i].option, value);
	}
}

/* Unlike other loads, this one refuses what has no items at all: null, false, 0. */
static const struct node *own_options(struct module *m, const struct action *a)
{
	const struct node *n = node_get(a->source, "options");

	if (!node_has(a->source, "options") || node_is_str(n) || node_is(n, NODE_LIST) || node_is(n, NODE_MAP))
		return source_map(m, a, "options");
	module_error(m, a, &rule_value_misshapen, node_is_null(n) ? a->source->at : n->at, "`options` is %s.", node_kind_name(n));
	module_hint(m, "Remove the key, or write the options below it");
	return NULL;
}

/* All reader options in order; the hints are among them. */
static int options_collect(struct module *m, const struct action *a, struct map *options)
{
	const struct node *own = own_options(m, a), *reader, *format;
	struct str name = source_text(m, a, "format");

	if (own == NULL || prefixes_check(m, a, own) < 0)
		return -1;
	reader = inner_map(m, a, "reader_options");
	format = reader != NULL ? inner_map(m, a, "format_options") : NULL;
	if (format == NULL)
		return -1;
	options_add(m, options, own, STR(""));
	options_add(m, options, reader, STR(""));
	options_add(m, options, format, str_cat(m->unit->arena, name, STR(".")));
	old_keys_add(m, options, a);
	option_default(m, options, "cloudFiles.format", node_get(a->source, "format"));
	return 0;
}

/* Target without every `v_` and every `_raw`. */
static struct str hints_label(struct module *m, const struct action *a)
{
	struct arena *arena = m->unit->arena;
	struct str label = str_replace(arena, a->target, STR("v_"), STR(""));

	return str_replace(arena, label, STR("_raw"), STR(""));
}

/* The hints, one column a line: cut at commas outside round brackets. */
static struct str hints_lines(struct module *m, struct str ddl)
{
	struct buf b = { 0 };
	struct str lines;
	size_t from = 0;
	int depth = 0;

	for (size_t i = 0; i <= ddl.n; i++) {
		char c = i < ddl.n ? ddl.p[i] : ',';
		struct str piece = utf8_trim(str_sub(ddl, from, i));

		depth += (c == '(') - (c == ')');
		if (i < ddl.n && (c != ',' || depth != 0))
			continue;
		if (piece.n > 0) {
			buf_adds(&b, b.n > 0 ? ",\n    " : "\n    ");
			buf_add(&b, piece);
		}
		from = i + 1;
	}
	buf_addc(&b, '\n');
	lines = buf_take(&b, m->unit->arena);
	buf_release(&b);
	return lines;
}

/* Writes the hints above the view and returns the variable's name in `*variable`; empty when there are none. */
static int hints_write(struct module *m, struct buf *b, const struct action *a, const struct node *hints, struct str *variable)
{
	const struct node *own = node_get(node_get(a->source, "options"), HINTS);
	struct str label = hints_label(m, a), ddl;

	*variable = STR("");
	if (hints == NULL)
		return 0;
	ddl = node_text(m->unit->arena, hints);
	if (hints == own && node_is_str(hints) && schema_is_file(ddl) &&
	    schema_ddl_read(m, a, hints, SCHEMA_TEXT_DDL, &ddl) < 0)
		return -1;
	*variable = py_identifier(m->unit->arena, str_cat(m->unit->arena, label, STR("_schema_hints")));
	*variable = module_variable(m, *variable);
	py_comment(b, str_fmt(m->unit->arena, "Schema hints for %.*s table", STR_ARG(label)));
	buf_addf(b, "\n%.*s = ", STR_ARG(*variable));
	py_block(b, hints_lines(m, ddl));
	buf_adds(b, ".strip().replace(\"\\n\", \" \")\n\n\n");
	return 0;
}

/* `schema: PATH`, `schema: {file: PATH}`, else `schema_file: PATH`; NULL when there is none. */
static const struct node *schema_path(const struct action *a)
{
	const struct node *schema = node_get(a->source, "schema");

	if (node_is(schema, NODE_MAP))
		schema = node_get(schema, "file");
	if (!node_truthy(schema))
		schema = node_get(a->source, "schema_file");
	return node_is_str(schema) && schema->text.n > 0 ? schema : NULL;
}

static int schema_write(struct module *m, struct buf *b, const struct action *a, struct str *variable)
{
	const struct node *path = schema_path(a);

	*variable = STR("");
	if (path == NULL)
		return 0;
	*variable = str_cat(m->unit->arena, py_word(m->unit->arena, a->target), STR("_schema"));
	return schema_struct_write(m, b, a, path, *variable);
}

static void chain_write(struct module *m, struct buf *b, const struct action *a, const struct map *options, struct str schema,
			struct str hints)
{
	reader_begin(b, "spark.readStream");
	reader_call(b, "format");
	buf_adds(b, "\"cloudFiles\")");
	if (schema.n > 0) {
		reader_call(b, "schema");
		buf_add(b, schema);
		buf_addc(b, ')');
	}
	for (size_t i = 0; i < options->n; i++)
		if (!str_is(options->entry[i].key, HINTS))
			reader_option(m, b, options->entry[i].key, options->entry[i].value);
	if (hints.n > 0) {
		reader_call(b, "option");
		buf_addf(b, "\"%s\", %.*s)", HINTS, STR_ARG(hints));
	}
	reader_call(b, "load");
	py_text(b, source_text(m, a, "path"));
	buf_adds(b, ")\n");
}

int load_cloudfiles(struct module *m, struct buf *b, const struct action *a)
{
	struct str format = source_text(m, a, "format"), path = source_text(m, a, "path"), schema, hints;
	struct map options = { 0 };

	if (stream_only_check(m, a) < 0 || old_keys_check(m, a) < 0 || schemas_check(m, a) < 0 ||
	    options_collect(m, a, &options) < 0)
		return -1;
	if (schema_write(m, b, a, &schema) < 0 || hints_write(m, b, a, map_get(&options, str_of(HINTS)), &hints) < 0)
		return -1;
	view_begin(m, b, a, module_description(m, a, "Load data from %.*s files at %.*s", STR_ARG(format), STR_ARG(path)));
	chain_write(m, b, a, &options, schema, hints);
	view_end(m, b, a);
	return 0;
}
