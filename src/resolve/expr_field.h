/*
 * expr_field.h - one value as one field of a text, padded and rounded.
 *
 * Shared by "%" and str.format(). Functions return false with the error set.
 */
#ifndef LHP_RESOLVE_EXPR_FIELD_H
#define LHP_RESOLVE_EXPR_FIELD_H

#include "resolve/expr_ops.h"

struct field {
	uint32_t fill;  /* 0: a blank */
	char align;     /* < > ^ =, or 0: as the type wants it */
	char sign;      /* '+', ' ', else only '-' is written */
	bool alternate; /* # */
	bool zero;      /* numbers are padded with 0 */
	char group;     /* , or _ between groups of digits, or 0 */
	char type;      /* letter, or 0 */
	size_t width;
	int precision;  /* -1: not given */
};

bool field_pad(struct render *r, struct buf *b, const struct field *f, struct str sign, struct str body, char align);
bool field_int(struct render *r, struct buf *b, const struct field *f, int64_t i);
bool field_float(struct render *r, struct buf *b, const struct field *f, double d);
bool field_text(struct render *r, struct buf *b, const struct field *f, struct str s);
/* Digits at *i as a number (0 when there are none), held below what any bound allows. */
size_t field_number(struct str s, size_t *i);

#endif
