/*
 * checker.h - inside check/: collecting the findings of one flowgroup.
 *
 * Each family of rules is a function of a checker; findings become parts of one
 * LHP-VAL-007 (spec/errors.md, section 10). "Given" there means present and not
 * empty, null, false or 0: node_truthy. "needs" and types come from model/fields.h.
 */
#ifndef LHP_CHECK_CHECKER_H
#define LHP_CHECK_CHECKER_H

#include "model/fields.h"
#include "model/flowgroup.h"
#include "model/rules.h"
#include "project/unit.h"

struct checker {
	struct unit *u;
	const struct flowgroup *fg;
	const struct action *action; /* the one being looked at; NULL: the flowgroup */
	struct diags *parts;
};

/* Adds a finding at `at`, or at the action (the flowgroup) when that is NULL. */
struct diag *check_add(struct checker *c, const struct rule *rule, const struct node *at, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* Attributes a part that another module has added. */
void check_own(const struct checker *c, struct diag *d);
void check_hint(struct checker *c, struct diag *d, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* --- driven by the tables of model/fields.h --- */
/* Keys of `map` that no kind has: one LHP-CFG-001 each. False when there are any. `what` names the map in messages. */
bool check_keys(struct checker *c, const struct entity *e, unsigned kinds, const struct node *map, const char *what);
/* Keys that the kinds need and that are not given. */
void check_needed(struct checker *c, const struct entity *e, unsigned kinds, const struct node *map, const char *what,
                  const struct rule *missing);
/* FIELD_CHECKED rows: types, emptiness and values. */
void check_types(struct checker *c, const struct entity *e, unsigned kinds, const struct node *map, const char *what,
                 const struct rule *type, const struct rule *value);
/* A text of the action that may only be one of the row's values (null: fine). */
void check_value(struct checker *c, const char *key, const struct rule *rule);
/* "expected a, b or c" and a near name, as a hint. */
void check_suggest(struct checker *c, struct diag *d, const struct field *f, const struct node *found);

/* --- questions --- */
bool is_three_part(const struct node *n);  /* exactly two dots */
bool is_text_or_list(const struct node *n);
bool is_text_list(const struct node *n);
bool path_exists(struct checker *c, struct str path); /* '\' counts as '/'; a folder counts too */

/* --- families --- */
void check_load(struct checker *c);
void check_transform(struct checker *c);
void check_schema_transform(struct checker *c);
void check_quarantine(struct checker *c);
void check_write(struct checker *c);
void check_modes(struct checker *c);
void check_history_columns(struct checker *c);
void check_sink(struct checker *c);
void check_test(struct checker *c);
void check_relations(struct checker *c);
/* Files that actions name, step 11: findings go straight to the unit. */
void check_files(struct checker *c);

#endif
