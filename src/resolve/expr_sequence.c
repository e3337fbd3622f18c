/* expr_sequence.c - filters over what can be walked. */
#include "resolve/expr_filter.h"

#include "base/utf8.h"

/* A value that is walked once. */
static struct val *iterator(struct render *r)
{
	return val_new(r, VAL_ITER);
}

/* --- picking out of items --- */

/* item.a.b, item[0]…: what `attribute=` names. Undefined when it is not there. */
static struct val *picked(struct render *r, struct val *item, struct val *attribute)
{
	struct str rest, part;

	if (attribute == NULL || attribute->kind == VAL_NONE)
		return item;
	if (attribute->kind == VAL_INT)
		return val_item(r, item, attribute);
	if (!val_str(r, attribute, &rest))
		return NULL;
	while (item != NULL && str_cut(&rest, '.', &part)) {
		int64_t index;

		item = val_item(r, item, text_parse_int(part, 10, &index) ? val_int(r, index) : val_text(r, part));
	}
	return item;
}

/* What a sort compares: texts without regard to case. */
static struct val *sort_key(struct render *r, struct val *item, struct val *attribute, bool case_sensitive)
{
	struct val *key = picked(r, item, attribute);

	if (key != NULL && key->kind == VAL_STR && !case_sensitive)
		return val_text(r, text_fold(r, key->text, TEXT_LOWER));
	return key;
}

static bool is_set(struct render *r, const struct val *v)
{
	return v != NULL && val_truth(r, v) > 0;
}

struct keyed {
	struct val *key, *item;
};

/* The keys of a sort are tuples, for "a,b" of several attributes; so two undefined ones are equal. */
static struct val *sort_keys(struct render *r, struct val *item, struct val *attribute, bool case_sensitive)
{
	struct val *tuple = val_new(r, VAL_TUPLE), *key;
	struct str rest, part;

	if (attribute == NULL || attribute->kind != VAL_STR) {
		key = sort_key(r, item, attribute, case_sensitive);
		return key != NULL && list_add(r, tuple, key) ? tuple : NULL;
	}
	rest = attribute->text;
	while (str_cut(&rest, ',', &part)) {
		key = sort_key(r, item, val_text(r, part), case_sensitive);
		if (key == NULL || !list_add(r, tuple, key))
			return NULL;
	}
	return tuple;
}

typedef struct val *key_fn(struct render *r, struct val *item, struct val *attribute, bool case_sensitive);

/* Does `b` come before `a`? -1: they do not compare. */
static int comes_before(struct render *r, const struct val *b, const struct val *a, bool reverse)
{
	return reverse ? val_compare(r, TOK_LT, a, b) : val_compare(r, TOK_LT, b, a);
}

static bool merge_sort(struct render *r, struct keyed *p, struct keyed *tmp, size_t n, bool reverse)
{
	size_t half = n / 2, i = 0, j = half, k = 0;

	if (n < 2)
		return true;
	if (!render_step(r, n) || !merge_sort(r, p, tmp, half, reverse) || !merge_sort(r, p + half, tmp, n - half, reverse))
		return false;
	while (i < half && j < n) {
		int later = comes_before(r, p[j].key, p[i].key, reverse);

		if (later < 0)
			return false;
		tmp[k++] = later ? p[j++] : p[i++];
	}
	while (i < half)
		tmp[k++] = p[i++];
	while (j < n)
		tmp[k++] = p[j++];
	memcpy(p, tmp, n * sizeof *p);
	return true;
}

static struct keyed *keyed_sorted(struct render *r, struct val *items, key_fn *key, struct val *attribute, bool case_sensitive,
                                  bool reverse)
{
	size_t n = items->list.n;
	struct keyed *p = ARENA_ARRAY(r->a, struct keyed, n + 1);

	for (size_t i = 0; i < n; i++) {
		p[i] = (struct keyed){ key(r, items->list.p[i], attribute, case_sensitive), items->list.p[i] };
		if (p[i].key == NULL)
			return NULL;
	}
	return merge_sort(r, p, ARENA_ARRAY(r->a, struct keyed, n + 1), n, reverse) ? p : NULL;
}

SEQUENCE_FILTER(sort)
{
	struct val *items = val_items(r, v), *out = val_new(r, VAL_LIST);
	struct keyed *p = items != NULL ? keyed_sorted(r, items, sort_keys, arg[2], is_set(r, arg[1]), is_set(r, arg[0])) : NULL;

	(void)args;
	for (size_t i = 0; p != NULL && i < items->list.n; i++)
		if (!list_add(r, out, p[i].item))
			return NULL;
	return p != NULL ? out : NULL;
}

SEQUENCE_FILTER(dictsort)
{
	bool by_value = arg[1] != NULL && arg[1]->kind == VAL_STR && str_is(arg[1]->text, "value");
	struct val *pairs = val_new(r, VAL_LIST), *out = val_new(r, VAL_LIST);
	struct keyed *p;

	(void)args;
	if (v->kind != VAL_MAP) {
		render_fail(r, v->kind == VAL_UNDEFINED ? EXPR_UNDEFINED : EXPR_VALUE, "dictsort takes a map, found %s", val_type(v));
		return NULL;
	}
	if (arg[1] != NULL && !by_value && !(arg[1]->kind == VAL_STR && str_is(arg[1]->text, "key"))) {
		render_fail(r, EXPR_VALUE, "dictsort sorts by \"key\" or \"value\"");
		return NULL;
	}
	for (size_t i = 0; i < v->map.n; i++) {
		struct val *pair = val_new(r, VAL_TUPLE);

		if (!list_add(r, pair, v->map.p[i].key) || !list_add(r, pair, v->map.p[i].value) || !list_add(r, pairs, pair))
			return NULL;
	}
	p = keyed_sorted(r, pairs, sort_key, val_int(r, by_value), is_set(r, arg[0]), is_set(r, arg[2]));
	for (size_t i = 0; p != NULL && i < pairs->list.n; i++)
		if (!list_add(r, out, p[i].item))
			return NULL;
	return p != NULL ? out : NULL;
}

SEQUENCE_FILTER(groupby)
{
	struct val *items = val_items(r, v), *out = val_new(r, VAL_LIST), *group = NULL, *last = NULL;
	struct keyed *p;

	(void)args;
	if (items == NULL)
		return NULL;
	p = keyed_sorted(r, items, sort_key, arg[0], is_set(r, arg[2]), false);
	for (size_t i = 0; p != NULL && i < items->list.n; i++) {
		struct val *key = picked(r, p[i].item, arg[0]);
		int same = last != NULL ? val_equal(r, last, p[i].key) : 0;

		if (key == NULL || same < 0)
			return NULL;
		if (!same) {
			struct val *pair = val_new(r, VAL_TUPLE);

			pair->flag = true;
			group = val_new(r, VAL_LIST);
			if (key->kind == VAL_UNDEFINED && arg[1] != NULL)
				key = arg[1];
			if (!list_add(r, pair, key) || !list_add(r, pair, group) || !list_add(r, out, pair))
				return NULL;
		}
		last = p[i].key;
		if (!list_add(r, group, p[i].item))
			return NULL;
	}
	return p != NULL ? out : NULL;
}

SEQUENCE_FILTER(unique)
{
	struct val *items = val_items(r, v), *out = iterator(r), *seen = val_new(r, VAL_MAP);

	(void)args;
	for (size_t i = 0; items != NULL && i < items->list.n; i++) {
		struct val *key = sort_key(r, items->list.p[i], arg[1], is_set(r, arg[0]));

		if (key == NULL || (key->kind == VAL_UNDEFINED && !render_undefined(r, key)))
			return NULL;
		if (dict_find(r, seen, key) != NULL)
			continue;
		if (!dict_put(r, seen, key, key) || !list_add(r, out, items->list.p[i]))
			return NULL;
	}
	return items != NULL ? out : NULL;
}

static struct val *extreme(struct render *r, struct val *v, struct val **arg, bool largest)
{
	struct val *items = val_items(r, v), *best = NULL, *best_key = NULL;

	for (size_t i = 0; items != NULL && i < items->list.n; i++) {
		struct val *key = sort_key(r, items->list.p[i], arg[1], is_set(r, arg[0]));
		int better = key == NULL ? -1 : best == NULL ? 1 : val_compare(r, largest ? TOK_GT : TOK_LT, key, best_key);

		if (better < 0)
			return NULL;
		if (better) {
			best = items->list.p[i];
			best_key = key;
		}
	}
	if (items == NULL || best != NULL)
		return best;
	return val_undefined(r, STR("the largest or smallest of nothing"));
}

SEQUENCE_FILTER(max)
{
	(void)args;
	return extreme(r, v, arg, true);
}

SEQUENCE_FILTER(min)
{
	(void)args;
	return extreme(r, v, arg, false);
}

SEQUENCE_FILTER(sum)
{
	struct val *items = val_items(r, v), *sum = arg[1] != NULL ? arg[1] : val_int(r, 0);

	(void)args;
	for (size_t i = 0; items != NULL && sum != NULL && i < items->list.n; i++) {
		struct val *one = picked(r, items->list.p[i], arg[0]);

		sum = one != NULL ? val_binary(r, TOK_ADD, sum, one) : NULL;
	}
	return items != NULL ? sum : NULL;
}

/* --- whole sequences --- */

SEQUENCE_FILTER(length)
{
	int64_t n = val_len(r, v);

	(void)arg, (void)args;
	if (n >= 0)
		return val_int(r, n);
	render_fail(r, EXPR_VALUE, "%s has no length", val_type(v));
	return NULL;
}

SEQUENCE_FILTER(list)
{
	struct val *items = val_items(r, v), *out = val_new(r, VAL_LIST);

	(void)arg, (void)args;
	for (size_t i = 0; items != NULL && i < items->list.n; i++)
		if (!list_add(r, out, items->list.p[i]))
			return NULL;
	return items != NULL ? out : NULL;
}

SEQUENCE_FILTER(first)
{
	struct val *items = val_items(r, v);

	(void)arg, (void)args;
	if (items == NULL)
		return NULL;
	return items->list.n != 0 ? items->list.p[0] : val_undefined(r, STR("the first of nothing"));
}

SEQUENCE_FILTER(last)
{
	struct val *items = val_items(r, v);

	(void)arg, (void)args;
	if (items == NULL)
		return NULL;
	return items->list.n != 0 ? items->list.p[items->list.n - 1] : val_undefined(r, STR("the last of nothing"));
}

SEQUENCE_FILTER(reverse)
{
	struct val *items = val_items(r, v), *out = iterator(r);
	struct buf b = { 0 };

	(void)arg, (void)args;
	if (items == NULL)
		return NULL;
	if (v->kind == VAL_STR) {
		for (size_t i = items->list.n; i-- > 0;)
			buf_add(&b, items->list.p[i]->text);
		return val_take(r, &b);
	}
	for (size_t i = items->list.n; i-- > 0;)
		if (!list_add(r, out, items->list.p[i]))
			return NULL;
	return out;
}

SEQUENCE_FILTER(items)
{
	struct val *out = iterator(r);

	(void)arg, (void)args;
	if (v->kind != VAL_MAP && v->kind != VAL_UNDEFINED) {
		render_fail(r, EXPR_VALUE, "items takes a map, found %s", val_type(v));
		return NULL;
	}
	for (size_t i = 0; v->kind == VAL_MAP && i < v->map.n; i++) {
		struct val *pair = val_new(r, VAL_TUPLE);

		if (!list_add(r, pair, v->map.p[i].key) || !list_add(r, pair, v->map.p[i].value) || !list_add(r, out, pair))
			return NULL;
	}
	return out;
}

SEQUENCE_FILTER(join)
{
	struct val *items = val_items(r, v);
	struct str with = STR("");
	struct buf b = { 0 };

	(void)args;
	if (items == NULL || (arg[0] != NULL && !val_str(r, arg[0], &with)))
		return NULL;
	for (size_t i = 0; i < items->list.n; i++) {
		struct val *one = picked(r, items->list.p[i], arg[1]);

		if (i != 0)
			buf_add(&b, with);
		if (one == NULL || !render_step(r, 1) || !render_size(r, with.n) || !buf_add_val(r, &b, one)) {
			buf_release(&b);
			return NULL;
		}
	}
	return val_take(r, &b);
}

/* A list of `n` items cut out of `items`, filled up to `full` when there is something to fill with. */
static struct val *cut_out(struct render *r, const struct val *items, size_t from, size_t n, size_t full, struct val *fill)
{
	struct val *out = val_new(r, VAL_LIST);

	for (size_t i = 0; i < n; i++)
		if (!list_add(r, out, items->list.p[from + i]))
			return NULL;
	for (size_t i = n; fill != NULL && fill->kind != VAL_NONE && i < full; i++)
		if (!list_add(r, out, fill))
			return NULL;
	return out;
}

static bool positive(struct render *r, const char *what, struct val *v, int64_t *out)
{
	if (!val_integer(r, v, out))
		return false;
	return *out > 0 || render_fail(r, EXPR_VALUE, "%s needs a number above 0, found %lld", what, (long long)*out);
}

SEQUENCE_FILTER(batch)
{
	struct val *items = val_items(r, v), *out = iterator(r);
	int64_t size;

	(void)args;
	if (items == NULL || !positive(r, "batch", arg[0], &size))
		return NULL;
	for (size_t i = 0; i < items->list.n; i += (size_t)size) {
		size_t n = items->list.n - i < (size_t)size ? items->list.n - i : (size_t)size;
		struct val *part = cut_out(r, items, i, n, (size_t)size, arg[1]);

		if (part == NULL || !list_add(r, out, part))
			return NULL;
	}
	return out;
}

SEQUENCE_FILTER(slice)
{
	struct val *items = val_items(r, v), *out = iterator(r);
	size_t at = 0, each, more;
	int64_t slices;

	(void)args;
	if (items == NULL || !positive(r, "slice", arg[0], &slices))
		return NULL;
	each = items->list.n / (size_t)slices;
	more = items->list.n % (size_t)slices;
	for (size_t i = 0; i < (size_t)slices; i++) {
		size_t n = each + (i < more);
		struct val *part = render_step(r, 1) ? cut_out(r, items, at, n, each + (i >= more && n == each), arg[1]) : NULL;

		if (part == NULL || !list_add(r, out, part))
			return NULL;
		at += n;
	}
	return out;
}

/* --- filters and tests by name --- */

static struct val *named_arg(const struct args *args, const char *name)
{
	for (size_t i = 0; args->named != NULL && i < args->named->map.n; i++)
		if (str_is(args->named->map.p[i].key->text, name))
			return args->named->map.p[i].value;
	return NULL;
}

static const struct func *func_named(struct render *r, const struct args *args, size_t at, bool test)
{
	const struct func *f;
	struct str name;

	if (args->n <= at || !val_str(r, args->pos[at], &name)) {
		render_fail(r, EXPR_VALUE, "the name of a %s is missing", test ? "test" : "filter");
		return NULL;
	}
	f = test ? test_find(name) : filter_find(name);
	if (f == NULL || f->call == NULL) {
		render_fail(r, EXPR_SYNTAX, "unknown %s \"%.*s\"", test ? "test" : "filter", STR_ARG(name));
		return NULL;
	}
	return f;
}

static struct args args_after(const struct args *args, size_t n)
{
	return (struct args){ args->pos + n, args->n > n ? args->n - n : 0, args->named };
}

SEQUENCE_FILTER(map)
{
	struct val *items, *out = iterator(r), *attribute = named_arg(args, "attribute"),
	           *otherwise = named_arg(args, "default");
	struct args rest = args_after(args, 1);
	const struct func *f = NULL;
	int some = val_truth(r, v);

	(void)arg;
	if (some <= 0) /* whatever is false counts as an empty sequence */
		return some < 0 ? NULL : out;
	items = val_items(r, v);
	if (attribute == NULL)
		f = func_named(r, args, 0, false);
	if (items == NULL || (attribute == NULL && f == NULL))
		return NULL;
	if (attribute != NULL && (args->n > 0 || args->named->map.n > (otherwise != NULL ? 2 : 1))) {
		render_fail(r, EXPR_VALUE, "map(attribute=…) takes nothing but default=");
		return NULL;
	}
	for (size_t i = 0; i < items->list.n; i++) {
		struct val *one = attribute != NULL ? picked(r, items->list.p[i], attribute)
		                                    : func_call(r, f, items->list.p[i], &rest);

		if (one != NULL && one->kind == VAL_UNDEFINED && otherwise != NULL)
			one = otherwise;
		if (one == NULL || !render_step(r, 1) || !list_add(r, out, one))
			return NULL;
	}
	return out;
}

/* Items for which the test (without a name: truth) is `want`; of an attribute when `by_attribute`. */
static struct val *chosen(struct render *r, struct val *v, const struct args *args, bool by_attribute, bool want)
{
	int some = val_truth(r, v);
	struct val *items = some > 0 ? val_items(r, v) : NULL, *out = iterator(r);
	size_t skip = by_attribute;
	const struct func *f = some > 0 && args->n > skip ? func_named(r, args, skip, true) : NULL;
	struct args rest = args_after(args, skip + 1);

	if (some == 0) /* whatever is false counts as an empty sequence */
		return out;
	if (by_attribute && args->n == 0)
		render_fail(r, EXPR_VALUE, "the name of an attribute is missing");
	if (items == NULL || r->err->fault != EXPR_GOOD)
		return NULL;
	for (size_t i = 0; i < items->list.n; i++) {
		struct val *one = by_attribute ? picked(r, items->list.p[i], args->pos[0]) : items->list.p[i];
		struct val *answer = one != NULL && f != NULL ? func_call(r, f, one, &rest) : one;
		int yes = answer != NULL ? val_truth(r, answer) : -1;

		if (yes < 0 || !render_step(r, 1))
			return NULL;
		if ((yes != 0) == want && !list_add(r, out, items->list.p[i]))
			return NULL;
	}
	return out;
}

SEQUENCE_FILTER(select)
{
	(void)arg;
	return chosen(r, v, args, false, true);
}

SEQUENCE_FILTER(reject)
{
	(void)arg;
	return chosen(r, v, args, false, false);
}

SEQUENCE_FILTER(selectattr)
{
	(void)arg;
	return chosen(r, v, args, true, true);
}

SEQUENCE_FILTER(rejectattr)
{
	(void)arg;
	return chosen(r, v, args, true, false);
}
