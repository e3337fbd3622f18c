#include "model/fields.h"

static const struct {
	unsigned bit;
	const char *name;
} type_names[] = {
	{ FIELD_TEXT, "a text" },
	{ FIELD_BOOL, "true or false" },
	{ FIELD_INT, "an integer" },
	{ FIELD_NUMBER, "a number" },
	{ FIELD_TEXTS, "a list of text" },
	{ FIELD_MAPS, "a list of maps" },
	{ FIELD_MIXED, "a list of text or maps" },
	{ FIELD_LIST, "a list" },
	{ FIELD_MAP, "a map" },
	{ FIELD_TEXT_KEYS, "a map with text keys" },
	{ FIELD_TEXT_MAP, "a map from text to text" },
	{ FIELD_ANY, "anything" },
};

enum { N_TYPE_NAMES = sizeof type_names / sizeof *type_names };

static const char *const loose_bools[] = { "true", "false", "yes", "no", "on", "off", "1", "0", "t", "f", "y", "n" };

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
	for (size_t i = 0; i < e->n; i++)
		if (field_is_of(&e->field[i], kinds) && str_is(key, e->field[i].name))
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
	if (n->kind == NODE_STR)
		for (size_t i = 0; i < sizeof loose_bools / sizeof *loose_bools; i++)
			if (str_is_nocase(n->text, loose_bools[i]))
				return true;
	return false;
}

/* "7", "-7", "+7", or a float without a fraction. */
static bool is_loose_int(const struct node *n)
{
	struct str s = n->kind == NODE_STR ? str_trim(n->text) : STR_NONE;
	size_t i = s.n != 0 && (s.p[0] == '-' || s.p[0] == '+');

	if (n->kind == NODE_FLOAT)
		return n->number >= -1e15 && n->number <= 1e15 && (double)(int64_t)n->number == n->number;
	if (n->kind != NODE_STR || i == s.n)
		return n->kind == NODE_BOOL;
	while (i < s.n && s.p[i] >= '0' && s.p[i] <= '9')
		i++;
	return i == s.n;
}

static bool items_are(const struct node *list, unsigned kinds)
{
	for (size_t i = 0; i < list->list.n; i++)
		if ((kinds >> list->list.item[i]->kind & 1) == 0)
			return false;
	return true;
}

static bool pairs_are_text(const struct node *map, bool values_too)
{
	for (size_t i = 0; i < map->map.n; i++)
		if (!node_is_str(map->map.pair[i].key) || (values_too && !node_is_str(map->map.pair[i].value)))
			return false;
	return true;
}

static bool list_accepts(unsigned type, const struct node *list)
{
	return (type & FIELD_LIST) != 0 || ((type & FIELD_TEXTS) != 0 && items_are(list, 1u << NODE_STR)) ||
	       ((type & FIELD_MAPS) != 0 && items_are(list, 1u << NODE_MAP)) ||
	       ((type & FIELD_MIXED) != 0 && items_are(list, 1u << NODE_STR | 1u << NODE_MAP));
}

static bool map_accepts(unsigned type, const struct node *map)
{
	return (type & FIELD_MAP) != 0 || ((type & FIELD_TEXT_KEYS) != 0 && pairs_are_text(map, false)) ||
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
	case NODE_LIST: return list_accepts(f->type, value);
	case NODE_MAP: return map_accepts(f->type, value);
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

enum shape_fault entity_shape(const struct entity *e, const struct node *map, const struct field **field,
                              const struct node **value)
{
	for (size_t i = 0; i < e->n; i++) {
		const struct field *f = &e->field[i];
		const struct node *n = node_get(map, f->name);

		*field = f;
		*value = n;
		if (n == NULL && (f->type & FIELD_REQUIRED) != 0)
			return SHAPE_MISSING;
		if (!field_accepts(f, n))
			return SHAPE_TYPE;
		if ((f->type & FIELD_CHECKED) == 0 && node_is_str(n) && !field_has_value(f, n->text))
			return SHAPE_VALUE;
	}
	*field = NULL;
	*value = NULL;
	return SHAPE_GOOD;
}
