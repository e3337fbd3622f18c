#include "resolve/expr_parse.h"

#include "base/utf8.h"

static const struct {
	char letter, is;
} escapes[] = {
	{ 'n', '\n' }, { 't', '\t' }, { 'r', '\r' }, { '\\', '\\' }, { '\'', '\'' }, { '"', '"' },
	{ 'a', '\a' }, { 'b', '\b' }, { 'f', '\f' }, { 'v', '\v' },
};

/* Value of up to `most` digits at *i. False when there are fewer than `least`. */
static bool escape_digits(struct str s, size_t *i, size_t least, size_t most, unsigned base, uint32_t *out)
{
	size_t n = 0;

	for (*out = 0; n < most && *i < s.n; n++, (*i)++) {
		char c = s.p[*i];
		unsigned v = c >= '0' && c <= '9' ? (unsigned)(c - '0')
		           : (c | 32) >= 'a' && (c | 32) <= 'f' ? (unsigned)((c | 32) - 'a') + 10 : 99;

		if (v >= base)
			break;
		*out = *out * base + v;
	}
	return n >= least;
}

/* The escape behind the '\' before *i, as Python reads it; an unknown one stays. */
static bool escape_add(struct parser *p, struct buf *b, struct str s, size_t *i)
{
	char c = s.p[*i];
	uint32_t code = 0;
	size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : 8;

	for (size_t k = 0; k < sizeof escapes / sizeof *escapes; k++)
		if (escapes[k].letter == c) {
			(*i)++;
			buf_addc(b, escapes[k].is);
			return true;
		}
	if (c == '\n') {
		(*i)++;
		return true;
	}
	if (c >= '0' && c <= '7') {
		escape_digits(s, i, 1, 3, 8, &code);
	} else if (c == 'x' || c == 'u' || c == 'U') {
		(*i)++;
		if (!escape_digits(s, i, digits, digits, 16, &code) || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
			return render_fail(p->r, EXPR_SYNTAX, "\"\\%c\" needs %zu hexadecimal digits of a character", c, digits);
	} else if (c == 'N') {
		return render_fail(p->r, EXPR_SYNTAX, "\"\\N{…}\" in a text is not supported, write the character");
	} else {
		buf_addc(b, '\\');
		return true;
	}
	buf_add_utf8(b, code);
	return true;
}

static bool string_add(struct parser *p, struct buf *b, struct str s)
{
	for (size_t i = 0; i < s.n;) {
		char c = s.p[i++];

		if (c == '\r') {
			i += i < s.n && s.p[i] == '\n';
			c = '\n';
		}
		if (c != '\\' || i == s.n)
			buf_addc(b, c);
		else if (!escape_add(p, b, s, &i))
			return false;
	}
	return true;
}

/* Texts that stand side by side are one. */
struct ast *string_parse(struct parser *p)
{
	struct ast *x = ast_new(p, AST_CONST, parser_token(p)->at);
	struct buf b = { 0 };

	while (parser_at(p, TOK_STR)) {
		p->r->at = parser_token(p)->at;
		if (!string_add(p, &b, parser_token(p)->text)) {
			buf_release(&b);
			return NULL;
		}
		p->i++;
	}
	x->value = val_take(p->r, &b);
	return x->value != NULL ? x : NULL;
}

struct ast *number_parse(struct parser *p)
{
	const struct token *t = parser_token(p);
	struct ast *x = ast_new(p, AST_CONST, t->at);
	struct str digits = str_replace(p->r->a, t->text, STR("_"), STR_NONE);
	int64_t i;
	double d;

	p->i++;
	if (t->kind == TOK_INT && text_parse_int(digits, 0, &i)) {
		x->value = val_int(p->r, i);
	} else if (t->kind == TOK_INT) {
		x->value = val_int(p->r, INT64_MAX);
		x->value->text = digits;
	} else {
		text_parse_float(digits, &d);
		x->value = val_float(p->r, d);
	}
	return x;
}

struct ast *list_parse(struct parser *p)
{
	struct ast *x = ast_new(p, AST_LIST, parser_token(p)->at);

	p->i++;
	while (!parser_skip(p, TOK_RBRACKET)) {
		struct ast *item;

		if (x->args.n > 0 && !parser_expect(p, TOK_COMMA, "\",\" or \"]\""))
			return NULL;
		if (parser_skip(p, TOK_RBRACKET))
			break;
		item = expr_parse(p);
		if (item == NULL)
			return NULL;
		ast_arg_add(p, x, (struct ast_arg){ .value = item });
	}
	return x;
}

struct ast *map_parse(struct parser *p)
{
	struct ast *x = ast_new(p, AST_MAP, parser_token(p)->at);

	p->i++;
	while (!parser_skip(p, TOK_RBRACE)) {
		struct ast *key, *value;

		if (x->args.n > 0 && !parser_expect(p, TOK_COMMA, "\",\" or \"}\""))
			return NULL;
		if (parser_skip(p, TOK_RBRACE))
			break;
		key = expr_parse(p);
		if (key == NULL || !parser_expect(p, TOK_COLON, "\":\""))
			return NULL;
		value = expr_parse(p);
		if (value == NULL)
			return NULL;
		ast_arg_add(p, x, (struct ast_arg){ .value = key });
		ast_arg_add(p, x, (struct ast_arg){ .value = value });
	}
	return x;
}

static bool tuple_ends(const struct parser *p)
{
	return parser_at(p, TOK_OUT_END) || parser_at(p, TOK_TAG_END) || parser_at(p, TOK_RPAREN) || parser_at(p, TOK_END);
}

struct ast *tuple_parse(struct parser *p, enum tuple_rule rule)
{
	struct ast *x = ast_new(p, AST_TUPLE, parser_token(p)->at), *item;
	bool comma = false;

	while (!tuple_ends(p)) {
		item = rule == TUPLE_NO_IF ? or_parse(p) : expr_parse(p);
		if (item == NULL)
			return NULL;
		ast_arg_add(p, x, (struct ast_arg){ .value = item });
		if (!parser_skip(p, TOK_COMMA))
			break;
		comma = true;
	}
	if (comma)
		return x;
	if (x->args.n == 1)
		return x->args.p[0].value;
	if (rule == TUPLE_BRACKET)
		return x;
	parser_unexpected(p, "an expression");
	return NULL;
}

static const struct {
	const char *name;
	enum val_kind kind;
	bool flag;
} constants[] = {
	{ "true", VAL_BOOL, true },   { "True", VAL_BOOL, true },   { "false", VAL_BOOL, false },
	{ "False", VAL_BOOL, false }, { "none", VAL_NONE, false }, { "None", VAL_NONE, false },
};

struct ast *name_parse(struct parser *p)
{
	const struct token *t = parser_token(p);
	struct ast *x;

	p->i++;
	for (size_t k = 0; k < sizeof constants / sizeof *constants; k++)
		if (str_is(t->text, constants[k].name)) {
			x = ast_new(p, AST_CONST, t->at);
			x->value = val_new(p->r, constants[k].kind);
			x->value->flag = constants[k].flag;
			return x;
		}
	x = ast_new(p, AST_NAME, t->at);
	x->name = t->text;
	return x;
}
