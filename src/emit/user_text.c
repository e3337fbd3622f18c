#include "emit/user_text.h"

#include "resolve/token.h"

static int piece_add(const struct user_text *t, struct buf *b, size_t from, size_t to, enum token_forms forms)
{
	struct str out;

	if (tokens_apply(t->m->unit, str_sub(t->text, from, to), t->at, forms, &out) < 0)
		return module_fault(t->m, t->action);
	buf_add(b, out);
	return 0;
}

int user_range_add(const struct user_text *t, struct buf *b, size_t from, size_t to)
{
	for (size_t i = 0; i < t->n_plain && t->plain[i].at < to; i++) {
		const struct py_span *plain = &t->plain[i];

		if (plain->end <= from)
			continue;
		if (piece_add(t, b, from, plain->at, TOKENS_DOLLAR) < 0 || piece_add(t, b, plain->at, plain->end, TOKENS_ALL) < 0)
			return -1;
		from = plain->end;
	}
	return piece_add(t, b, from, to, TOKENS_DOLLAR);
}

int user_text_substitute(struct module *m, const struct action *a, struct str text, struct mark at, struct str *out)
{
	struct user_text t = { m, a, text, at };
	struct py_source *s = py_parse(text, NULL);
	struct buf b = { 0 };
	int rc;

	if (s == NULL)
		return tokens_apply(m->unit, text, at, TOKENS_ALL, out) < 0 ? module_fault(m, a) : 0;
	py_plain_texts(s, m->unit->arena, &t.plain, &t.n_plain);
	py_free(s);
	rc = user_range_add(&t, &b, 0, text.n);
	*out = buf_take(&b, m->unit->arena);
	buf_release(&b);
	return rc;
}

static void call_add(struct buf *b, const struct secret_ref *r, char quote)
{
	buf_addf(b, "dbutils.secrets.get(scope=%c%.*s%c, key=%c%.*s%c)", quote, STR_ARG(r->scope), quote, quote, STR_ARG(r->key),
	         quote);
}

/* What stands around a secret; in a plain string braces become the text of an f-string. */
static void around_add(struct buf *b, struct str s, bool format)
{
	for (size_t i = 0; i < s.n; i++) {
		buf_addc(b, s.p[i]);
		if (!format && (s.p[i] == '{' || s.p[i] == '}'))
			buf_addc(b, s.p[i]);
	}
}

static size_t prefix_length(struct str literal)
{
	size_t n = 0;

	while (n < literal.n && literal.p[n] != '"' && literal.p[n] != '\'')
		n++;
	return n;
}

static void literal_call(struct buf *b, struct str literal)
{
	size_t prefix = prefix_length(literal), from = 0;
	char quote = literal.p[prefix];
	size_t quotes = literal.n - prefix >= 6 && literal.p[prefix + 1] == quote && literal.p[prefix + 2] == quote ? 3 : 1;
	struct str letters = str_sub(literal, 0, prefix), body = str_sub(literal, prefix + quotes, literal.n - quotes);
	bool format = str_has(letters, STR("f")) || str_has(letters, STR("F"));
	struct secret_ref r;

	if (secret_find(body, 0, &r) && r.at == 0 && r.end == body.n) {
		call_add(b, &r, '\'');
		return;
	}
	if (!str_is_nocase(letters, "u"))
		buf_add(b, letters);
	buf_adds(b, format ? "" : "f");
	buf_add(b, str_sub(literal, prefix, prefix + quotes));
	for (; secret_find(body, from, &r); from = r.end) {
		around_add(b, str_sub(body, from, r.at), format);
		buf_addc(b, '{');
		call_add(b, &r, quote == '\'' ? '"' : '\'');
		buf_addc(b, '}');
	}
	around_add(b, str_skip(body, from), format);
	buf_add(b, str_sub(literal, prefix, prefix + quotes));
}

struct str user_secrets_call(struct module *m, struct str code)
{
	struct secret_ref r;
	struct py_source *s = secret_find(code, 0, &r) ? py_parse_newer(code, NULL) : NULL;
	struct buf b = { 0 };
	struct py_span *string;
	size_t n, from = 0;
	struct str out;

	if (s == NULL)
		return code;
	py_strings(s, m->unit->arena, &string, &n);
	py_free(s);
	for (size_t i = 0; i < n; i++) {
		struct str literal = str_sub(code, string[i].at, string[i].end);

		if (!secret_find(literal, 0, &r))
			continue;
		buf_add(&b, str_sub(code, from, string[i].at));
		literal_call(&b, literal);
		from = string[i].end;
	}
	buf_add(&b, str_skip(code, from));
	out = buf_take(&b, m->unit->arena);
	buf_release(&b);
	return out;
}
