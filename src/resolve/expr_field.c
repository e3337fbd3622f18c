/* One value as one field of a text: format(v, spec), and what the "%" operator shares with it. */
#include "resolve/expr_field.h"

#include "base/utf8.h"

#include <math.h>
#include <stdio.h>

enum { MAX_PRECISION = 400 };

static bool spec_fail(struct render *r, const struct field *f, const struct val *v)
{
	return render_fail(r, EXPR_VALUE, "format \"%c\" cannot take %s", f->type != '\0' ? f->type : 's', val_type(v));
}

bool field_pad(struct render *r, struct buf *b, const struct field *f, struct str sign, struct str body, char align)
{
	size_t n = utf8_len(sign) + utf8_len(body), space = f->width > n ? f->width - n : 0;
	size_t before = align == '>' ? space : align == '^' ? space / 2 : 0;
	char fill[4];
	struct str one = { fill, utf8_put(f->fill != 0 ? f->fill : ' ', fill) };

	if (!render_size(r, b->n + body.n + sign.n + space * one.n))
		return false;
	for (size_t i = 0; i < before; i++)
		buf_add(b, one);
	buf_add(b, sign);
	for (size_t i = 0; align == '=' && i < space; i++)
		buf_add(b, one);
	buf_add(b, body);
	for (size_t i = before; align != '=' && i < space; i++)
		buf_add(b, one);
	return true;
}

/* Separators every `every` digits of the leading whole part. */
static struct str digits_group(struct arena *a, struct str s, char separator, size_t every)
{
	struct buf b = { 0 };
	size_t whole = 0;
	struct str out;

	while (whole < s.n && ascii_is_word(s.p[whole]) && s.p[whole] != 'e')
		whole++;
	for (size_t i = 0; i < whole; i++) {
		if (i > 0 && (whole - i) % every == 0)
			buf_addc(&b, separator);
		buf_addc(&b, s.p[i]);
	}
	buf_add(&b, str_skip(s, whole));
	out = buf_take(&b, a);
	buf_release(&b);
	return out;
}

static bool number_put(struct render *r, struct buf *b, const struct field *f, bool negative, const char *prefix, struct str digits)
{
	struct str sign = str_fmt(r->a, "%s%s", negative ? "-" : f->sign == '+' ? "+" : f->sign == ' ' ? " " : "", prefix);
	bool decimal = f->type == '\0' || strchr("bBoxX", f->type) == NULL;

	if (f->group != '\0' && f->fill == '0' && f->align == '=')
		return render_fail(r, EXPR_VALUE, "padding with 0 and \"%c\" together is not supported", f->group);
	if (f->group == ',' && !decimal)
		return render_fail(r, EXPR_VALUE, "\",\" cannot be used with format \"%c\"", f->type);
	if (f->group != '\0')
		digits = digits_group(r->a, digits, f->group, decimal ? 3 : 4);
	return field_pad(r, b, f, sign, digits, f->align != '\0' ? f->align : '>');
}

static struct str digits_of(struct arena *a, uint64_t n, unsigned base, bool capital)
{
	const char *letters = capital ? "0123456789ABCDEF" : "0123456789abcdef";
	char out[64];
	size_t i = sizeof out;

	do {
		out[--i] = letters[n % base];
		n /= base;
	} while (n > 0);
	return str_dup(a, (struct str){ out + i, sizeof out - i });
}

bool field_int(struct render *r, struct buf *b, const struct field *f, int64_t i)
{
	char t = f->type;
	unsigned base = t == 'x' || t == 'X' ? 16 : t == 'o' ? 8 : t == 'b' ? 2 : 10;
	const char *prefix = !f->alternate ? "" : t == 'x' ? "0x" : t == 'X' ? "0X" : t == 'o' ? "0o" : t == 'b' ? "0b" : "";
	struct str digits = digits_of(r->a, i < 0 ? -(uint64_t)i : (uint64_t)i, base, t == 'X');

	if (f->precision > MAX_PRECISION)
		return render_fail(r, EXPR_LIMIT, "a precision above %d", MAX_PRECISION);
	while (f->precision > 0 && digits.n < (size_t)f->precision)
		digits = str_cat(r->a, STR("0"), digits);
	return number_put(r, b, f, i < 0, prefix, digits);
}

/* Without a type: as many digits as asked for, but always one behind the point. */
static struct str float_general(struct arena *a, double d, int precision)
{
	struct str s = str_fmt(a, "%.*e", precision > 0 ? precision - 1 : 0, d);
	int exponent = 0;
	bool scientific;

	sscanf(str_cstr(a, str_skip(s, (size_t)str_find_char(s, 'e', 0) + 1)), "%d", &exponent);
	scientific = exponent < -4 || exponent >= (precision > 0 ? precision : 1) - 1;
	s = str_fmt(a, "%.*g", precision, d);
	if (!scientific && str_find_char(s, '.', 0) < 0)
		return str_cat(a, s, STR(".0"));
	if (scientific && str_find_char(s, 'e', 0) < 0) {
		size_t whole = 0;

		s = str_fmt(a, "%.*e", precision > 0 ? precision - 1 : 0, d);
		whole = (size_t)str_find_char(s, 'e', 0);
		while (str_find_char(str_sub(s, 0, whole), '.', 0) >= 0 && (s.p[whole - 1] == '0' || s.p[whole - 1] == '.')) {
			s = str_cat(a, str_sub(s, 0, whole - 1), str_skip(s, whole));
			whole--;
			if (s.p[whole] == '.')
				break;
		}
	}
	return s;
}

/* Digits of a number that is not negative, in one of C's formats. */
static struct str float_digits(struct render *r, const struct field *f, double d, int precision)
{
	static const struct {
		char type;
		const char *plain, *alternate;
	} formats[] = {
		{ 'e', "%.*e", "%#.*e" }, { 'E', "%.*E", "%#.*E" }, { 'f', "%.*f", "%#.*f" }, { 'F', "%.*F", "%#.*F" },
		{ 'g', "%.*g", "%#.*g" }, { 'G', "%.*G", "%#.*G" }, { 'n', "%.*g", "%#.*g" }, { '%', "%.*f", "%#.*f" },
	};
	char text[1024];

	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
		if (formats[i].type != f->type)
			continue;
		if (f->alternate)
			snprintf(text, sizeof text, formats[i].alternate, precision, d);
		else
			snprintf(text, sizeof text, formats[i].plain, precision, d);
		return str_dup(r->a, str_of(text));
	}
	return STR_NONE;
}

bool field_float(struct render *r, struct buf *b, const struct field *f, double d)
{
	bool capital = f->type == 'E' || f->type == 'F' || f->type == 'G';
	double size = fabs(f->type == '%' ? d * 100 : d);
	struct val plain = { .kind = VAL_FLOAT, .d = size };
	struct str digits;

	if (f->precision > MAX_PRECISION)
		return render_fail(r, EXPR_LIMIT, "a precision above %d", MAX_PRECISION);
	if (isnan(size) || isinf(size))
		digits = isnan(size) ? (capital ? STR("NAN") : STR("nan")) : capital ? STR("INF") : STR("inf");
	else if (f->type != '\0')
		digits = float_digits(r, f, size, f->precision >= 0 ? f->precision : 6);
	else if (f->precision >= 0)
		digits = float_general(r->a, size, f->precision);
	else if (!val_str(r, &plain, &digits))
		return false;
	if (f->type == '%')
		digits = str_cat(r->a, digits, STR("%"));
	return number_put(r, b, f, signbit(d) && !isnan(d), "", digits);
}

bool field_text(struct render *r, struct buf *b, const struct field *f, struct str s)
{
	if (f->precision >= 0)
		s = text_sub(s, 0, f->precision);
	return field_pad(r, b, f, STR_NONE, s, f->align != '\0' ? f->align : '<');
}

/* --- [[fill]align][sign][#][0][width][,][.precision][type] --- */

static bool is_align(uint32_t c)
{
	return c == '<' || c == '>' || c == '^' || c == '=';
}

size_t field_number(struct str s, size_t *i)
{
	size_t n = 0;

	for (; *i < s.n && s.p[*i] >= '0' && s.p[*i] <= '9'; (*i)++)
		n = n < EXPR_MAX_OUTPUT ? n * 10 + (size_t)(s.p[*i] - '0') : n;
	return n;
}

static bool field_parse(struct field *f, struct str s)
{
	size_t i = 0, next = 0;
	uint32_t c = s.n > 0 ? utf8_next(s, &next) : 0;

	f->precision = -1;
	if (next < s.n && is_align((unsigned char)s.p[next])) {
		f->fill = c;
		f->align = s.p[next];
		i = next + 1;
	} else if (is_align(c)) {
		f->align = s.p[i++];
	}
	if (i < s.n && strchr("+- ", s.p[i]) != NULL)
		f->sign = s.p[i++];
	if (i < s.n && s.p[i] == '#') {
		f->alternate = true;
		i++;
	}
	if (i < s.n && s.p[i] == '0') {
		i++;
		f->zero = f->align == '\0';
		f->fill = f->fill == 0 ? '0' : f->fill;
	}
	f->width = field_number(s, &i);
	if (i < s.n && (s.p[i] == ',' || s.p[i] == '_'))
		f->group = s.p[i++];
	if (i < s.n && s.p[i] == '.') {
		size_t from = ++i;

		f->precision = (int)field_number(s, &i);
		if (i == from)
			return false;
	}
	if (i < s.n)
		f->type = s.p[i++];
	return i == s.n;
}

static bool number_add(struct render *r, struct buf *b, struct field *f, const struct val *v)
{
	int64_t i = 0;

	if (f->zero)
		f->align = '=';
	if (v->kind != VAL_FLOAT && !val_integer(r, v, &i))
		return false;
	if (v->kind != VAL_FLOAT && (f->type == '\0' || strchr("bdoxXn", f->type) != NULL))
		return f->precision < 0 ? field_int(r, b, f, i) : render_fail(r, EXPR_VALUE, "an integer takes no precision");
	if (f->type != '\0' && strchr("eEfFgGn%", f->type) == NULL)
		return spec_fail(r, f, v);
	return field_float(r, b, f, val_number(v));
}

bool buf_add_field(struct render *r, struct buf *b, const struct val *v, struct str spec)
{
	struct field f = { 0 };

	if (spec.n == 0)
		return buf_add_val(r, b, v);
	if (!field_parse(&f, spec))
		return render_fail(r, EXPR_VALUE, "\"%.*s\" is no format", STR_ARG(spec));
	if (val_is_number(v))
		return number_add(r, b, &f, v);
	if (v->kind != VAL_STR || (f.type != '\0' && f.type != 's') || f.align == '=' || f.sign != '\0' || f.group != '\0')
		return spec_fail(r, &f, v);
	return field_text(r, b, &f, v->text);
}
