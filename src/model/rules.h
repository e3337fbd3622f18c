/*
 * rules.h - every finding that this program can report.
 *
 * One row per rule in rules_AREA.def: RULE(id, "stable.rule.name", CAT, NNN, ERROR|WARNING, "Title").
 * One row per code in codes.def with meaning, example and fix: a rule whose code
 * has no row there does not compile.
 *
 *	diag_add(ds, &rule_yaml_syntax, at, "found a tab …");
 */
#ifndef LHP_MODEL_RULES_H
#define LHP_MODEL_RULES_H

#include "base/diag.h"

#define RULE(id, name, category, number, severity, title) extern const struct rule rule_##id;
#include "model/rules_all.def"
#undef RULE

struct code_doc {
	const char *code;    /* LHP-VAL-007 */
	const char *meaning; /* what it says about the project */
	const char *example; /* something that triggers it */
	const char *fix;
};

const struct code_doc *code_doc(struct str code); /* NULL when there is none */
extern const struct code_doc code_docs[];         /* by code; ends with a NULL code */
extern const struct rule *const all_rules[];      /* ends with NULL */

#endif
