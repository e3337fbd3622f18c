/*
 * namespace.h - the deprecated key `database`, turned into catalog and schema.
 *
 * Rules: spec/resolve.md, section 9.
 */
#ifndef LHP_RESOLVE_NAMESPACE_H
#define LHP_RESOLVE_NAMESPACE_H

#include "project/unit.h"
#include "yaml/node.h"

/* The action with its namespace in the new form, or itself; warnings LHP-DEPR-002. NULL with a finding (CFG-011, 012, 013). */
const struct node *namespace_convert(struct unit *u, const struct node *action);

#endif
