/*
 * modules_user.h - users' Python modules, copied beside the generated code with the local modules they import.
 *
 * Rules: spec/load_transform.md section 6 and defects 5, 13. A module goes to
 * PIPELINE/custom_python_functions/STEM.py under a header that names its source; the local helpers that it
 * reaches through imports keep their place below it, and `from X import …` of a local X is
 * re-pointed there. Tokens are replaced as `${word}` everywhere; as bare `{word}` only in comments and plain strings:
 * an f-string's or a set's braces are Python's.
 *
 * The files are added to m->out: the same file twice with the same source is once; with another
 * source both are there, and whoever has all files reports LHP-VAL-019.
 * Internal to emit/.
 */
#ifndef LHP_EMIT_MODULES_USER_H
#define LHP_EMIT_MODULES_USER_H

#include "emit/module.h"

struct user_module {
	struct str stem; /* its name below custom_python_functions */
	struct str text; /* of the named file itself: tokens replaced, imports re-pointed */
};

/*
 * Copies `path` (root-relative; '\' counts as '/'), named by action `a` at `at`, once for all actions that name it. 0, or -1 with a finding:
 * IO-001 absent, IO-004, IO-005, IO-003 no Python, VAL-023 its folder is a package, VAL-024 a local
 * module imported by `import X`, VAL-025 a local module that is not there, VAL-008 a secret in the text.
 */
int user_module_copy(struct module *m, const struct action *a, struct str path, struct mark at, struct user_module *out);

/* `import custom_python_functions` and what lets Spark workers have its code: imports and statement of data sources and sinks. */
void user_module_ship(struct module *m);

#endif
