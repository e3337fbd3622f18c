#include "emit/pytext.h"

#include "base/utf8.h"
#include "emit/lines.h"
#include "resolve/token.h"

#include <math.h>

/* How one kind of literal is written. */
struct form {
	char quote;     /* escaped in the text; 0: a block, where runs of '"' are */
	bool json;      /* escapes as JSON, nothing but ASCII */
	bool braces;    /* of an f-string: '{' and '}' are doubled */
};

static const struct form FORM_TEXT = { .quote = '"' };
static const struct form FORM_SINGLE = { .quote = '\'' };
static const struct form FORM_BLOCK = { .quote = 0 };
static const struct form FORM_DATA = { .quote = '"', .json = true };

/* Line ends of Python other than '\n', and NUL, which no source may hold. */
static const char *line_end_escape(uint32_t c)
{
	switch (c) {
	case 0x00: return "\\x00";
	case 0x0b: return "\\x0b";
	case 0x0c: return "\\x0c";
	case '\r': return "\\r";
	case 0x1c: return "\\x1c";
	case 0x1d: return "\\x1d";
	case 0x1e: return "\\x1e";
	case 0x85: return "\\x85";
	case 0x2028: return "\\u2028";
	case 0x2029: return "\\u2029";
	default: return NULL;
	}
}

static const char *json_escape(uint32_t c)
{
	switch (c) {
	case '\n': return "\\n";
	case '\r': return "\\r";
	case '\t': return "\\t";
	case '\b': return "\\b";
	case '\f': return "\\f";
	default: return NULL;
	}
}

static void add_json(struct buf *b, uint32_t c)
{
	const char *escape = json_escape(c);

	if (escape != NULL)
		buf_adds(b, escape);
	else if (c > 0xffff)
		buf_addf(b, "\\U%08x", c);
	else if (c < 0x20 || c >= 0x7f)
		buf_addf(b, "\\u%04x", c);
	else
		buf_addc(b, (char)c);
}

static void add_plain(struct buf *b, uint32_t c, bool block)
{
	const char *escape = line_end_escape(c);

	if (escape != NULL)
		buf_adds(b, escape);
	else if (c == '\n' && !block)
		buf_adds(b, "\\n");
	else
		buf_add_utf8(b, c);
}

/* A run of '"' inside a block: every third is escaped; one that touches the closing quotes is counted from its end. */
static void add_quote_run(struct buf *b, size_t n, bool closes)
{
	for (size_t i = 0; i < n; i++) {
		if (closes ? (n - 1 - i) % 3 == 0 : i % 3 == 2)
			buf_addc(b, '\\');
		buf_addc(b, '"');
	}
}

static size_t quote_run(struct str s, size_t at)
{
	size_t n = 0;

	while (at + n < s.n && s.p[at + n] == '"')
		n++;
	return n;
}

/* The inside of a literal. `closes`: the closing quotes follow at once. */
static void add_escaped(struct buf *b, struct str s, struct form f, bool closes)
{
	for (size_t i = 0; i < s.n;) {
		if (f.quote == 0 && s.p[i] == '"') {
			size_t run = quote_run(s, i);
			add_quote_run(b, run, closes && i + run == s.n);
			i += run;
			continue;
		}
		uint32_t c = utf8_next(s, &i);
		if (c == '\\' || (f.quote != 0 && c == (uint32_t)f.quote))
			buf_addf(b, "\\%c", (char)c);
		else if (f.braces && (c == '{' || c == '}'))
			buf_addf(b, "%c%c", (char)c, (char)c);
		else if (f.json)
			add_json(b, c);
		else
			add_plain(b, c, f.quote == 0);
	}
}

static void add_secret(struct buf *b, const struct secret_ref *r, char quote)
{
	buf_addf(b, "dbutils.secrets.get(scope=%c", quote);
	buf_add(b, r->scope);
	buf_addf(b, "%c, key=%c", quote, quote);
	buf_add(b, r->key);
	buf_addf(b, "%c)", quote);
}

/* The quotes of the calls inside an f-string. */
static char inner_quote(struct str s)
{
	return str_count_char(s, '\'') >= str_count_char(s, '"') + 2 ? '"' : '\'';
}

/* The inside of an f-string. */
static void add_with_secrets(struct buf *b, struct str s, struct form f, char quote)
{
	struct secret_ref r;
	size_t from = 0;

	f.braces = true;
	while (secret_find(s, from, &r)) {
		add_escaped(b, str_sub(s, from, r.at), f, false);
		buf_addc(b, '{');
		add_secret(b, &r, quote);
		buf_addc(b, '}');
		from = r.end;
	}
	add_escaped(b, str_skip(s, from), f, true);
}

/* Writes a text that is nothing but one secret as the bare call. */
static bool add_bare_secret(struct buf *b, struct str s, const struct secret_ref *r)
{
	if (r->at != 0 || r->end != s.n)
		return false;
	add_secret(b, r, '\'');
	return true;
}

static void add_literal(struct buf *b, struct str s, struct form f)
{
	struct secret_ref r;

	if (!secret_find(s, 0, &r)) {
		buf_addc(b, f.quote);
		add_escaped(b, s, f, true);
		buf_addc(b, f.quote);
	} else if (!add_bare_secret(b, s, &r)) {
		buf_addf(b, "f%c", f.quote);
		add_with_secrets(b, s, f, inner_quote(s));
		buf_addc(b, f.quote);
	}
}

void py_text(struct buf *b, struct str s)
{
	add_literal(b, s, FORM_TEXT);
}

void py_text_single(struct buf *b, struct str s)
{
	buf_addc(b, '\'');
	add_escaped(b, s, FORM_SINGLE, true);
	buf_addc(b, '\'');
}

void py_data_text(struct buf *b, struct str s)
{
	add_literal(b, s, FORM_DATA);
}

static void add_plain_block(struct buf *b, struct str s)
{
	buf_adds(b, "\"\"\"");
	add_escaped(b, s, FORM_BLOCK, true);
	buf_adds(b, "\"\"\"");
}

/* Would the peer's scan for literals find this text whole between its triple quotes? */
static bool is_simple_line(struct str s)
{
	return str_find_char(s, '\n', 0) < 0 && str_find_char(s, '"', 0) < 0;
}

static void add_line_block(struct buf *b, struct str s)
{
	buf_adds(b, "\"\"f\"");
	add_with_secrets(b, s, FORM_TEXT, inner_quote(s));
	buf_adds(b, "\"\"\"");
}

void py_block(struct buf *b, struct str s)
{
	struct secret_ref r;

	if (!secret_find(s, 0, &r)) {
		add_plain_block(b, s);
	} else if (add_bare_secret(b, s, &r)) {
		return;
	} else if (is_simple_line(s)) {
		add_line_block(b, s);
	} else {
		buf_adds(b, "f\"\"\"");
		add_with_secrets(b, s, FORM_BLOCK, '\'');
		buf_adds(b, "\"\"\"");
	}
}

void py_doc(struct buf *b, struct str s)
{
	struct secret_ref r;

	if (secret_find(s, 0, &r) && is_simple_line(s))
		add_line_block(b, s);
	else
		add_plain_block(b, s);
}

static void add_float(struct buf *b, const struct node *n)
{
	if (isnan(n->number))
		buf_adds(b, "float(\"nan\")");
	else if (isinf(n->number))
		buf_adds(b, n->number > 0 ? "float(\"inf\")" : "float(\"-inf\")");
	else
		buf_add(b, n->text);
}

static const struct node *data_add(struct buf *b, const struct node *n);

/* A key is always a text; JSON's spelling of what is none. */
static const struct node *data_key_add(struct buf *b, const struct node *key)
{
	struct str s = key->text;

	switch (key->kind) {
	case NODE_NULL: s = STR("null"); break;
	case NODE_BOOL: s = key->boolean ? STR("true") : STR("false"); break;
	case NODE_FLOAT:
		if (isnan(key->number))
			s = STR("NaN");
		else if (isinf(key->number))
			s = key->number > 0 ? STR("Infinity") : STR("-Infinity");
		break;
	case NODE_INT:
	case NODE_STR: break;
	default: return key;
	}
	buf_addc(b, '"');
	add_escaped(b, s, FORM_DATA, true);
	buf_addc(b, '"');
	return NULL;
}

static const struct node *data_list_add(struct buf *b, const struct node *n)
{
	const struct node *bad = NULL;

	buf_addc(b, '[');
	for (size_t i = 0; i < n->list.n && bad == NULL; i++) {
		if (i > 0)
			buf_adds(b, ", ");
		bad = data_add(b, n->list.item[i]);
	}
	buf_addc(b, ']');
	return bad;
}

static const struct node *data_map_add(struct buf *b, const struct node *n)
{
	const struct node *bad = NULL;

	buf_addc(b, '{');
	for (size_t i = 0; i < n->map.n && bad == NULL; i++) {
		if (i > 0)
			buf_adds(b, ", ");
		bad = data_key_add(b, n->map.pair[i].key);
		buf_adds(b, ": ");
		if (bad == NULL)
			bad = data_add(b, n->map.pair[i].value);
	}
	buf_addc(b, '}');
	return bad;
}

static const struct node *data_add(struct buf *b, const struct node *n)
{
	if (node_is_null(n)) {
		buf_adds(b, "None");
		return NULL;
	}
	switch (n->kind) {
	case NODE_BOOL: buf_adds(b, n->boolean ? "True" : "False"); return NULL;
	case NODE_INT: buf_add(b, n->text); return NULL;
	case NODE_FLOAT: add_float(b, n); return NULL;
	case NODE_STR: py_data_text(b, n->text); return NULL;
	case NODE_LIST: return data_list_add(b, n);
	case NODE_MAP: return data_map_add(b, n);
	default: return n;
	}
}

const struct node *py_data(struct buf *b, const struct node *n)
{
	size_t before = b->n;
	const struct node *bad = data_add(b, n);

	if (bad != NULL)
		b->n = before;
	return bad;
}

static void repr_list_add(struct buf *b, const struct node *n)
{
	buf_addc(b, '[');
	for (size_t i = 0; i < n->list.n; i++) {
		if (i > 0)
			buf_adds(b, ", ");
		py_repr(b, n->list.item[i]);
	}
	buf_addc(b, ']');
}

static void repr_map_add(struct buf *b, const struct node *n)
{
	buf_addc(b, '{');
	for (size_t i = 0; i < n->map.n; i++) {
		if (i > 0)
			buf_adds(b, ", ");
		buf_add_repr(b, n->map.pair[i].key);
		buf_adds(b, ": ");
		py_repr(b, n->map.pair[i].value);
	}
	buf_addc(b, '}');
}

void py_repr(struct buf *b, const struct node *n)
{
	struct secret_ref r;

	if (node_is(n, NODE_LIST))
		repr_list_add(b, n);
	else if (node_is(n, NODE_MAP))
		repr_map_add(b, n);
	else if (node_is_str(n) && secret_find(n->text, 0, &r))
		py_text(b, n->text);
	else if (node_is(n, NODE_FLOAT))
		add_float(b, n);
	else
		buf_add_repr(b, n);
}

void py_option_value(struct buf *b, struct arena *a, const struct node *n)
{
	if (node_is(n, NODE_BOOL))
		buf_adds(b, n->boolean ? "True" : "False");
	else if (node_is(n, NODE_INT))
		buf_add(b, n->text);
	else if (node_is(n, NODE_FLOAT))
		add_float(b, n);
	else
		py_text(b, node_text(a, n));
}

/* Python reads no NUL, not even in a comment. */
static void add_without_nul(struct buf *b, struct str s)
{
	struct str part;

	for (bool first = true; str_cut(&s, '\0', &part); first = false) {
		buf_adds(b, first ? "" : "\\x00");
		buf_add(b, part);
	}
}

/* Comments are no literals: a secret stays the mark that the peer writes there. */
static void add_comment_text(struct buf *b, struct str s)
{
	struct secret_ref r;
	size_t from = 0;

	while (secret_find(s, from, &r)) {
		add_without_nul(b, str_sub(s, from, r.at));
		buf_adds(b, "__SECRET_");
		buf_add(b, r.scope);
		buf_addc(b, '_');
		buf_add(b, r.key);
		buf_adds(b, "__");
		from = r.end;
	}
	add_without_nul(b, str_skip(s, from));
}

static bool is_comment_line(struct str line)
{
	size_t i = 0;

	while (i < line.n && (line.p[i] == ' ' || line.p[i] == '\t'))
		i++;
	return i < line.n && line.p[i] == '#';
}

void py_comment(struct buf *b, struct str s)
{
	const char *end = s.p != NULL ? s.p + s.n : NULL;
	struct str line = s;

	buf_adds(b, "# ");
	for (bool first = true; text_line_cut(&s, &line); first = false) {
		if (!first)
			buf_addc(b, '\n');
		if (!first && !str_blank(line) && !is_comment_line(line))
			buf_adds(b, "# ");
		add_comment_text(b, line);
	}
	if (line.p + line.n != end)
		buf_addc(b, '\n');
}

/* `s` with every character that `keeps` refuses replaced by '_'. */
static struct str name_make(struct arena *a, struct str s, bool (*keeps)(uint32_t c))
{
	struct buf b = { 0 };
	struct str name;

	for (size_t i = 0; i < s.n;) {
		uint32_t c = utf8_next(s, &i);
		buf_add_utf8(&b, c != UTF8_BAD && keeps(c) ? c : '_');
	}
	name = buf_take(&b, a);
	buf_release(&b);
	return name;
}

static bool is_ascii_word(uint32_t c)
{
	return c < 0x80 && ascii_is_word((char)c);
}

struct str py_word(struct arena *a, struct str s)
{
	return name_make(a, s, is_ascii_word);
}

static bool starts_name(uint32_t c)
{
	return c == '_' || ucs_is_alpha(c);
}

struct str py_identifier(struct arena *a, struct str s)
{
	struct str name = name_make(a, s, ucs_is_word);
	size_t i = 0;

	return name.n > 0 && !starts_name(utf8_next(name, &i)) ? str_cat(a, STR("_"), name) : name;
}

static const char *const KEYWORD[] = {
	"False", "None",   "True",  "and",    "as",   "assert", "async",  "await",    "break", "class", "continue", "def",
	"del",   "elif",   "else",  "except", "finally", "for", "from",   "global",   "if",    "import", "in",      "is",
	"lambda", "nonlocal", "not", "or",    "pass", "raise",  "return", "try",      "while", "with",  "yield",
};

bool py_is_name(struct str s)
{
	for (size_t i = 0; i < sizeof(KEYWORD) / sizeof(KEYWORD[0]); i++)
		if (str_is(s, KEYWORD[i]))
			return false;
	for (size_t i = 0; i < s.n;) {
		bool first = i == 0;
		uint32_t c = utf8_next(s, &i);
		if (c == UTF8_BAD || !(first ? starts_name(c) : ucs_is_word(c)))
			return false;
	}
	return s.n > 0;
}
