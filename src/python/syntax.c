#include "python/syntax.h"

#include "base/utf8.h"

static const char *const KEYWORDS[] = {
	"False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def",
	"del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is",
	"lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
};

static const char *check_identifier(const struct py_source *s, TSNode n)
{
	struct str text = tree_text(s, n);

	for (size_t i = 0; i < sizeof KEYWORDS / sizeof *KEYWORDS; i++)
		if (str_is(text, KEYWORDS[i]))
			return "a keyword cannot be a name";
	return NULL;
}

/* `print >>f, x` is an expression of Python 3 too. */
static const char *check_print(const struct py_source *s, TSNode n)
{
	(void)s;
	return tree_has_token(n, "chevron") ? NULL : "print is a function in Python 3: it needs parentheses";
}

static const char *check_exec(const struct py_source *s, TSNode n)
{
	(void)s;
	(void)n;
	return "exec is a function in Python 3: it needs parentheses";
}

static const char *check_comparison(const struct py_source *s, TSNode n)
{
	(void)s;
	return tree_has_token(n, "<>") ? "<> is not an operator of Python 3: write !=" : NULL;
}

static const char *check_except(const struct py_source *s, TSNode n)
{
	TSNode value = tree_field(n, "value"), alias = tree_field(value, "alias");

	(void)s;
	if (tree_has_token(n, ","))
		return "several exception types need parentheses";
	return tree_is(value, "as_pattern") && !tree_is(tree_first(alias), "identifier")
	           ? "an exception is bound to a plain name"
	           : NULL;
}

/* `except* E` may come as the star of its own clause or as a starred expression. */
static bool is_group_clause(TSNode n)
{
	TSNode value = tree_field(n, "value");

	if (tree_is(value, "as_pattern"))
		value = tree_first(value);
	return tree_is(n, "except_group_clause") || tree_is(value, "list_splat");
}

static const char *check_try(const struct py_source *s, TSNode n)
{
	bool plain = false, group = false;

	(void)s;
	for (uint32_t i = 0, count = ts_node_named_child_count(n); i < count; i++) {
		TSNode clause = ts_node_named_child(n, i);

		if (is_group_clause(clause))
			group = true;
		else if (tree_is(clause, "except_clause"))
			plain = true;
	}
	return plain && group ? "except and except* cannot stand in one try" : NULL;
}

static const char *check_raise(const struct py_source *s, TSNode n)
{
	(void)s;
	return tree_has_token(n, "expression_list") ? "raise takes one exception in Python 3" : NULL;
}

static const char *check_definition(const struct py_source *s, TSNode n)
{
	(void)s;
	return tree_has_token(n, "type_parameter") ? "type parameters need Python 3.12" : NULL;
}

static const char *check_type_alias(const struct py_source *s, TSNode n)
{
	TSNode left = tree_first(tree_field(n, "left"));

	(void)s;
	/* The grammar takes `type(x).y = 1` for one, too. */
	return tree_is(left, "identifier") || tree_is(left, "generic_type") ? "the type statement needs Python 3.12" : NULL;
}

static const char *check_import_from(const struct py_source *s, TSNode n)
{
	bool comma = false;

	(void)s;
	if (tree_has_token(n, "("))
		return NULL;
	for (uint32_t i = 0, count = ts_node_child_count(n); i < count; i++) {
		TSNode child = ts_node_child(n, i);

		if (!tree_is_filler(child))
			comma = tree_is(child, ",");
	}
	return comma ? "a comma at the end of an import needs parentheses" : NULL;
}

/* Python 2: for x in 1, 2 inside brackets. */
static const char *check_for_in(const struct py_source *s, TSNode n)
{
	bool after_in = false;

	(void)s;
	for (uint32_t i = 0, count = ts_node_child_count(n); i < count; i++) {
		TSNode child = ts_node_child(n, i);

		after_in |= tree_is(child, "in");
		if (after_in && tree_is(child, ","))
			return "a tuple after `in` needs parentheses here";
	}
	return NULL;
}

static const char *check_parenthesized(const struct py_source *s, TSNode n)
{
	(void)s;
	return tree_has_token(n, "list_splat") || tree_has_token(n, "dictionary_splat")
	           ? "a starred expression cannot stand alone in parentheses"
	           : NULL;
}

static const char *check_slice(const struct py_source *s, TSNode n)
{
	(void)s;
	return tree_has_token(n, "list_splat") ? "a starred expression cannot bound a slice" : NULL;
}

static const char *check_comprehension(const struct py_source *s, TSNode n)
{
	(void)s;
	return tree_is(tree_field(n, "body"), "list_splat") ? "a comprehension cannot unpack with *" : NULL;
}

static const char *check_await(const struct py_source *s, TSNode n)
{
	(void)s;
	return tree_has_token(n, "await") && tree_is(tree_first(n), "await") ? "await needs parentheses here" : NULL;
}

/* `*args: *Ts` is the one place for a star in a type; `T: bound` is of later versions. */
static const char *check_type(const struct py_source *s, TSNode n)
{
	TSNode type = tree_first(n), owner = ts_node_parent(n);

	(void)s;
	if (tree_is(type, "constrained_type"))
		return "a type cannot have a bound here";
	if (tree_is(type, "splat_type") && !(tree_is(owner, "typed_parameter") && tree_has_token(owner, "list_splat_pattern")))
		return "a starred type can only follow *args";
	return NULL;
}

static const char *check_tuple_pattern(const struct py_source *s, TSNode n)
{
	(void)s;
	return tree_has_token(n, "list_splat_pattern") && !tree_has_token(n, ",") ? "a starred target cannot stand alone in parentheses"
	                                                                          : NULL;
}

static const char *check_continuation(const struct py_source *s, TSNode n)
{
	return str_blank(str_skip(s->text, ts_node_end_byte(n))) ? "the text ends after a backslash" : NULL;
}

static const char *check_conversion(const struct py_source *s, TSNode n)
{
	struct str c = str_skip(tree_text(s, n), 1);

	return str_is(c, "s") || str_is(c, "r") || str_is(c, "a") ? NULL : "a conversion is !s, !r or !a";
}

/* Where `name := value` may stand without parentheses of its own. */
static const char *check_walrus(const struct py_source *s, TSNode n)
{
	static const char *const HOLDERS[] = {
		"parenthesized_expression", "argument_list", "tuple", "list", "set", "subscript", "if_statement",
		"elif_clause", "while_statement", "if_clause", "list_comprehension", "set_comprehension",
		"generator_expression", "match_statement", "decorator", "interpolation",
	};
	TSNode parent = ts_node_parent(n);

	(void)s;
	if (!tree_is(tree_field(n, "name"), "identifier"))
		return ":= binds a plain name";
	for (size_t i = 0; i < sizeof HOLDERS / sizeof *HOLDERS; i++)
		if (tree_is(parent, HOLDERS[i]))
			return NULL;
	return ":= needs parentheses here";
}

struct syntax_row {
	const char *type;
	const char *(*check)(const struct py_source *s, TSNode n);
};

static const struct syntax_row ROWS[] = {
	{ "identifier", check_identifier },
	{ "print_statement", check_print },
	{ "exec_statement", check_exec },
	{ "comparison_operator", check_comparison },
	{ "except_clause", check_except },
	{ "except_group_clause", check_except },
	{ "slice", check_slice },
	{ "list_comprehension", check_comprehension },
	{ "set_comprehension", check_comprehension },
	{ "generator_expression", check_comprehension },
	{ "await", check_await },
	{ "type", check_type },
	{ "tuple_pattern", check_tuple_pattern },
	{ "line_continuation", check_continuation },
	{ "try_statement", check_try },
	{ "raise_statement", check_raise },
	{ "function_definition", check_definition },
	{ "class_definition", check_definition },
	{ "type_alias_statement", check_type_alias },
	{ "import_from_statement", check_import_from },
	{ "future_import_statement", check_import_from },
	{ "for_in_clause", check_for_in },
	{ "parenthesized_expression", check_parenthesized },
	{ "type_conversion", check_conversion },
	{ "named_expression", check_walrus },
	{ "string", literal_check_string },
	{ "concatenated_string", literal_check_concatenation },
	{ "integer", literal_check_number },
	{ "float", literal_check_number },
	{ "argument_list", call_check_arguments },
	{ "parameters", call_check_parameters },
	{ "lambda_parameters", call_check_parameters },
	{ "assignment", target_check_assignment },
	{ "augmented_assignment", target_check_augmented },
	{ "delete_statement", target_check_delete },
	{ "as_pattern_target", target_check_as },
	{ "block", layout_check_block },
	{ "module", layout_check_block },
};

enum { N_ROWS = sizeof ROWS / sizeof *ROWS, MAX_SYMBOLS = 512 };

/* Rows by the grammar's number of a node type, each looked for when the type is first met: most texts are short. */
struct row_index {
	uint8_t row[MAX_SYMBOLS]; /* 0: not looked for yet; else its number and 1; N_ROWS + 1: none */
};

static const struct syntax_row *row_of(struct row_index *index, TSNode n)
{
	TSSymbol symbol = ts_node_symbol(n);
	uint8_t unmet = 0, *known = symbol < MAX_SYMBOLS ? &index->row[symbol] : &unmet;

	if (*known == 0)
		for (*known = 1; *known <= N_ROWS && !tree_is(n, ROWS[*known - 1].type); ++*known)
			;
	return *known <= N_ROWS ? &ROWS[*known - 1] : NULL;
}

static const char *check_node(const struct py_source *s, struct row_index *index, TSNode n, size_t *at)
{
	const struct syntax_row *row;

	*at = ts_node_start_byte(n);
	if (ts_node_is_error(n))
		return "this does not parse as Python";
	if (ts_node_is_missing(n))
		return "something is missing here";
	row = ts_node_is_named(n) ? row_of(index, n) : NULL;
	return row != NULL ? row->check(s, n) : NULL;
}

/* Brackets open at a time; strings hold their own. */
static int bracket_step(TSNode n)
{
	const char *type = ts_node_type(n);

	if (type[0] == '\0' || type[1] != '\0')
		return 0;
	if (strchr("([{", type[0]) != NULL)
		return 1;
	return strchr(")]}", type[0]) != NULL ? -1 : 0;
}

struct progress {
	size_t token_end; /* of the last token seen */
	int brackets;
};

static const char *check_token(const struct py_source *s, struct progress *p, TSNode n, size_t *at)
{
	const char *problem = layout_check_gap(s, p->token_end, ts_node_start_byte(n), at);

	if (problem != NULL)
		return problem;
	p->token_end = ts_node_end_byte(n);
	p->brackets += bracket_step(n);
	if (p->brackets > PY_MAX_BRACKETS) {
		*at = ts_node_start_byte(n);
		return "too many nested brackets";
	}
	return NULL;
}

static const char *tree_check(const struct py_source *s, struct tree_walk *w, size_t *at)
{
	struct row_index index = { { 0 } };
	struct progress p = { 0 };
	const char *problem = NULL;
	bool inside = true;
	size_t string_end = 0;
	TSNode n;

	while (problem == NULL && tree_walk_next(w, inside, &n)) {
		bool in_string = ts_node_start_byte(n) < string_end;

		problem = check_node(s, &index, n, at);
		if (problem != NULL)
			break;
		/* Blanks inside a string are its text: there it is one token. */
		if (!in_string && (ts_node_child_count(n) == 0 || tree_is(n, "string")))
			problem = check_token(s, &p, n, at);
		if (!in_string && tree_is(n, "string"))
			string_end = ts_node_end_byte(n);
	}
	return problem != NULL ? problem : layout_check_gap(s, p.token_end, s->text.n, at);
}

const char *syntax_check(const struct py_source *s, size_t *at)
{
	struct tree_walk w;
	const char *problem;

	tree_walk_init(&w, ts_tree_root_node(s->tree));
	problem = tree_check(s, &w, at);
	tree_walk_finish(&w);
	return problem;
}
