/*
 * sql_token.h - words and tokens of Spark SQL. Private to graph/sql*.c.
 */
#ifndef LHP_GRAPH_SQL_TOKEN_H
#define LHP_GRAPH_SQL_TOKEN_H

#include "base/str.h"

enum sql_word {
	W_NONE,
#define WORD(name, flags) W_##name,
#include "graph/sql_words.def"
#undef WORD
	W_COUNT
};

enum sql_flag { NAMELESS = 1, BODY = 2, JOINING = 4, INFIX = 8, PREFIX = 16, UNIT = 32, UTILITY = 64, DOTTED = 128 };

enum sql_kind { SQL_END, SQL_NAME, SQL_QUOTED, SQL_STRING, SQL_NUMBER, SQL_PUNCT };

struct sql_token {
	enum sql_kind kind;
	enum sql_word word;  /* of a SQL_NAME */
	char punct;          /* first character of a SQL_PUNCT; texts of several are in `text` */
	bool double_quoted;
	bool dropped;        /* holds a $word */
	struct str text;     /* without quotes */
	size_t at, end;
};

#endif
