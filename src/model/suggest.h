/*
 * suggest.h - "did you mean": near matches for a name that is not known.
 *
 * Two measures, as the peer has them (spec/errors.md, section 20): names that
 * users choose (presets, templates, action types, blueprints) by the ratio of
 * Ratcliff and Obershelp, keys of a source or write target by a positional score.
 * Nothing here allocates; results borrow from the candidates.
 */
#ifndef LHP_MODEL_SUGGEST_H
#define LHP_MODEL_SUGGEST_H

#include "base/arena.h"
#include "base/str.h"

enum { SUGGEST_MAX = 3, SUGGEST_MAX_CHARS = 200 };

/* Ratcliff/Obershelp similarity of two texts, 0 to 1, over code points; 0 for texts over SUGGEST_MAX_CHARS. */
double suggest_ratio(struct str candidate, struct str word);

/*
 * Up to `max` (at most SUGGEST_MAX) candidates with a ratio of at least 0.6, best
 * first; equal ones by name, descending. Returns how many were put into `out`.
 */
size_t suggest_names(struct str word, const struct str *candidate, size_t n, struct str *out, size_t max);

/* The known key that `key` was probably meant to be, or the empty text. Equal scores: alphabetically first. */
struct str suggest_key(struct str key, const struct str *known, size_t n);

/* "did you mean 'a', 'b' or 'c'?" over suggest_names, or the empty text. */
struct str suggest_question(struct arena *a, struct str word, const struct str *candidate, size_t n, size_t max);

#endif
