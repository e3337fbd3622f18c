#include "resolve/expr_ops.h"

#include "base/utf8.h"

#include <stdio.h>

/* --- the rendering: errors and bounds --- */

static void place_find(const struct render *r, struct expr_error *e)
{
	struct str s = r->text;
	size_t i = 0;

	e->line = e->col = 1;
	while (i < r->at && i < s.n) {
		uint32_t c = utf8_next(s, &i);

		if (c == '\n' || (c == '\r' && !(i < s.n && s.p[i] == '\n'))) {
			e->line++;
			e->col = 1;
		} else {
			e->col++;
		}
	}
}

bool render_fail(struct render *r, enum expr_fault fault, const char *fmt, ...)
{
	char problem[512];
	va_list ap;
	int n;

	if (r->err->fault != EXPR_GOOD)
		return false;
	va_start(ap, fmt);
	n = vsnprintf(problem, sizeof problem, fmt, ap);
	va_end(ap);
	r->err->fault = fault;
	r->err->problem = str_dup(r->a, (struct str){ problem, n < 0 ? 0 : (size_t)n < sizeof problem ? (size_t)n : sizeof problem - 1 });
	place_find(r, r->err);
	return false;
}

bool render_step(struct render *r, size_t n)
{
	if (n <= EXPR_MAX_STEPS && r->steps + n <= EXPR_MAX_STEPS) {
		r->steps += n;
		return true;
	}
	r->steps = EXPR_MAX_STEPS;
	return render_fail(r, EXPR_LIMIT, "more than %d steps", EXPR_MAX_STEPS);
}

bool render_enter(struct render *r)
{
	if (r->depth >= EXPR_MAX_DEPTH)
		return render_fail(r, EXPR_LIMIT, "nested deeper than %d levels", EXPR_MAX_DEPTH);
	r->depth++;
	return true;
}

void render_leave(struct render *r)
{
	r->depth--;
}

bool render_undefined(struct render *r, const struct val *v)
{
	return !r->strict || v->flag || render_fail(r, EXPR_UNDEFINED, "%.*s is undefined", STR_ARG(v->text));
}

bool render_size(struct render *r, size_t n)
{
	if (n > EXPR_MAX_OUTPUT)
		return render_fail(r, EXPR_LIMIT, "a text longer than %d bytes", EXPR_MAX_OUTPUT);
	return render_step(r, n / 256 + 1);
}

/* --- making values --- */

struct val *val_new(struct render *r, enum val_kind kind)
{
	struct val *v = ARENA_NEW(r->a, struct val);

	v->kind = kind;
	return v;
}

struct val *val_bool(struct render *r, bool b)
{
	struct val *v = val_new(r, VAL_BOOL);

	v->flag = b;
	v->i = b;
	return v;
}

struct val *val_int(struct render *r, int64_t i)
{
	struct val *v = val_new(r, VAL_INT);

	v->i = i;
	return v;
}

struct val *val_float(struct render *r, double d)
{
	struct val *v = val_new(r, VAL_FLOAT);

	v->d = d;
	return v;
}

struct val *val_text(struct render *r, struct str s)
{
	struct val *v;

	if (!render_size(r, s.n))
		return NULL;
	v = val_new(r, VAL_STR);
	v->text = s;
	return v;
}

struct val *val_undefined(struct render *r, struct str what)
{
	struct val *v = val_new(r, VAL_UNDEFINED);

	v->text = what;
	return v;
}

struct val *val_take(struct render *r, struct buf *b)
{
	struct val *v = NULL;

	if (render_size(r, b->n))
		v = val_text(r, buf_take(b, r->a));
	buf_release(b);
	return v;
}

static struct val *val_of_list(struct render *r, const struct node *n)
{
	struct val *v = val_new(r, VAL_LIST), *item;

	for (size_t i = 0; i < n->list.n; i++) {
		item = val_of_node(r, n->list.item[i]);
		if (item == NULL || !list_add(r, v, item))
			return NULL;
	}
	return v;
}

static struct val *val_of_map(struct render *r, const struct node *n)
{
	struct val *v = val_new(r, VAL_MAP);

	for (size_t i = 0; i < n->map.n; i++) {
		struct val_pair pair = { val_of_node(r, n->map.pair[i].key), val_of_node(r, n->map.pair[i].value) };

		if (pair.key == NULL || pair.value == NULL || !render_step(r, 1))
			return NULL;
		*VEC_PUSH(&v->map, r->a) = pair;
	}
	return v;
}

/* Trees of YAML are as deep as its reader lets them be: no render_enter. */
struct val *val_of_node(struct render *r, const struct node *n)
{
	struct val *v;

	if (n == NULL)
		return val_new(r, VAL_NONE);
	switch (n->kind) {
	case NODE_NULL: return val_new(r, VAL_NONE);
	case NODE_BOOL: return val_bool(r, n->boolean);
	case NODE_INT:
		v = val_int(r, n->integer);
		if (n->integer == INT64_MAX || n->integer == INT64_MIN)
			v->text = n->text;
		return v;
	case NODE_FLOAT: return val_float(r, n->number);
	case NODE_STR: return val_text(r, n->text);
	case NODE_DATE:
	case NODE_TIMESTAMP:
		v = val_new(r, VAL_DATE);
		v->text = n->text;
		return v;
	case NODE_LIST: return val_of_list(r, n);
	case NODE_MAP: return val_of_map(r, n);
	}
	return val_new(r, VAL_NONE);
}

/* --- asking --- */

static const char *const type_names[] = {
	[VAL_UNDEFINED] = "an undefined value", [VAL_NONE] = "none", [VAL_BOOL] = "a boolean", [VAL_INT] = "an integer",
	[VAL_FLOAT] = "a float", [VAL_STR] = "a text", [VAL_DATE] = "a date", [VAL_LIST] = "a list", [VAL_TUPLE] = "a tuple",
	[VAL_VIEW] = "a view of a map", [VAL_RANGE] = "a range", [VAL_ITER] = "an iterator", [VAL_MAP] = "a map",
	[VAL_SPACE] = "a namespace", [VAL_LOOP] = "a loop", [VAL_FUNC] = "a function",
};

const char *val_type(const struct val *v)
{
	return type_names[v->kind];
}

bool val_is_number(const struct val *v)
{
	return v->kind == VAL_BOOL || v->kind == VAL_INT || v->kind == VAL_FLOAT;
}

bool val_is_sequence(const struct val *v)
{
	return v->kind == VAL_LIST || v->kind == VAL_TUPLE || v->kind == VAL_VIEW || v->kind == VAL_RANGE;
}

bool val_is_iterable(const struct val *v)
{
	return val_is_sequence(v) || v->kind == VAL_STR || v->kind == VAL_MAP || v->kind == VAL_ITER || v->kind == VAL_UNDEFINED ||
	       v->kind == VAL_LOOP;
}

bool val_is_hashable(const struct val *v)
{
	if (v->kind == VAL_TUPLE)
		for (size_t i = 0; i < v->list.n; i++)
			if (!val_is_hashable(v->list.p[i]))
				return false;
	return v->kind != VAL_LIST && v->kind != VAL_MAP && v->kind != VAL_VIEW;
}

double val_number(const struct val *v)
{
	return v->kind == VAL_FLOAT ? v->d : v->kind == VAL_BOOL ? v->flag : (double)v->i;
}

bool val_integer(struct render *r, const struct val *v, int64_t *out)
{
	if (v->kind != VAL_INT && v->kind != VAL_BOOL)
		return render_fail(r, EXPR_VALUE, "expected an integer, found %s", val_type(v));
	if (v->kind == VAL_INT && v->text.n > 0)
		return render_fail(r, EXPR_VALUE, "integer %.*s has more than 64 bits", STR_ARG(v->text));
	*out = v->kind == VAL_BOOL ? v->flag : v->i;
	return true;
}

int val_truth(struct render *r, const struct val *v)
{
	switch (v->kind) {
	case VAL_UNDEFINED: return render_undefined(r, v) ? 0 : -1;
	case VAL_NONE: return 0;
	case VAL_BOOL: return v->flag;
	case VAL_INT: return v->i != 0;
	case VAL_FLOAT: return v->d != 0;
	case VAL_STR: return v->text.n > 0;
	case VAL_LIST:
	case VAL_TUPLE:
	case VAL_VIEW:
	case VAL_RANGE: return v->list.n > 0;
	case VAL_MAP: return v->map.n > 0;
	case VAL_LOOP: return v->loop.n > 0;
	default: return 1;
	}
}

/* --- lists and maps --- */

bool list_add(struct render *r, struct val *list, struct val *v)
{
	*VEC_PUSH(&list->list, r->a) = v;
	return render_step(r, 1);
}

struct val *dict_find(struct render *r, const struct val *map, const struct val *key)
{
	for (size_t i = 0; i < map->map.n; i++) {
		const struct val *k = map->map.p[i].key;
		int eq = k->kind == VAL_STR && key->kind == VAL_STR ? str_eq(k->text, key->text) : val_equal(r, k, key);

		if (eq < 0 || (i % 16 == 15 && !render_step(r, 1)))
			return NULL;
		if (eq)
			return map->map.p[i].value;
	}
	return NULL;
}

bool dict_put(struct render *r, struct val *map, struct val *key, struct val *value)
{
	if (!val_is_hashable(key))
		return render_fail(r, EXPR_VALUE, "%s cannot be the key of a map", val_type(key));
	if (!render_step(r, map->map.n / 16 + 1))
		return false;
	for (size_t i = 0; i < map->map.n; i++) {
		int eq = val_equal(r, map->map.p[i].key, key);

		if (eq < 0)
			return false;
		if (eq) {
			map->map.p[i].value = value;
			return true;
		}
	}
	*VEC_PUSH(&map->map, r->a) = (struct val_pair){ key, value };
	return true;
}

static struct val *text_characters(struct render *r, struct str s)
{
	struct val *list = val_new(r, VAL_LIST);

	for (size_t i = 0; i < s.n;) {
		size_t from = i;
		struct val *c;

		utf8_next(s, &i);
		c = val_text(r, str_sub(s, from, i));
		if (c == NULL || !list_add(r, list, c))
			return NULL;
	}
	return list;
}

static struct val *items_from(struct render *r, struct val **item, size_t from, size_t n)
{
	struct val *list = val_new(r, VAL_LIST);

	for (size_t i = from; i < n; i++)
		if (!list_add(r, list, item[i]))
			return NULL;
	return list;
}

struct val *val_items(struct render *r, struct val *v)
{
	struct val *list;
	size_t from;

	switch (v->kind) {
	case VAL_UNDEFINED: return render_undefined(r, v) ? val_new(r, VAL_LIST) : NULL;
	case VAL_STR: return text_characters(r, v->text);
	case VAL_MAP:
		list = val_new(r, VAL_LIST);
		for (size_t i = 0; i < v->map.n; i++)
			if (!list_add(r, list, v->map.p[i].key))
				return NULL;
		return list;
	case VAL_ITER:
		from = v->pos;
		v->pos = v->list.n;
		return items_from(r, v->list.p, from, v->list.n);
	case VAL_LIST:
	case VAL_TUPLE:
	case VAL_VIEW:
	case VAL_RANGE: return items_from(r, v->list.p, 0, v->list.n);
	default:
		render_fail(r, EXPR_VALUE, "%s cannot be iterated", val_type(v));
		return NULL;
	}
}

int64_t val_len(struct render *r, struct val *v)
{
	switch (v->kind) {
	case VAL_UNDEFINED: return render_undefined(r, v) ? 0 : -1;
	case VAL_STR: return (int64_t)utf8_len(v->text);
	case VAL_MAP: return (int64_t)v->map.n;
	case VAL_LOOP: return (int64_t)v->loop.n;
	case VAL_LIST:
	case VAL_TUPLE:
	case VAL_VIEW:
	case VAL_RANGE: return (int64_t)v->list.n;
	default:
		render_fail(r, EXPR_VALUE, "%s has no length", val_type(v));
		return -1;
	}
}
