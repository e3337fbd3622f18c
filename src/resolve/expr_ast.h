/*
 * expr_ast.h - tokens and trees of the template language.
 *
 * Text to tokens to statements; expressions hang off statements. All of it lives
 * in the arena of the rendering. `at` is an offset into the template.
 */
#ifndef LHP_RESOLVE_EXPR_AST_H
#define LHP_RESOLVE_EXPR_AST_H

#include "resolve/expr_value.h"

enum tok {
	TOK_END,
	TOK_DATA,      /* text outside of tags */
	TOK_OUT_BEGIN, /* {{ */
	TOK_OUT_END,
	TOK_TAG_BEGIN, /* {% */
	TOK_TAG_END,
	TOK_NAME,
	TOK_INT,
	TOK_FLOAT,
	TOK_STR,       /* text: between the quotes, escapes not resolved */
	TOK_ADD, TOK_SUB, TOK_MUL, TOK_DIV, TOK_FLOORDIV, TOK_MOD, TOK_POW, TOK_TILDE,
	TOK_EQ, TOK_NE, TOK_LT, TOK_LE, TOK_GT, TOK_GE, TOK_IN, TOK_NOT_IN, /* the last two are made by the parser */
	TOK_LPAREN, TOK_RPAREN, TOK_LBRACKET, TOK_RBRACKET, TOK_LBRACE, TOK_RBRACE,
	TOK_ASSIGN, TOK_DOT, TOK_COLON, TOK_PIPE, TOK_COMMA, TOK_SEMICOLON,
};

struct token {
	enum tok kind;
	size_t at;
	struct str text;
};

struct tokens_of_text {
	VEC_OF(struct token)
};

enum ast_kind {
	AST_CONST,   /* value */
	AST_NAME,    /* name */
	AST_LIST,    /* args */
	AST_TUPLE,   /* args */
	AST_MAP,     /* args: key, value, key, value … */
	AST_NOT,     /* a */
	AST_SIGN,    /* op a */
	AST_AND,     /* a, b */
	AST_OR,      /* a, b */
	AST_IF,      /* a when b else c (or nothing) */
	AST_BINARY,  /* a op b */
	AST_JOIN,    /* args: a ~ b ~ c */
	AST_COMPARE, /* a, then op and value of each of args */
	AST_FILTER,  /* a | func(args); a is NULL in a filter of a set block */
	AST_TEST,    /* a is func(args); negate */
	AST_CALL,    /* a(args) */
	AST_ATTR,    /* a.name */
	AST_ITEM,    /* a[b] */
	AST_SLICE,   /* a[x:y:z], as args 0..2, each may be NULL */
};

enum arg_kind { ARG_PLAIN, ARG_NAMED, ARG_SPREAD, ARG_SPREAD_MAP };

struct ast_arg {
	enum arg_kind kind;
	enum tok op;
	struct str name;
	struct ast *value;
};

struct ast {
	enum ast_kind kind;
	enum tok op;
	bool negate;
	size_t at;
	struct str name;
	struct val *value;
	const struct func *func;
	struct ast *a, *b, *c;
	struct { VEC_OF(struct ast_arg) } args;
};

enum stmt_kind { STMT_TEXT, STMT_OUT, STMT_IF, STMT_FOR, STMT_SET, STMT_SET_BLOCK, STMT_WITH };

struct stmt {
	enum stmt_kind kind;
	size_t at;
	struct str text;
	struct ast *target, *expr, *cond; /* SET_BLOCK: expr is the filter or NULL */
	struct stmt *body, *other;        /* other: elif, else */
	struct stmt *next;
};

bool tokens_read(struct render *r, struct tokens_of_text *out);
/* The whole template, or false. An empty one is NULL. */
bool template_parse(struct render *r, struct stmt **out);

#endif
