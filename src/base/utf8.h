/*
 * utf8.h - code points of UTF-8 text, and their classes.
 *
 * Classes follow the C.UTF-8 locale of the C library (Unicode), whatever the
 * user's locale is.
 */
#ifndef LHP_BASE_UTF8_H
#define LHP_BASE_UTF8_H

#include "base/str.h"

#define UTF8_BAD 0xFFFFFFFFu

/* Code point at s.p[*i], *i moved behind it; UTF8_BAD (and one byte on) for a malformed one. */
uint32_t utf8_next(struct str s, size_t *i);
/* Offset of the first malformed byte (surrogates, overlong forms and > U+10FFFF are malformed), or -1. */
ptrdiff_t utf8_invalid(struct str s);
size_t utf8_len(struct str s); /* code points */
size_t utf8_put(uint32_t c, char out[4]);
void buf_add_utf8(struct buf *b, uint32_t c);
/* Without the characters of `chars` at either end; chars.p == NULL: white space of every script. */
struct str utf8_strip(struct str s, struct str chars, bool left, bool right);
struct str utf8_trim(struct str s); /* white space at both ends: str.strip() of Python, where str_trim knows ASCII only */
bool utf8_blank(struct str s);

bool ucs_is_word(uint32_t c);  /* letter, digit or '_': \w of a Python pattern */
bool ucs_is_alpha(uint32_t c);
bool ucs_is_space(uint32_t c);
bool ucs_is_print(uint32_t c);
uint32_t ucs_lower(uint32_t c);
uint32_t ucs_upper(uint32_t c);
void buf_add_lower(struct buf *b, struct str s); /* as Python's lower(); malformed bytes stay */
bool ascii_is_word(char c);    /* [A-Za-z0-9_] */
bool str_is_identifier(struct str s); /* [A-Za-z_][A-Za-z0-9_]* */

#endif
