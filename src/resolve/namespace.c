#include "resolve/namespace.h"

#include "base/utf8.h"
#include "model/flowgroup.h"
#include "model/rules.h"
#include "yaml/node_build.h"

/* Words that only column definitions have: `schema: "id BIGINT"` was meant as table_schema. */
static const char *const type_words[] = {
	"BIGINT", "STRING", "INT", "INTEGER", "SMALLINT", "TINYINT", "FLOAT", "DOUBLE", "DECIMAL", "BOOLEAN", "DATE",
	"TIMESTAMP", "BINARY", "ARRAY", "MAP", "STRUCT", "LONG", "SHORT", "BYTE", "VOID", NULL,
};

static bool holds_type_word(struct str s)
{
	size_t i = 0;

	if (str_find_char(s, ' ', 0) < 0)
		return false;
	while (i < s.n) {
		size_t from = i;

		while (i < s.n && (ascii_is_word(s.p[i]) || (s.p[i] & 0x80) != 0))
			i++;
		for (const char *const *w = type_words; *w != NULL; w++)
			if (str_is_nocase(str_sub(s, from, i), *w))
				return true;
		i += i == from;
	}
	return false;
}

static struct diag *refuse(struct unit *u, const struct rule *rule, const struct node *action, const struct node *at,
                           const char *detail, const char *hint)
{
	struct str name = node_get_text(action, "name");
	struct diag *d = unit_diag(u, rule, node_mark(at), "action '%.*s': %s", STR_ARG(name), detail);

	d->action = name;
	d->via = at->via;
	diag_hint(u->diags, d, "%s", hint);
	return d;
}

static void deprecate(struct unit *u, const struct node *action, const struct node *at)
{
	refuse(u, &rule_database_key, action, at, "the key 'database' is deprecated",
	       "write catalog and schema as two keys");
}

/* `holder` with database "a.b" as catalog and schema; NULL when it has no dot. */
static struct node *database_split(struct arena *a, const struct node *holder, struct node *out)
{
	const struct node *database = node_get(holder, "database");
	struct str text = node_text(a, database);
	ptrdiff_t dot = str_find_char(text, '.', 0);

	if (dot < 0)
		return NULL;
	node_remove(out, "database");
	node_set(a, out, STR("catalog"), node_new_str(a, database->at, str_sub(text, 0, (size_t)dot)));
	node_set(a, out, STR("schema"), node_new_str(a, database->at, str_skip(text, (size_t)dot + 1)));
	return out;
}

static const struct node *target_convert(struct unit *u, const struct node *action, const struct node *target)
{
	const struct node *schema = node_get(target, "schema"), *database = node_get(target, "database");
	struct node *out;

	if (node_truthy(node_get(target, "catalog")) && node_truthy(schema)) {
		if (!node_is_str(schema) || !holds_type_word(schema->text))
			return target;
		refuse(u, &rule_schema_columns, action, schema,
		       str_fmt(u->arena, "'schema' holds column definitions: %.*s", STR_ARG(schema->text)).p,
		       "'schema' names the schema of the table; put column definitions into table_schema");
		return NULL;
	}
	if (!node_truthy(database))
		return target;
	out = node_copy(u->arena, target);
	if (!node_is_null(schema)) {
		node_remove(out, "schema");
		node_set(u->arena, out, STR("table_schema"), schema);
	}
	if (database_split(u->arena, target, out) == NULL) {
		refuse(u, &rule_database_target, action, database, "'database' of the write target must be catalog.schema",
		       "write catalog and schema as two keys");
		return NULL;
	}
	deprecate(u, action, database);
	return out;
}

static const struct node *source_convert(struct unit *u, const struct node *action, const struct node *source)
{
	const struct node *database = node_get(source, "database"), *catalog = node_get(source, "catalog");
	struct node *out;

	if ((node_truthy(catalog) && node_truthy(node_get(source, "schema"))) || !node_truthy(database))
		return source;
	out = node_copy(u->arena, source);
	if (node_truthy(catalog) && str_find_char(node_text(u->arena, database), '.', 0) < 0) {
		node_remove(out, "database");
		node_set(u->arena, out, STR("schema"), database);
	} else if (database_split(u->arena, source, out) == NULL) {
		refuse(u, &rule_database_source, action, database, "'database' of the source must be catalog.schema",
		       "write catalog and schema as two keys");
		return NULL;
	}
	deprecate(u, action, database);
	return out;
}

const struct node *namespace_convert(struct unit *u, const struct node *action)
{
	struct str type = node_get_text(action, "type");
	const struct node *target = node_get(action, "write_target"), *source = node_get(action, "source"), *new;
	const char *key = NULL;
	struct node *out;

	if (str_is(type, "write") && (str_is(kind_of(target), "streaming_table") || str_is(kind_of(target), "materialized_view"))) {
		key = "write_target";
		new = target_convert(u, action, target);
		source = target;
	} else if (str_is(type, "load") && str_is(kind_of(source), "delta")) {
		key = "source";
		new = source_convert(u, action, source);
	} else {
		return action;
	}
	if (new == NULL || new == source)
		return new == NULL ? NULL : action;
	out = node_copy(u->arena, action);
	node_set(u->arena, out, str_of(key), new);
	return out;
}
