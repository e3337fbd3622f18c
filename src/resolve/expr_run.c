#include "resolve/expr_eval.h"

static bool out_add(struct render *r, struct str s)
{
	if (r->out->n + s.n > EXPR_MAX_OUTPUT)
		return render_fail(r, EXPR_LIMIT, "more than %d bytes of output", EXPR_MAX_OUTPUT);
	buf_add(r->out, s);
	return render_size(r, s.n);
}

static void scope_open(struct render *r)
{
	struct scope *s = ARENA_NEW(r->a, struct scope);

	s->outer = r->scope;
	r->scope = s;
}

static void scope_close(struct render *r)
{
	r->scope = r->scope->outer;
}

/* --- assignment --- */

static bool namespace_set(struct render *r, const struct ast *target, struct val *v)
{
	struct val *space = expr_eval(r, target->a), *key;

	if (space == NULL)
		return false;
	r->at = target->at;
	if (space->kind != VAL_SPACE)
		return render_fail(r, EXPR_VALUE, "only a namespace() has attributes that can be set, \"%.*s\" is %s",
		                   STR_ARG(target->a->name), val_type(space));
	key = val_text(r, target->name);
	return key != NULL && dict_put(r, space, key, v);
}

static bool assign(struct render *r, const struct ast *target, struct val *v)
{
	struct val *items;
	bool good = true;

	if (target->kind == AST_NAME) {
		scope_set(r, target->name, v);
		return true;
	}
	if (target->kind == AST_ATTR)
		return namespace_set(r, target, v);
	r->at = target->at;
	items = val_items(r, v);
	if (items == NULL)
		return false;
	if (items->list.n != target->args.n)
		return render_fail(r, EXPR_VALUE, "%zu names for %zu values", target->args.n, items->list.n);
	if (!render_enter(r))
		return false;
	for (size_t i = 0; good && i < items->list.n; i++)
		good = assign(r, target->args.p[i].value, items->list.p[i]);
	render_leave(r);
	return good;
}

static bool set_run(struct render *r, const struct stmt *s)
{
	struct val *v = expr_eval(r, s->expr);

	return v != NULL && assign(r, s->target, v);
}

/* What the body prints becomes the value. */
static bool set_block_run(struct render *r, const struct stmt *s)
{
	struct buf text = { 0 }, *out = r->out;
	struct val *v;
	bool good;

	r->out = &text;
	scope_open(r);
	good = statements_run(r, s->body);
	scope_close(r);
	r->out = out;
	v = val_take(r, &text);
	v = good && v != NULL ? expr_eval_filters(r, s->expr, v) : NULL;
	return v != NULL && assign(r, s->target, v);
}

/* --- blocks --- */

static bool with_run(struct render *r, const struct stmt *s)
{
	bool good = true;

	scope_open(r);
	for (const struct stmt *set = s->other; good && set != NULL; set = set->next) {
		struct scope *inner = r->scope;
		struct val *v;

		/* the values see the variables outside, not each other */
		r->scope = inner->outer;
		v = expr_eval(r, set->expr);
		r->scope = inner;
		good = v != NULL && assign(r, set->target, v);
	}
	good = good && statements_run(r, s->body);
	scope_close(r);
	return good;
}

static bool if_run(struct render *r, const struct stmt *s)
{
	for (;;) {
		struct val *v = expr_eval(r, s->expr);
		int truth;

		r->at = s->at;
		truth = v != NULL ? val_truth(r, v) : -1;
		if (truth < 0)
			return false;
		if (truth)
			return statements_run(r, s->body);
		/* "else if" nests as elif does; both may be walked here */
		if (s->other == NULL || s->other->kind != STMT_IF || s->other->next != NULL)
			return statements_run(r, s->other);
		s = s->other;
	}
}

/* Items that pass the condition of "for x in xs if cond"; it does not see `loop`. */
static struct val *loop_filter(struct render *r, const struct stmt *s, struct val *items)
{
	struct val *kept = val_new(r, VAL_LIST);

	for (size_t i = 0; i < items->list.n; i++) {
		struct val *v = NULL;
		int truth;

		scope_open(r);
		if (assign(r, s->target, items->list.p[i]))
			v = expr_eval(r, s->cond);
		scope_close(r);
		truth = v != NULL ? val_truth(r, v) : -1;
		if (truth < 0 || (truth && !list_add(r, kept, items->list.p[i])))
			return NULL;
	}
	return kept;
}

static bool loop_body(struct render *r, const struct stmt *s, struct val *loop)
{
	struct val *item = loop->loop.item[loop->loop.index];
	bool good;

	scope_open(r);
	scope_set(r, STR("loop"), loop);
	good = assign(r, s->target, item) && statements_run(r, s->body);
	scope_close(r);
	return good;
}

static bool for_run(struct render *r, const struct stmt *s)
{
	struct val *v = expr_eval(r, s->expr), *loop;
	bool good = true;

	r->at = s->at;
	v = v != NULL ? val_items(r, v) : NULL;
	if (v != NULL && s->cond != NULL)
		v = loop_filter(r, s, v);
	if (v == NULL)
		return false;
	if (v->list.n == 0) {
		scope_open(r);
		good = statements_run(r, s->other);
		scope_close(r);
		return good;
	}
	loop = val_new(r, VAL_LOOP);
	/* depth counts recursion, not the loops around */
	loop->loop = (struct val_loop){ .item = v->list.p, .n = v->list.n, .depth = 1 };
	for (; good && loop->loop.index < v->list.n; loop->loop.index++)
		good = loop_body(r, s, loop);
	return good;
}

static bool out_run(struct render *r, const struct stmt *s)
{
	struct val *v = expr_eval(r, s->expr);
	struct buf b = { 0 };
	bool good;

	r->at = s->expr != NULL ? s->expr->at : s->at;
	if (v == NULL)
		return false;
	if (v->kind == VAL_STR)
		return out_add(r, v->text);
	good = buf_add_val(r, &b, v) && out_add(r, buf_str(&b));
	buf_release(&b);
	return good;
}

static bool stmt_run(struct render *r, const struct stmt *s)
{
	switch (s->kind) {
	case STMT_TEXT: return out_add(r, s->text);
	case STMT_OUT: return out_run(r, s);
	case STMT_IF: return if_run(r, s);
	case STMT_FOR: return for_run(r, s);
	case STMT_SET: return set_run(r, s);
	case STMT_SET_BLOCK: return set_block_run(r, s);
	case STMT_WITH: return with_run(r, s);
	}
	return false;
}

bool statements_run(struct render *r, const struct stmt *s)
{
	bool good = true;

	if (!render_enter(r))
		return false;
	for (; good && s != NULL; s = s->next) {
		r->at = s->at;
		good = render_step(r, 1) && stmt_run(r, s);
	}
	render_leave(r);
	return good;
}

static bool render_run(struct render *r)
{
	struct stmt *first = NULL;
	struct scope top = { 0 };

	if (!template_parse(r, &first))
		return false;
	r->depth = 0;
	r->scope = &top;
	return statements_run(r, first);
}

int expr_render(struct arena *a, struct str text, const struct node *params, bool strict, struct str *out,
                struct expr_error *err)
{
	struct arena scratch = { 0 };
	struct buf b = { 0 };
	struct render r = { .a = &scratch, .text = text, .params = params, .strict = strict, .err = err, .out = &b };
	bool good;

	*err = (struct expr_error){ 0 };
	*out = STR_NONE;
	good = render_run(&r);
	if (good)
		*out = buf_take(&b, a);
	else
		err->problem = str_dup(a, err->problem);
	buf_release(&b);
	arena_release(&scratch);
	return good ? 0 : -1;
}
