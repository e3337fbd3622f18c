#include "resolve/expr_field.h"

#include "base/utf8.h"

#include <math.h>

/* --- fmt % args --- */

struct percent {
	struct render *r;
	struct str s;
	size_t i;
	struct val *args;
	size_t used;
	struct buf out;
};

static bool format_ends(struct percent *p)
{
	return render_fail(p->r, EXPR_VALUE, "the format ends inside of a \"%%\"");
}

static struct val *percent_next(struct percent *p)
{
	bool several = p->args->kind == VAL_TUPLE;

	if (p->used < (several ? p->args->list.n : 1)) {
		p->used++;
		return several ? p->args->list.p[p->used - 1] : p->args;
	}
	render_fail(p->r, EXPR_VALUE, "the format wants more values than it was given");
	return NULL;
}

/* %(name)s */
static struct val *percent_named(struct percent *p)
{
	size_t from = ++p->i, depth = 1;
	struct val key = { .kind = VAL_STR }, *v;

	for (; p->i < p->s.n && depth > 0; p->i++)
		depth += p->s.p[p->i] == '(' ? 1 : p->s.p[p->i] == ')' ? (size_t)-1 : 0;
	if (depth > 0) {
		format_ends(p);
		return NULL;
	}
	key.text = str_sub(p->s, from, p->i - 1);
	if (p->args->kind != VAL_MAP) {
		render_fail(p->r, EXPR_VALUE, "\"%%(%.*s)\" takes its value from a map, found %s", STR_ARG(key.text), val_type(p->args));
		return NULL;
	}
	v = dict_find(p->r, p->args, &key);
	if (v == NULL)
		render_fail(p->r, EXPR_VALUE, "the map has no \"%.*s\"", STR_ARG(key.text));
	return v;
}

static bool percent_star(struct percent *p, int64_t *n)
{
	struct val *v = percent_next(p);

	p->i++;
	if (v == NULL || !val_integer(p->r, v, n))
		return false;
	return (*n >= -EXPR_MAX_OUTPUT && *n <= EXPR_MAX_OUTPUT) || render_fail(p->r, EXPR_LIMIT, "a width of %lld", (long long)*n);
}

static bool percent_width(struct percent *p, struct field *f)
{
	int64_t n = 0;

	if (p->i < p->s.n && p->s.p[p->i] == '*') {
		if (!percent_star(p, &n))
			return false;
		f->align = n < 0 ? '<' : f->align;
		f->width = (size_t)(n < 0 ? -n : n);
	} else {
		f->width = field_number(p->s, &p->i);
	}
	if (p->i == p->s.n || p->s.p[p->i] != '.')
		return true;
	p->i++;
	if (p->i < p->s.n && p->s.p[p->i] == '*') {
		if (!percent_star(p, &n))
			return false;
		f->precision = n < 0 ? 0 : (int)n;
	} else {
		f->precision = (int)field_number(p->s, &p->i);
	}
	return true;
}

static void percent_flags(struct percent *p, struct field *f)
{
	for (; p->i < p->s.n && strchr("-+ #0", p->s.p[p->i]) != NULL && p->s.p[p->i] != '\0'; p->i++) {
		char c = p->s.p[p->i];

		if (c == '-')
			f->align = '<';
		else if (c == '+' || (c == ' ' && f->sign == '\0'))
			f->sign = c;
		else if (c == '#')
			f->alternate = true;
		else if (c == '0')
			f->zero = true;
	}
}

static bool percent_fail(struct percent *p, const struct field *f, const struct val *v)
{
	return render_fail(p->r, v->kind == VAL_UNDEFINED ? EXPR_UNDEFINED : EXPR_VALUE, "\"%%%c\" wants a number, found %s", f->type,
	                   val_type(v));
}

static bool percent_number(struct percent *p, struct field *f, const struct val *v)
{
	int64_t i;

	if (!val_is_number(v))
		return percent_fail(p, f, v);
	if (f->zero && f->align == '\0') {
		f->align = '=';
		f->fill = '0';
	}
	if (strchr("eEfFgG", f->type) != NULL)
		return field_float(p->r, &p->out, f, val_number(v));
	if (v->kind == VAL_FLOAT) {
		if (f->type != 'd')
			return percent_fail(p, f, v);
		if (!(fabs(v->d) < 9.2e18))
			return render_fail(p->r, EXPR_VALUE, "\"%%d\" of a float that has more than 64 bits");
		i = (int64_t)v->d;
	} else if (!val_integer(p->r, v, &i)) {
		return false;
	}
	return field_int(p->r, &p->out, f, i);
}

static bool percent_text(struct percent *p, const struct field *f, const struct val *v)
{
	struct buf b = { 0 };
	bool good = f->type == 's' ? buf_add_val(p->r, &b, v) : buf_add_val_repr(p->r, &b, v);

	good = good && field_pad(p->r, &p->out, f, STR_NONE, f->precision >= 0 ? text_sub(buf_str(&b), 0, f->precision) : buf_str(&b),
	                         f->align != '\0' ? f->align : '>');
	buf_release(&b);
	return good;
}

static bool percent_char(struct percent *p, const struct field *f, const struct val *v)
{
	struct buf b = { 0 };
	bool good;

	if (v->kind == VAL_STR && v->text.n > 0 && text_sub(v->text, 0, 1).n == v->text.n)
		return field_pad(p->r, &p->out, f, STR_NONE, v->text, f->align != '\0' ? f->align : '>');
	if (v->kind != VAL_INT || v->i < 0 || v->i > 0x10FFFF || (v->i >= 0xD800 && v->i < 0xE000))
		return render_fail(p->r, EXPR_VALUE, "\"%%c\" wants one character or its number");
	buf_add_utf8(&b, (uint32_t)v->i);
	good = field_pad(p->r, &p->out, f, STR_NONE, buf_str(&b), f->align != '\0' ? f->align : '>');
	buf_release(&b);
	return good;
}

/* One conversion, from behind its '%'. */
static bool percent_one(struct percent *p)
{
	struct field f = { .precision = -1 };
	struct val *v = NULL;

	if (p->i < p->s.n && p->s.p[p->i] == '(') {
		v = percent_named(p);
		if (v == NULL)
			return false;
	}
	percent_flags(p, &f);
	if (!percent_width(p, &f))
		return false;
	while (p->i < p->s.n && strchr("hlL", p->s.p[p->i]) != NULL && p->s.p[p->i] != '\0')
		p->i++;
	if (p->i == p->s.n)
		return format_ends(p);
	f.type = p->s.p[p->i++];
	if (f.type == '%') {
		buf_addc(&p->out, '%');
		return true;
	}
	if (f.type == '\0' || strchr("srdiuoxXeEfFgGc", f.type) == NULL)
		return render_fail(p->r, EXPR_VALUE, "\"%%%c\" is no format", f.type);
	v = v != NULL ? v : percent_next(p);
	if (v == NULL)
		return false;
	f.type = f.type == 'i' || f.type == 'u' ? 'd' : f.type;
	if (f.type == 's' || f.type == 'r')
		return percent_text(p, &f, v);
	return f.type == 'c' ? percent_char(p, &f, v) : percent_number(p, &f, v);
}

static bool percent_run(struct percent *p)
{
	enum val_kind k = p->args->kind;

	while (p->i < p->s.n) {
		ptrdiff_t hit = str_find_char(p->s, '%', p->i);
		size_t to = hit < 0 ? p->s.n : (size_t)hit;

		buf_add(&p->out, str_sub(p->s, p->i, to));
		p->i = to + 1;
		if (hit >= 0 && !percent_one(p))
			return false;
	}
	/* A map may be read by name, so it may be more than the format uses; Python counts lists in. */
	if (p->used == 0 && (k == VAL_MAP || k == VAL_LIST || k == VAL_RANGE || k == VAL_UNDEFINED))
		return true;
	return p->used >= (k == VAL_TUPLE ? p->args->list.n : 1) ||
	       render_fail(p->r, EXPR_VALUE, "the format uses fewer values than it was given");
}

struct val *text_percent(struct render *r, struct val *fmt, struct val *args)
{
	struct percent p = { .r = r, .s = fmt->text, .args = args };
	struct val *v;

	if (!percent_run(&p)) {
		buf_release(&p.out);
		return NULL;
	}
	v = val_take(r, &p.out);
	if (v != NULL)
		v->flag = fmt->flag;
	return v;
}

/* --- fmt.format(args) --- */

struct braces {
	struct render *r;
	struct str s;
	size_t i;
	const struct args *args;
	size_t next; /* of the values without a number */
	bool counted, numbered;
	struct buf out;
};

static bool braces_unclosed(struct braces *p)
{
	return render_fail(p->r, EXPR_VALUE, "the format has a \"{\" without its \"}\"");
}

static bool all_digits(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
	return s.n > 0;
}

static struct val *braces_value(struct braces *p, struct str name)
{
	struct val key = { .kind = VAL_STR, .text = name }, *v = NULL;
	size_t at = p->next, i = 0;

	if (name.n == 0) {
		p->counted = true;
		p->next++;
	} else if (all_digits(name)) {
		p->numbered = true;
		at = field_number(name, &i);
	} else {
		v = p->args->named != NULL ? dict_find(p->r, p->args->named, &key) : NULL;
		if (v == NULL)
			render_fail(p->r, EXPR_VALUE, "the format wants a value \"%.*s\"", STR_ARG(name));
		return v;
	}
	if (p->counted && p->numbered) {
		render_fail(p->r, EXPR_VALUE, "the format mixes \"{}\" with \"{0}\"");
		return NULL;
	}
	if (at < p->args->n)
		return p->args->pos[at];
	render_fail(p->r, EXPR_VALUE, "the format wants more values than it was given");
	return NULL;
}

/* name, 0 or nothing, then any number of [key] */
static struct val *braces_field(struct braces *p, struct str field)
{
	size_t i = 0;
	struct val *v;

	while (i < field.n && field.p[i] != '[' && field.p[i] != '.')
		i++;
	v = braces_value(p, str_sub(field, 0, i));
	while (v != NULL && i < field.n) {
		ptrdiff_t close = field.p[i] == '[' ? str_find_char(field, ']', i) : -1;
		struct str name;
		struct val key = { .kind = VAL_STR };
		size_t k = 0;

		if (close < 0) {
			render_fail(p->r, EXPR_VALUE, "attributes in a format are not supported: \"{%.*s}\"", STR_ARG(field));
			return NULL;
		}
		name = str_sub(field, i + 1, (size_t)close);
		key.text = name;
		if (all_digits(name)) {
			key = (struct val){ .kind = VAL_INT };
			key.i = (int64_t)field_number(name, &k);
		}
		v = val_item(p->r, v, &key);
		if (v != NULL && v->kind == VAL_UNDEFINED) {
			render_fail(p->r, EXPR_VALUE, "the format finds no %.*s", STR_ARG(v->text));
			return NULL;
		}
		i = (size_t)close + 1;
	}
	return v;
}

static bool braces_run(struct braces *p, bool nested);

/* A format may itself hold fields: {:{width}} */
static bool braces_spec(struct braces *p, struct str spec, struct str *out)
{
	struct braces inner = *p;
	struct val *v;

	if (str_find_char(spec, '{', 0) < 0) {
		*out = spec;
		return true;
	}
	inner.s = spec;
	inner.i = 0;
	inner.out = (struct buf){ 0 };
	if (!braces_run(&inner, true)) {
		buf_release(&inner.out);
		return false;
	}
	p->next = inner.next;
	v = val_take(p->r, &inner.out);
	*out = v != NULL ? v->text : STR_NONE;
	return v != NULL;
}

/* What stands between the braces: field!conversion:spec */
static bool braces_one(struct braces *p, struct str body)
{
	size_t end = 0;
	char conversion = '\0';
	struct str spec = STR_NONE, text;
	struct val *v;

	for (bool item = false; end < body.n && (item || (body.p[end] != ':' && body.p[end] != '!')); end++)
		item = body.p[end] == '[' || (item && body.p[end] != ']');
	v = braces_field(p, str_sub(body, 0, end));
	if (v == NULL)
		return false;
	if (end < body.n && body.p[end] == '!') {
		conversion = end + 1 < body.n ? body.p[end + 1] : '\0';
		end += 2;
		if ((conversion != 'r' && conversion != 's') || (end < body.n && body.p[end] != ':'))
			return render_fail(p->r, EXPR_VALUE, "\"{%.*s}\" is no field of a format", STR_ARG(body));
	}
	if (end < body.n && !braces_spec(p, str_skip(body, end + 1), &spec))
		return false;
	if (conversion == '\0')
		return buf_add_field(p->r, &p->out, v, spec);
	if (conversion == 'r') {
		struct buf b = { 0 };

		if (!buf_add_val_repr(p->r, &b, v)) {
			buf_release(&b);
			return false;
		}
		v = val_take(p->r, &b);
	} else {
		v = val_str(p->r, v, &text) ? val_text(p->r, text) : NULL;
	}
	return v != NULL && buf_add_field(p->r, &p->out, v, spec);
}

static bool braces_run(struct braces *p, bool nested)
{
	while (p->i < p->s.n) {
		char c = p->s.p[p->i];
		size_t from = p->i + 1, depth = 1;

		if ((c == '{' || c == '}') && from < p->s.n && p->s.p[from] == c && !nested)
			p->i++;
		else if (c == '}')
			return render_fail(p->r, EXPR_VALUE, "the format has a \"}\" without its \"{\"");
		if (c != '{' || p->i == from) {
			buf_addc(&p->out, c);
			p->i++;
			continue;
		}
		for (p->i = from; p->i < p->s.n && depth > 0; p->i++)
			depth += p->s.p[p->i] == '{' ? 1 : p->s.p[p->i] == '}' ? (size_t)-1 : 0;
		if (depth > 0)
			return braces_unclosed(p);
		if (nested && str_find_char(str_sub(p->s, from, p->i - 1), '{', 0) >= 0)
			return render_fail(p->r, EXPR_VALUE, "the fields of the format nest too deep");
		if (!render_size(p->r, p->out.n) || !braces_one(p, str_sub(p->s, from, p->i - 1)))
			return false;
	}
	return true;
}

struct val *text_format(struct render *r, struct val *fmt, const struct args *args)
{
	struct braces p = { .r = r, .s = fmt->text, .args = args };

	if (!braces_run(&p, false)) {
		buf_release(&p.out);
		return NULL;
	}
	return val_take(r, &p.out);
}
