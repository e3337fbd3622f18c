/* Methods of texts, lists, tuples and maps: spec/resolve.md, section 7.1, and those beside them that are as plain. */
#include "resolve/expr_ops.h"

#include "base/utf8.h"

#define METHOD(name) static struct val *name(struct render *r, struct val *self, struct val **arg, const struct args *args)

static bool text_arg(struct render *r, const struct val *v, struct str *out)
{
	if (v->kind != VAL_STR)
		return render_fail(r, v->kind == VAL_UNDEFINED ? EXPR_UNDEFINED : EXPR_VALUE, "expected a text, found %s", val_type(v));
	*out = v->text;
	return true;
}

/* An integer that may be left out or none. */
static bool count_arg(struct render *r, const struct val *v, int64_t otherwise, int64_t *out)
{
	*out = otherwise;
	return v == NULL || v->kind == VAL_NONE || val_integer(r, v, out);
}

/* --- texts --- */

static struct val *fold(struct render *r, const struct val *self, enum text_fold how)
{
	struct val *v = val_text(r, text_fold(r, self->text, how));

	if (v != NULL)
		v->flag = self->flag;
	return v;
}

METHOD(upper_method)
{
	(void)arg, (void)args;
	return fold(r, self, TEXT_UPPER);
}

METHOD(lower_method)
{
	(void)arg, (void)args;
	return fold(r, self, TEXT_LOWER);
}

METHOD(str_capitalize)
{
	(void)arg, (void)args;
	return fold(r, self, TEXT_CAPITALIZE);
}

/* Unlike the filter: a capital after anything that is no letter. */
METHOD(str_title)
{
	struct buf b = { 0 };
	bool inside = false;

	(void)arg, (void)args;
	for (size_t i = 0; i < self->text.n;) {
		uint32_t c = utf8_next(self->text, &i);

		buf_add_utf8(&b, inside ? ucs_lower(c) : ucs_upper(c));
		inside = ucs_is_alpha(c);
	}
	return val_take(r, &b);
}

METHOD(str_swapcase)
{
	struct buf b = { 0 };

	(void)arg, (void)args;
	for (size_t i = 0; i < self->text.n;) {
		uint32_t c = utf8_next(self->text, &i);

		buf_add_utf8(&b, ucs_lower(c) != c ? ucs_lower(c) : ucs_upper(c));
	}
	return val_take(r, &b);
}

static struct val *strip(struct render *r, struct val *self, struct val **arg, bool left, bool right)
{
	struct str chars = STR_NONE;

	if (arg[0] != NULL && arg[0]->kind != VAL_NONE && !text_arg(r, arg[0], &chars))
		return NULL;
	if (arg[0] != NULL && arg[0]->kind == VAL_STR && chars.p == NULL)
		chars = STR("");
	return val_text(r, utf8_strip(self->text, chars, left, right));
}

METHOD(str_strip)
{
	(void)args;
	return strip(r, self, arg, true, true);
}

METHOD(str_lstrip)
{
	(void)args;
	return strip(r, self, arg, true, false);
}

METHOD(str_rstrip)
{
	(void)args;
	return strip(r, self, arg, false, true);
}

METHOD(str_replace_method)
{
	struct str from, to;
	int64_t count;

	(void)args;
	if (!text_arg(r, arg[0], &from) || !text_arg(r, arg[1], &to) || !count_arg(r, arg[2], -1, &count))
		return NULL;
	return text_replace(r, self->text, from, to, count);
}

static bool piece_add(struct render *r, struct val *list, struct str s)
{
	struct val *v = val_text(r, s);

	return v != NULL && list_add(r, list, v);
}

/* Runs of white space divide; `most` cuts from the left. */
static struct val *split_blanks(struct render *r, struct str s, int64_t most)
{
	struct val *list = val_new(r, VAL_LIST);

	for (s = utf8_strip(s, STR_NONE, true, false); s.n > 0; s = utf8_strip(s, STR_NONE, true, false)) {
		size_t i = 0, end = 0;

		if (most-- == 0)
			return piece_add(r, list, utf8_strip(s, STR_NONE, false, true)) ? list : NULL;
		while (i < s.n) {
			if (ucs_is_space(utf8_next(s, &i)))
				break;
			end = i;
		}
		if (!piece_add(r, list, str_sub(s, 0, end)))
			return NULL;
		s = str_skip(s, end);
	}
	return list;
}

static struct val *split_at(struct render *r, struct str s, struct str sep, int64_t most)
{
	struct val *list = val_new(r, VAL_LIST);
	size_t from = 0;

	for (; most != 0; most--) {
		ptrdiff_t hit = str_find(s, sep, from);

		if (hit < 0)
			break;
		if (!piece_add(r, list, str_sub(s, from, (size_t)hit)))
			return NULL;
		from = (size_t)hit + sep.n;
	}
	return piece_add(r, list, str_skip(s, from)) ? list : NULL;
}

static bool separator_arg(struct render *r, struct val *v, struct str *sep)
{
	if (!text_arg(r, v, sep))
		return false;
	return sep->n > 0 || render_fail(r, EXPR_VALUE, "the separator is empty");
}

METHOD(str_split)
{
	struct str sep;
	int64_t most;

	(void)args;
	if (!count_arg(r, arg[1], -1, &most))
		return NULL;
	if (arg[0] == NULL || arg[0]->kind == VAL_NONE)
		return split_blanks(r, self->text, most);
	return separator_arg(r, arg[0], &sep) ? split_at(r, self->text, sep, most) : NULL;
}

static ptrdiff_t find_last(struct str s, struct str needle)
{
	for (size_t i = s.n >= needle.n ? s.n - needle.n + 1 : 0; i-- > 0;)
		if (str_starts(str_skip(s, i), needle))
			return (ptrdiff_t)i;
	return -1;
}

/* As many pieces as split() would give are joined again from the left. */
METHOD(str_rsplit)
{
	struct str sep, s = self->text;
	int64_t most;
	struct val *back = val_new(r, VAL_LIST), *list = val_new(r, VAL_LIST);

	if (!count_arg(r, arg[1], -1, &most))
		return NULL;
	if (most < 0)
		return str_split(r, self, arg, args);
	if (arg[0] == NULL || arg[0]->kind == VAL_NONE) {
		render_fail(r, EXPR_SYNTAX, "rsplit() with a limit needs a separator here");
		return NULL;
	}
	if (!separator_arg(r, arg[0], &sep))
		return NULL;
	for (; most > 0; most--) {
		ptrdiff_t hit = find_last(s, sep);

		if (hit < 0)
			break;
		if (!render_size(r, s.n) || !piece_add(r, back, str_skip(s, (size_t)hit + sep.n)))
			return NULL;
		s = str_sub(s, 0, (size_t)hit);
	}
	if (!piece_add(r, back, s))
		return NULL;
	for (size_t i = back->list.n; i-- > 0;)
		if (!list_add(r, list, back->list.p[i]))
			return NULL;
	return list;
}

static struct val *parted(struct render *r, struct str a, struct str b, struct str c)
{
	struct val *v = val_new(r, VAL_TUPLE);

	return piece_add(r, v, a) && piece_add(r, v, b) && piece_add(r, v, c) ? v : NULL;
}

METHOD(str_partition)
{
	struct str sep, s = self->text;
	ptrdiff_t hit;

	(void)args;
	if (!separator_arg(r, arg[0], &sep))
		return NULL;
	hit = str_find(s, sep, 0);
	return hit < 0 ? parted(r, s, STR_NONE, STR_NONE)
	               : parted(r, str_sub(s, 0, (size_t)hit), sep, str_skip(s, (size_t)hit + sep.n));
}

METHOD(str_rpartition)
{
	struct str sep, s = self->text;
	ptrdiff_t hit;

	(void)args;
	if (!separator_arg(r, arg[0], &sep) || !render_size(r, s.n))
		return NULL;
	hit = find_last(s, sep);
	return hit < 0 ? parted(r, STR_NONE, STR_NONE, s)
	               : parted(r, str_sub(s, 0, (size_t)hit), sep, str_skip(s, (size_t)hit + sep.n));
}

METHOD(str_splitlines)
{
	int keep = arg[0] != NULL ? val_truth(r, arg[0]) : 0;

	(void)args;
	return keep < 0 ? NULL : text_lines(r, self->text, keep);
}

/* One text, or any of a tuple of them. */
static struct val *affix(struct render *r, struct val *self, struct val *v, bool (*has)(struct str, struct str))
{
	struct str s;

	if (v->kind != VAL_TUPLE)
		return text_arg(r, v, &s) ? val_bool(r, has(self->text, s)) : NULL;
	for (size_t i = 0; i < v->list.n; i++) {
		if (!text_arg(r, v->list.p[i], &s))
			return NULL;
		if (has(self->text, s))
			return val_bool(r, true);
	}
	return val_bool(r, false);
}

METHOD(str_startswith)
{
	(void)args;
	return affix(r, self, arg[0], str_starts);
}

METHOD(str_endswith)
{
	(void)args;
	return affix(r, self, arg[0], str_ends);
}

METHOD(str_removeprefix)
{
	struct str s;

	(void)args;
	if (!text_arg(r, arg[0], &s))
		return NULL;
	return val_text(r, str_starts(self->text, s) ? str_skip(self->text, s.n) : self->text);
}

METHOD(str_removesuffix)
{
	struct str s;

	(void)args;
	if (!text_arg(r, arg[0], &s))
		return NULL;
	return val_text(r, str_ends(self->text, s) ? str_sub(self->text, 0, self->text.n - s.n) : self->text);
}

METHOD(str_join)
{
	struct buf b = { 0 };
	struct val *items = val_items(r, arg[0]);

	(void)args;
	for (size_t i = 0; items != NULL && i < items->list.n; i++) {
		struct str s;

		if (i > 0)
			buf_add(&b, self->text);
		if (!text_arg(r, items->list.p[i], &s) || !render_size(r, b.n + s.n)) {
			buf_release(&b);
			return NULL;
		}
		buf_add(&b, s);
	}
	return items != NULL ? val_take(r, &b) : NULL;
}

METHOD(str_format)
{
	(void)arg;
	return text_format(r, self, args);
}

/* Offset in bytes as a count of characters. */
static struct val *position(struct render *r, struct str s, ptrdiff_t hit)
{
	return val_int(r, hit < 0 ? -1 : (int64_t)utf8_len(str_sub(s, 0, (size_t)hit)));
}

METHOD(str_find_method)
{
	struct str s;

	(void)args;
	return text_arg(r, arg[0], &s) ? position(r, self->text, str_find(self->text, s, 0)) : NULL;
}

METHOD(str_rfind)
{
	struct str s;

	(void)args;
	return text_arg(r, arg[0], &s) && render_size(r, self->text.n) ? position(r, self->text, find_last(self->text, s)) : NULL;
}

METHOD(str_index)
{
	struct val *v = str_find_method(r, self, arg, args);

	if (v == NULL || v->i >= 0)
		return v;
	render_fail(r, EXPR_VALUE, "the text does not hold what index() looks for");
	return NULL;
}

METHOD(str_count)
{
	struct str s;
	struct val *pieces;

	(void)args;
	if (!text_arg(r, arg[0], &s))
		return NULL;
	if (s.n == 0)
		return val_int(r, (int64_t)utf8_len(self->text) + 1);
	pieces = split_at(r, self->text, s, -1);
	return pieces != NULL ? val_int(r, (int64_t)pieces->list.n - 1) : NULL;
}

METHOD(str_zfill)
{
	int64_t width, n = (int64_t)utf8_len(self->text);
	struct str s = self->text;
	struct buf b = { 0 };

	(void)args;
	if (!val_integer(r, arg[0], &width) || !render_size(r, width > n ? (size_t)width : s.n))
		return NULL;
	if (s.n > 0 && (s.p[0] == '-' || s.p[0] == '+')) {
		buf_addc(&b, s.p[0]);
		s = str_skip(s, 1);
	}
	buf_add_repeat(&b, '0', width > n ? (size_t)(width - n) : 0);
	buf_add(&b, s);
	return val_take(r, &b);
}

/* ljust, rjust, center: Python gives the odd blank of center to the left when the width is odd. */
static struct val *justify(struct render *r, struct val *self, struct val **arg, int left_share)
{
	int64_t width, n = (int64_t)utf8_len(self->text), space, before;
	struct str fill = STR(" ");
	struct buf b = { 0 };

	if (!val_integer(r, arg[0], &width) || (arg[1] != NULL && !text_arg(r, arg[1], &fill)))
		return NULL;
	if (utf8_len(fill) != 1) {
		render_fail(r, EXPR_VALUE, "the fill is one character, found \"%.*s\"", STR_ARG(str_sub(fill, 0, 40)));
		return NULL;
	}
	space = width > n ? width - n : 0;
	if (!render_size(r, (size_t)space) || !render_size(r, self->text.n + (size_t)space * fill.n))
		return NULL;
	before = left_share == 0 ? 0 : left_share == 2 ? space : space / 2 + (space & width & 1);
	for (int64_t i = 0; i < before; i++)
		buf_add(&b, fill);
	buf_add(&b, self->text);
	for (int64_t i = before; i < space; i++)
		buf_add(&b, fill);
	return val_take(r, &b);
}

METHOD(str_ljust)
{
	(void)args;
	return justify(r, self, arg, 0);
}

METHOD(str_center)
{
	(void)args;
	return justify(r, self, arg, 1);
}

METHOD(str_rjust)
{
	(void)args;
	return justify(r, self, arg, 2);
}

/* Is the text not empty and every character of it such? */
static struct val *all_are(struct render *r, struct str s, bool (*is)(uint32_t c))
{
	bool all = s.n > 0;

	for (size_t i = 0; all && i < s.n;)
		all = is(utf8_next(s, &i));
	return val_bool(r, all);
}

static bool is_digit(uint32_t c)
{
	return c >= '0' && c <= '9';
}

static bool is_alnum(uint32_t c)
{
	return c != '_' && ucs_is_word(c);
}

METHOD(str_isdigit)
{
	(void)arg, (void)args;
	return all_are(r, self->text, is_digit);
}

METHOD(str_isalpha)
{
	(void)arg, (void)args;
	return all_are(r, self->text, ucs_is_alpha);
}

METHOD(str_isalnum)
{
	(void)arg, (void)args;
	return all_are(r, self->text, is_alnum);
}

METHOD(str_isspace)
{
	(void)arg, (void)args;
	return all_are(r, self->text, ucs_is_space);
}

METHOD(str_isupper)
{
	return test_find(STR("upper"))->call(r, self, arg, args);
}

METHOD(str_islower)
{
	return test_find(STR("lower"))->call(r, self, arg, args);
}

static const struct func text_methods[] = {
	{ "upper", upper_method },
	{ "lower", lower_method },
	{ "casefold", lower_method },
	{ "capitalize", str_capitalize },
	{ "title", str_title },
	{ "swapcase", str_swapcase },
	{ "strip", str_strip, 0, false, { "chars" } },
	{ "lstrip", str_lstrip, 0, false, { "chars" } },
	{ "rstrip", str_rstrip, 0, false, { "chars" } },
	{ "replace", str_replace_method, 2, false, { "old", "new", "count" } },
	{ "split", str_split, 0, false, { "sep", "maxsplit" } },
	{ "rsplit", str_rsplit, 0, false, { "sep", "maxsplit" } },
	{ "partition", str_partition, 1, false, { "sep" } },
	{ "rpartition", str_rpartition, 1, false, { "sep" } },
	{ "splitlines", str_splitlines, 0, false, { "keepends" } },
	{ "startswith", str_startswith, 1, false, { "prefix" } },
	{ "endswith", str_endswith, 1, false, { "suffix" } },
	{ "removeprefix", str_removeprefix, 1, false, { "prefix" } },
	{ "removesuffix", str_removesuffix, 1, false, { "suffix" } },
	{ "join", str_join, 1, false, { "iterable" } },
	{ "format", str_format, 0, true },
	{ "find", str_find_method, 1, false, { "sub" } },
	{ "rfind", str_rfind, 1, false, { "sub" } },
	{ "index", str_index, 1, false, { "sub" } },
	{ "count", str_count, 1, false, { "sub" } },
	{ "zfill", str_zfill, 1, false, { "width" } },
	{ "ljust", str_ljust, 1, false, { "width", "fillchar" } },
	{ "center", str_center, 1, false, { "width", "fillchar" } },
	{ "rjust", str_rjust, 1, false, { "width", "fillchar" } },
	{ "isdigit", str_isdigit },
	{ "isdecimal", str_isdigit },
	{ "isnumeric", str_isdigit },
	{ "isalpha", str_isalpha },
	{ "isalnum", str_isalnum },
	{ "isspace", str_isspace },
	{ "isupper", str_isupper },
	{ "islower", str_islower },
	{ "encode", NULL },
	{ "expandtabs", NULL },
	{ "format_map", NULL },
	{ "isascii", NULL },
	{ "isidentifier", NULL },
	{ "isprintable", NULL },
	{ "istitle", NULL },
	{ "maketrans", NULL },
	{ "rindex", NULL },
	{ "translate", NULL },
	{ NULL },
};

static const struct func number_methods[] = {
	{ "real", NULL },       { "imag", NULL },       { "numerator", NULL },      { "denominator", NULL },
	{ "bit_length", NULL }, { "conjugate", NULL },  { "is_integer", NULL },     { "as_integer_ratio", NULL },
	{ "to_bytes", NULL },   { "from_bytes", NULL }, { "hex", NULL },            { "fromhex", NULL },
	{ "bit_count", NULL },  { NULL },
};

const struct func *method_find(const struct val *v, struct str name)
{
	const struct func *f = v->kind == VAL_STR ? text_methods
	                     : val_is_number(v)   ? number_methods
	                                          : collection_methods(v->kind);

	for (; f != NULL && f->name != NULL; f++)
		if (str_is(name, f->name))
			return f;
	return NULL;
}
