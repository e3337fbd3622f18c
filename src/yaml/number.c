#include "yaml/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LIMB = 1000000000, MAX_LIMBS = INT_MAX_DIGITS / 9 + 2 };

/* A natural number of at most INT_MAX_DIGITS digits (a little more on the way), lowest limb first. */
struct natural {
	uint32_t limb[MAX_LIMBS];
	size_t n;
};

/* x = x * mul + add; false when it grows past the bound. */
static bool natural_mul_add(struct natural *x, uint32_t mul, uint32_t add)
{
	uint64_t carry = add;

	for (size_t i = 0; i < x->n; i++) {
		carry += (uint64_t)x->limb[i] * mul;
		x->limb[i] = (uint32_t)(carry % LIMB);
		carry /= LIMB;
	}
	for (; carry != 0; carry /= LIMB) {
		if (x->n == MAX_LIMBS)
			return false;
		x->limb[x->n++] = (uint32_t)(carry % LIMB);
	}
	return true;
}

static int digit_value(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
}

/* Digits of one base, taken several at a time. False: no digit at all, or a wrong one. */
static bool natural_read(struct natural *x, struct str digits, int base)
{
	uint32_t mul = 1, add = 0;

	for (size_t i = 0; i < digits.n; i++) {
		int d = digit_value(digits.p[i]);

		if (d >= base)
			return false;
		mul *= (uint32_t)base;
		add = add * (uint32_t)base + (uint32_t)d;
		if (mul >= 1u << 24) {
			if (!natural_mul_add(x, mul, add))
				return false;
			mul = 1;
			add = 0;
		}
	}
	return digits.n != 0 && natural_mul_add(x, mul, add);
}

/* "190:20:30". Only the first part may be long. */
static bool natural_read_base60(struct natural *x, struct str text)
{
	struct str part;
	bool first = true;

	for (; str_cut(&text, ':', &part); first = false) {
		struct natural small = { 0 };

		if (first ? !natural_read(x, part, 10) : part.n > 8 || !natural_read(&small, part, 10))
			return false;
		if (!first && !natural_mul_add(x, 60, small.limb[0]))
			return false;
	}
	return true;
}

static bool natural_print(const struct natural *x, bool negative, struct arena *a, struct str *decimal)
{
	char *p = arena_alloc(a, x->n * 9 + 3), *to = p;

	if (x->n == 0) {
		*decimal = STR("0");
		return true;
	}
	if (negative)
		*to++ = '-';
	to += sprintf(to, "%u", x->limb[x->n - 1]);
	for (size_t i = x->n - 1; i-- != 0;)
		to += sprintf(to, "%09u", x->limb[i]);
	*decimal = (struct str){ p, (size_t)(to - p) };
	return decimal->n - negative <= INT_MAX_DIGITS;
}

static struct str without_underscores(struct arena *a, struct str s)
{
	char *p, *to;

	if (str_find_char(s, '_', 0) < 0)
		return s;
	p = to = arena_alloc(a, s.n + 1);
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] != '_')
			*to++ = s.p[i];
	return (struct str){ p, (size_t)(to - p) };
}

static bool all_digits(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
	return s.n != 0;
}

bool int_read(struct arena *a, struct str text, struct str *decimal)
{
	struct str s = without_underscores(a, text), digits;
	bool negative = s.n != 0 && s.p[0] == '-', sign = negative || (s.n != 0 && s.p[0] == '+');
	struct natural x = { .n = 0 };

	digits = str_skip(s, sign);
	if (digits.n == 0)
		return false;
	if (digits.p[0] != '0' && all_digits(digits)) {
		*decimal = negative ? s : digits;
		return digits.n <= INT_MAX_DIGITS;
	}
	if (str_starts(digits, STR("0b")) ? !natural_read(&x, str_skip(digits, 2), 2)
	    : str_starts(digits, STR("0x")) ? !natural_read(&x, str_skip(digits, 2), 16)
	    : digits.p[0] == '0' ? !natural_read(&x, digits, 8)
	                         : !natural_read_base60(&x, digits))
		return false;
	return natural_print(&x, negative, a, decimal);
}

int64_t int_value(struct str decimal)
{
	bool negative = decimal.p[0] == '-';
	int64_t v = 0;

	for (size_t i = negative; i < decimal.n; i++)
		if (__builtin_mul_overflow(v, 10, &v) ||
		    __builtin_sub_overflow(v, decimal.p[i] - '0', &v)) /* downwards: INT64_MIN has no positive */
			return negative ? INT64_MIN : INT64_MAX;
	if (negative)
		return v;
	return v == INT64_MIN ? INT64_MAX : -v;
}

/* A plain decimal number, [0-9.eE+-] only: strtod also knows hexadecimal and names. */
static bool decimal_read(struct str s, double *value)
{
	char stack[64], *p = stack, *end;
	bool good;

	for (size_t i = 0; i < s.n; i++)
		if (!(s.p[i] >= '0' && s.p[i] <= '9') && memchr(".eE+-", s.p[i], 5) == NULL)
			return false;
	if (s.n == 0)
		return false;
	if (s.n >= sizeof stack)
		p = xmalloc(s.n + 1);
	memcpy(p, s.p, s.n);
	p[s.n] = '\0';
	*value = strtod(p, &end);
	good = end == p + s.n;
	if (p != stack)
		free(p);
	return good;
}

bool float_read(struct str text, double *value)
{
	struct arena scratch = { 0 };
	struct str s = without_underscores(&scratch, text), part;
	bool negative = s.n != 0 && s.p[0] == '-', good = true;
	double v = 0, x;

	s = str_skip(s, s.n != 0 && (s.p[0] == '-' || s.p[0] == '+'));
	if (str_is_nocase(s, ".inf"))
		v = INFINITY;
	else if (str_is_nocase(s, ".nan"))
		v = NAN;
	else
		while (good && str_cut(&s, ':', &part)) {
			good = decimal_read(part, &x);
			v = v * 60 + x;
		}
	arena_release(&scratch);
	*value = negative ? -v : v;
	return good;
}

/* digits[0..n): the next number up in the last place. Returns the shift of the exponent. */
static int digits_increment(char *digits, int n)
{
	for (int i = n - 1; i >= 0; i--) {
		if (digits[i] != '9') {
			digits[i]++;
			return 0;
		}
		digits[i] = '0';
	}
	digits[0] = '1';
	return 1;
}

static bool reads_back(const char *digits, int n, int exponent, double value)
{
	char text[48];

	snprintf(text, sizeof text, "0.%.*se%d", n, digits, exponent + 1);
	return strtod(text, NULL) == value;
}

/*
 * The fewest digits of a positive number and the power of ten of the first. The
 * neighbour above is tried too: below a power of two the doubles lie closer, so the
 * nearest decimal may read back as another number while that one does not.
 */
static int shortest_digits(double v, char digits[24], int *exponent)
{
	for (int n = 1;; n++) {
		char text[48];

		snprintf(text, sizeof text, "%.*e", n - 1, v);
		digits[0] = text[0];
		memcpy(digits + 1, text + 2, (size_t)n - 1);
		*exponent = atoi(strchr(text, 'e') + 1);
		if (n == 17 || reads_back(digits, n, *exponent, v))
			return n;
		*exponent += digits_increment(digits, n);
		if (reads_back(digits, n, *exponent, v))
			return n;
	}
}

size_t float_repr(double value, char out[FLOAT_REPR_MAX])
{
	char digits[24], *p = out;
	int exponent, n;

	if (isnan(value))
		return (size_t)sprintf(out, "nan");
	if (signbit(value))
		*p++ = '-';
	value = fabs(value);
	if (isinf(value))
		return (size_t)(p - out + sprintf(p, "inf"));
	if (value == 0)
		return (size_t)(p - out + sprintf(p, "0.0"));
	n = shortest_digits(value, digits, &exponent);
	if (exponent < -4 || exponent >= 16)
		p += sprintf(p, "%c%s%.*se%+03d", digits[0], n > 1 ? "." : "", n - 1, digits + 1, exponent);
	else if (exponent < 0)
		p += sprintf(p, "0.%.*s%.*s", -exponent - 1, "000", n, digits);
	else if (n > exponent + 1)
		p += sprintf(p, "%.*s.%.*s", exponent + 1, digits, n - exponent - 1, digits + exponent + 1);
	else
		p += sprintf(p, "%.*s%.*s.0", n, digits, exponent + 1 - n, "0000000000000000");
	return (size_t)(p - out);
}
