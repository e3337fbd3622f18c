#include "model/fields.h"

#include <math.h>
#include <stdlib.h>

static const struct {
	unsigned bit;
	const char *name;
} type_names[] = {
	{ FIELD_TEXT, "a text" },
	{ FIELD_BOOL, "true or false" },
	{ FIELD_INT, "an integer" },
	{ FIELD_NUMBER, "a number" },
	{ FIELD_TEXTS, "a list of text" },
	{ FIELD_MAPS, "a list of mappings" },
	{ FIELD_MIXED, "a list of text or mappings" },
	{ FIELD_LIST, "a list" },
	{ FIELD_MAP, "a mapping" },
	{ FIELD_TEXT_KEYS, "a mapping with text keys" },
	{ FIELD_TEXT_MAP, "a mapping from text to text" },
	{ FIELD_NAMED, "a mapping of names" },
	{ FIELD_ANY, "anything" },
};

enum { N_TYPE_NAMES = sizeof type_names / sizeof *type_names };

static const char yes_words[] = "true yes on 1 t y", no_words[] = "false no off 0 f n";

static bool is_word(struct str s, const char *words)
{
	struct str rest = str_of(words), one;

	while (str_cut(&rest, ' ', &one))
		if (str_eq_nocase(s, one))
			return true;
	return false;
}

unsigned entity_kind(const struct entity *e, struct str kind)
{
	for (unsigned i = 0; e->kind != NULL && e->kind[i] != NULL; i++)
		if (str_is(kind, e->kind[i]))
			return 1u << i;
	return 0;
}

bool field_is_of(const struct field *f, unsigned kinds)
{
	return kinds == 0 || f->used_by == 0 || (f->used_by & kinds) != 0;
}

const struct field *field_find(const struct entity *e, unsigned kinds, struct str key)
{
	if (key.n == 0)
		return NULL;
	for (size_t i = 0; i < e->n; i++)
		if (e->field[i].name[0] == key.p[0] && field_is_of(&e->field[i], kinds) && str_is(key, e->field[i].name))
			return &e->field[i];
	return NULL;
}

size_t field_names(const struct entity *e, unsigned kinds, struct str *out)
{
	size_t n = 0;

	for (size_t i = 0; i < e->n; i++) {
		struct str name = str_of(e->field[i].name);
		bool seen = false;

		for (size_t j = 0; j < n; j++)
			seen |= str_eq(out[j], name);
		if (!seen && field_is_of(&e->field[i], kinds))
			out[n++] = name;
	}
	return n;
}

static bool is_loose_bool(const struct node *n)
{
	if (n->kind == NODE_INT)
		return n->integer == 0 || n->integer == 1;
	if (n->kind == NODE_FLOAT)
		return n->number == 0.0 || n->number == 1.0;
	return n->kind == NODE_STR && (is_word(n->text, yes_words) || is_word(n->text, no_words));
}

/* "7", "-7", "+7", or a float without a fraction. */
static bool is_loose_int(const struct node *n)
{
	struct str s = n->kind == NODE_STR ? str_trim(n->text) : STR_NONE;
	size_t i = s.n != 0 && (s.p[0] == '-' || s.p[0] == '+');

	if (n->kind == NODE_FLOAT)
		return isfinite(n->number) && floor(n->number) == n->number;
	if (n->kind != NODE_STR || i == s.n)
		return n->kind == NODE_BOOL;
	while (i < s.n && s.p[i] >= '0' && s.p[i] <= '9')
		i++;
	return i == s.n;
}

static bool pairs_are_text(const struct node *map, bool values_too)
{
	for (size_t i = 0; i < map->map.n; i++)
		if (!node_is_str(map->map.pair[i].key) || (values_too && !node_is_str(map->map.pair[i].value)))
			return false;
	return true;
}

/* A map without a table of its own has text keys; one that has ignores the keys that it does not know. */
bool field_accepts_item(const struct field *f, const struct node *item)
{
	if (node_is_str(item))
		return (f->type & (FIELD_TEXTS | FIELD_MIXED)) != 0;
	return node_is(item, NODE_MAP) && (f->type & (FIELD_MAPS | FIELD_MIXED)) != 0 &&
	       (f->of != NULL || pairs_are_text(item, false));
}

static bool list_accepted(const struct field *f, const struct node *list)
{
	if ((f->type & FIELD_LIST) != 0)
		return true;
	for (size_t i = 0; i < list->list.n; i++)
		if (!field_accepts_item(f, list->list.item[i]))
			return false;
	return (f->type & FIELD_ITEMS) != 0;
}

static bool map_accepted(unsigned type, const struct node *map)
{
	return (type & (FIELD_MAP | FIELD_NAMED)) != 0 || ((type & FIELD_TEXT_KEYS) != 0 && pairs_are_text(map, false)) ||
	       ((type & FIELD_TEXT_MAP) != 0 && pairs_are_text(map, true));
}

bool field_accepts(const struct field *f, const struct node *value)
{
	bool loose = (f->type & FIELD_LOOSE) != 0;

	if (node_is_null(value))
		return (f->type & FIELD_NOT_NULL) == 0 || value == NULL;
	if ((f->type & FIELD_ANY) != 0)
		return true;
	if (loose && (((f->type & FIELD_BOOL) != 0 && is_loose_bool(value)) ||
	              ((f->type & FIELD_INT) != 0 && is_loose_int(value))))
		return true;
	switch (value->kind) {
	case NODE_STR: return (f->type & FIELD_TEXT) != 0;
	case NODE_BOOL: return (f->type & FIELD_BOOL) != 0;
	case NODE_INT: return (f->type & (FIELD_INT | FIELD_NUMBER)) != 0;
	case NODE_FLOAT: return (f->type & FIELD_NUMBER) != 0;
	case NODE_LIST: return list_accepted(f, value);
	case NODE_MAP: return map_accepted(f->type, value);
	default: return false;
	}
}

bool field_has_value(const struct field *f, struct str text)
{
	struct str rest = str_of(f->values), one;

	if (f->values == NULL)
		return true;
	while (str_cut(&rest, ' ', &one))
		if (str_eq(one, text))
			return true;
	return false;
}

struct str field_type_name(struct arena *a, const struct field *f)
{
	struct buf b = { 0 };
	struct str s;

	for (size_t i = 0; i < N_TYPE_NAMES; i++)
		if ((f->type & type_names[i].bit) != 0)
			buf_addf(&b, "%s%s", b.n == 0 ? "" : " or ", type_names[i].name);
	s = buf_take(&b, a);
	buf_release(&b);
	return s;
}

struct str field_values(struct arena *a, const struct field *f)
{
	struct str rest = str_of(f->values), one;
	struct buf b = { 0 };
	struct str s;

	while (f->values != NULL && str_cut(&rest, ' ', &one))
		buf_addf(&b, "%s%.*s", b.n == 0 ? "" : rest.p != NULL && rest.n != 0 ? ", " : " or ", STR_ARG(one));
	s = buf_take(&b, a);
	buf_release(&b);
	return s;
}

/* The default without the quotes of JSON. */
static struct str fallback_text(const struct field *f)
{
	struct str s = str_of(f != NULL ? f->fallback : NULL);

	return s.n >= 2 && s.p[0] == '"' ? str_sub(s, 1, s.n - 1) : s;
}

struct str entity_text(const struct entity *e, const struct node *map, const char *key)
{
	const struct node *n = node_get(map, key);

	return node_is_null(n) ? fallback_text(field_find(e, 0, str_of(key))) : node_str(n);
}

bool entity_truth(const struct entity *e, const struct node *map, const char *key)
{
	const struct node *n = node_get(map, key);

	if (node_is_null(n))
		return str_is(fallback_text(field_find(e, 0, str_of(key))), "true");
	return n->kind == NODE_STR ? is_word(n->text, yes_words) : node_truthy(n);
}

int64_t entity_int(const struct entity *e, const struct node *map, const char *key)
{
	const struct node *n = node_get(map, key);

	return node_is(n, NODE_INT) ? n->integer : strtoll(field_find(e, 0, str_of(key))->fallback, NULL, 10);
}
