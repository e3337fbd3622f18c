/* Methods of lists, tuples and maps. Those that change one change it for the rest of this text only. */
#include "resolve/expr_ops.h"

#define METHOD(name) static struct val *name(struct render *r, struct val *self, struct val **arg, const struct args *args)

/* --- maps --- */

static struct val *view(struct render *r, const struct val *map, struct str name, bool keys, bool values)
{
	struct val *v = val_new(r, VAL_VIEW);

	v->text = name;
	for (size_t i = 0; i < map->map.n; i++) {
		struct val *item = keys ? map->map.p[i].key : map->map.p[i].value;

		if (keys && values) {
			item = val_new(r, VAL_TUPLE);
			if (!list_add(r, item, map->map.p[i].key) || !list_add(r, item, map->map.p[i].value))
				return NULL;
		}
		if (!list_add(r, v, item))
			return NULL;
	}
	return v;
}

METHOD(map_items)
{
	(void)arg, (void)args;
	return view(r, self, STR("dict_items"), true, true);
}

METHOD(map_keys)
{
	(void)arg, (void)args;
	return view(r, self, STR("dict_keys"), true, false);
}

METHOD(map_values)
{
	(void)arg, (void)args;
	return view(r, self, STR("dict_values"), false, true);
}

static bool key_check(struct render *r, const struct val *key)
{
	return val_is_hashable(key) || render_fail(r, EXPR_VALUE, "%s cannot be the key of a map", val_type(key));
}

METHOD(map_get_method)
{
	struct val *v = key_check(r, arg[0]) ? dict_find(r, self, arg[0]) : NULL;

	(void)args;
	if (v != NULL || r->err->fault != EXPR_GOOD)
		return v;
	return arg[1] != NULL ? arg[1] : val_new(r, VAL_NONE);
}

METHOD(map_setdefault)
{
	struct val *v = key_check(r, arg[0]) ? dict_find(r, self, arg[0]) : NULL;

	(void)args;
	if (v != NULL || r->err->fault != EXPR_GOOD)
		return v;
	v = arg[1] != NULL ? arg[1] : val_new(r, VAL_NONE);
	return dict_put(r, self, arg[0], v) ? v : NULL;
}

METHOD(map_update)
{
	struct val *more = func_call(r, global_find(STR("dict")), NULL, args);

	(void)arg;
	for (size_t i = 0; more != NULL && i < more->map.n; i++)
		if (!dict_put(r, self, more->map.p[i].key, more->map.p[i].value))
			return NULL;
	return more != NULL ? val_new(r, VAL_NONE) : NULL;
}

METHOD(map_copy)
{
	struct val *v = val_new(r, VAL_MAP);

	(void)arg, (void)args;
	for (size_t i = 0; i < self->map.n; i++) {
		if (!render_step(r, 1))
			return NULL;
		*VEC_PUSH(&v->map, r->a) = self->map.p[i];
	}
	return v;
}

METHOD(map_pop)
{
	(void)args;
	if (!key_check(r, arg[0]))
		return NULL;
	for (size_t i = 0; i < self->map.n; i++) {
		struct val *v = self->map.p[i].value;
		int eq = render_step(r, 1) ? val_equal(r, self->map.p[i].key, arg[0]) : -1;

		if (eq < 0)
			return NULL;
		if (eq) {
			memmove(&self->map.p[i], &self->map.p[i + 1], (--self->map.n - i) * sizeof *self->map.p);
			return v;
		}
	}
	if (arg[1] == NULL)
		render_fail(r, EXPR_VALUE, "the map has no such key to pop()");
	return arg[1];
}

/* --- lists --- */

METHOD(list_append)
{
	(void)args;
	return list_add(r, self, arg[0]) ? val_new(r, VAL_NONE) : NULL;
}

METHOD(list_extend)
{
	struct val *items = val_items(r, arg[0]);

	(void)args;
	for (size_t i = 0; items != NULL && i < items->list.n; i++)
		if (!list_add(r, self, items->list.p[i]))
			return NULL;
	return items != NULL ? val_new(r, VAL_NONE) : NULL;
}

METHOD(list_insert)
{
	int64_t at, n = (int64_t)self->list.n;

	(void)args;
	if (!val_integer(r, arg[0], &at) || !list_add(r, self, arg[1]) || !render_step(r, self->list.n / 16))
		return NULL;
	at = at < -n ? 0 : at < 0 ? at + n : at > n ? n : at;
	memmove(&self->list.p[at + 1], &self->list.p[at], (size_t)(n - at) * sizeof *self->list.p);
	self->list.p[at] = arg[1];
	return val_new(r, VAL_NONE);
}

METHOD(list_pop)
{
	int64_t at = -1, n = (int64_t)self->list.n;
	struct val *v;

	(void)args;
	if (arg[0] != NULL && !val_integer(r, arg[0], &at))
		return NULL;
	at = at < 0 && at >= -n ? at + n : at;
	if (at < 0 || at >= n) {
		render_fail(r, EXPR_VALUE, "the list has no such item to pop()");
		return NULL;
	}
	v = self->list.p[at];
	memmove(&self->list.p[at], &self->list.p[at + 1], (size_t)(n - at - 1) * sizeof *self->list.p);
	self->list.n--;
	return render_step(r, self->list.n / 16 + 1) ? v : NULL;
}

METHOD(list_index)
{
	(void)args;
	for (size_t i = 0; i < self->list.n; i++) {
		int eq = render_step(r, 1) ? val_equal(r, self->list.p[i], arg[0]) : -1;

		if (eq != 0)
			return eq < 0 ? NULL : val_int(r, (int64_t)i);
	}
	render_fail(r, EXPR_VALUE, "the list does not hold what index() looks for");
	return NULL;
}

METHOD(list_count)
{
	int64_t n = 0;

	(void)args;
	for (size_t i = 0; i < self->list.n; i++) {
		int eq = render_step(r, 1) ? val_equal(r, self->list.p[i], arg[0]) : -1;

		if (eq < 0)
			return NULL;
		n += eq;
	}
	return val_int(r, n);
}

METHOD(list_copy)
{
	(void)arg, (void)args;
	return val_items(r, self);
}

METHOD(list_reverse)
{
	(void)arg, (void)args;
	for (size_t i = 0, k = self->list.n; i + 1 < k; i++) {
		struct val *v = self->list.p[i];

		self->list.p[i] = self->list.p[--k];
		self->list.p[k] = v;
	}
	return render_step(r, self->list.n / 16 + 1) ? val_new(r, VAL_NONE) : NULL;
}

static const struct func map_methods[] = {
	{ "items", map_items },
	{ "keys", map_keys },
	{ "values", map_values },
	{ "get", map_get_method, 1, false, { "key", "default" } },
	{ "setdefault", map_setdefault, 1, false, { "key", "default" } },
	{ "update", map_update, 0, true },
	{ "copy", map_copy },
	{ "pop", map_pop, 1, false, { "key", "default" } },
	{ "clear", NULL },
	{ "popitem", NULL },
	{ "fromkeys", NULL },
	{ NULL },
};

static const struct func list_methods[] = {
	{ "append", list_append, 1, false, { "object" } },
	{ "extend", list_extend, 1, false, { "iterable" } },
	{ "insert", list_insert, 2, false, { "index", "object" } },
	{ "pop", list_pop, 0, false, { "index" } },
	{ "index", list_index, 1, false, { "value" } },
	{ "count", list_count, 1, false, { "value" } },
	{ "copy", list_copy },
	{ "reverse", list_reverse },
	{ "clear", NULL },
	{ "remove", NULL },
	{ "sort", NULL },
	{ NULL },
};

static const struct func tuple_methods[] = {
	{ "index", list_index, 1, false, { "value" } },
	{ "count", list_count, 1, false, { "value" } },
	{ NULL },
};

const struct func *collection_methods(enum val_kind kind)
{
	return kind == VAL_MAP ? map_methods : kind == VAL_LIST ? list_methods : kind == VAL_TUPLE ? tuple_methods : NULL;
}
