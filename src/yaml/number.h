/*
 * number.h - the numbers of YAML 1.1 as Python reads and prints them.
 *
 * Integers have any size and are kept as decimal text. Python refuses to turn
 * more than 4300 decimal digits into a number or back; so do we, which also
 * bounds the work.
 */
#ifndef LHP_YAML_NUMBER_H
#define LHP_YAML_NUMBER_H

#include "base/arena.h"
#include "base/str.h"

enum { INT_MAX_DIGITS = 4300, FLOAT_REPR_MAX = 32 };

/* `text` ([-+], 0b 0x 0 or base 60, '_' ignored) as canonical decimal text: `text` itself where it is that already. False: no integer. */
bool int_read(struct arena *a, struct str text, struct str *decimal);
/* Value of canonical decimal text, or INT64_MIN / INT64_MAX when it does not fit. */
int64_t int_value(struct str decimal);
/* `text` ([-+], base 60, .inf, .nan, '_' ignored). False: no number. */
bool float_read(struct str text, double *value);
/* Python's repr(): the fewest digits that read back equal. Returns the length. */
size_t float_repr(double value, char out[FLOAT_REPR_MAX]);

#endif
