#include "model/rules.h"

/* A code without an explanation has no enumerator here, and the rule that uses it does not compile. */
enum code {
#define CODE(category, number, meaning, example, fix) CODE_##category##_##number,
#include "model/codes.def"
#undef CODE
};

#define SEVERITY_ERROR SEV_ERROR
#define SEVERITY_WARNING SEV_WARNING
#define RULE(id, name, category, number, severity, title)                                             \
	_Static_assert(CODE_##category##_##number >= 0, "code without explanation");                  \
	const struct rule rule_##id = { name, "LHP-" #category "-" #number, SEVERITY_##severity, title };
#include "model/rules_all.def"
#undef RULE

const struct rule *const all_rules[] = {
#define RULE(id, name, category, number, severity, title) &rule_##id,
#include "model/rules_all.def"
#undef RULE
	NULL,
};

const struct code_doc code_docs[] = {
#define CODE(category, number, meaning, example, fix) { "LHP-" #category "-" #number, meaning, example, fix },
#include "model/codes.def"
#undef CODE
	{ NULL, NULL, NULL, NULL },
};

const struct code_doc *code_doc(struct str code)
{
	for (const struct code_doc *d = code_docs; d->code != NULL; d++)
		if (str_is_nocase(code, d->code))
			return d;
	return NULL;
}
