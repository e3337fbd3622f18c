/*
 * str.h - text as a slice, and a growable buffer to make text in.
 *
 * A `struct str` points at bytes it does not own (an arena, a mapped file, a
 * literal): it is passed by value and is never NUL-terminated unless a function
 * says so. Bytes are UTF-8 where they come from the YAML reader; nothing here
 * depends on that. A `struct buf` owns its bytes; a zeroed one is valid and
 * empty. Running out of memory aborts the program (see arena.h).
 */
#ifndef LHP_BASE_STR_H
#define LHP_BASE_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct arena;

struct str {
	const char *p;
	size_t n;
};

#define STR(lit) ((struct str){ "" lit, sizeof(lit) - 1 })
#define STR_INIT(lit) { "" lit, sizeof(lit) - 1 }
#define STR_NONE ((struct str){ NULL, 0 })
/* For printf's "%.*s". */
#define STR_ARG(s) (int)(s).n, (s).p != NULL ? (s).p : ""

struct str str_of(const char *cstr); /* borrowed; NULL is the empty text */
bool str_eq(struct str a, struct str b);
bool str_is(struct str a, const char *cstr);
bool str_eq_nocase(struct str a, struct str b);          /* ASCII letters only */
bool str_is_nocase(struct str a, const char *cstr);
int str_cmp(struct str a, struct str b);                 /* bytewise, which is code point order */
bool str_starts(struct str s, struct str prefix);
bool str_ends(struct str s, struct str suffix);
/* Offset of the first `needle` at or after `from`, or -1. */
ptrdiff_t str_find(struct str s, struct str needle, size_t from);
ptrdiff_t str_find_char(struct str s, char c, size_t from);
ptrdiff_t str_rfind_char(struct str s, char c);
bool str_has(struct str s, struct str needle);
size_t str_count_char(struct str s, char c);
struct str str_sub(struct str s, size_t from, size_t to); /* clamped to s */
struct str str_skip(struct str s, size_t n);
/* Without the blanks (space, \t \n \r \v \f) at both ends, at the end. */
struct str str_trim(struct str s);
struct str str_trim_end(struct str s);
bool str_blank(struct str s); /* empty or blanks only */
/*
 * Takes the part before the next `sep` off `*rest` into `*part`. False when
 * `*rest` is used up; "a,,b" gives three parts, the empty text gives one.
 */
bool str_cut(struct str *rest, char sep, struct str *part);

/* Copies into the arena, NUL-terminated for convenience (not counted in n). */
struct str str_dup(struct arena *a, struct str s);
const char *str_cstr(struct arena *a, struct str s);
/* As printf, here and below, but that "%.*s" with STR_ARG goes on behind a NUL. */
struct str str_fmt(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
struct str str_vfmt(struct arena *a, const char *fmt, va_list ap);
struct str str_cat(struct arena *a, struct str x, struct str y);
struct str str_cat_sep(struct arena *a, struct str x, char sep, struct str y); /* x, sep, y */
/* Every `from` (not empty) replaced by `to`; `s` itself when there is none. */
struct str str_replace(struct arena *a, struct str s, struct str from, struct str to);
struct str str_lower(struct arena *a, struct str s); /* ASCII letters only */

struct buf {
	char *p;
	size_t n, cap;
};

void buf_add(struct buf *b, struct str s);
void buf_adds(struct buf *b, const char *cstr);
void buf_addc(struct buf *b, char c);
void buf_add_repeat(struct buf *b, char c, size_t times);
void buf_addf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void buf_vaddf(struct buf *b, const char *fmt, va_list ap);
char *buf_grow(struct buf *b, size_t more);      /* room for `more` bytes at b->p + b->n */
struct str buf_str(const struct buf *b);         /* borrowed until the next change */
struct str buf_take(struct buf *b, struct arena *a); /* copied to the arena; b emptied, kept */
void buf_reset(struct buf *b);
void buf_release(struct buf *b);

#endif
