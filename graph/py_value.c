#include "graph/py_value.h"

#include "base/utf8.h"

struct py_value *py_value_new(struct arena *a, enum py_kind kind)
{
	struct py_value *v = ARENA_NEW(a, struct py_value);
	v->kind = kind;
	return v;
}

void py_value_add(struct arena *a, struct py_value *texts, struct str text)
{
	for (size_t i = 0; i < texts->text.n; i++)
		if (str_eq(texts->text.p[i], text))
			return;
	*VEC_PUSH(&texts->text, a) = text;
}

struct py_value *py_value_text(struct arena *a, struct str text)
{
	struct py_value *v = py_value_new(a, PY_TEXTS);
	py_value_add(a, v, text);
	return v;
}

struct py_value *py_value_list(struct arena *a, const struct str *item, size_t n)
{
	struct py_value *v = py_value_new(a, PY_LIST);
	for (size_t i = 0; i < n; i++)
		*VEC_PUSH(&v->text, a) = item[i];
	return v;
}

struct py_value *py_value_map(struct arena *a)
{
	return py_value_new(a, PY_MAP);
}

void py_value_put(struct arena *a, struct py_value *map, struct str key, const struct py_value *value)
{
	*map_slot(&map->map, a, key) = (void *)value;
}

static struct py_value *maps_union(struct arena *a, const struct py_value *x, const struct py_value *y)
{
	struct py_value *v = py_value_map(a);
	for (size_t i = 0; i < x->map.n; i++)
		py_value_put(a, v, x->map.entry[i].key, x->map.entry[i].value);
	for (size_t i = 0; i < y->map.n; i++) {
		const struct py_value *old = map_get(&v->map, y->map.entry[i].key);
		const struct py_value *new = y->map.entry[i].value;
		py_value_put(a, v, y->map.entry[i].key, old != NULL ? py_value_union(a, old, new) : new);
	}
	return v;
}

struct py_value *py_value_union(struct arena *a, const struct py_value *x, const struct py_value *y)
{
	if (x == NULL || y == NULL || (x->kind == PY_MAP) != (y->kind == PY_MAP))
		return NULL;
	if (x->kind == PY_MAP)
		return maps_union(a, x, y);
	struct py_value *v = py_value_new(a, PY_TEXTS);
	for (size_t i = 0; i < x->text.n; i++)
		py_value_add(a, v, x->text.p[i]);
	for (size_t i = 0; i < y->text.n; i++)
		py_value_add(a, v, y->text.p[i]);
	return v->text.n <= PY_MAX_TEXTS ? v : NULL;
}

struct py_value *py_value_product(struct arena *a, const struct py_value *x, const struct py_value *y)
{
	if (x == NULL || y == NULL || x->kind != y->kind || x->kind == PY_MAP)
		return NULL;
	if (x->kind == PY_LIST) { /* [a] + [b] */
		struct py_value *v = py_value_list(a, x->text.p, x->text.n);
		for (size_t i = 0; i < y->text.n; i++)
			*VEC_PUSH(&v->text, a) = y->text.p[i];
		return v->text.n <= PY_MAX_TEXTS ? v : NULL;
	}
	if (x->text.n * y->text.n > PY_MAX_TEXTS)
		return NULL;
	struct py_value *v = py_value_new(a, PY_TEXTS);
	for (size_t i = 0; i < x->text.n; i++)
		for (size_t k = 0; k < y->text.n; k++) {
			if (x->text.p[i].n + y->text.p[k].n > PY_MAX_VALUE)
				return NULL;
			py_value_add(a, v, str_cat(a, x->text.p[i], y->text.p[k]));
		}
	return v;
}

struct py_value *py_value_elements(struct arena *a, const struct py_value *v)
{
	if (v == NULL)
		return NULL;
	struct py_value *set = py_value_new(a, PY_TEXTS);
	for (size_t i = 0; i < v->text.n; i++)
		py_value_add(a, set, v->text.p[i]);
	for (size_t i = 0; i < v->map.n; i++)
		py_value_add(a, set, v->map.entry[i].key);
	return set;
}

struct py_value *py_value_values(struct arena *a, const struct py_value *map)
{
	if (map == NULL || map->kind != PY_MAP || map->map.n == 0)
		return NULL;
	struct py_value *all = map->map.entry[0].value;
	for (size_t i = 1; i < map->map.n; i++)
		all = py_value_union(a, all, map->map.entry[i].value);
	return all;
}

/* --- methods of str --- */

static struct str case_changed(struct arena *a, struct str s, bool upper)
{
	struct buf b = { 0 };
	for (size_t i = 0; i < s.n;) {
		uint32_t c = utf8_next(s, &i);
		if (c != UTF8_BAD)
			buf_add_utf8(&b, upper ? ucs_upper(c) : ucs_lower(c));
	}
	struct str out = buf_take(&b, a);
	buf_release(&b);
	return out;
}

static bool in_set(struct str set, char c)
{
	return memchr(set.p, c, set.n) != NULL;
}

static struct str stripped(struct str s, struct str set, bool left, bool right)
{
	while (left && s.n > 0 && in_set(set, s.p[0]))
		s = str_skip(s, 1);
	while (right && s.n > 0 && in_set(set, s.p[s.n - 1]))
		s.n--;
	return s;
}

/* The one text of an argument; false when it has not exactly one. */
static bool one_text(const struct py_value *v, struct str *out)
{
	if (v == NULL || v->kind != PY_TEXTS || v->text.n != 1)
		return false;
	*out = v->text.p[0];
	return true;
}

static struct py_value *joined(struct arena *a, const struct py_value *separator, const struct py_value *list)
{
	struct str sep;
	if (!one_text(separator, &sep) || list == NULL || list->kind != PY_LIST)
		return NULL;
	struct buf b = { 0 };
	for (size_t i = 0; i < list->text.n; i++) {
		buf_add(&b, i > 0 ? sep : STR_NONE);
		buf_add(&b, list->text.p[i]);
	}
	struct py_value *v = b.n <= PY_MAX_VALUE ? py_value_text(a, buf_take(&b, a)) : NULL;
	buf_release(&b);
	return v;
}

/* "..{}..{1}..".format(a, b) and "..%s.." % a: one text each, fields by position. */
static struct py_value *formatted(struct arena *a, struct str text, struct py_value *const *arg, size_t n)
{
	struct buf b = { 0 };
	size_t next = 0;
	bool good = true;
	for (size_t i = 0; i < text.n && good; i++) {
		char c = text.p[i];
		if ((c == '{' || c == '}') && i + 1 < text.n && text.p[i + 1] == c) {
			buf_addc(&b, c);
			i++;
			continue;
		}
		if (c != '{') {
			buf_addc(&b, c);
			continue;
		}
		size_t index = next++, at = i + 1;
		if (at < text.n && text.p[at] >= '0' && text.p[at] <= '9')
			index = (size_t)(text.p[at++] - '0');
		struct str one;
		good = at < text.n && text.p[at] == '}' && index < n && one_text(arg[index], &one) &&
		       b.n + one.n <= PY_MAX_VALUE;
		if (good)
			buf_add(&b, one);
		i = at;
	}
	struct py_value *v = good ? py_value_text(a, buf_take(&b, a)) : NULL;
	buf_release(&b);
	return v;
}

enum text_method { UPPER, LOWER, STRIP, LSTRIP, RSTRIP, REPLACE };

static const struct {
	const char *name;
	enum text_method method;
	size_t min, max; /* arguments */
} text_methods[] = {
	{ "upper", UPPER, 0, 0 },   { "lower", LOWER, 0, 0 },   { "strip", STRIP, 0, 1 },
	{ "lstrip", LSTRIP, 0, 1 }, { "rstrip", RSTRIP, 0, 1 }, { "replace", REPLACE, 2, 2 },
};

static bool text_apply(struct arena *a, enum text_method m, struct str s, const struct str *arg, struct str *out)
{
	switch (m) {
	case UPPER: *out = case_changed(a, s, true); return true;
	case LOWER: *out = case_changed(a, s, false); return true;
	case STRIP: *out = stripped(s, arg[0], true, true); return true;
	case LSTRIP: *out = stripped(s, arg[0], true, false); return true;
	case RSTRIP: *out = stripped(s, arg[0], false, true); return true;
	case REPLACE: break;
	}
	if (arg[0].n == 0)
		return false;
	*out = str_replace(a, s, arg[0], arg[1]);
	return out->n <= PY_MAX_VALUE;
}

struct py_value *py_value_method(struct arena *a, const struct py_value *self, struct str method,
                                 struct py_value *const *arg, size_t n)
{
	struct str text, one[2] = { STR(" \t\n\r\v\f"), STR_NONE };
	if (self == NULL || self->kind != PY_TEXTS)
		return NULL;
	if (str_is(method, "join"))
		return n == 1 ? joined(a, self, arg[0]) : NULL;
	if (str_is(method, "format"))
		return one_text(self, &text) ? formatted(a, text, arg, n) : NULL;
	for (size_t k = 0; k < sizeof text_methods / sizeof *text_methods; k++) {
		if (!str_is(method, text_methods[k].name))
			continue;
		if (n < text_methods[k].min || n > text_methods[k].max)
			return NULL;
		for (size_t i = 0; i < n; i++)
			if (!one_text(arg[i], &one[i]))
				return NULL;
		struct py_value *v = py_value_new(a, PY_TEXTS);
		for (size_t i = 0; i < self->text.n; i++) {
			if (!text_apply(a, text_methods[k].method, self->text.p[i], one, &text))
				return NULL;
			py_value_add(a, v, text);
		}
		return v;
	}
	return NULL;
}
