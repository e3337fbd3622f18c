/*
 * token_scan.h - where references stand in a text.
 *
 * Pure functions over bytes, for the patterns of spec/resolve.md, sections 4.2, 4.3
 * and 5. Each finds the first one that starts at or after `from`, gives its span
 * [at, end) and what stands inside; false when there is none. Words are letters,
 * digits and '_' of any script. All take time linear in the text.
 */
#ifndef LHP_RESOLVE_TOKEN_SCAN_H
#define LHP_RESOLVE_TOKEN_SCAN_H

#include "base/str.h"

bool dollar_find(struct str s, size_t from, size_t *at, size_t *end, struct str *name);    /* ${word} */
bool brace_find(struct str s, size_t from, size_t *at, size_t *end, struct str *name);     /* {word} */
bool bare_find(struct str s, size_t from, size_t *at, size_t *end, struct str *name);      /* {word} not after '$' */
bool reference_next(struct str s, size_t from, size_t *at, size_t *end, struct str *name); /* ${word} or {word} */
bool secret_next(struct str s, size_t from, size_t *at, size_t *end, struct str *body);    /* ${secret:body} */

#endif
