#include "emit/source_name.h"

#include "base/utf8.h"

/* A place in the text that moves on as long as it matches. */
struct cursor {
	struct str text;
	size_t at;
};

static void skip_space(struct cursor *c)
{
	while (c->at < c->text.n && (c->text.p[c->at] == ' ' || (c->text.p[c->at] >= '\t' && c->text.p[c->at] <= '\r')))
		c->at++;
}

/* Takes `word` after blanks. */
static bool take(struct cursor *c, struct str word)
{
	skip_space(c);
	if (!str_starts(str_skip(c->text, c->at), word))
		return false;
	c->at += word.n;
	return true;
}

static bool take_word(struct cursor *c, struct str word)
{
	return take(c, word) && (c->at == c->text.n || !ascii_is_word(c->text.p[c->at]));
}

/* Takes `)` after what is up to it, then `:` directly behind. */
static bool take_head_end(struct cursor *c)
{
	ptrdiff_t end = str_find_char(c->text, ')', c->at);

	if (end < 0 || !str_starts(str_skip(c->text, (size_t)end), STR("):")))
		return false;
	c->at = (size_t)end + 2;
	return true;
}

/* `return` and at least one blank. */
static bool take_return(struct cursor *c)
{
	size_t end;

	if (!take_word(c, STR("return")))
		return false;
	end = c->at;
	skip_space(c);
	return c->at > end;
}

static bool take_quoted(struct cursor *c, struct str *inner)
{
	ptrdiff_t end;
	char quote;

	skip_space(c);
	if (c->at >= c->text.n || (c->text.p[c->at] != '"' && c->text.p[c->at] != '\''))
		return false;
	quote = c->text.p[c->at++];
	end = str_find_char(c->text, quote, c->at);
	if (end < 0)
		return false;
	*inner = str_sub(c->text, c->at, (size_t)end);
	return inner->n > 0;
}

static size_t line_begin(struct str text, size_t at)
{
	while (at > 0 && text.p[at - 1] != '\n')
		at--;
	return at;
}

static size_t indent_at(struct str text, size_t line)
{
	size_t n = 0;

	while (line + n < text.n && (text.p[line + n] == ' ' || text.p[line + n] == '\t'))
		n++;
	return n;
}

/* End of the block whose head is indented by `indent`: the next line that is not blank and not deeper. */
static size_t block_end(struct str text, size_t from, size_t indent)
{
	ptrdiff_t newline = str_find_char(text, '\n', from);

	while (newline >= 0) {
		size_t line = (size_t)newline + 1, blank = indent_at(text, line);
		char c = line + blank < text.n ? text.p[line + blank] : '\n';

		if (c != '\n' && c != '\r' && c != '#' && blank <= indent)
			return line;
		newline = str_find_char(text, '\n', line);
	}
	return text.n;
}

/* Puts `c` behind the colon of the first `class NAME(…):`, or `class NAME:` if `bare` will do; `*indent` is the head's. */
static bool class_find(struct cursor *c, struct str name, bool bare, size_t *indent)
{
	ptrdiff_t at = str_find(c->text, STR("class"), 0);

	for (; at >= 0; at = str_find(c->text, STR("class"), (size_t)at + 1)) {
		size_t line = line_begin(c->text, (size_t)at);

		*indent = indent_at(c->text, line);
		c->at = (size_t)at;
		if (line + *indent != (size_t)at || !take_word(c, STR("class")) || !take_word(c, name))
			continue;
		if (take(c, STR("(")) ? take_head_end(c) : bare && take(c, STR(":")))
			return true;
	}
	return false;
}

/* Its body, or nothing. */
static struct str class_body(struct str text, struct str name)
{
	struct cursor c = { text, 0 };
	size_t indent;

	if (!class_find(&c, name, false, &indent))
		return STR("");
	return str_sub(text, c.at, block_end(text, c.at, indent));
}

static bool take_name_method(struct cursor *c)
{
	return take_word(c, STR("@classmethod")) && take_word(c, STR("def")) && take_word(c, STR("name")) &&
	       take(c, STR("(")) && take_head_end(c);
}

struct str source_name_find(struct str text, struct str class_name)
{
	struct str body = class_body(text, class_name), name;
	ptrdiff_t at = str_find(body, STR("@classmethod"), 0);

	for (; at >= 0; at = str_find(body, STR("@classmethod"), (size_t)at + 1)) {
		struct cursor c = { body, (size_t)at };

		if (take_name_method(&c) && take_return(&c) && take_quoted(&c, &name))
			return name;
	}
	return class_name;
}

/* The first text behind a `return`. */
static bool returned_find(struct str text, size_t from, struct str *name)
{
	ptrdiff_t at = str_find(text, STR("return"), from);

	for (; at >= 0; at = str_find(text, STR("return"), (size_t)at + 1)) {
		struct cursor c = { text, (size_t)at };

		if (take_return(&c) && take_quoted(&c, name))
			return true;
	}
	return false;
}

struct str sink_format_find(struct str text, struct str class_name)
{
	struct cursor head = { text, 0 };
	struct str name;
	size_t indent;
	ptrdiff_t at;

	if (!class_find(&head, class_name, true, &indent))
		return class_name;
	at = str_find(text, STR("@classmethod"), head.at);
	for (; at >= 0; at = str_find(text, STR("@classmethod"), (size_t)at + 1)) {
		struct cursor c = { text, (size_t)at };

		if (take_name_method(&c))
			return returned_find(text, c.at, &name) ? name : class_name;
	}
	return class_name;
}
