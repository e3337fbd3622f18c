#include "check/tags.h"

#include "base/utf8.h"
#include "model/shape.h"
#include "model/rules.h"
#include "project/project.h"
#include "resolve/token.h"
#include "yaml/reader.h"

enum { TAG_MAX = 256 };

struct tagging {
	struct unit *u;
	const struct action *write;
	bool failed;
};

static struct diag *fault(struct tagging *t, const struct rule *rule, const struct node *at, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

static struct diag *fault(struct tagging *t, const struct rule *rule, const struct node *at, const char *fmt, ...)
{
	struct diag *d;
	va_list ap;

	va_start(ap, fmt);
	d = unit_vdiag(t->u, rule, node_mark(at), fmt, ap);
	d->action = t->write->name;
	va_end(ap);
	t->failed = true;
	return d;
}

static bool tagging_is_on(struct tagging *t)
{
	const struct node *enabled = project_key(t->u->project, t->u->trace, "uc_tagging.enabled");

	return !node_is(enabled, NODE_BOOL) || enabled->boolean;
}

static bool write_counts(const struct action *w)
{
	const struct node *temporary = node_get(w->write_target, "temporary");
	struct str type = kind_of(w->write_target);

	return (str_is(type, "streaming_table") || str_is(type, "materialized_view")) && creates_table(w) &&
	       !(node_is(temporary, NODE_BOOL) && temporary->boolean);
}

static void tag_check(struct tagging *t, const struct tag *tag, const struct node *at)
{
	const char *wrong = NULL;

	for (size_t i = 0; i < tag->key.n; i++)
		if (strchr(",-=:", tag->key.p[i]) != NULL)
			wrong = "its name holds one of , - = :";
	if (str_trim(tag->key).n != tag->key.n || str_trim(tag->value).n != tag->value.n)
		wrong = "there are blanks at an end";
	if (utf8_len(tag->key) > TAG_MAX || utf8_len(tag->value) > TAG_MAX)
		wrong = "it is longer than 256 characters";
	if (wrong != NULL)
		diag_hint(t->u->diags, fault(t, &rule_tag_illegal, at, "Tag '%.*s' with value '%.*s': %s.", STR_ARG(tag->key),
		                             STR_ARG(tag->value), wrong),
		          "Unity Catalog takes names without , - = : and texts of at most 256 characters without blanks at the ends");
}

static void set_read(struct tagging *t, const struct node *map, struct tag_set *out)
{
	struct arena *a = t->u->arena;

	out->declared = node_is(map, NODE_MAP);
	for (size_t i = 0; out->declared && i < map->map.n; i++) {
		const struct node *key = map->map.pair[i].key, *value = map->map.pair[i].value;
		struct tag tag = { node_text(a, key), node_is_null(value) ? STR("") : node_text(a, value), key->at };

		tag_check(t, &tag, key);
		*VEC_PUSH(out, a) = tag;
	}
}

/* Keys and types of one map of a tags file, by the table of its fields. */
static bool shape_check(struct tagging *t, const struct entity *e, const struct node *map)
{
	struct arena *a = t->u->arena;
	struct misfit m;

	for (size_t i = 0; i < map->map.n; i++) {
		const struct node *key = map->map.pair[i].key;

		if (!node_is_str(key) || field_find(e, 0, key->text) == NULL) {
			fault(t, &rule_tags_file_shape, key, "A tags file has no key %.*s here.", STR_ARG(node_repr(a, key)));
			return false;
		}
	}
	if (entity_fits(e, map, &m))
		return true;
	fault(t, &rule_tags_file_shape, m.value != NULL ? m.value : map, "%.*s.", STR_ARG(misfit_text(a, &m)));
	return false;
}

static void column_read(struct tagging *t, const struct node *column, struct map *seen, struct table_tags *out)
{
	struct column_tags tags = { .column = node_get_text(column, "name") };

	if (!shape_check(t, &entity_tags_column, column))
		return;
	if (node_get(column, "tags") == NULL) /* says nothing, and may be said twice */
		return;
	if (!map_add(seen, t->u->arena, tags.column)) {
		fault(t, &rule_tags_file_shape, column, "Column '%.*s' is there twice.", STR_ARG(tags.column));
		return;
	}
	set_read(t, node_get(column, "tags"), &tags.tags);
	if (tags.tags.declared)
		*VEC_PUSH(&out->columns, t->u->arena) = tags;
}

/* The only document of the file, tokens replaced; NULL with a finding, or when it is null. */
static const struct node *file_read(struct tagging *t, const struct node *path)
{
	struct yaml_file yaml;
	struct str text;

	if (file_text(t->u, path->text, path->at, TOKENS_ALL, true, &text) != 0) {
		file_fault_as(t->u, &rule_file_unreadable, &rule_file_unreadable);
		t->failed = true;
		return NULL;
	}
	if (yaml_read(t->u->arena, str_cstr(t->u->arena, path->text), text, &yaml) != YAML_GOOD) {
		fault(t, &rule_yaml_syntax, path, "%.*s, line %u: %.*s", STR_ARG(path->text), yaml.at.line, STR_ARG(yaml.problem))->at =
		    yaml.at;
		return NULL;
	}
	if (yaml.n_doc != 1) {
		fault(t, &rule_document_count, path, "%.*s holds %zu YAML documents; it must hold exactly one.",
		      STR_ARG(path->text), yaml.n_doc);
		return NULL;
	}
	if (yaml.doc[0]->kind != NODE_MAP) {
		if (!node_is_null(yaml.doc[0]))
			fault(t, &rule_tags_file_shape, path, "%.*s does not hold one map.", STR_ARG(path->text));
		return NULL;
	}
	return yaml.doc[0];
}

/* The file's `table` or `name`, when it is not the last name of the write's table; a full name never is. */
static struct str other_table(const struct tagging *t, const struct node *doc)
{
	static const char *const KEY[] = { "table", "name" };
	struct str mine = node_get_text(t->write->write_target, "table");

	for (size_t i = 0; i < sizeof(KEY) / sizeof(KEY[0]); i++)
		if (node_has(doc, KEY[i]) && !str_eq(node_get_text(doc, KEY[i]), mine))
			return node_get_text(doc, KEY[i]);
	return STR("");
}

static void tags_file_read(struct tagging *t, const struct node *path, struct table_tags *out)
{
	const struct node *doc = file_read(t, path), *columns = node_get(doc, "columns");
	struct map seen = { 0 };

	if (doc == NULL || !shape_check(t, &entity_tags_file, doc))
		return;
	out->named = other_table(t, doc);
	set_read(t, node_get(doc, "tags"), &out->tags);
	for (size_t i = 0; i < node_len(columns); i++)
		column_read(t, columns->list.item[i], &seen, out);
}

int table_tags_read(struct unit *u, const struct action *write, struct table_tags *out)
{
	struct tagging t = { .u = u, .write = write };
	const struct node *tags = node_get(write->write_target, "tags"), *path = node_get(write->write_target, "tags_file");

	*out = (struct table_tags){ 0 };
	if (node_is_null(tags) && !node_truthy(path))
		return 0;
	out->table = full_table_name(u->arena, write->write_target);
	if (out->table.n == 0 || !write_counts(write) || !tagging_is_on(&t))
		return 0;
	if (node_is_str(path) && path->text.n != 0)
		tags_file_read(&t, path, out);
	else
		set_read(&t, tags, &out->tags);
	if (t.failed)
		return -1;
	return out->tags.declared || out->columns.n != 0;
}
