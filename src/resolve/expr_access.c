#include "resolve/expr_ops.h"

#include "base/utf8.h"

static struct val *nothing(struct render *r, const struct val *of, struct str name)
{
	return val_undefined(r, str_fmt(r->a, "\"%.*s\" of %s", STR_ARG(name), val_type(of)));
}

static struct val *method_bind(struct render *r, struct val *self, const struct func *f)
{
	struct val *v;

	if (f->call == NULL) {
		render_fail(r, EXPR_SYNTAX, "method \"%s\" of %s is not supported", f->name, val_type(self));
		return NULL;
	}
	v = val_new(r, VAL_FUNC);
	v->call.func = f;
	v->call.self = self;
	return v;
}

static struct val *loop_neighbour(struct render *r, const struct val_loop *l, bool next)
{
	if (next ? l->index + 1 < l->n : l->index > 0)
		return l->item[next ? l->index + 1 : l->index - 1];
	return val_undefined(r, next ? STR("the item after the last one") : STR("the item before the first one"));
}

static struct val *loop_attr(struct render *r, struct val *v, struct str name)
{
	const struct val_loop *l = &v->loop;
	const struct func *f = loop_method_find(name);
	const struct {
		const char *name;
		size_t value;
	} counters[] = {
		{ "index", l->index + 1 }, { "index0", l->index }, { "revindex", l->n - l->index },
		{ "revindex0", l->n - l->index - 1 }, { "length", l->n }, { "depth", l->depth }, { "depth0", l->depth - 1 },
	};

	for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
		if (str_is(name, counters[i].name))
			return val_int(r, (int64_t)counters[i].value);
	if (str_is(name, "first"))
		return val_bool(r, l->index == 0);
	if (str_is(name, "last"))
		return val_bool(r, l->index + 1 == l->n);
	if (str_is(name, "previtem") || str_is(name, "nextitem"))
		return loop_neighbour(r, l, str_is(name, "nextitem"));
	return f != NULL ? method_bind(r, v, f) : nothing(r, v, name);
}

static bool undefined_fail(struct render *r, const struct val *v, struct str name)
{
	if (v->kind == VAL_UNDEFINED)
		render_fail(r, EXPR_UNDEFINED, "%.*s is undefined, it has no \"%.*s\"", STR_ARG(v->text), STR_ARG(name));
	return v->kind == VAL_UNDEFINED;
}

/* Attributes proper, not items: methods, and what groupby, loops and namespaces have. NULL without an error: there is none. */
static struct val *attr_find(struct render *r, struct val *v, struct str name)
{
	const struct func *f;
	struct val key = { .kind = VAL_STR, .text = name };

	if (v->kind == VAL_LOOP)
		return loop_attr(r, v, name);
	if (v->kind == VAL_SPACE)
		return dict_find(r, v, &key);
	if (v->kind == VAL_TUPLE && v->flag && v->list.n == 2 && (str_is(name, "grouper") || str_is(name, "list")))
		return v->list.p[str_is(name, "list")];
	if (str_starts(name, STR("__"))) {
		render_fail(r, EXPR_SYNTAX, "attribute \"%.*s\" is not supported", STR_ARG(name));
		return NULL;
	}
	if (v->kind == VAL_DATE) {
		render_fail(r, EXPR_SYNTAX, "attribute \"%.*s\" of a date is not supported", STR_ARG(name));
		return NULL;
	}
	f = method_find(v, name);
	return f != NULL ? method_bind(r, v, f) : NULL;
}

struct val *val_attr(struct render *r, struct val *v, struct str name)
{
	struct val key = { .kind = VAL_STR, .text = name }, *found;

	if (undefined_fail(r, v, name))
		return NULL;
	found = attr_find(r, v, name);
	if (found == NULL && r->err->fault == EXPR_GOOD && v->kind == VAL_MAP)
		found = dict_find(r, v, &key);
	if (found != NULL || r->err->fault != EXPR_GOOD)
		return found;
	return nothing(r, v, name);
}

/* Bytes from code point `from` up to `to`, both within the text. */
struct str text_sub(struct str s, int64_t from, int64_t to)
{
	size_t i = 0, start;

	for (int64_t k = 0; k < from && i < s.n; k++)
		utf8_next(s, &i);
	start = i;
	for (int64_t k = from; k < to && i < s.n; k++)
		utf8_next(s, &i);
	return str_sub(s, start, i);
}

/* By position; NULL without an error when it is outside. */
static struct val *item_at(struct render *r, struct val *v, int64_t i)
{
	int64_t n = v->kind == VAL_STR ? (int64_t)utf8_len(v->text) : (int64_t)v->list.n;

	if (i < 0)
		i += n;
	if (i < 0 || i >= n || !render_step(r, v->kind == VAL_STR ? v->text.n / 256 + 1 : 1))
		return NULL;
	return v->kind == VAL_STR ? val_text(r, text_sub(v->text, i, i + 1)) : v->list.p[i];
}

struct val *val_item(struct render *r, struct val *v, struct val *key)
{
	bool whole = (key->kind == VAL_INT && key->text.n == 0) || key->kind == VAL_BOOL;
	struct val *found = NULL;
	struct str name;

	if (undefined_fail(r, v, key->kind == VAL_STR ? key->text : STR("item")))
		return NULL;
	if (v->kind == VAL_MAP && val_is_hashable(key))
		found = dict_find(r, v, key);
	else if ((v->kind == VAL_STR || v->kind == VAL_LIST || v->kind == VAL_TUPLE || v->kind == VAL_RANGE) && whole)
		found = item_at(r, v, key->kind == VAL_BOOL ? key->flag : key->i);
	if (found == NULL && r->err->fault == EXPR_GOOD && key->kind == VAL_STR)
		found = attr_find(r, v, key->text);
	if (found != NULL || r->err->fault != EXPR_GOOD)
		return found;
	return val_str(r, key, &name) ? nothing(r, v, name) : NULL;
}

/* A bound of a slice, clamped to [low, high]. */
static bool slice_bound(struct render *r, const struct val *v, int64_t n, int64_t low, int64_t high, int64_t *out)
{
	if (v == NULL || v->kind == VAL_NONE)
		return true;
	if (!val_integer(r, v, out))
		return false;
	if (*out < 0)
		*out = *out < -n ? low : *out + n;
	*out = *out < low ? low : *out > high ? high : *out;
	return true;
}

static struct val *slice_take(struct render *r, struct val *v, int64_t from, int64_t to, int64_t step)
{
	struct val *items = val_items(r, v), *out = val_new(r, v->kind);
	struct buf b = { 0 };

	if (items == NULL)
		return NULL;
	for (int64_t i = from; step > 0 ? i < to : i > to; i += step) {
		if (v->kind == VAL_STR)
			buf_add(&b, items->list.p[i]->text);
		else if (!list_add(r, out, items->list.p[i]))
			return NULL;
	}
	return v->kind == VAL_STR ? val_take(r, &b) : out;
}

struct val *val_slice(struct render *r, struct val *v, struct val *from, struct val *to, struct val *step)
{
	int64_t n, by = 1, first, last;

	if (undefined_fail(r, v, STR("slice")))
		return NULL;
	if (v->kind != VAL_STR && v->kind != VAL_LIST && v->kind != VAL_TUPLE && v->kind != VAL_RANGE) {
		render_fail(r, EXPR_VALUE, "%s cannot be sliced", val_type(v));
		return NULL;
	}
	n = val_len(r, v);
	if (step != NULL && step->kind != VAL_NONE && !val_integer(r, step, &by))
		return NULL;
	if (by == 0) {
		render_fail(r, EXPR_VALUE, "the step of a slice cannot be 0");
		return NULL;
	}
	by = by < -n - 1 ? -n - 1 : by > n + 1 ? n + 1 : by;
	first = by > 0 ? 0 : n - 1;
	last = by > 0 ? n : -1;
	if (!slice_bound(r, from, n, by > 0 ? 0 : -1, by > 0 ? n : n - 1, &first) ||
	    !slice_bound(r, to, n, by > 0 ? 0 : -1, by > 0 ? n : n - 1, &last))
		return NULL;
	return slice_take(r, v, first, last, by);
}
