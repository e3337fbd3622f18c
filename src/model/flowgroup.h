/*
 * flowgroup.h - a resolved flowgroup: every value final, the YAML tree kept.
 *
 * Made by resolve/, read by check/, emit/, graph facts and bundle/. Fields that
 * several stages look at stand here; everything else is read from the maps with
 * node_get. Secrets stand in texts in canonical form, `${secret:SCOPE/KEY}` with
 * the real scope (aliases and default applied): emit/ turns them into calls.
 */
#ifndef LHP_MODEL_FLOWGROUP_H
#define LHP_MODEL_FLOWGROUP_H

#include "yaml/node.h"

enum action_type { ACTION_LOAD, ACTION_TRANSFORM, ACTION_WRITE, ACTION_TEST };

/* An operational metadata column that an action emits. */
struct meta_column {
	struct str name;
	struct str expression;  /* Python, tokens replaced */
	struct str *imports;    /* whole import statements: from the expression and additional_imports */
	size_t n_imports;
	struct mark at;
};

struct action {
	enum action_type type;
	struct str name, target;      /* empty when absent */
	const struct node *map;       /* the whole action */
	const struct node *source;    /* NULL when absent */
	const struct node *write_target; /* writes; NULL when absent */
	bool from_template;
	struct meta_column *meta;     /* sorted by name; only for actions that emit them */
	size_t n_meta;
};

struct flowgroup {
	struct str pipeline, name, job_name;
	const char *file;             /* YAML file, for messages */
	struct mark at;
	const struct node *map;       /* resolved; `actions` holds all of them */
	struct action *action;        /* own actions, then the template's; tests only with --include-tests */
	size_t n;
	bool only_tests_dropped;      /* empty only because tests were dropped (spec/errors.md, section 3) */
	struct str blueprint;         /* or empty */
	const char *instance;
};

/* Text of `type` in a map ("cloudfiles", "streaming_table"), or empty. */
struct str kind_of(const struct node *map);
/* catalog.schema.table when all three are given, else empty. */
struct str full_table_name(struct arena *a, const struct node *write_target);
/*
 * Does this write make its table? materialized_view, snapshot_cdc, replace, replace_where: always; else create_table, default true
 * (null and 0 are no).
 */
bool creates_table(const struct action *w);

#endif
