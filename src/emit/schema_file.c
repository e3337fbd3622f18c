#include "emit/schema_file.h"

#include "base/path.h"
#include "base/utf8.h"
#include "project/document.h"
#include "project/project.h"
#include "resolve/token.h"
#include "yaml/node_build.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *const PATH_SIGN[] = { ".yaml", ".yml", ".json", ".ddl", ".sql", "/", "\\" };

/* Keys of a unified schema file and of its columns. */
static const char *const FILE_KEY[] = { "table", "name", "tags", "columns", "version", "description", "primary_key" };
static const char *const COLUMN_KEY[] = { "name", "type", "nullable", "comment", "tags" };

static const struct {
	const char *name, *spark;
} TYPE[] = {
	{ "string", "StringType" },   { "bigint", "LongType" },       { "int", "IntegerType" },
	{ "integer", "IntegerType" }, { "long", "LongType" },         { "double", "DoubleType" },
	{ "float", "FloatType" },     { "boolean", "BooleanType" },   { "date", "DateType" },
	{ "timestamp", "TimestampType" }, { "binary", "BinaryType" }, { "byte", "ByteType" },
	{ "short", "ShortType" },
};

static bool has_path_sign(struct str value)
{
	for (size_t i = 0; i < COUNT(PATH_SIGN); i++)
		for (size_t at = 0; at + strlen(PATH_SIGN[i]) <= value.n; at++)
			if (str_is_nocase(str_sub(value, at, at + strlen(PATH_SIGN[i])), PATH_SIGN[i]))
				return true;
	return false;
}

/* The slash of a secret is none of the value's. */
bool schema_is_file(struct str value)
{
	struct secret_ref r;
	size_t from = 0;

	for (; secret_find(value, from, &r); from = r.end)
		if (has_path_sign(str_sub(value, from, r.at)))
			return true;
	return has_path_sign(str_skip(value, from));
}

static bool is_one_of(const struct node *key, const char *const *name, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (node_is_str(key) && str_is(key->text, name[i]))
			return true;
	return false;
}

/* The first key that is none of the names, or NULL. */
static const struct node *stray_key(const struct node *map, const char *const *name, size_t n)
{
	for (size_t i = 0; i < map->map.n; i++)
		if (!is_one_of(map->map.pair[i].key, name, n))
			return map->map.pair[i].key;
	return NULL;
}

static int shape_error(struct module *m, const struct action *a, const struct node *at, const char *what)
{
	module_error(m, a, &rule_schema_file_shape, at->at, "Found %s (%s).", what, node_kind_name(at));
	return module_hint(m, "A schema file is a mapping with `columns`, a list of mappings with `name`, `type`, and perhaps "
			      "`nullable`, `comment`, `tags`");
}

static int key_error(struct module *m, const struct action *a, const struct node *key, const char *where)
{
	module_error(m, a, &rule_schema_file_shape, key->at, "Unknown key `%.*s` in %s.", STR_ARG(key->text), where);
	return module_hint(m, "A schema file has table, name, tags, columns, version, description, primary_key; a column has "
			      "name, type, nullable, comment, tags");
}

static int shape_check(struct module *m, const struct action *a, const struct node *root)
{
	const struct node *columns = node_get(root, "columns"), *stray;

	if (!node_is(root, NODE_MAP))
		return shape_error(m, a, root, "something else than a mapping at the top");
	if ((stray = stray_key(root, FILE_KEY, COUNT(FILE_KEY))) != NULL)
		return key_error(m, a, stray, "the schema file");
	if (columns != NULL && !node_is(columns, NODE_LIST))
		return shape_error(m, a, columns, "`columns` that is no list");
	for (size_t i = 0; i < node_len(columns); i++) {
		const struct node *c = columns->list.item[i];

		if (!node_is(c, NODE_MAP))
			return shape_error(m, a, c, "a column that is no mapping");
		if ((stray = stray_key(c, COLUMN_KEY, COUNT(COLUMN_KEY))) != NULL)
			return key_error(m, a, stray, "a column");
	}
	return 0;
}

static struct str path_slashed(struct arena *a, struct str path)
{
	return str_replace(a, path, STR("\\"), STR("/"));
}

/* The root of a unified schema file, its shape checked. NULL with a finding. */
static const struct node *schema_read(struct module *m, const struct action *a, const struct node *path)
{
	struct unit *u = m->unit;
	const struct door_yaml *y;
	const struct node *root;

	y = door_yaml(u->project->door, u->trace, path_slashed(u->arena, path->text), path->at);
	root = document_only(u->diags, y, path->at);
	if (root == NULL) {
		module_fault(m, a);
		return NULL;
	}
	if (node_is_null(root))
		root = node_new(u->arena, NODE_MAP, root->at);
	return shape_check(m, a, root) == 0 ? root : NULL;
}

static void column_name_add(struct buf *b, struct str name)
{
	if (str_is_identifier(name)) {
		buf_add(b, name);
		return;
	}
	buf_addc(b, '`');
	for (size_t i = 0; i < name.n; i++) {
		if (name.p[i] == '`')
			buf_addc(b, '`');
		buf_addc(b, name.p[i]);
	}
	buf_addc(b, '`');
}

static int ddl_make(struct module *m, const struct action *a, const struct node *root, struct buf *b)
{
	const struct node *columns = node_get(root, "columns");

	if (columns == NULL) {
		module_error(m, a, &rule_schema_hints_incomplete, root->at, "The schema file has no `columns`.");
		return module_hint(m, "List the columns, each with `name` and `type`");
	}
	for (size_t i = 0; i < columns->list.n; i++) {
		const struct node *c = columns->list.item[i], *nullable = node_get(c, "nullable");

		if (!node_has(c, "name") || !node_has(c, "type")) {
			module_error(m, a, &rule_schema_hints_incomplete, c->at, "Column %zu has no `%s`.", i + 1,
				     node_has(c, "name") ? "type" : "name");
			return module_hint(m, "Give every column `name` and `type`");
		}
		if (b->n > 0)
			buf_adds(b, ", ");
		column_name_add(b, node_text(m->unit->arena, node_get(c, "name")));
		buf_addc(b, ' ');
		buf_add(b, node_text(m->unit->arena, node_get(c, "type")));
		if (nullable != NULL && !node_truthy(nullable))
			buf_adds(b, " NOT NULL");
	}
	return 0;
}

static bool is_plain(struct str path, enum schema_text plain)
{
	struct str ext = path_ext(path);

	if (plain == SCHEMA_TEXT_DDL)
		return str_is_nocase(ext, ".ddl") || str_is_nocase(ext, ".sql");
	return !str_is_nocase(ext, ".yaml") && !str_is_nocase(ext, ".yml") && !str_is_nocase(ext, ".json");
}

/* Text files of schemas are taken as they are: no tokens are replaced in them. */
static int plain_read(struct module *m, const struct action *a, const struct node *path, struct str *ddl)
{
	if (file_text_raw(m->unit, path->text, path->at, ddl) < 0) {
		file_fault_as(m->unit, NULL, &rule_schema_is_folder);
		return module_fault(m, a);
	}
	*ddl = utf8_trim(*ddl);
	return 0;
}

int schema_ddl_read(struct module *m, const struct action *a, const struct node *path, enum schema_text plain, struct str *ddl)
{
	const struct node *root;
	struct buf b = { 0 };
	int rc;

	if (is_plain(path->text, plain))
		return plain_read(m, a, path, ddl);
	root = schema_read(m, a, path);
	if (root == NULL)
		return -1;
	rc = ddl_make(m, a, root, &b);
	*ddl = buf_take(&b, m->unit->arena);
	buf_release(&b);
	return rc;
}

/* `DECIMAL(p, s)`, blanks allowed around the numbers: "p, s", or nothing. */
static struct str decimal_arguments(struct arena *a, struct str type)
{
	struct str rest, precision, scale;

	if (type.n < 9 || !str_is_nocase(str_sub(type, 0, 7), "decimal"))
		return STR_NONE;
	rest = utf8_trim(str_skip(type, 7));
	if (!str_starts(rest, STR("(")) || !str_ends(rest, STR(")")))
		return STR_NONE;
	rest = str_sub(rest, 1, rest.n - 1);
	str_cut(&rest, ',', &precision);
	precision = utf8_trim(precision);
	scale = utf8_trim(rest);
	for (size_t i = 0; i < precision.n; i++)
		if (precision.p[i] < '0' || precision.p[i] > '9')
			return STR_NONE;
	for (size_t i = 0; i < scale.n; i++)
		if (scale.p[i] < '0' || scale.p[i] > '9')
			return STR_NONE;
	if (precision.n == 0 || scale.n == 0)
		return STR_NONE;
	return str_fmt(a, "%.*s, %.*s", STR_ARG(precision), STR_ARG(scale));
}

static void type_write(struct module *m, struct buf *b, struct str type)
{
	const char *name = "StringType";
	struct str arguments;

	type = utf8_trim(type);
	arguments = decimal_arguments(m->unit->arena, type);
	if (arguments.n > 0)
		name = "DecimalType";
	for (size_t i = 0; i < COUNT(TYPE); i++)
		if (str_is_nocase(type, TYPE[i].name))
			name = TYPE[i].spark;
	module_import(m, "from pyspark.sql.types import %s", name);
	buf_addf(b, "%s(%.*s)", name, STR_ARG(arguments));
}

static void field_write(struct module *m, struct buf *b, const struct node *column)
{
	const struct node *nullable = node_get(column, "nullable"), *comment = node_get(column, "comment");

	buf_adds(b, "    StructField(");
	py_text(b, node_get(column, "name")->text);
	buf_adds(b, ", ");
	type_write(m, b, node_get(column, "type")->text);
	buf_adds(b, nullable == NULL || nullable->boolean ? ", True, {" : ", False, {");
	if (node_truthy(comment)) {
		buf_adds(b, "\"comment\": ");
		py_text(b, node_text(m->unit->arena, comment));
	}
	buf_adds(b, "}),\n");
}

static int columns_error(struct module *m, const struct action *a, const struct node *at, const char *problem)
{
	module_error(m, a, &rule_schema_columns_incomplete, at->at, "%s", problem);
	return module_hint(m, "List the columns, each with texts `name` and `type`, and `nullable` true or false if given");
}

static int columns_check(struct module *m, const struct action *a, const struct node *root)
{
	const struct node *columns = node_get(root, "columns");

	if (node_len(columns) == 0)
		return columns_error(m, a, root, "The schema file lists no `columns`.");
	for (size_t i = 0; i < columns->list.n; i++) {
		const struct node *c = columns->list.item[i];

		if (!node_is_str(node_get(c, "name")))
			return columns_error(m, a, c, "A column has no `name`.");
		if (!node_is_str(node_get(c, "type")))
			return columns_error(m, a, c, "A column has no `type`.");
		if (node_has(c, "nullable") && !node_is(node_get(c, "nullable"), NODE_BOOL))
			return columns_error(m, a, c, "`nullable` of a column is neither true nor false.");
	}
	return 0;
}

/* As the reference tells of it here, where it tells of other YAML files that they cannot be read. */
static int unreadable_refuse(struct module *m)
{
	struct diag *d = &m->unit->diags->p[m->unit->diags->n - 1];

	if (d->rule == &rule_file_unreadable)
		d->rule = &rule_schema_unreadable;
	return -1;
}

int schema_struct_write(struct module *m, struct buf *b, const struct action *a, const struct node *path, struct str variable)
{
	const struct node *root = schema_read(m, a, path), *columns = node_get(root, "columns");

	if (root == NULL)
		return unreadable_refuse(m);
	if (columns_check(m, a, root) < 0)
		return -1;
	module_import(m, "from pyspark.sql.types import StructType");
	module_import(m, "from pyspark.sql.types import StructField");
	buf_addf(b, "# Define schema\n%.*s = StructType([\n", STR_ARG(variable));
	for (size_t i = 0; i < columns->list.n; i++)
		field_write(m, b, columns->list.item[i]);
	buf_adds(b, "])\n\n");
	return 0;
}
