/*
 * glob.h - shell-style matching over a whole text.
 *
 * `*` is any run of characters and `?` any one, both including '/'; `[abc]`,
 * `[a-z]`, `[!x]` are sets; an unclosed `[` is itself. Case matters, there is no
 * escape. Characters are code points. Time is O(text * pattern) at worst.
 */
#ifndef LHP_BASE_GLOB_H
#define LHP_BASE_GLOB_H

#include "base/str.h"

bool glob_match(struct str text, struct str pattern);
bool glob_is_pattern(struct str s); /* holds one of * ? [ */

#endif
