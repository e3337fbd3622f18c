#include "base/str.h"
#include "base/arena.h"

#include <stdio.h>
#include <stdlib.h>

static char ascii_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

struct str str_of(const char *cstr)
{
	return cstr != NULL ? (struct str){ cstr, strlen(cstr) } : STR_NONE;
}

bool str_eq(struct str a, struct str b)
{
	return a.n == b.n && (a.n == 0 || (a.p[0] == b.p[0] && memcmp(a.p, b.p, a.n) == 0));
}

bool str_is(struct str a, const char *cstr)
{
	return str_eq(a, str_of(cstr));
}

bool str_eq_nocase(struct str a, struct str b)
{
	if (a.n != b.n)
		return false;
	for (size_t i = 0; i < a.n; i++)
		if (ascii_lower(a.p[i]) != ascii_lower(b.p[i]))
			return false;
	return true;
}

bool str_is_nocase(struct str a, const char *cstr)
{
	if (a.n != 0 && ascii_lower(a.p[0]) != ascii_lower(cstr[0]))
		return false;
	return str_eq_nocase(a, str_of(cstr));
}

int str_cmp(struct str a, struct str b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int c = n != 0 ? memcmp(a.p, b.p, n) : 0;

	return c != 0 ? c : (a.n > b.n) - (a.n < b.n);
}

bool str_starts(struct str s, struct str prefix)
{
	return s.n >= prefix.n && (prefix.n == 0 || memcmp(s.p, prefix.p, prefix.n) == 0);
}

bool str_ends(struct str s, struct str suffix)
{
	return s.n >= suffix.n && (suffix.n == 0 || memcmp(s.p + s.n - suffix.n, suffix.p, suffix.n) == 0);
}

ptrdiff_t str_find(struct str s, struct str needle, size_t from)
{
	const char *hit;

	if (from > s.n)
		return -1;
	if (needle.n == 0)
		return (ptrdiff_t)from;
	if (s.n - from < needle.n)
		return -1;
	hit = memchr(s.p + from, needle.p[0], s.n - from); /* memmem costs much before it looks */
	if (hit != NULL)
		hit = memmem(hit, s.n - (size_t)(hit - s.p), needle.p, needle.n);
	return hit != NULL ? hit - s.p : -1;
}

ptrdiff_t str_find_char(struct str s, char c, size_t from)
{
	const char *hit = from < s.n ? memchr(s.p + from, c, s.n - from) : NULL;

	return hit != NULL ? hit - s.p : -1;
}

ptrdiff_t str_rfind_char(struct str s, char c)
{
	const char *hit = s.n != 0 ? memrchr(s.p, c, s.n) : NULL;

	return hit != NULL ? hit - s.p : -1;
}

bool str_has(struct str s, struct str needle)
{
	return str_find(s, needle, 0) >= 0;
}

size_t str_count_char(struct str s, char c)
{
	size_t k = 0;

	for (size_t i = 0; i < s.n; i++)
		k += s.p[i] == c;
	return k;
}

struct str str_sub(struct str s, size_t from, size_t to)
{
	if (to > s.n)
		to = s.n;
	if (from > to)
		from = to;
	return (struct str){ s.p != NULL ? s.p + from : NULL, to - from };
}

struct str str_skip(struct str s, size_t n)
{
	return str_sub(s, n, s.n);
}

struct str str_trim_end(struct str s)
{
	while (s.n != 0 && is_blank(s.p[s.n - 1]))
		s.n--;
	return s;
}

struct str str_trim(struct str s)
{
	s = str_trim_end(s);
	while (s.n != 0 && is_blank(s.p[0])) {
		s.p++;
		s.n--;
	}
	return s;
}

bool str_blank(struct str s)
{
	return str_trim_end(s).n == 0;
}

bool str_cut(struct str *rest, char sep, struct str *part)
{
	ptrdiff_t at;

	if (rest->p == NULL)
		return false;
	at = str_find_char(*rest, sep, 0);
	if (at < 0) {
		*part = *rest;
		*rest = STR_NONE;
		return true;
	}
	*part = str_sub(*rest, 0, (size_t)at);
	*rest = str_skip(*rest, (size_t)at + 1);
	return true;
}

struct str str_dup(struct arena *a, struct str s)
{
	char *p = arena_alloc(a, s.n + 1);

	if (s.n != 0)
		memcpy(p, s.p, s.n);
	return (struct str){ p, s.n };
}

const char *str_cstr(struct arena *a, struct str s)
{
	return str_dup(a, s).p;
}

struct str str_vfmt(struct arena *a, const char *fmt, va_list ap)
{
	struct buf b = { 0 };
	struct str s;

	buf_vaddf(&b, fmt, ap);
	s = buf_take(&b, a);
	buf_release(&b);
	return s;
}

struct str str_fmt(struct arena *a, const char *fmt, ...)
{
	struct str s;
	va_list ap;

	va_start(ap, fmt);
	s = str_vfmt(a, fmt, ap);
	va_end(ap);
	return s;
}

struct str str_cat(struct arena *a, struct str x, struct str y)
{
	char *p = arena_alloc(a, x.n + y.n + 1);

	if (x.n != 0)
		memcpy(p, x.p, x.n);
	if (y.n != 0)
		memcpy(p + x.n, y.p, y.n);
	return (struct str){ p, x.n + y.n };
}

struct str str_cat_sep(struct arena *a, struct str x, char sep, struct str y)
{
	char *p = arena_alloc(a, x.n + y.n + 2);

	if (x.n != 0)
		memcpy(p, x.p, x.n);
	p[x.n] = sep;
	if (y.n != 0)
		memcpy(p + x.n + 1, y.p, y.n);
	return (struct str){ p, x.n + y.n + 1 };
}

struct str str_replace(struct arena *a, struct str s, struct str from, struct str to)
{
	struct buf b = { 0 };
	size_t at = 0;
	ptrdiff_t hit = str_find(s, from, 0);
	struct str out;

	if (hit < 0 || from.n == 0)
		return s;
	for (; hit >= 0; hit = str_find(s, from, at)) {
		buf_add(&b, str_sub(s, at, (size_t)hit));
		buf_add(&b, to);
		at = (size_t)hit + from.n;
	}
	buf_add(&b, str_skip(s, at));
	out = buf_take(&b, a);
	buf_release(&b);
	return out;
}

struct str str_lower(struct arena *a, struct str s)
{
	char *p = arena_alloc(a, s.n + 1);

	for (size_t i = 0; i < s.n; i++)
		p[i] = ascii_lower(s.p[i]);
	return (struct str){ p, s.n };
}

char *buf_grow(struct buf *b, size_t more)
{
	size_t want = b->n + more + 1;

	if (want < more)
		abort();
	if (want > b->cap) {
		size_t cap = b->cap != 0 ? b->cap * 2 : 256;

		b->cap = cap > want ? cap : want;
		b->p = xrealloc(b->p, b->cap);
	}
	return b->p + b->n;
}

void buf_add(struct buf *b, struct str s)
{
	char *to = buf_grow(b, s.n);

	if (s.n != 0)
		memcpy(to, s.p, s.n);
	b->n += s.n;
}

void buf_adds(struct buf *b, const char *cstr)
{
	buf_add(b, str_of(cstr));
}

void buf_addc(struct buf *b, char c)
{
	*buf_grow(b, 1) = c;
	b->n++;
}

void buf_add_repeat(struct buf *b, char c, size_t times)
{
	memset(buf_grow(b, times), c, times);
	b->n += times;
}

static void printed(struct buf *b, const char *fmt, ...)
{
	va_list ap, again;
	size_t room;
	int n;

	va_start(ap, fmt);
	buf_grow(b, 0);
	room = b->cap - b->n;
	va_copy(again, ap);
	n = vsnprintf(b->p + b->n, room, fmt, again);
	va_end(again);
	if (n < 0)
		abort();
	if ((size_t)n >= room)
		vsnprintf(buf_grow(b, (size_t)n), (size_t)n + 1, fmt, ap);
	b->n += (size_t)n;
	va_end(ap);
}

/* The conversion after the '%' at *fmt but for "%.*s", its argument and stars taken off *ap; *fmt moves behind it. */
static void conversion_add(struct buf *b, const char **fmt, va_list *ap)
{
	char spec[32] = "%";
	char size = '\0'; /* l, z, t; L for ll */
	size_t n = 1;
	const char *p;

	for (p = *fmt + 1; *p != '\0' && strchr("-+ #0123456789.*lzt", *p) != NULL; p++) {
		if (strchr("lzt", *p) != NULL)
			size = size == 'l' ? 'L' : *p;
		if (*p == '*')
			n += (size_t)snprintf(spec + n, sizeof spec - n, "%d", va_arg(*ap, int));
		else
			spec[n++] = *p;
		if (n + 12 > sizeof spec)
			abort();
	}
	spec[n] = *p;
	*fmt = p + 1;
	if (*p == '%')
		buf_addc(b, '%');
	else if (*p == 's')
		printed(b, spec, va_arg(*ap, const char *));
	else if (strchr("eEfFgG", *p) != NULL)
		printed(b, spec, va_arg(*ap, double));
	else if (size == 'z')
		printed(b, spec, va_arg(*ap, size_t));
	else if (size == 't')
		printed(b, spec, va_arg(*ap, ptrdiff_t));
	else if (size == 'L')
		printed(b, spec, va_arg(*ap, long long));
	else if (size == 'l')
		printed(b, spec, va_arg(*ap, long));
	else
		printed(b, spec, va_arg(*ap, int));
}

/* printf ends a text at its first NUL; users' texts go on. */
void buf_vaddf(struct buf *b, const char *fmt, va_list ap)
{
	va_list rest;

	va_copy(rest, ap);
	while (*fmt != '\0') {
		size_t plain = strcspn(fmt, "%");

		buf_add(b, (struct str){ fmt, plain });
		fmt += plain;
		if (strncmp(fmt, "%.*s", 4) == 0) {
			int n = va_arg(rest, int);

			buf_add(b, (struct str){ va_arg(rest, const char *), (size_t)n });
			fmt += 4;
		} else if (*fmt != '\0') {
			conversion_add(b, &fmt, &rest);
		}
	}
	va_end(rest);
}

void buf_addf(struct buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(b, fmt, ap);
	va_end(ap);
}

struct str buf_str(const struct buf *b)
{
	return b->p != NULL ? (struct str){ b->p, b->n } : STR("");
}

struct str buf_take(struct buf *b, struct arena *a)
{
	struct str s = str_dup(a, buf_str(b));

	buf_reset(b);
	return s;
}

void buf_reset(struct buf *b)
{
	b->n = 0;
}

void buf_release(struct buf *b)
{
	free(b->p);
	*b = (struct buf){ 0 };
}
