#include "resolve/expr_ops.h"

static size_t param_count(const struct func *f)
{
	size_t n = 0;

	while (n < FUNC_MAX_PARAMS && f->param[n] != NULL)
		n++;
	return n;
}

static bool named_bind(struct render *r, const struct func *f, const struct args *args, struct val **arg)
{
	for (size_t i = 0; args->named != NULL && i < args->named->map.n; i++) {
		struct str name = args->named->map.p[i].key->text;
		size_t k = 0, n = param_count(f);

		while (k < n && !str_is(name, f->param[k]))
			k++;
		if (k == n)
			return render_fail(r, EXPR_VALUE, "%s() has no parameter \"%.*s\"", f->name, STR_ARG(name));
		if (arg[k] != NULL)
			return render_fail(r, EXPR_VALUE, "%s() was given \"%s\" twice", f->name, f->param[k]);
		arg[k] = args->named->map.p[i].value;
	}
	return true;
}

/* A function that only asks whether an argument is true need not look for the error of asking. */
static struct val *func_run(struct render *r, const struct func *f, struct val *self, struct val **arg, const struct args *args)
{
	struct val *v = f->call(r, self, arg, args);

	return r->err->fault == EXPR_GOOD ? v : NULL;
}

struct val *func_call(struct render *r, const struct func *f, struct val *self, const struct args *args)
{
	struct val *arg[FUNC_MAX_PARAMS] = { NULL };
	size_t n = param_count(f);

	if (f->variadic)
		return func_run(r, f, self, NULL, args);
	if (args->n > n) {
		render_fail(r, EXPR_VALUE, "%s() takes at most %zu arguments, found %zu", f->name, n, args->n);
		return NULL;
	}
	for (size_t i = 0; i < args->n; i++)
		arg[i] = args->pos[i];
	if (!named_bind(r, f, args, arg))
		return NULL;
	for (size_t i = 0; i < f->required; i++)
		if (arg[i] == NULL) {
			render_fail(r, EXPR_VALUE, "%s() needs the argument \"%s\"", f->name, f->param[i]);
			return NULL;
		}
	return func_run(r, f, self, arg, args);
}

struct val *val_call(struct render *r, struct val *callee, const struct args *args)
{
	if (callee->kind == VAL_FUNC)
		return func_call(r, callee->call.func, callee->call.self, args);
	if (callee->kind == VAL_UNDEFINED)
		render_fail(r, EXPR_UNDEFINED, "%.*s is undefined, it cannot be called", STR_ARG(callee->text));
	else
		render_fail(r, EXPR_VALUE, "%s cannot be called", val_type(callee));
	return NULL;
}

/* --- functions --- */

static bool in_range(int64_t i, int64_t to, int64_t step)
{
	return step > 0 ? i < to : i > to;
}

static struct val *global_range(struct render *r, struct val *self, struct val **arg, const struct args *args)
{
	int64_t from = 0, to, step = 1;
	struct val *v = val_new(r, VAL_RANGE);

	(void)self;
	(void)args;
	if (!val_integer(r, arg[0], &to) || (arg[1] != NULL && !val_integer(r, arg[1], &from)) ||
	    (arg[2] != NULL && !val_integer(r, arg[2], &step)))
		return NULL;
	if (arg[1] != NULL) {
		int64_t swap = from;

		from = to;
		to = swap;
	}
	if (step == 0) {
		render_fail(r, EXPR_VALUE, "the step of range() cannot be 0");
		return NULL;
	}
	v->text = step == 1 ? str_fmt(r->a, "range(%lld, %lld)", (long long)from, (long long)to)
	                    : str_fmt(r->a, "range(%lld, %lld, %lld)", (long long)from, (long long)to, (long long)step);
	for (int64_t i = from; in_range(i, to, step);) {
		if (!list_add(r, v, val_int(r, i)))
			return NULL;
		if (__builtin_add_overflow(i, step, &i))
			break;
	}
	return v;
}

static bool map_update(struct render *r, struct val *map, const struct args *args)
{
	struct val *from = args->n > 0 ? args->pos[0] : NULL, *items, *pair;

	if (args->n > 1)
		return render_fail(r, EXPR_VALUE, "at most one map or list of pairs can be given");
	for (size_t i = 0; from != NULL && from->kind == VAL_MAP && i < from->map.n; i++)
		if (!dict_put(r, map, from->map.p[i].key, from->map.p[i].value))
			return false;
	if (from != NULL && from->kind == VAL_UNDEFINED)
		return render_fail(r, EXPR_UNDEFINED, "%.*s is undefined, it makes no map", STR_ARG(from->text));
	if (from != NULL && from->kind != VAL_MAP) {
		items = val_items(r, from);
		for (size_t i = 0; items != NULL && i < items->list.n; i++) {
			pair = val_items(r, items->list.p[i]);
			if (pair == NULL)
				return false;
			if (pair->list.n != 2)
				return render_fail(r, EXPR_VALUE, "a map is made of pairs, found %zu values", pair->list.n);
			if (!dict_put(r, map, pair->list.p[0], pair->list.p[1]))
				return false;
		}
		if (items == NULL)
			return false;
	}
	for (size_t i = 0; args->named != NULL && i < args->named->map.n; i++)
		if (!dict_put(r, map, args->named->map.p[i].key, args->named->map.p[i].value))
			return false;
	return true;
}

static struct val *global_dict(struct render *r, struct val *self, struct val **arg, const struct args *args)
{
	struct val *map = val_new(r, VAL_MAP);

	(void)self;
	(void)arg;
	return map_update(r, map, args) ? map : NULL;
}

static struct val *global_namespace(struct render *r, struct val *self, struct val **arg, const struct args *args)
{
	struct val *map = global_dict(r, self, arg, args);

	if (map != NULL)
		map->kind = VAL_SPACE;
	return map;
}

static struct val *global_unsupported(struct render *r, struct val *self, struct val **arg, const struct args *args)
{
	(void)self;
	(void)arg;
	(void)args;
	render_fail(r, EXPR_SYNTAX, "functions cycler(), joiner() and lipsum() are not supported");
	return NULL;
}

static const struct func globals[] = {
	{ "range", global_range, 1, false, { "start", "stop", "step" } },
	{ "dict", global_dict, 0, true },
	{ "namespace", global_namespace, 0, true },
	{ "cycler", global_unsupported, 0, true },
	{ "joiner", global_unsupported, 0, true },
	{ "lipsum", global_unsupported, 0, true },
};

const struct func *global_find(struct str name)
{
	for (size_t i = 0; i < sizeof globals / sizeof *globals; i++)
		if (str_is(name, globals[i].name))
			return &globals[i];
	return NULL;
}

/* --- loop.cycle() and loop.changed() --- */

static struct val *loop_cycle(struct render *r, struct val *self, struct val **arg, const struct args *args)
{
	(void)arg;
	if (args->n > 0)
		return args->pos[self->loop.index % args->n];
	render_fail(r, EXPR_VALUE, "cycle() needs something to choose from");
	return NULL;
}

static struct val *loop_changed(struct render *r, struct val *self, struct val **arg, const struct args *args)
{
	struct val *now = val_new(r, VAL_TUPLE);
	int same = 0;

	(void)arg;
	for (size_t i = 0; i < args->n; i++)
		if (!list_add(r, now, args->pos[i]))
			return NULL;
	if (self->loop.changed != NULL)
		same = val_equal(r, self->loop.changed, now);
	self->loop.changed = now;
	return same < 0 ? NULL : val_bool(r, !same);
}

static const struct func loop_methods[] = {
	{ "cycle", loop_cycle, 0, true },
	{ "changed", loop_changed, 0, true },
};

const struct func *loop_method_find(struct str name)
{
	for (size_t i = 0; i < sizeof loop_methods / sizeof *loop_methods; i++)
		if (str_is(name, loop_methods[i].name))
			return &loop_methods[i];
	return NULL;
}
