/* expr_filter.c - the filters of the template language, and those that work on one text or number. */
#include "resolve/expr_filter.h"

#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* --- texts --- */

static struct val *fold(struct render *r, struct val *v, enum text_fold how)
{
	struct str s;

	return val_str(r, v, &s) ? val_text(r, text_fold(r, s, how)) : NULL;
}

FILTER(upper)
{
	(void)arg, (void)args;
	return fold(r, v, TEXT_UPPER);
}

FILTER(lower)
{
	(void)arg, (void)args;
	return fold(r, v, TEXT_LOWER);
}

FILTER(title)
{
	(void)arg, (void)args;
	return fold(r, v, TEXT_TITLE);
}

FILTER(capitalize)
{
	(void)arg, (void)args;
	return fold(r, v, TEXT_CAPITALIZE);
}

FILTER(trim)
{
	struct str s, chars = STR_NONE;

	(void)args;
	if (!val_str(r, v, &s) || (arg[0] != NULL && arg[0]->kind != VAL_NONE && !val_str(r, arg[0], &chars)))
		return NULL;
	return val_text(r, utf8_strip(s, chars, true, true));
}

FILTER(replace)
{
	struct str s, from, to;
	int64_t count = -1;

	(void)args;
	if (!val_str(r, v, &s) || !val_str(r, arg[0], &from) || !val_str(r, arg[1], &to))
		return NULL;
	if (arg[2] != NULL && arg[2]->kind != VAL_NONE && !val_integer(r, arg[2], &count))
		return NULL;
	return text_replace(r, s, from, to, count);
}

FILTER(string)
{
	struct str s;

	(void)arg, (void)args;
	return val_str(r, v, &s) ? val_text(r, s) : NULL;
}

FILTER(safe)
{
	struct val *text;
	struct str s;

	(void)arg, (void)args;
	if (!val_str(r, v, &s))
		return NULL;
	text = val_text(r, s);
	if (text != NULL)
		text->flag = true;
	return text;
}

FILTER(escape)
{
	(void)arg, (void)args;
	return val_escape(r, v);
}

FILTER(tojson)
{
	struct buf b = { 0 };
	struct val *text;
	int64_t indent = -1;

	(void)args;
	if (arg[0] != NULL && arg[0]->kind != VAL_NONE && !val_integer(r, arg[0], &indent))
		return NULL;
	if (!buf_add_json(r, &b, v, indent)) {
		buf_release(&b);
		return NULL;
	}
	text = val_take(r, &b);
	if (text != NULL)
		text->flag = true;
	return text;
}

FILTER(format)
{
	struct val *tuple = val_new(r, VAL_TUPLE);
	struct str s;

	(void)arg;
	if (!val_str(r, v, &s))
		return NULL;
	if (args->n != 0 && args->named != NULL && args->named->map.n != 0) {
		render_fail(r, EXPR_VALUE, "format() takes values or names, not both");
		return NULL;
	}
	for (size_t i = 0; i < args->n; i++)
		if (!list_add(r, tuple, args->pos[i]))
			return NULL;
	return text_percent(r, val_text(r, s), args->named != NULL && args->named->map.n != 0 ? args->named : tuple);
}

/* What indent puts before a line: a text, or so many blanks. */
static bool indent_text(struct render *r, const struct val *v, struct str *out)
{
	int64_t width = 4;

	if (v != NULL && v->kind == VAL_STR) {
		*out = v->text;
		return true;
	}
	if (v != NULL && !val_integer(r, v, &width))
		return false;
	width = width > 0 ? width : 0;
	if (!render_size(r, (size_t)width))
		return false;
	*out = str_fmt(r->a, "%*s", (int)width, "");
	return true;
}

/* Before every line but the first (or that too); empty lines are left alone unless `blank`. */
FILTER(indent)
{
	int first = arg[1] != NULL ? val_truth(r, arg[1]) : 0, blank = arg[2] != NULL ? val_truth(r, arg[2]) : 0;
	struct str with;
	struct val *lines;
	struct buf b = { 0 };

	(void)args;
	if (v->kind != VAL_STR) {
		render_fail(r, v->kind == VAL_UNDEFINED ? EXPR_UNDEFINED : EXPR_VALUE, "indent takes a text, found %s", val_type(v));
		return NULL;
	}
	if (first < 0 || blank < 0 || !indent_text(r, arg[0], &with))
		return NULL;
	lines = text_lines(r, str_cat(r->a, v->text, STR("\n")), false);
	if (lines == NULL || !render_size(r, v->text.n + with.n * lines->list.n))
		return NULL;
	for (size_t i = 0; i < lines->list.n; i++) {
		if (i > 0)
			buf_addc(&b, '\n');
		if (i == 0 ? first : blank || lines->list.p[i]->text.n > 0)
			buf_add(&b, with);
		buf_add(&b, lines->list.p[i]->text);
	}
	return val_take(r, &b);
}

FILTER(wordcount)
{
	struct str s;
	int64_t n = 0;
	bool inside = false;

	(void)arg, (void)args;
	if (!val_str(r, v, &s))
		return NULL;
	for (size_t i = 0; i < s.n;) {
		bool word = ucs_is_word(utf8_next(s, &i));

		n += word && !inside;
		inside = word;
	}
	return val_int(r, n);
}

FILTER(center)
{
	struct str s;
	int64_t width = 80, pad;
	struct buf b = { 0 };

	(void)args;
	if (!val_str(r, v, &s) || (arg[0] != NULL && !val_integer(r, arg[0], &width)))
		return NULL;
	pad = width - (int64_t)utf8_len(s);
	if (pad <= 0)
		return val_text(r, s);
	if (!render_size(r, s.n + (size_t)pad))
		return NULL;
	/* Python's rule for the odd blank. */
	buf_add_repeat(&b, ' ', (size_t)(pad / 2 + (pad & width & 1)));
	buf_add(&b, s);
	buf_add_repeat(&b, ' ', (size_t)(pad - (pad / 2 + (pad & width & 1))));
	return val_take(r, &b);
}

/* --- numbers --- */

static bool number_expect(struct render *r, const char *filter, const struct val *v)
{
	return val_is_number(v) || render_fail(r, v->kind == VAL_UNDEFINED ? EXPR_UNDEFINED : EXPR_VALUE,
	                                       "%s takes a number, found %s", filter, val_type(v));
}

static struct val *double_to_int(struct render *r, double d, struct val *otherwise)
{
	if (isnan(d) || isinf(d))
		return otherwise;
	if (fabs(d) >= 9.2e18) {
		render_fail(r, EXPR_VALUE, "the number is too large");
		return NULL;
	}
	return val_int(r, (int64_t)d);
}

FILTER(int)
{
	struct val *otherwise = arg[0] != NULL ? arg[0] : val_int(r, 0);
	int64_t base = 10, i;
	double d;

	(void)args;
	if (arg[1] != NULL && !val_integer(r, arg[1], &base))
		return NULL;
	if (v->kind == VAL_UNDEFINED) {
		number_expect(r, "int", v);
		return NULL;
	}
	if (val_is_number(v))
		return v->kind == VAL_INT ? v : double_to_int(r, val_number(v), otherwise);
	if (v->kind != VAL_STR)
		return otherwise;
	if (text_parse_int(v->text, (int)base, &i))
		return val_int(r, i);
	return text_parse_float(v->text, &d) ? double_to_int(r, d, otherwise) : otherwise;
}

FILTER(float)
{
	struct val *otherwise = arg[0] != NULL ? arg[0] : val_float(r, 0);
	double d;

	(void)args;
	if (v->kind == VAL_UNDEFINED) {
		number_expect(r, "float", v);
		return NULL;
	}
	if (val_is_number(v))
		return val_float(r, val_number(v));
	return v->kind == VAL_STR && text_parse_float(v->text, &d) ? val_float(r, d) : otherwise;
}

FILTER(abs)
{
	(void)arg, (void)args;
	if (!number_expect(r, "abs", v))
		return NULL;
	if (v->kind == VAL_FLOAT)
		return val_float(r, fabs(v->d));
	return v->kind == VAL_INT && v->i < 0 ? val_negate(r, v) : v->kind == VAL_BOOL ? val_int(r, v->flag) : v;
}

/* Python's round() of a float: correctly rounded decimal digits, halves to even. */
static double round_float(double d, int64_t digits)
{
	char text[700];
	double scale;

	if (!isfinite(d) || digits > 300 || digits < -308)
		return isfinite(d) && digits < 0 ? copysign(0.0, d) : d;
	if (digits >= 0) {
		snprintf(text, sizeof text, "%.*f", (int)digits, d);
		return strtod(text, NULL);
	}
	scale = pow(10, (double)-digits);
	return rint(d / scale) * scale;
}

/* Of a whole number: it stays one, to tens, hundreds …, halves to even. */
static struct val *round_int(struct render *r, int64_t i, int64_t digits)
{
	int64_t scale = 1, rest, low;

	for (; digits < 0 && digits > -19; digits++)
		scale *= 10;
	if (digits < 0)
		return val_int(r, 0);
	rest = (i % scale + scale) % scale;
	if (__builtin_sub_overflow(i, rest, &low)) {
		render_fail(r, EXPR_VALUE, "the result has more than 64 bits");
		return NULL;
	}
	if (rest > scale - rest || (rest == scale - rest && low / scale % 2 != 0))
		return val_binary(r, TOK_ADD, val_int(r, low), val_int(r, scale));
	return val_int(r, low);
}

FILTER(round)
{
	int64_t digits = 0, whole = 0;
	struct str how = STR("common");
	double d, scale;

	(void)args;
	if ((arg[0] != NULL && !val_integer(r, arg[0], &digits)) || (arg[1] != NULL && !val_str(r, arg[1], &how)))
		return NULL;
	if (!number_expect(r, "round", v) || (v->kind != VAL_FLOAT && !val_integer(r, v, &whole)))
		return NULL;
	d = val_number(v);
	if (str_is(how, "common"))
		return v->kind != VAL_FLOAT ? round_int(r, whole, digits) : val_float(r, round_float(d, digits));
	if (!str_is(how, "ceil") && !str_is(how, "floor")) {
		render_fail(r, EXPR_VALUE, "the method of round is common, ceil or floor, found \"%.*s\"", STR_ARG(how));
		return NULL;
	}
	scale = pow(10, (double)digits);
	d = str_is(how, "ceil") ? ceil(d * scale) : floor(d * scale);
	return val_float(r, (d == 0 ? 0.0 : d) / scale); /* Python rounds to an integer, which has no -0 */
}

/* --- anything --- */

FILTER(default)
{
	bool falsy = arg[1] != NULL && val_truth(r, arg[1]) > 0;
	int truth = falsy && v->kind != VAL_UNDEFINED ? val_truth(r, v) : 1;

	(void)args;
	if (truth < 0)
		return NULL;
	if (v->kind != VAL_UNDEFINED && truth)
		return v;
	return arg[0] != NULL ? arg[0] : val_text(r, STR(""));
}

/* Attributes only, never what a map holds. */
FILTER(attr)
{
	struct str name;

	(void)args;
	if (!val_str(r, arg[0], &name))
		return NULL;
	if (v->kind == VAL_MAP && method_find(v, name) == NULL)
		return val_undefined(r, str_fmt(r->a, "attribute \"%.*s\" of a map", STR_ARG(name)));
	return val_attr(r, v, name);
}

/* --- the table --- */

static const struct func filters[] = {
	{ "abs", filter_abs },
	{ "attr", filter_attr, 1, false, { "name" } },
	{ "batch", filter_batch, 1, false, { "linecount", "fill_with" } },
	{ "capitalize", filter_capitalize },
	{ "center", filter_center, 0, false, { "width" } },
	{ "count", filter_length },
	{ "d", filter_default, 0, false, { "default_value", "boolean" } },
	{ "default", filter_default, 0, false, { "default_value", "boolean" } },
	{ "dictsort", filter_dictsort, 0, false, { "case_sensitive", "by", "reverse" } },
	{ "e", filter_escape },
	{ "escape", filter_escape },
	{ "first", filter_first },
	{ "float", filter_float, 0, false, { "default" } },
	{ "format", filter_format, 0, true, { NULL } },
	{ "groupby", filter_groupby, 1, false, { "attribute", "default", "case_sensitive" } },
	{ "indent", filter_indent, 0, false, { "width", "first", "blank" } },
	{ "int", filter_int, 0, false, { "default", "base" } },
	{ "items", filter_items },
	{ "join", filter_join, 0, false, { "d", "attribute" } },
	{ "last", filter_last },
	{ "length", filter_length },
	{ "list", filter_list },
	{ "lower", filter_lower },
	{ "map", filter_map, 0, true, { NULL } },
	{ "max", filter_max, 0, false, { "case_sensitive", "attribute" } },
	{ "min", filter_min, 0, false, { "case_sensitive", "attribute" } },
	{ "reject", filter_reject, 0, true, { NULL } },
	{ "rejectattr", filter_rejectattr, 0, true, { NULL } },
	{ "replace", filter_replace, 2, false, { "old", "new", "count" } },
	{ "reverse", filter_reverse },
	{ "round", filter_round, 0, false, { "precision", "method" } },
	{ "safe", filter_safe },
	{ "select", filter_select, 0, true, { NULL } },
	{ "selectattr", filter_selectattr, 0, true, { NULL } },
	{ "slice", filter_slice, 1, false, { "slices", "fill_with" } },
	{ "sort", filter_sort, 0, false, { "reverse", "case_sensitive", "attribute" } },
	{ "string", filter_string },
	{ "sum", filter_sum, 0, false, { "attribute", "start" } },
	{ "title", filter_title },
	{ "tojson", filter_tojson, 0, false, { "indent" } },
	{ "trim", filter_trim, 0, false, { "chars" } },
	{ "unique", filter_unique, 0, false, { "case_sensitive", "attribute" } },
	{ "upper", filter_upper },
	{ "wordcount", filter_wordcount },
	/* Known to the language, and not to us: said so rather than called unknown. */
	{ "filesizeformat", NULL },
	{ "forceescape", NULL },
	{ "pprint", NULL },
	{ "random", NULL },
	{ "striptags", NULL },
	{ "truncate", NULL },
	{ "urlencode", NULL },
	{ "urlize", NULL },
	{ "wordwrap", NULL },
	{ "xmlattr", NULL },
};

const struct func *filter_find(struct str name)
{
	for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
		if (str_is(name, filters[i].name))
			return &filters[i];
	return NULL;
}
