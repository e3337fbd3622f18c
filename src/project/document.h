/*
 * document.h - files that hold exactly one YAML document: lhp.yaml, substitutions, presets, templates.
 *
 * What can be wrong with them has the same codes everywhere (spec/resolve.md,
 * section 3.1): LHP-IO-001 absent, LHP-IO-002 not readable or not UTF-8,
 * LHP-CFG-009 no YAML, LHP-IO-003 none or several documents.
 */
#ifndef LHP_PROJECT_DOCUMENT_H
#define LHP_PROJECT_DOCUMENT_H

#include "project/door.h"

/* The finding for a file that could not be read or parsed; NULL when it could. `at`: who asked for it, if somebody did. */
struct diag *document_fault(struct diags *ds, const struct door_yaml *y, struct mark at);

/* The only document (a NODE_NULL for a null one), or NULL with a finding. */
const struct node *document_only(struct diags *ds, const struct door_yaml *y, struct mark at);

/* The same, quietly: NULL when anything is wrong. */
const struct node *document_peek(const struct door_yaml *y);

#endif
