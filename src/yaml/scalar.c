#include "yaml/scalar.h"
#include "yaml/number.h"

#include <stdlib.h>

/* Words that are no text, in the spellings that count. */
static const struct {
	struct str word;
	enum scalar_type type;
	bool value;
} words[] = {
	{ STR_INIT("true"), SCALAR_BOOL, true },   { STR_INIT("True"), SCALAR_BOOL, true },
	{ STR_INIT("TRUE"), SCALAR_BOOL, true },   { STR_INIT("false"), SCALAR_BOOL, false },
	{ STR_INIT("False"), SCALAR_BOOL, false }, { STR_INIT("FALSE"), SCALAR_BOOL, false },
	{ STR_INIT("yes"), SCALAR_BOOL, true },    { STR_INIT("Yes"), SCALAR_BOOL, true },
	{ STR_INIT("YES"), SCALAR_BOOL, true },    { STR_INIT("no"), SCALAR_BOOL, false },
	{ STR_INIT("No"), SCALAR_BOOL, false },    { STR_INIT("NO"), SCALAR_BOOL, false },
	{ STR_INIT("on"), SCALAR_BOOL, true },     { STR_INIT("On"), SCALAR_BOOL, true },
	{ STR_INIT("ON"), SCALAR_BOOL, true },     { STR_INIT("off"), SCALAR_BOOL, false },
	{ STR_INIT("Off"), SCALAR_BOOL, false },   { STR_INIT("OFF"), SCALAR_BOOL, false },
	{ STR_INIT("null"), SCALAR_NULL, false },  { STR_INIT("Null"), SCALAR_NULL, false },
	{ STR_INIT("NULL"), SCALAR_NULL, false },  { STR_INIT("~"), SCALAR_NULL, false },
	{ STR_INIT("<<"), SCALAR_MERGE, false },   { STR_INIT("="), SCALAR_VALUE, false },
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* --- matching: s.p[i..] against one piece; the offset behind it --- */

static size_t span(struct str s, size_t i, const char *set)
{
	while (i < s.n && s.p[i] != '\0' && strchr(set, s.p[i]) != NULL)
		i++;
	return i;
}

#define DIGITS "0123456789"

static size_t span_digits(struct str s, size_t i)
{
	while (i < s.n && is_digit(s.p[i]))
		i++;
	return i;
}

static size_t span_number(struct str s, size_t i) /* [0-9_]* */
{
	while (i < s.n && (is_digit(s.p[i]) || s.p[i] == '_'))
		i++;
	return i;
}

static bool at(struct str s, size_t i, char c)
{
	return i < s.n && s.p[i] == c;
}

/* (:[0-5]?[0-9])+ ; `i` itself when there is none. */
static size_t span_base60(struct str s, size_t i)
{
	while (at(s, i, ':')) {
		size_t end = span_digits(s, i + 1);

		if (end == i + 1 || end > i + 3 || (end == i + 3 && s.p[i + 1] > '5'))
			break;
		i = end;
	}
	return i;
}

/* ([eE][-+][0-9]+)? */
static size_t span_exponent(struct str s, size_t i)
{
	size_t end;

	if (i + 2 >= s.n || (s.p[i] != 'e' && s.p[i] != 'E') || (s.p[i + 1] != '-' && s.p[i + 1] != '+'))
		return i;
	end = span_digits(s, i + 2);
	return end > i + 2 ? end : i;
}

static bool is_int(struct str s) /* without sign */
{
	size_t i;

	if (s.n == 0 || !is_digit(s.p[0]))
		return false;
	if (s.p[0] == '0') {
		if (s.n > 2 && s.p[1] == 'b')
			return span(s, 2, "01_") == s.n;
		if (s.n > 2 && s.p[1] == 'x')
			return span(s, 2, "0123456789abcdefABCDEF_") == s.n;
		return span(s, 1, "01234567_") == s.n;
	}
	i = span_number(s, 0);
	return span_base60(s, i) == s.n;
}

static bool is_float(struct str s, bool sign) /* without sign; `sign`: there was one */
{
	size_t i, end;

	if (at(s, 0, '.')) {
		if (str_is(s, ".inf") || str_is(s, ".Inf") || str_is(s, ".INF"))
			return true;
		if (sign)
			return false;
		if (str_is(s, ".nan") || str_is(s, ".NaN") || str_is(s, ".NAN"))
			return true;
		return s.n > 1 && is_digit(s.p[1]) && span_exponent(s, span_number(s, 1)) == s.n;
	}
	if (s.n == 0 || !is_digit(s.p[0]))
		return false;
	i = span_number(s, 0);
	end = span_base60(s, i);
	if (!at(s, end, '.'))
		return false;
	if (end != i)
		return span_number(s, end + 1) == s.n;
	return span_exponent(s, span_number(s, i + 1)) == s.n;
}

/* A date or a time, taken apart. */
struct moment {
	unsigned year, month, day, hour, minute, second, micro;
	int zone; /* minutes */
	bool timed, zoned, short_date; /* short_date: month or day of one digit */
};

/* Between `least` and `most` digits at *i. */
static bool take(struct str s, size_t *i, size_t least, size_t most, unsigned *v)
{
	size_t end = span_digits(s, *i);

	if (end > *i + most)
		end = *i + most;
	if (end < *i + least)
		return false;
	for (*v = 0; *i < end; (*i)++)
		*v = *v * 10 + (unsigned)(s.p[*i] - '0');
	return true;
}

static bool take_char(struct str s, size_t *i, char c)
{
	if (!at(s, *i, c))
		return false;
	(*i)++;
	return true;
}

/* (.D*)? : six digits count, the rest is cut. */
static void take_fraction(struct str s, size_t *i, unsigned *micro)
{
	unsigned unit = 100000;

	*micro = 0;
	if (!take_char(s, i, '.'))
		return;
	for (; *i < s.n && is_digit(s.p[*i]); (*i)++, unit /= 10)
		*micro += unit * (unsigned)(s.p[*i] - '0');
}

/* (blanks Z | [-+]D?D(:DD)?)? */
static bool take_zone(struct str s, size_t *i, struct moment *m)
{
	size_t from = span(s, *i, " \t");
	unsigned hours, minutes = 0;
	bool minus;

	if (*i == s.n)
		return true;
	m->zoned = true;
	*i = from;
	if (take_char(s, i, 'Z'))
		return true;
	minus = at(s, *i, '-');
	if (!minus && !at(s, *i, '+'))
		return false;
	(*i)++;
	if (!take(s, i, 1, 2, &hours) || (take_char(s, i, ':') && !take(s, i, 2, 2, &minutes)))
		return false;
	m->zone = (int)(hours * 60 + minutes) * (minus ? -1 : 1);
	return true;
}

static bool moment_match(struct str s, struct moment *m)
{
	size_t i = 0, blanks;

	*m = (struct moment){ 0 };
	if (!take(s, &i, 4, 4, &m->year) || !take_char(s, &i, '-') || !take(s, &i, 1, 2, &m->month) ||
	    !take_char(s, &i, '-') || !take(s, &i, 1, 2, &m->day))
		return false;
	if (i == s.n) {
		m->short_date = s.n != sizeof "YYYY-MM-DD" - 1;
		return true;
	}
	m->timed = true;
	blanks = span(s, i, " \t");
	i = blanks > i ? blanks : span(s, i, "Tt") > i ? i + 1 : s.n;
	if (!take(s, &i, 1, 2, &m->hour) || !take_char(s, &i, ':') || !take(s, &i, 2, 2, &m->minute) ||
	    !take_char(s, &i, ':') || !take(s, &i, 2, 2, &m->second))
		return false;
	take_fraction(s, &i, &m->micro);
	return take_zone(s, &i, m) && i == s.n;
}

static bool moment_exists(const struct moment *m)
{
	static const unsigned days[] = { 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	bool leap = m->year % 4 == 0 && (m->year % 100 != 0 || m->year % 400 == 0);

	if (m->year == 0 || m->month == 0 || m->month > 12 || m->day == 0 || m->day > days[m->month - 1] ||
	    (m->month == 2 && m->day == 29 && !leap))
		return false;
	return m->hour < 24 && m->minute < 60 && m->second < 60 && m->zone > -24 * 60 && m->zone < 24 * 60;
}

static struct str moment_text(struct arena *a, const struct moment *m)
{
	struct buf b = { 0 };
	struct str s;

	buf_addf(&b, "%04u-%02u-%02u", m->year, m->month, m->day);
	if (m->timed)
		buf_addf(&b, " %02u:%02u:%02u", m->hour, m->minute, m->second);
	if (m->micro != 0)
		buf_addf(&b, ".%06u", m->micro);
	if (m->zoned)
		buf_addf(&b, "%c%02d:%02d", m->zone < 0 ? '-' : '+', abs(m->zone) / 60, abs(m->zone) % 60);
	s = buf_take(&b, a);
	buf_release(&b);
	return s;
}

void buf_add_time_repr(struct buf *b, const struct node *n)
{
	struct moment m;

	moment_match(n->text, &m);
	if (!m.timed) {
		buf_addf(b, "datetime.date(%u, %u, %u)", m.year, m.month, m.day);
		return;
	}
	buf_addf(b, "datetime.datetime(%u, %u, %u, %u, %u", m.year, m.month, m.day, m.hour, m.minute);
	if (m.second != 0 || m.micro != 0)
		buf_addf(b, ", %u", m.second);
	if (m.micro != 0)
		buf_addf(b, ", %u", m.micro);
	if (m.zoned && m.zone == 0)
		buf_adds(b, ", tzinfo=datetime.timezone.utc");
	else if (m.zone > 0)
		buf_addf(b, ", tzinfo=datetime.timezone(datetime.timedelta(seconds=%d))", m.zone * 60);
	else if (m.zone < 0)
		buf_addf(b, ", tzinfo=datetime.timezone(datetime.timedelta(days=-1, seconds=%d))", 86400 + m.zone * 60);
	buf_addc(b, ')');
}

/* --- types --- */

static bool is_timestamp(struct str s)
{
	struct moment m;

	return moment_match(s, &m) && !m.short_date;
}

static enum scalar_type resolve_number(struct str s)
{
	bool sign = s.p[0] == '-' || s.p[0] == '+';
	struct str digits = str_skip(s, sign);

	if (is_float(digits, sign))
		return SCALAR_FLOAT;
	if (is_int(digits))
		return SCALAR_INT;
	return is_timestamp(s) ? SCALAR_TIMESTAMP : SCALAR_STR;
}

enum scalar_type scalar_resolve(struct str s)
{
	if (s.n == 0)
		return SCALAR_NULL;
	if (is_digit(s.p[0]) || s.p[0] == '-' || s.p[0] == '+' || s.p[0] == '.')
		return resolve_number(s);
	if (s.n > sizeof "false" - 1)
		return SCALAR_STR;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (str_eq(s, words[i].word))
			return words[i].type;
	return SCALAR_STR;
}

/* --- values --- */

static bool set_bool(struct node *n, struct str text)
{
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (words[i].type == SCALAR_BOOL && str_eq_nocase(text, words[i].word)) {
			n->kind = NODE_BOOL;
			n->boolean = words[i].value;
			n->text = words[i].value ? STR("True") : STR("False");
			return true;
		}
	return false;
}

static bool set_int(struct arena *a, struct node *n, struct str text)
{
	struct str decimal;

	if (!int_read(a, text, &decimal))
		return false;
	n->kind = NODE_INT;
	n->text = decimal;
	n->integer = int_value(decimal);
	return true;
}

static bool set_float(struct arena *a, struct node *n, struct str text)
{
	char repr[FLOAT_REPR_MAX];
	double number;

	if (!float_read(text, &number))
		return false;
	n->kind = NODE_FLOAT;
	n->number = number;
	n->text = str_dup(a, (struct str){ repr, float_repr(number, repr) });
	return true;
}

static bool set_timestamp(struct arena *a, struct node *n, struct str text)
{
	struct moment m;

	if (!moment_match(text, &m) || !moment_exists(&m))
		return false;
	n->kind = m.timed ? NODE_TIMESTAMP : NODE_DATE;
	n->text = moment_text(a, &m);
	return true;
}

bool scalar_set(struct arena *a, struct node *n, enum scalar_type type, struct str text)
{
	n->kind = NODE_STR;
	n->text = text;
	switch (type) {
	case SCALAR_NULL:
		n->kind = NODE_NULL;
		n->text = STR("None");
		return true;
	case SCALAR_BOOL: return set_bool(n, text);
	case SCALAR_INT: return set_int(a, n, text);
	case SCALAR_FLOAT: return set_float(a, n, text);
	case SCALAR_TIMESTAMP: return set_timestamp(a, n, text);
	default: return true;
	}
}
