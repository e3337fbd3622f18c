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

struct reading; /* build/reading.h */

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
	struct reading *reading;   /* what earlier runs know, or NULL */
};

/*
 * Takes the units that still stand from the store, reads the others, and links them all; 0, or -1 with d->fatal set. What
 * could not be resolved is told on io->err.
 */
int dag_analyse(struct dag *d);

#endif
