/*
 * unified.h - the difference of two texts as a unified diff.
 */
#ifndef LHP_UI_UNIFIED_H
#define LHP_UI_UNIFIED_H

#include "base/arena.h"
#include "ui/pen.h"

/*
 * Headers `--- NAME`, `+++ NAME`, then hunks with three lines of context. Nothing when the texts are equal.
 * Lines end at '\n'. The shortest edit (Myers) up to UNIFIED_MAX_EDITS; beyond that, all that is not common
 * to both ends is one replacement.
 */
void unified_diff(struct pen *p, struct arena *a, struct str before, struct str after, struct str before_name,
                  struct str after_name);

enum { UNIFIED_MAX_EDITS = 1000 };

#endif
