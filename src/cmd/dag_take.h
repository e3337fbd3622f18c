/*
 * dag_take.h - one action while its facts are taken. Private to dag_unit.c, dag_sources.c and dag_body.c.
 */
#ifndef LHP_CMD_DAG_TAKE_H
#define LHP_CMD_DAG_TAKE_H

#include "cmd/dag_unit.h"
#include "yaml/node.h"

struct dag_take {
	const struct dag_manner *manner;
	struct unit *unit;
	struct dag_unit *out;
	struct lineage_action *action;
	bool quiet;         /* no doubts: the action says what it depends on */
};

/* Where a source was found. */
struct dag_place {
	const char *file;
	uint32_t line;
	bool at_run_time;   /* in Python */
};

/* --- dag_sources.c --- */
/* Adds what the action makes and reads. 0, or -1 with a finding. */
int dag_action_take(struct dag_take *t, const struct node *action);

/* --- dag_body.c --- */
void dag_source_add(struct dag_take *t, struct str text, struct dag_place at);
/* `${secret:s/k}` as dag writes it, when it stands in YAML: __SECRET_s_k__. */
struct str dag_secrets_named(struct arena *a, struct str text);
/* A text of the YAML file. */
void dag_sql_take(struct dag_take *t, const struct node *sql);
int dag_sql_file_take(struct dag_take *t, const struct node *path);
struct py_entry;
void dag_python_take(struct dag_take *t, const struct node *text, const struct py_entry *entry);
int dag_python_file_take(struct dag_take *t, const struct node *path, const struct py_entry *entry);

#endif
