#include "cmd/json_schema.h"

#include "model/fields.h"

#include <cjson/cJSON.h>
#include <stdlib.h>

enum { DEFS_MAX = 64 };

struct generator {
	struct arena arena;
	cJSON *defs;
	const struct entity *queue[DEFS_MAX]; /* entities that were referred to; those before `done` are written */
	size_t n, done;
	bool rendered; /* values come out of {{ }} or %{ }: any may be a text */
};

const char *const schema_kinds[] = { "flowgroup", "preset", "template", "project", "substitution", "blueprint", NULL };

static cJSON *type_new(const char *type)
{
	cJSON *o = cJSON_CreateObject();

	cJSON_AddStringToObject(o, "type", type);
	return o;
}

static cJSON *list_new(cJSON *items)
{
	cJSON *o = type_new("array");

	if (items != NULL)
		cJSON_AddItemToObject(o, "items", items);
	return o;
}

static cJSON *ref_new(struct generator *g, const struct entity *e)
{
	cJSON *o = cJSON_CreateObject();
	struct str ref = str_fmt(&g->arena, "#/$defs/%s", e->name);
	size_t i = 0;

	while (i < g->n && g->queue[i] != e)
		i++;
	if (i == g->n && g->n < DEFS_MAX)
		g->queue[g->n++] = e;
	cJSON_AddStringToObject(o, "$ref", ref.p);
	return o;
}

/* A write target of type sink has another table. */
static cJSON *shape_new(struct generator *g, const struct entity *e)
{
	cJSON *o, *either;

	if (e == NULL)
		return type_new("object");
	if (e != &entity_write_target)
		return ref_new(g, e);
	o = cJSON_CreateObject();
	either = cJSON_AddArrayToObject(o, "anyOf");
	cJSON_AddItemToArray(either, ref_new(g, &entity_write_target));
	cJSON_AddItemToArray(either, ref_new(g, &entity_sink));
	return o;
}

/* A text that a token, variable or parameter will replace. */
static cJSON *token_new(const struct generator *g)
{
	cJSON *o = type_new("string");

	if (!g->rendered)
		cJSON_AddStringToObject(o, "pattern", "\\{");
	return o;
}

static cJSON *values_new(struct generator *g, const char *values)
{
	cJSON *o = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(o, "enum");
	struct str rest = str_of(values), word;

	while (str_cut(&rest, ' ', &word))
		cJSON_AddItemToArray(list, cJSON_CreateString(str_cstr(&g->arena, word)));
	return o;
}

/* The words of an enum, or a text that becomes one. */
static void text_add(struct generator *g, cJSON *either, const struct field *f)
{
	if (f->values == NULL || g->rendered) {
		cJSON_AddItemToArray(either, type_new("string"));
		return;
	}
	cJSON_AddItemToArray(either, values_new(g, f->values));
	cJSON_AddItemToArray(either, token_new(g));
}

/* Names for texts or for maps of the row's table. */
static cJSON *named_new(struct generator *g, const struct field *f)
{
	cJSON *o = type_new("object"), *either = cJSON_AddArrayToObject(cJSON_AddObjectToObject(o, "additionalProperties"), "anyOf");

	cJSON_AddItemToArray(either, type_new("string"));
	cJSON_AddItemToArray(either, shape_new(g, f->of));
	return o;
}

static cJSON *text_map_new(void)
{
	cJSON *o = type_new("object");

	cJSON_AddItemToObject(o, "additionalProperties", type_new("string"));
	return o;
}

/* Everything that a row accepts, in the order of its bits. */
static void types_add(struct generator *g, cJSON *either, const struct field *f)
{
	unsigned t = f->type;

	if (t & FIELD_TEXT)
		text_add(g, either, f);
	if (t & FIELD_BOOL)
		cJSON_AddItemToArray(either, type_new("boolean"));
	if (t & FIELD_INT)
		cJSON_AddItemToArray(either, type_new("integer"));
	if (t & FIELD_NUMBER)
		cJSON_AddItemToArray(either, type_new("number"));
	if (t & FIELD_TEXTS)
		cJSON_AddItemToArray(either, list_new(type_new("string")));
	if (t & FIELD_MAPS)
		cJSON_AddItemToArray(either, list_new(shape_new(g, f->of)));
	if (t & (FIELD_MIXED | FIELD_LIST))
		cJSON_AddItemToArray(either, list_new(f->of != NULL ? shape_new(g, f->of) : NULL));
	if (t & (FIELD_MAP | FIELD_TEXT_KEYS))
		cJSON_AddItemToArray(either, shape_new(g, f->of));
	if (t & FIELD_TEXT_MAP)
		cJSON_AddItemToArray(either, text_map_new());
	if (t & FIELD_NAMED)
		cJSON_AddItemToArray(either, named_new(g, f));
	if (!(t & FIELD_TEXT))
		cJSON_AddItemToArray(either, token_new(g));
	if (!(t & FIELD_NOT_NULL))
		cJSON_AddItemToArray(either, type_new("null"));
}

/* JSON, or a bare word. */
static cJSON *fallback_new(const struct field *f)
{
	cJSON *value = cJSON_Parse(f->fallback);

	return value != NULL ? value : cJSON_CreateString(f->fallback);
}

static void property_add(struct generator *g, cJSON *properties, const struct field *f)
{
	cJSON *o = cJSON_GetObjectItemCaseSensitive(properties, f->name), *either;

	/* A second row of the same key, for other kinds: both are accepted. */
	if (o == NULL) {
		o = cJSON_AddObjectToObject(properties, f->name);
		cJSON_AddStringToObject(o, "description", f->doc);
		if (f->fallback != NULL)
			cJSON_AddItemToObject(o, "default", fallback_new(f));
		if (f->type & FIELD_ANY && f->values == NULL)
			return;
		cJSON_AddArrayToObject(o, "anyOf");
	}
	either = cJSON_GetObjectItem(o, "anyOf");
	if (either != NULL && f->type & FIELD_ANY)
		text_add(g, either, f);
	else if (either != NULL)
		types_add(g, either, f);
}

static cJSON *names_new(const struct entity *e, unsigned kind,
                        bool (*wanted)(const struct entity *e, const struct field *f, unsigned kind))
{
	cJSON *names = cJSON_CreateArray();

	for (size_t i = 0; i < e->n; i++)
		if (wanted(e, &e->field[i], kind))
			cJSON_AddItemToArray(names, cJSON_CreateString(e->field[i].name));
	return names;
}

static bool always_needed(const struct entity *e, const struct field *f, unsigned kind)
{
	(void)e;
	(void)kind;
	return (f->type & FIELD_REQUIRED) != 0 || f->needed_by == ~0u;
}

/* `database` is the old form of catalog and schema: where it may stand, neither is needed. */
static bool needed_by_kind(const struct entity *e, const struct field *f, unsigned kind)
{
	bool packed = strcmp(f->name, "catalog") == 0 || strcmp(f->name, "schema") == 0;

	return (f->needed_by & kind) != 0 && !(packed && field_find(e, kind, STR("database")) != NULL);
}

static bool has_by_kind(const struct entity *e, const struct field *f, unsigned kind)
{
	(void)e;
	return field_is_of(f, kind);
}

/* if type is KIND: what it needs, and which keys it has. */
static void kind_add(cJSON *all, const struct entity *e, size_t k)
{
	cJSON *rule = cJSON_CreateObject(), *test, *then, *keys;
	unsigned kind = 1u << k;

	test = cJSON_AddObjectToObject(rule, "if");
	cJSON_AddStringToObject(cJSON_AddObjectToObject(cJSON_AddObjectToObject(test, "properties"), e->by), "const",
	                        e->kind[k]);
	cJSON_AddItemToArray(cJSON_AddArrayToObject(test, "required"), cJSON_CreateString(e->by));
	then = cJSON_AddObjectToObject(rule, "then");
	cJSON_AddItemToObject(then, "required", names_new(e, kind, needed_by_kind));
	if (e->closed) {
		keys = cJSON_AddObjectToObject(then, "propertyNames");
		cJSON_AddItemToObject(keys, "enum", names_new(e, kind, has_by_kind));
	}
	cJSON_AddItemToArray(all, rule);
}

/* The source of a load is a map with a table of its own. */
static void load_source_add(struct generator *g, cJSON *o)
{
	cJSON *rule = cJSON_CreateObject(), *then;

	cJSON_AddStringToObject(
	    cJSON_AddObjectToObject(cJSON_AddObjectToObject(cJSON_AddObjectToObject(rule, "if"), "properties"), "type"),
	    "const", "load");
	then = cJSON_AddObjectToObject(cJSON_AddObjectToObject(rule, "then"), "properties");
	cJSON_AddItemToObject(then, "source", ref_new(g, &entity_source));
	cJSON_AddItemToArray(cJSON_AddArrayToObject(o, "allOf"), rule);
}

static void entity_add(struct generator *g, cJSON *o, const struct entity *e)
{
	cJSON *properties, *all;

	cJSON_AddStringToObject(o, "title", e->name);
	cJSON_AddStringToObject(o, "description", e->doc);
	cJSON_AddStringToObject(o, "type", "object");
	properties = cJSON_AddObjectToObject(o, "properties");
	for (size_t i = 0; i < e->n; i++)
		property_add(g, properties, &e->field[i]);
	if (e->closed)
		cJSON_AddFalseToObject(o, "additionalProperties");
	if (!g->rendered)
		cJSON_AddItemToObject(o, "required", names_new(e, 0, always_needed));
	if (e == &entity_action)
		load_source_add(g, o);
	if (e->by == NULL || e->kind == NULL || g->rendered)
		return;
	all = cJSON_AddArrayToObject(o, "allOf");
	for (size_t k = 0; e->kind[k] != NULL; k++)
		kind_add(all, e, k);
}

/* A flowgroup file holds one flowgroup, a list of them, or an instance of a blueprint. */
static void flowgroup_file_add(struct generator *g, cJSON *root)
{
	cJSON *either = cJSON_AddArrayToObject(root, "anyOf"), *list = type_new("object"), *properties;

	cJSON_AddItemToArray(either, ref_new(g, &entity_flowgroup));
	properties = cJSON_AddObjectToObject(list, "properties");
	cJSON_AddItemToObject(properties, "flowgroups", list_new(type_new("object")));
	for (size_t i = 0; i < entity_flowgroup.n; i++)
		if (entity_flowgroup.field[i].type & FIELD_INHERITED)
			property_add(g, properties, &entity_flowgroup.field[i]);
	cJSON_AddItemToArray(cJSON_AddArrayToObject(list, "required"), cJSON_CreateString("flowgroups"));
	cJSON_AddItemToArray(either, list);
	cJSON_AddItemToArray(either, ref_new(g, &entity_instance));
}

static void defs_add(struct generator *g)
{
	while (g->done < g->n) {
		const struct entity *e = g->queue[g->done++];

		entity_add(g, cJSON_AddObjectToObject(g->defs, e->name), e);
	}
}

static const struct {
	const char *kind;
	const struct entity *entity; /* NULL: a flowgroup file */
	bool rendered;
} roots[] = {
	{ "flowgroup", NULL, false },
	{ "preset", &entity_preset, false },
	{ "template", &entity_template, true },
	{ "project", &entity_project, false },
	{ "substitution", &entity_substitutions, false },
	{ "blueprint", &entity_blueprint, true },
};

static void root_write(struct buf *b, const struct entity *e, bool rendered)
{
	struct generator g = { .defs = cJSON_CreateObject(), .rendered = rendered };
	cJSON *root = cJSON_CreateObject();
	char *text;

	cJSON_AddStringToObject(root, "$schema", "https://json-schema.org/draft/2020-12/schema");
	if (e != NULL)
		entity_add(&g, root, e);
	else
		flowgroup_file_add(&g, root);
	defs_add(&g);
	cJSON_AddItemToObject(root, "$defs", g.defs);
	text = cJSON_Print(root);
	buf_adds(b, text);
	buf_addc(b, '\n');
	free(text);
	cJSON_Delete(root);
	arena_release(&g.arena);
}

bool schema_write(struct buf *b, struct str kind)
{
	for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++) {
		if (!str_is_nocase(kind, roots[i].kind))
			continue;
		root_write(b, roots[i].entity, roots[i].rendered);
		return true;
	}
	return false;
}
