/*
 * dag_analysis.h - what `lhp dag` knows: the lineage of a project, its doubts, where flowgroups come from.
 *
 * Private to cmd/dag*.c. dag_analyse fills it; the writers only read it. Everything
 * lives in its arena.
 */
#ifndef LHP_CMD_DAG_ANALYSIS_H
#define LHP_CMD_DAG_ANALYSIS_H

#include "cmd/dag.h"
#include "graph/lineage.h"
#include "project/project.h"
#include "yaml/node.h"

struct dag_affected {
	struct str flowgroup, action;
	const char *edit; /* root-relative YAML file to add `depends_on` to */
};

/* One place that could not be read for certain, with every action that it concerns. */
struct dag_doubt {
	const struct rule *rule;
	struct str message;
	const char *file; /* root-relative */
	uint32_t line;
	struct { VEC_OF(struct dag_affected) } affected; /* sorted by flowgroup, action */
};

struct dag_flowgroup {
	const char *file;
	struct str job_name;
};

struct dag {
	struct io *io;
	const struct dag_options *o;
	struct arena *arena;
	struct project *project;
	struct trace trace;
	struct env env;
	struct str root;           /* absolute */
	struct str name;           /* of the project */
	struct lineage lineage;
	struct { VEC_OF(struct dag_flowgroup) } flowgroup; /* parallel to lineage.flowgroup */
	struct { VEC_OF(struct dag_doubt) } doubt;
	struct map doubt_seen;
	struct diags fatal;        /* the first finding that ended it */
	bool filtered;
};

/* Reads and resolves the project; 0, or -1 with d->fatal set. Warnings are printed on io->err as they come. */
int dag_analyse(struct dag *d);

/* --- dag_sources.c --- */
/* Where an action stands. */
struct dag_place {
	struct str flowgroup, action;
	const char *file;
};
/* Adds what the action makes and reads. 0, or -1 with d->fatal set. */
int dag_action_read(struct dag *d, uint32_t flowgroup, const char *file, const struct node *action);
void dag_doubt_add(struct dag *d, const struct dag_place *at, const struct rule *rule, struct str message,
                   const char *file, uint32_t line);

/* --- dag_body.c --- */
/* The reads of SQL or Python go to `out`; doubts to d->doubt unless `quiet`. */
struct dag_body {
	const struct dag_place *at;
	bool quiet;
	struct lineage_action *out;
};
void dag_source_add(struct dag *d, struct lineage_action *a, struct str text, bool at_run_time);
void dag_sql_read(struct dag *d, const struct dag_body *b, struct str text, const char *file);
int dag_sql_file_read(struct dag *d, const struct dag_body *b, const struct node *path);
struct py_entry;
void dag_python_read(struct dag *d, const struct dag_body *b, struct str text, const char *file,
                     const struct py_entry *entry);
int dag_python_file_read(struct dag *d, const struct dag_body *b, const struct node *path, const struct py_entry *entry);
/* `${secret:s/k}` as dag writes it: __SECRET_s_k__. */
struct str dag_secrets_named(struct dag *d, struct str text);

#endif
