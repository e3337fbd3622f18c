/*
 * metadata.h - operational metadata columns of one action.
 *
 * Rules: spec/resolve.md, section 8, and spec/load_transform.md, section 5.
 */
#ifndef LHP_RESOLVE_METADATA_H
#define LHP_RESOLVE_METADATA_H

#include "base/vec.h"
#include "model/flowgroup.h"
#include "project/unit.h"

/*
 * Fills action->meta of every action that emits columns. `preset` is the list that the flowgroup's presets select, or
 * NULL. 0, or -1 with a finding (CFG-070, CFG-010).
 */
int metadata_resolve(struct unit *u, struct flowgroup *fg, const struct node *preset);

#endif
