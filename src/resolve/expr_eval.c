#include "resolve/expr_eval.h"

void scope_set(struct render *r, struct str name, struct val *v)
{
	struct scope *s = r->scope;

	for (size_t i = 0; i < s->names.n; i++)
		if (str_eq(s->names.p[i].name, name)) {
			s->names.p[i].value = v;
			return;
		}
	*VEC_PUSH(&s->names, r->a) = (struct scope_name){ name, v };
}

/* A parameter is read once: methods that change it change one value, for the rest of this text. */
static struct val *parameter_read(struct render *r, struct str name, const struct node *n)
{
	struct scope *s = r->scope;
	struct val *v = val_of_node(r, n);

	if (v == NULL)
		return NULL;
	while (s->outer != NULL)
		s = s->outer;
	*VEC_PUSH(&s->names, r->a) = (struct scope_name){ name, v };
	return v;
}

static struct val *name_eval(struct render *r, struct str name)
{
	const struct node *n;
	const struct func *f;
	struct val *v;

	for (const struct scope *s = r->scope; s != NULL; s = s->outer)
		for (size_t i = 0; i < s->names.n; i++)
			if (str_eq(s->names.p[i].name, name))
				return s->names.p[i].value;
	n = node_get_s(r->params, name);
	if (n != NULL)
		return parameter_read(r, name, n);
	f = global_find(name);
	if (f == NULL)
		return val_undefined(r, str_fmt(r->a, "\"%.*s\"", STR_ARG(name)));
	v = val_new(r, VAL_FUNC);
	v->call.func = f;
	return v;
}

/* --- calls --- */

static bool args_spread(struct render *r, struct val *v, struct val *list)
{
	v = val_items(r, v);
	for (size_t i = 0; v != NULL && i < v->list.n; i++)
		if (!list_add(r, list, v->list.p[i]))
			return false;
	return v != NULL;
}

static bool args_spread_map(struct render *r, struct val *v, struct val *named)
{
	if (v->kind != VAL_MAP)
		return render_fail(r, EXPR_VALUE, "\"**\" wants a map, found %s", val_type(v));
	for (size_t i = 0; i < v->map.n; i++)
		if (!dict_put(r, named, v->map.p[i].key, v->map.p[i].value))
			return false;
	return true;
}

static bool args_eval(struct render *r, const struct ast *x, struct args *out)
{
	struct val *list = val_new(r, VAL_LIST), *named = val_new(r, VAL_MAP), *key;

	for (size_t i = 0; i < x->args.n; i++) {
		const struct ast_arg *arg = &x->args.p[i];
		struct val *v = expr_eval(r, arg->value);
		bool good = v != NULL;

		if (good && arg->kind == ARG_PLAIN) {
			good = list_add(r, list, v);
		} else if (good && arg->kind == ARG_NAMED) {
			key = val_text(r, arg->name);
			good = key != NULL && dict_put(r, named, key, v);
		} else if (good) {
			good = arg->kind == ARG_SPREAD ? args_spread(r, v, list) : args_spread_map(r, v, named);
		}
		if (!good)
			return false;
	}
	*out = (struct args){ list->list.p, list->list.n, named->map.n > 0 ? named : NULL };
	return true;
}

/* --- operators --- */

static struct val *sequence_eval(struct render *r, const struct ast *x, enum val_kind kind)
{
	struct val *list = val_new(r, kind), *v;

	for (size_t i = 0; i < x->args.n; i++) {
		v = expr_eval(r, x->args.p[i].value);
		if (v == NULL || !list_add(r, list, v))
			return NULL;
	}
	return list;
}

static struct val *map_eval(struct render *r, const struct ast *x)
{
	struct val *map = val_new(r, VAL_MAP), *key, *value;

	for (size_t i = 0; i + 1 < x->args.n; i += 2) {
		key = expr_eval(r, x->args.p[i].value);
		value = key != NULL ? expr_eval(r, x->args.p[i + 1].value) : NULL;
		if (value == NULL || !dict_put(r, map, key, value))
			return NULL;
	}
	return map;
}

static struct val *logic_eval(struct render *r, const struct ast *x)
{
	struct val *v = expr_eval(r, x->a);
	int truth = v != NULL ? val_truth(r, v) : -1;

	if (truth < 0)
		return NULL;
	if (x->kind == AST_NOT)
		return val_bool(r, !truth);
	return truth == (x->kind == AST_AND) ? expr_eval(r, x->b) : v;
}

static struct val *choice_eval(struct render *r, const struct ast *x)
{
	struct val *v = expr_eval(r, x->b);
	int truth = v != NULL ? val_truth(r, v) : -1;

	if (truth < 0)
		return NULL;
	if (truth)
		return expr_eval(r, x->a);
	if (x->c != NULL)
		return expr_eval(r, x->c);
	v = val_undefined(r, STR("an \"if\" without its \"else\""));
	v->flag = true;
	return v;
}

static struct val *join_eval(struct render *r, const struct ast *x)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < x->args.n; i++) {
		struct val *v = expr_eval(r, x->args.p[i].value);

		if (v == NULL || !buf_add_val(r, &b, v)) {
			buf_release(&b);
			return NULL;
		}
	}
	return val_take(r, &b);
}

static int compare_one(struct render *r, enum tok op, struct val *a, struct val *b)
{
	int in;

	if (op != TOK_IN && op != TOK_NOT_IN)
		return val_compare(r, op, a, b);
	in = val_contains(r, b, a);
	return in < 0 ? -1 : op == TOK_IN ? in : !in;
}

static struct val *compare_eval(struct render *r, const struct ast *x)
{
	struct val *a = expr_eval(r, x->a), *b;

	for (size_t i = 0; a != NULL && i < x->args.n; i++, a = b) {
		int yes;

		b = expr_eval(r, x->args.p[i].value);
		yes = b != NULL ? compare_one(r, x->args.p[i].op, a, b) : -1;
		if (yes < 0)
			return NULL;
		if (!yes)
			return val_bool(r, false);
	}
	return a != NULL ? val_bool(r, true) : NULL;
}

static struct val *sign_eval(struct render *r, const struct ast *x)
{
	struct val *v = expr_eval(r, x->a);

	if (v == NULL || x->op == TOK_SUB)
		return v != NULL ? val_negate(r, v) : NULL;
	if (v->kind == VAL_INT || v->kind == VAL_FLOAT)
		return v;
	if (v->kind == VAL_BOOL)
		return val_int(r, v->flag);
	render_fail(r, v->kind == VAL_UNDEFINED ? EXPR_UNDEFINED : EXPR_VALUE, "\"+\" wants a number, found %s", val_type(v));
	return NULL;
}

static struct val *slice_eval(struct render *r, const struct ast *x)
{
	struct val *v = expr_eval(r, x->a), *part[3] = { NULL };

	if (v == NULL)
		return NULL;
	for (size_t i = 0; i < 3; i++) {
		const struct ast *bound = x->args.p[i].value;

		part[i] = bound != NULL ? expr_eval(r, bound) : NULL;
		if (bound != NULL && part[i] == NULL)
			return NULL;
	}
	return val_slice(r, v, part[0], part[1], part[2]);
}

static struct val *pair_eval(struct render *r, const struct ast *x)
{
	struct val *a = expr_eval(r, x->a), *b = a != NULL ? expr_eval(r, x->b) : NULL;

	if (b == NULL)
		return NULL;
	return x->kind == AST_ITEM ? val_item(r, a, b) : val_binary(r, x->op, a, b);
}

/* A call, filter or test of `v`. */
static struct val *apply_eval(struct render *r, const struct ast *x, struct val *v)
{
	struct args args;
	int truth;

	if (v == NULL || !args_eval(r, x, &args))
		return NULL;
	if (x->kind == AST_CALL)
		return val_call(r, v, &args);
	v = func_call(r, x->func, v, &args);
	if (v == NULL || !x->negate)
		return v;
	truth = val_truth(r, v);
	return truth < 0 ? NULL : val_bool(r, !truth);
}

static struct val *kind_eval(struct render *r, const struct ast *x)
{
	struct val *v;

	switch (x->kind) {
	case AST_CONST: return x->value;
	case AST_NAME: return name_eval(r, x->name);
	case AST_LIST: return sequence_eval(r, x, VAL_LIST);
	case AST_TUPLE: return sequence_eval(r, x, VAL_TUPLE);
	case AST_MAP: return map_eval(r, x);
	case AST_NOT:
	case AST_AND:
	case AST_OR: return logic_eval(r, x);
	case AST_IF: return choice_eval(r, x);
	case AST_JOIN: return join_eval(r, x);
	case AST_COMPARE: return compare_eval(r, x);
	case AST_SIGN: return sign_eval(r, x);
	case AST_BINARY:
	case AST_ITEM: return pair_eval(r, x);
	case AST_SLICE: return slice_eval(r, x);
	case AST_ATTR:
		v = expr_eval(r, x->a);
		return v != NULL ? val_attr(r, v, x->name) : NULL;
	case AST_FILTER:
	case AST_TEST:
	case AST_CALL: return apply_eval(r, x, expr_eval(r, x->a));
	}
	return NULL;
}

struct val *expr_eval(struct render *r, const struct ast *x)
{
	size_t at = r->at;
	struct val *v;

	if (!render_step(r, 1) || !render_enter(r))
		return NULL;
	r->at = x->at;
	v = kind_eval(r, x);
	r->at = at;
	render_leave(r);
	return v;
}

struct val *expr_eval_filters(struct render *r, const struct ast *x, struct val *of)
{
	if (x == NULL)
		return of;
	if (!render_enter(r))
		return NULL;
	of = expr_eval_filters(r, x->a, of);
	r->at = x->at;
	of = apply_eval(r, x, of);
	render_leave(r);
	return of;
}
