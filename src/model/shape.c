#include "model/shape.h"

#include "model/suggest.h"

enum { WORDS_MAX = 32 };

static const struct node *item_culprit(const struct field *f, const struct node *list)
{
	for (size_t i = 0; (f->type & FIELD_ITEMS) != 0 && i < list->list.n; i++)
		if (!field_accepts_item(f, list->list.item[i]))
			return list->list.item[i];
	return list;
}

static const struct node *pair_culprit(const struct field *f, const struct node *map)
{
	for (size_t i = 0; (f->type & (FIELD_TEXT_KEYS | FIELD_TEXT_MAP)) != 0 && i < map->map.n; i++) {
		if (!node_is_str(map->map.pair[i].key))
			return map->map.pair[i].key;
		if ((f->type & FIELD_TEXT_MAP) != 0 && !node_is_str(map->map.pair[i].value))
			return map->map.pair[i].value;
	}
	return map;
}

static bool is_empty(const struct field *f, const struct node *value)
{
	if ((f->type & FIELD_FILLED) == 0)
		return false;
	if (node_is_str(value))
		return str_trim(value->text).n == 0;
	return (value->kind == NODE_LIST || value->kind == NODE_MAP) && node_len(value) == 0;
}

bool field_fits(const struct field *f, const struct node *value, struct misfit *out)
{
	*out = (struct misfit){ .field = f, .value = value };
	if (value == NULL)
		return (f->type & FIELD_REQUIRED) == 0;
	if ((f->type & FIELD_CHECKED) != 0)
		return true;
	out->word = (f->type & FIELD_WORD) != 0 && node_is_str(value) && !field_has_value(f, value->text);
	if (field_accepts(f, value))
		return !out->word && !is_empty(f, value);
	if (value->kind == NODE_LIST)
		out->value = item_culprit(f, value);
	else if (value->kind == NODE_MAP)
		out->value = pair_culprit(f, value);
	out->part = out->value != value;
	return false;
}

bool entity_fits(const struct entity *e, const struct node *map, struct misfit *out)
{
	const struct field *first = NULL, *end = e->field + e->n;
	struct misfit m;

	for (size_t i = 0; i < node_len(map); i++) {
		const struct field *f = field_find(e, 0, node_str(map->map.pair[i].key));

		if (f == NULL || field_fits(f, map->map.pair[i].value, &m) || (first != NULL && first < f))
			continue;
		first = f;
		*out = m;
	}
	for (const struct field *f = e->field; f < (first != NULL ? first : end); f++) {
		if ((f->type & FIELD_REQUIRED) == 0 || node_has(map, f->name))
			continue;
		*out = (struct misfit){ .field = f };
		return false;
	}
	return first == NULL;
}

struct str misfit_text(struct arena *a, const struct misfit *m)
{
	struct str wanted = m->word ? field_values(a, m->field) : field_type_name(a, m->field), found;

	if (m->value == NULL)
		return str_fmt(a, "the key '%s' is missing", m->field->name);
	if (!m->part && field_accepts(m->field, m->value) && !m->word)
		return str_fmt(a, "'%s' is empty", m->field->name);
	found = m->part || m->word ? node_repr(a, m->value) : str_of(node_kind_name(m->value));
	return str_fmt(a, "'%s' must be %.*s; %s is %.*s", m->field->name, STR_ARG(wanted), m->part ? "a part of it" : "it",
	               STR_ARG(found));
}

static struct str word_hint(struct arena *a, const struct misfit *m)
{
	struct str known[WORDS_MAX], rest = str_of(m->field->values);
	size_t n = 0;

	while (n < WORDS_MAX && str_cut(&rest, ' ', &known[n]))
		n++;
	return suggest_question(a, m->value->text, known, n, SUGGEST_MAX);
}

/* A scalar that would be a text in quotes. */
static bool is_plain(const struct node *n)
{
	return n->kind != NODE_NULL && n->kind != NODE_STR && n->kind != NODE_LIST && n->kind != NODE_MAP;
}

struct str misfit_hint(struct arena *a, const struct misfit *m)
{
	const struct node *n = m->value;

	if (n == NULL)
		return str_fmt(a, "add %s: …", m->field->name);
	if (m->word)
		return word_hint(a, m);
	if (n->kind == NODE_STR && (m->field->type & FIELD_TEXTS) != 0)
		return str_fmt(a, "write a list: [%.*s]", STR_ARG(n->text));
	if ((m->field->type & (FIELD_TEXT | FIELD_TEXTS | FIELD_TEXT_MAP | FIELD_TEXT_KEYS)) != 0 && is_plain(n))
		return str_fmt(a, "put it in quotes to make it a text: \"%.*s\"", STR_ARG(node_text(a, n)));
	return STR("");
}

const char *document_misfit(struct arena *a, const struct entity *e, const struct node *doc)
{
	struct misfit m;

	if (!node_is(doc, NODE_MAP))
		return str_fmt(a, "it must hold a mapping, not %s", node_kind_name(doc)).p;
	return entity_fits(e, doc, &m) ? NULL : misfit_text(a, &m).p;
}
