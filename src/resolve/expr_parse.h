/*
 * expr_parse.h - what the parsers of expressions and of statements share.
 *
 * Functions return NULL or false with the error set.
 */
#ifndef LHP_RESOLVE_EXPR_PARSE_H
#define LHP_RESOLVE_EXPR_PARSE_H

#include "resolve/expr_ops.h"

struct parser {
	struct render *r;
	struct tokens_of_text tokens;
	size_t i;
};

static inline const struct token *parser_token(const struct parser *p)
{
	return &p->tokens.p[p->i];
}

bool parser_at(const struct parser *p, enum tok kind);
bool parser_at_name(const struct parser *p, const char *name);
bool parser_skip(struct parser *p, enum tok kind);            /* true: was there, and taken */
bool parser_skip_name(struct parser *p, const char *name);
bool parser_expect(struct parser *p, enum tok kind, const char *what);
bool parser_unexpected(struct parser *p, const char *wanted); /* false, with the error */

enum tuple_rule {
	TUPLE_PLAIN,   /* a, b or one expression */
	TUPLE_NO_IF,   /* the same without "x if y else z" */
	TUPLE_BRACKET, /* inside of parentheses: () is one */
};
struct ast *tuple_parse(struct parser *p, enum tuple_rule rule);
struct ast *expr_parse(struct parser *p);
struct ast *filter_parse(struct parser *p, struct ast *of, bool piped); /* one or more; `piped`: at a '|', else at a name */
struct ast *or_parse(struct parser *p); /* an expression without "x if y else z" */

/* The literal or name that stands here. */
struct ast *string_parse(struct parser *p);
struct ast *number_parse(struct parser *p);
struct ast *list_parse(struct parser *p);
struct ast *map_parse(struct parser *p);
struct ast *name_parse(struct parser *p);

struct ast *ast_new(struct parser *p, enum ast_kind kind, size_t at);
static inline void ast_arg_add(struct parser *p, struct ast *to, struct ast_arg arg)
{
	*VEC_PUSH(&to->args, p->r->a) = arg;
}

#endif
