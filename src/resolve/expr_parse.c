#include "resolve/expr_parse.h"

static struct ast *unary_parse(struct parser *p, bool filters);

struct ast *ast_new(struct parser *p, enum ast_kind kind, size_t at)
{
	struct ast *x = ARENA_NEW(p->r->a, struct ast);

	x->kind = kind;
	x->at = at;
	return x;
}

bool parser_at(const struct parser *p, enum tok kind)
{
	return parser_token(p)->kind == kind;
}

bool parser_at_name(const struct parser *p, const char *name)
{
	return parser_at(p, TOK_NAME) && str_is(parser_token(p)->text, name);
}

bool parser_skip(struct parser *p, enum tok kind)
{
	if (!parser_at(p, kind))
		return false;
	p->i++;
	return true;
}

bool parser_skip_name(struct parser *p, const char *name)
{
	if (!parser_at_name(p, name))
		return false;
	p->i++;
	return true;
}

bool parser_unexpected(struct parser *p, const char *wanted)
{
	const struct token *t = parser_token(p);

	p->r->at = t->at;
	if (t->kind == TOK_OUT_END || t->kind == TOK_TAG_END)
		return render_fail(p->r, EXPR_SYNTAX, "expected %s, found the end of the tag", wanted);
	if (t->kind == TOK_END)
		return render_fail(p->r, EXPR_SYNTAX, "expected %s, found the end of the text", wanted);
	return render_fail(p->r, EXPR_SYNTAX, "expected %s, found \"%.*s\"", wanted, STR_ARG(t->text));
}

bool parser_expect(struct parser *p, enum tok kind, const char *what)
{
	return parser_skip(p, kind) || parser_unexpected(p, what);
}

static struct ast *primary_parse(struct parser *p)
{
	struct ast *x;

	switch (parser_token(p)->kind) {
	case TOK_NAME: return name_parse(p);
	case TOK_STR: return string_parse(p);
	case TOK_INT:
	case TOK_FLOAT: return number_parse(p);
	case TOK_LBRACKET: return list_parse(p);
	case TOK_LBRACE: return map_parse(p);
	case TOK_LPAREN:
		p->i++;
		x = tuple_parse(p, TUPLE_BRACKET);
		return x != NULL && parser_expect(p, TOK_RPAREN, "\")\"") ? x : NULL;
	default:
		parser_unexpected(p, "an expression");
		return NULL;
	}
}

/* --- what stands behind an operand --- */

static bool arg_parse(struct parser *p, struct ast *call)
{
	struct ast_arg arg = { .kind = ARG_PLAIN };

	if (parser_skip(p, TOK_MUL)) {
		arg.kind = ARG_SPREAD;
	} else if (parser_skip(p, TOK_POW)) {
		arg.kind = ARG_SPREAD_MAP;
	} else if (parser_at(p, TOK_NAME) && p->tokens.p[p->i + 1].kind == TOK_ASSIGN) {
		arg.kind = ARG_NAMED;
		arg.name = parser_token(p)->text;
		p->i += 2;
	}
	for (size_t k = 0; k < call->args.n; k++)
		if (call->args.p[k].kind > arg.kind || call->args.p[k].kind == ARG_SPREAD_MAP)
			return parser_unexpected(p, "a named argument, as those before it");
	arg.value = expr_parse(p);
	if (arg.value == NULL)
		return false;
	ast_arg_add(p, call, arg);
	return true;
}

static bool args_parse(struct parser *p, struct ast *call)
{
	p->i++;
	while (!parser_skip(p, TOK_RPAREN)) {
		if (call->args.n > 0 && !parser_expect(p, TOK_COMMA, "\",\" or \")\""))
			return false;
		if (call->args.n > 0 && parser_skip(p, TOK_RPAREN))
			break;
		if (!arg_parse(p, call))
			return false;
	}
	return true;
}

static struct ast *call_parse(struct parser *p, struct ast *of)
{
	struct ast *x = ast_new(p, AST_CALL, parser_token(p)->at);

	x->a = of;
	return args_parse(p, x) ? x : NULL;
}

static struct ast *attr_parse(struct parser *p, struct ast *of)
{
	struct ast *x = ast_new(p, AST_ATTR, parser_token(p)->at);
	const struct token *t;

	p->i++;
	t = parser_token(p);
	x->a = of;
	if (t->kind == TOK_INT) {
		x->kind = AST_ITEM;
		x->b = number_parse(p);
		return x;
	}
	x->name = t->text;
	return parser_expect(p, TOK_NAME, "a name or a number after \".\"") ? x : NULL;
}

/* a[x:y:z] from the first part on, which was read when it is not empty. */
static struct ast *slice_parse(struct parser *p, struct ast *of, struct ast *first, size_t at)
{
	struct ast *x = ast_new(p, AST_SLICE, at);

	x->a = of;
	ast_arg_add(p, x, (struct ast_arg){ .value = first });
	for (int k = 1; k < 3; k++) {
		struct ast *part = NULL;

		if (parser_skip(p, TOK_COLON) && !parser_at(p, TOK_COLON) && !parser_at(p, TOK_RBRACKET)) {
			part = expr_parse(p);
			if (part == NULL)
				return NULL;
		}
		ast_arg_add(p, x, (struct ast_arg){ .value = part });
	}
	return parser_expect(p, TOK_RBRACKET, "\":\" or \"]\"") ? x : NULL;
}

static struct ast *item_parse(struct parser *p, struct ast *of)
{
	size_t at = parser_token(p)->at;
	struct ast *x, *key = NULL;

	p->i++;
	if (!parser_at(p, TOK_COLON)) {
		key = expr_parse(p);
		if (key == NULL)
			return NULL;
	}
	if (parser_at(p, TOK_COLON))
		return slice_parse(p, of, key, at);
	x = ast_new(p, AST_ITEM, at);
	x->a = of;
	x->b = key;
	if (parser_at(p, TOK_COMMA)) {
		x->b = ast_new(p, AST_TUPLE, at);
		ast_arg_add(p, x->b, (struct ast_arg){ .value = key });
		while (parser_skip(p, TOK_COMMA)) {
			key = expr_parse(p);
			if (key == NULL)
				return NULL;
			ast_arg_add(p, x->b, (struct ast_arg){ .value = key });
		}
	}
	return parser_expect(p, TOK_RBRACKET, "\"]\"") ? x : NULL;
}

static struct ast *postfix_parse(struct parser *p, struct ast *x)
{
	while (x != NULL) {
		if (parser_at(p, TOK_DOT))
			x = attr_parse(p, x);
		else if (parser_at(p, TOK_LBRACKET))
			x = item_parse(p, x);
		else if (parser_at(p, TOK_LPAREN))
			x = call_parse(p, x);
		else
			break;
	}
	return x;
}

/* a.b.c as one name: what filters and tests of extensions are called. */
static bool dotted_name(struct parser *p, const char *what, struct str *out)
{
	*out = parser_token(p)->text;
	if (!parser_expect(p, TOK_NAME, what))
		return false;
	while (parser_skip(p, TOK_DOT)) {
		*out = str_fmt(p->r->a, "%.*s.%.*s", STR_ARG(*out), STR_ARG(parser_token(p)->text));
		if (!parser_expect(p, TOK_NAME, what))
			return false;
	}
	return true;
}

struct ast *filter_parse(struct parser *p, struct ast *of, bool piped)
{
	while (!piped || parser_skip(p, TOK_PIPE)) {
		struct ast *x = ast_new(p, AST_FILTER, parser_token(p)->at);

		piped = true;
		if (!dotted_name(p, "the name of a filter", &x->name))
			return NULL;
		x->a = of;
		x->func = filter_find(x->name);
		if (x->func == NULL || x->func->call == NULL) {
			p->r->at = x->at;
			render_fail(p->r, EXPR_SYNTAX, x->func == NULL ? "unknown filter \"%.*s\"" : "filter \"%.*s\" is not supported",
			            STR_ARG(x->name));
			return NULL;
		}
		if (parser_at(p, TOK_LPAREN) && !args_parse(p, x))
			return NULL;
		of = x;
	}
	return of;
}

static bool test_arg_follows(const struct parser *p)
{
	switch (parser_token(p)->kind) {
	case TOK_NAME: return !parser_at_name(p, "else") && !parser_at_name(p, "or") && !parser_at_name(p, "and");
	case TOK_STR:
	case TOK_INT:
	case TOK_FLOAT:
	case TOK_LBRACKET:
	case TOK_LBRACE: return true;
	default: return false;
	}
}

static struct ast *test_parse(struct parser *p, struct ast *of)
{
	struct ast *x = ast_new(p, AST_TEST, parser_token(p)->at), *arg;

	p->i++;
	x->a = of;
	x->negate = parser_skip_name(p, "not");
	if (!dotted_name(p, "the name of a test", &x->name))
		return NULL;
	x->func = test_find(x->name);
	if (x->func == NULL) {
		p->r->at = x->at;
		render_fail(p->r, EXPR_SYNTAX, "unknown test \"%.*s\"", STR_ARG(x->name));
		return NULL;
	}
	if (parser_at(p, TOK_LPAREN))
		return args_parse(p, x) ? x : NULL;
	if (!test_arg_follows(p))
		return x;
	if (parser_at_name(p, "is")) {
		parser_unexpected(p, "one test after \"is\" (join them with \"and\")");
		return NULL;
	}
	arg = primary_parse(p);
	arg = arg != NULL ? postfix_parse(p, arg) : NULL;
	if (arg == NULL)
		return NULL;
	ast_arg_add(p, x, (struct ast_arg){ .value = arg });
	return x;
}

static struct ast *filters_and_tests_parse(struct parser *p, struct ast *x)
{
	while (x != NULL) {
		if (parser_at(p, TOK_PIPE))
			x = filter_parse(p, x, true);
		else if (parser_at_name(p, "is"))
			x = test_parse(p, x);
		else if (parser_at(p, TOK_LPAREN))
			x = call_parse(p, x);
		else
			break;
	}
	return x;
}

/* --- operators, tightest first --- */

static struct ast *sign_parse(struct parser *p)
{
	struct ast *x = ast_new(p, AST_SIGN, parser_token(p)->at);

	x->op = parser_token(p)->kind;
	p->i++;
	if (!render_enter(p->r))
		return NULL;
	x->a = unary_parse(p, false);
	render_leave(p->r);
	return x->a != NULL ? x : NULL;
}

static struct ast *unary_parse(struct parser *p, bool filters)
{
	bool sign = parser_at(p, TOK_SUB) || parser_at(p, TOK_ADD);
	struct ast *x = sign ? sign_parse(p) : primary_parse(p);

	x = postfix_parse(p, x);
	return filters ? filters_and_tests_parse(p, x) : x;
}

enum { LEVEL_SUM, LEVEL_JOIN, LEVEL_PRODUCT, LEVEL_POWER, LEVELS };

static const enum tok levels[LEVELS][5] = {
	[LEVEL_SUM] = { TOK_ADD, TOK_SUB },
	[LEVEL_JOIN] = { TOK_TILDE },
	[LEVEL_PRODUCT] = { TOK_MUL, TOK_DIV, TOK_FLOORDIV, TOK_MOD },
	[LEVEL_POWER] = { TOK_POW },
};

static bool at_operator(const struct parser *p, int level)
{
	for (const enum tok *op = levels[level]; *op != TOK_END; op++)
		if (parser_at(p, *op))
			return true;
	return false;
}

/* Operators of one level, left to right; the operands are of the next level. */
static struct ast *level_parse(struct parser *p, int level)
{
	struct ast *left, *x, *right;

	if (level == LEVELS)
		return unary_parse(p, true);
	left = level_parse(p, level + 1);
	while (left != NULL && at_operator(p, level)) {
		const struct token *t = parser_token(p);

		p->i++;
		right = level_parse(p, level + 1);
		if (right == NULL)
			return NULL;
		if (level == LEVEL_JOIN && left->kind == AST_JOIN && left->negate) {
			ast_arg_add(p, left, (struct ast_arg){ .value = right });
			continue;
		}
		x = ast_new(p, level == LEVEL_JOIN ? AST_JOIN : AST_BINARY, t->at);
		x->op = t->kind;
		x->a = left;
		x->b = right;
		if (level == LEVEL_JOIN) {
			x->negate = true; /* still open: more may be joined to it */
			ast_arg_add(p, x, (struct ast_arg){ .value = left });
			ast_arg_add(p, x, (struct ast_arg){ .value = right });
		}
		left = x;
	}
	if (left != NULL && left->kind == AST_JOIN)
		left->negate = false;
	return left;
}

static enum tok comparison_at(struct parser *p)
{
	enum tok kind = parser_token(p)->kind;

	if (kind >= TOK_EQ && kind <= TOK_GE) {
		p->i++;
		return kind;
	}
	if (parser_skip_name(p, "in"))
		return TOK_IN;
	if (parser_at_name(p, "not") && p->tokens.p[p->i + 1].kind == TOK_NAME && str_is(p->tokens.p[p->i + 1].text, "in")) {
		p->i += 2;
		return TOK_NOT_IN;
	}
	return TOK_END;
}

static struct ast *compare_parse(struct parser *p)
{
	struct ast *first = level_parse(p, LEVEL_SUM), *x = NULL, *right;

	while (first != NULL) {
		size_t at = parser_token(p)->at;
		enum tok op = comparison_at(p);

		if (op == TOK_END)
			break;
		right = level_parse(p, LEVEL_SUM);
		if (right == NULL)
			return NULL;
		if (x == NULL)
			x = ast_new(p, AST_COMPARE, at);
		x->a = first;
		ast_arg_add(p, x, (struct ast_arg){ .op = op, .value = right });
	}
	return x != NULL ? x : first;
}

static struct ast *not_parse(struct parser *p)
{
	struct ast *x;

	if (!parser_at_name(p, "not"))
		return compare_parse(p);
	x = ast_new(p, AST_NOT, parser_token(p)->at);
	p->i++;
	if (!render_enter(p->r))
		return NULL;
	x->a = not_parse(p);
	render_leave(p->r);
	return x->a != NULL ? x : NULL;
}

static struct ast *logic_parse(struct parser *p, const char *word, enum ast_kind kind, struct ast *(*operand)(struct parser *))
{
	struct ast *left = operand(p), *x;

	while (left != NULL && parser_at_name(p, word)) {
		x = ast_new(p, kind, parser_token(p)->at);
		p->i++;
		x->a = left;
		x->b = operand(p);
		if (x->b == NULL)
			return NULL;
		left = x;
	}
	return left;
}

static struct ast *and_parse(struct parser *p)
{
	return logic_parse(p, "and", AST_AND, not_parse);
}

struct ast *or_parse(struct parser *p)
{
	struct ast *x;

	if (!render_enter(p->r))
		return NULL;
	x = logic_parse(p, "or", AST_OR, and_parse);
	render_leave(p->r);
	return x;
}

struct ast *expr_parse(struct parser *p)
{
	struct ast *x = or_parse(p), *choice;

	while (x != NULL && parser_at_name(p, "if")) {
		choice = ast_new(p, AST_IF, parser_token(p)->at);
		p->i++;
		choice->a = x;
		choice->b = or_parse(p);
		if (choice->b == NULL)
			return NULL;
		if (parser_skip_name(p, "else")) {
			if (!render_enter(p->r))
				return NULL;
			choice->c = expr_parse(p);
			render_leave(p->r);
			if (choice->c == NULL)
				return NULL;
		}
		x = choice;
	}
	return x;
}
