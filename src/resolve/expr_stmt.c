#include "resolve/expr_parse.h"

static bool body_parse(struct parser *p, const char *const *until, struct stmt **out);

static struct stmt *stmt_new(struct parser *p, enum stmt_kind kind, size_t at)
{
	struct stmt *s = ARENA_NEW(p->r->a, struct stmt);

	s->kind = kind;
	s->at = at;
	return s;
}

static bool tag_end_expect(struct parser *p)
{
	return parser_expect(p, TOK_TAG_END, "\"%}\"");
}

/* --- targets of for, set and with --- */

static struct ast *target_name_parse(struct parser *p, bool attribute)
{
	struct ast *x = parser_at(p, TOK_NAME) ? name_parse(p) : NULL, *attr;

	if (x == NULL || x->kind != AST_NAME) {
		p->i -= x != NULL;
		parser_unexpected(p, "the name of a variable");
		return NULL;
	}
	if (!attribute || !parser_skip(p, TOK_DOT))
		return x;
	attr = ast_new(p, AST_ATTR, x->at);
	attr->a = x;
	attr->name = parser_token(p)->text;
	return parser_expect(p, TOK_NAME, "a name after \".\"") ? attr : NULL;
}

static struct ast *target_parse(struct parser *p, bool attribute);

static struct ast *target_item_parse(struct parser *p, bool attribute)
{
	struct ast *x;

	if (!parser_skip(p, TOK_LPAREN))
		return target_name_parse(p, attribute);
	if (!render_enter(p->r))
		return NULL;
	x = target_parse(p, false);
	render_leave(p->r);
	return x != NULL && parser_expect(p, TOK_RPAREN, "\")\"") ? x : NULL;
}

/* name, ns.name, or several with commas between them */
static struct ast *target_parse(struct parser *p, bool attribute)
{
	size_t at = parser_token(p)->at;
	struct ast *x = target_item_parse(p, attribute), *tuple;

	if (x == NULL || !parser_at(p, TOK_COMMA))
		return x;
	tuple = ast_new(p, AST_TUPLE, at);
	ast_arg_add(p, tuple, (struct ast_arg){ .value = x });
	while (parser_skip(p, TOK_COMMA)) {
		if (!parser_at(p, TOK_NAME) && !parser_at(p, TOK_LPAREN))
			break;
		if (parser_at_name(p, "in"))
			break;
		x = target_item_parse(p, attribute);
		if (x == NULL)
			return NULL;
		ast_arg_add(p, tuple, (struct ast_arg){ .value = x });
	}
	return tuple;
}

/* --- statements: at the token behind their word --- */

/* The rest of an if or elif, with all that follows up to its endif. */
static bool if_parse(struct parser *p, struct stmt *s)
{
	static const char *const branch[] = { "elif", "else", "endif", NULL }, *const last[] = { "endif", NULL };

	s->expr = tuple_parse(p, TUPLE_NO_IF);
	while (s->expr != NULL && tag_end_expect(p) && body_parse(p, branch, &s->body)) {
		size_t at = parser_token(p)->at;

		if (parser_skip_name(p, "endif"))
			return true;
		if (parser_skip_name(p, "else"))
			return tag_end_expect(p) && body_parse(p, last, &s->other) && parser_skip_name(p, "endif");
		p->i++;
		s->other = stmt_new(p, STMT_IF, at);
		s = s->other;
		s->expr = tuple_parse(p, TUPLE_NO_IF);
	}
	return false;
}

static bool for_parse(struct parser *p, struct stmt *s)
{
	static const char *const branch[] = { "else", "endfor", NULL }, *const last[] = { "endfor", NULL };

	s->target = target_parse(p, false);
	if (s->target == NULL)
		return false;
	if (!parser_skip_name(p, "in"))
		return parser_unexpected(p, "\"in\"");
	s->expr = tuple_parse(p, TUPLE_NO_IF);
	if (s->expr == NULL)
		return false;
	if (parser_skip_name(p, "if")) {
		s->cond = expr_parse(p);
		if (s->cond == NULL)
			return false;
	}
	if (parser_at_name(p, "recursive")) {
		p->r->at = parser_token(p)->at;
		return render_fail(p->r, EXPR_SYNTAX, "recursive loops are not supported");
	}
	if (!tag_end_expect(p) || !body_parse(p, branch, &s->body))
		return false;
	if (parser_skip_name(p, "else") && (!tag_end_expect(p) || !body_parse(p, last, &s->other)))
		return false;
	return parser_skip_name(p, "endfor");
}

static bool set_parse(struct parser *p, struct stmt *s)
{
	static const char *const last[] = { "endset", NULL };

	s->target = target_parse(p, true);
	if (s->target == NULL)
		return false;
	if (parser_skip(p, TOK_ASSIGN)) {
		s->expr = tuple_parse(p, TUPLE_PLAIN);
		return s->expr != NULL;
	}
	s->kind = STMT_SET_BLOCK;
	if (parser_at(p, TOK_PIPE)) {
		s->expr = filter_parse(p, NULL, true);
		if (s->expr == NULL)
			return false;
	}
	return parser_expect(p, TOK_TAG_END, "\"=\" or \"%}\"") && body_parse(p, last, &s->body) && parser_skip_name(p, "endset");
}

/* The variables become set statements (in `other`), the first of them evaluated outside. */
static bool with_parse(struct parser *p, struct stmt *s)
{
	static const char *const last[] = { "endwith", NULL };
	struct stmt **tail = &s->other;

	while (!parser_at(p, TOK_TAG_END)) {
		struct stmt *set = stmt_new(p, STMT_SET, parser_token(p)->at);

		if (s->other != NULL && !parser_expect(p, TOK_COMMA, "\",\""))
			return false;
		set->target = target_item_parse(p, false);
		if (set->target == NULL || !parser_expect(p, TOK_ASSIGN, "\"=\""))
			return false;
		set->expr = expr_parse(p);
		if (set->expr == NULL)
			return false;
		*tail = set;
		tail = &set->next;
	}
	return tag_end_expect(p) && body_parse(p, last, &s->body) && parser_skip_name(p, "endwith");
}

static const struct {
	const char *word;
	enum stmt_kind kind;
	bool (*parse)(struct parser *p, struct stmt *s);
} statements[] = {
	{ "if", STMT_IF, if_parse },
	{ "for", STMT_FOR, for_parse },
	{ "set", STMT_SET, set_parse },
	{ "with", STMT_WITH, with_parse },
};

static const char *const unsupported[] = {
	"macro", "call", "include", "import", "from", "extends", "block", "filter", "autoescape", "do", "break", "continue",
	"trans", "debug",
};

static bool statement_unknown(struct parser *p)
{
	struct str word = parser_token(p)->text;

	p->r->at = parser_token(p)->at;
	if (!parser_at(p, TOK_NAME))
		return parser_unexpected(p, "a statement such as \"if\", \"for\" or \"set\"");
	for (size_t k = 0; k < sizeof unsupported / sizeof *unsupported; k++)
		if (str_is(word, unsupported[k]))
			return render_fail(p->r, EXPR_SYNTAX, "statement \"%.*s\" is not supported", STR_ARG(word));
	if (str_starts(word, STR("end")) || str_is(word, "else") || str_is(word, "elif"))
		return render_fail(p->r, EXPR_SYNTAX, "\"%.*s\" without the statement it belongs to", STR_ARG(word));
	return render_fail(p->r, EXPR_SYNTAX, "unknown statement \"%.*s\"", STR_ARG(word));
}

static struct stmt *statement_parse(struct parser *p)
{
	for (size_t k = 0; k < sizeof statements / sizeof *statements; k++) {
		size_t at = parser_token(p)->at;
		struct stmt *s;

		if (!parser_skip_name(p, statements[k].word))
			continue;
		s = stmt_new(p, statements[k].kind, at);
		return statements[k].parse(p, s) && tag_end_expect(p) ? s : NULL;
	}
	statement_unknown(p);
	return NULL;
}

static struct stmt *output_parse(struct parser *p)
{
	struct stmt *s = stmt_new(p, STMT_OUT, parser_token(p)->at);

	p->i++;
	s->expr = tuple_parse(p, TUPLE_PLAIN);
	return s->expr != NULL && parser_expect(p, TOK_OUT_END, "an operator or \"}}\"") ? s : NULL;
}

static bool stops_here(const struct parser *p, const char *const *until)
{
	for (; until != NULL && *until != NULL; until++)
		if (parser_at_name(p, *until))
			return true;
	return false;
}

static bool body_missing_end(struct parser *p, const char *const *until)
{
	const char *last = NULL;

	for (; until != NULL && *until != NULL; until++)
		last = *until;
	if (last == NULL)
		return true;
	p->r->at = parser_token(p)->at;
	return render_fail(p->r, EXPR_SYNTAX, "expected \"{%% %s %%}\", found the end of the text", last);
}

/* Statements up to a tag that starts with one of `until` (the parser stands at that word), or to the end of the text. */
static bool statements_parse(struct parser *p, const char *const *until, struct stmt **out)
{
	struct stmt **tail = out;

	for (;;) {
		struct stmt *s;

		if (parser_at(p, TOK_END))
			return body_missing_end(p, until);
		if (parser_at(p, TOK_DATA)) {
			s = stmt_new(p, STMT_TEXT, parser_token(p)->at);
			s->text = parser_token(p)->text;
			p->i++;
		} else if (parser_at(p, TOK_OUT_BEGIN)) {
			s = output_parse(p);
		} else {
			p->i++;
			if (stops_here(p, until))
				return true;
			s = statement_parse(p);
		}
		if (s == NULL)
			return false;
		*tail = s;
		tail = &s->next;
	}
}

static bool body_parse(struct parser *p, const char *const *until, struct stmt **out)
{
	bool good;

	if (!render_enter(p->r))
		return false;
	good = statements_parse(p, until, out);
	render_leave(p->r);
	return good;
}

bool template_parse(struct render *r, struct stmt **out)
{
	struct parser p = { .r = r };

	return tokens_read(r, &p.tokens) && body_parse(&p, NULL, out);
}
