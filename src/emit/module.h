/*
 * module.h - the module of one flowgroup while it is being made.
 *
 * Emitters get the module and a buffer. They append the code of their action to
 * the buffer (raw form, without a newline at the end unless the spec shows one) and
 * tell the module what else they need: import statements, pre-pipeline statements, users' modules.
 * The module orders the actions, joins the pieces, lays out head and sections
 * (spec/load_transform.md section 1) and checks that the whole parses.
 *
 * An emitter returns 0, or -1 with one finding in m->unit->diags: the first one
 * ends the flowgroup. Internal to emit/.
 */
#ifndef LHP_EMIT_MODULE_H
#define LHP_EMIT_MODULE_H

#include "emit/emit.h"
#include "emit/pytext.h"
#include "model/rules.h"

struct module {
	struct unit *unit;
	const struct flowgroup *fg;
	struct out_files *out;   /* of this flowgroup: users' modules are added here */
	struct map import;       /* statements, a set */
	struct map statement;    /* pre-pipeline statements, a set */
	struct map variable;     /* module-level names taken so far, a set */
	struct map user;         /* users' modules copied so far: path -> struct user_module */
	const struct action *current; /* whose code is being made; imports and statements are its */
	bool user_body;          /* statements that the user wrote are part of the text */
	struct diags not_python; /* LHP-CFG-031: names and expressions, reported when all else is fine */
};

/* One whole import statement ("from x import y as z"). Twice is once. */
void module_import(struct module *m, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* One pre-pipeline statement (write_test.md 11.2). */
void module_statement(struct module *m, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* `name`, or `name_2` and so on when an earlier action has taken it: two actions must not share a variable. */
struct str module_variable(struct module *m, struct str name);
/* Appends a name as code. One that is no Python identifier is reported at `at` at the end (LHP-CFG-031). */
void module_name(struct module *m, struct buf *b, struct str name, struct mark at);
/* unit_diag, attributed to the action. Always -1, so that an emitter can return it. */
int module_error(struct module *m, const struct action *a, const struct rule *rule, struct mark at, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
/* The same with a hint on the finding just added. Always -1. */
int module_hint(struct module *m, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Attributes the finding that something else just added to the action. Always -1. */
int module_fault(struct module *m, const struct action *a);
/* Appends the user's own code. One that is no single expression is reported like a name. */
void module_expression(struct module *m, struct buf *b, struct str code, struct mark at);

/* The action's description when it is a text that is not empty, else the default. */
struct str module_description(struct module *m, const struct action *a, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* `    df = df.withColumn('c', EXPRESSION)` and a newline per metadata column of the action, and their imports. */
void module_metadata(struct module *m, struct buf *b, const struct action *a);
/* Only the imports. */
void module_meta_imports(struct module *m, const struct action *a);
/* The action's readMode, else its source's, else `fallback`. */
struct str module_read_mode(const struct action *a, const char *fallback);
/* P of a value, or LHP-ACT-002 at the part of it that cannot be written. */
int module_data(struct module *m, struct buf *b, const struct action *a, const struct node *value);

/* Emitters, by the type of the action. Loads and transforms. */
int emit_load(struct module *m, struct buf *b, const struct action *a);
int emit_transform(struct module *m, struct buf *b, const struct action *a);

/* Writes to one target, in order of emission (write_test.md 1.3): n >= 1. */
struct write_group {
	const struct action **action;
	size_t n;
	const struct action *creator; /* the first that creates its table, else the first (1.4) */
};
int emit_writes(struct module *m, struct buf *b, const struct write_group *group);

int emit_test(struct module *m, struct buf *b, const struct action *a);

/*
 * The actions in the order of emission: topological generations (load_transform.md 1.1, write_test.md 1.2).
 * NULL with a finding when there is a cycle (LHP-DEP-001).
 */
const struct action **actions_ordered(struct unit *u, const struct flowgroup *fg);

#endif
