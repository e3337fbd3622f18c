/*
 * dag_unit.h - what one flowgroup adds to the graph: its facts, apart from all others.
 *
 * A unit is read from YAML, SQL and Python by dag_unit_read, in any thread, and packed; the graph is made from unpacked
 * units only, be they of this run or of the store. So a warm run cannot differ from a cold one.
 */
#ifndef LHP_CMD_DAG_UNIT_H
#define LHP_CMD_DAG_UNIT_H

#include "graph/lineage.h"
#include "model/rules.h"
#include "project/discover.h"

/* A place that could not be read for certain. */
struct dag_doubt_found {
	const struct rule *rule;
	struct str message;
	const char *file; /* root-relative */
	uint32_t line;
	uint32_t action;  /* index into the unit's */
};

struct dag_unit {
	struct str pipeline, name, job_name; /* resolved, or as written */
	struct str blueprint;                /* name of the one it comes from, or empty */
	const char *file;
	struct str trouble;                  /* why it could not be resolved, for people; or empty */
	struct { VEC_OF(struct lineage_action) } action;
	struct { VEC_OF(struct dag_doubt_found) } doubt;
};

/* How units are read; the same for all of a run. */
struct dag_manner {
	struct project *project;
	const struct env *env;
	bool trust_depends_on;
	struct str pipeline, blueprint; /* -p or empty, --blueprint or STR_NONE: others are not read beyond their names */
};

/* The first error in one line, for people; empty when there is none. */
struct str dag_trouble(struct arena *a, const struct diags *found);
bool dag_is_wanted(const struct dag_manner *m, const struct dag_unit *unit);
/* Everything in u->arena, dependencies to u->trace. 0, or -1 with a finding in u->diags that ends the run. */
int dag_unit_read(const struct dag_manner *m, struct unit *u, const struct flowgroup_source *src, struct dag_unit *out);
void dag_unit_pack(struct buf *b, const struct dag_unit *unit);
/* Texts are borrowed from the bytes. Sets u->bad when they are damaged. */
struct intern;
struct unpack;
void dag_unit_unpack(struct intern *in, struct unpack *u, struct dag_unit *out);

#endif
