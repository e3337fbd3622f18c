/*
 * blueprint.h - blueprint definitions, and the flowgroups that their instances make.
 *
 * Rules: spec/resolve.md, section 10. Definitions are read in path order by
 * whoever discovers flowgroups, used or not; the first finding ends it.
 */
#ifndef LHP_PROJECT_BLUEPRINT_H
#define LHP_PROJECT_BLUEPRINT_H

#include "project/discover.h"

struct blueprint {
	struct str name;
	const char *file;
	const struct node *node;
	const struct node *parameters, *flowgroups; /* lists */
};

struct blueprints {
	VEC_OF(struct blueprint)
};

struct instance {
	const char *file;
	const struct node *node;         /* its document */
	struct str blueprint;
	const struct node *reference;    /* the value that names it */
	const struct node *parameters;   /* a map */
	bool legacy;                     /* `blueprint:` with flat parameters */
	const struct blueprint *definition; /* since instance_check */
};

/* A finding about `file`, at a node of it or at no place in particular (NULL). */
struct diag *blueprint_diag(struct diags *ds, const struct rule *rule, const char *file, const struct node *at,
                            const char *fmt, ...) __attribute__((format(printf, 5, 6)));

bool blueprint_looks_like(const struct node *doc);
bool instance_looks_like(const struct node *doc);
/* False for the text of a file in which no document can look like that: to be asked before it is parsed. */
bool instance_possible(struct str bytes);

const struct blueprint *blueprint_named(const struct blueprints *all, struct str name); /* or NULL */

/* Reads all definitions. 0, or -1 with a finding. */
int blueprints_read(struct project *p, struct trace *t, struct arena *a, struct diags *ds, struct blueprints *out);

/* The instance in a parsed file: 1, 0 when the file holds none, -1 with a finding. */
int instance_read(struct arena *a, const struct door_yaml *y, struct diags *ds, struct instance *out);

/* A line for the log when the instance has the old form; `log` may be NULL. */
void instance_notice(const struct instance *in, struct buf *log);

/* Instances and their expansion; zeroed but for the first four fields. */
struct expansion {
	struct arena *arena;
	const struct blueprints *blueprints;
	struct diags *diags;
	struct sources *out;
	struct map made; /* pipeline and flowgroup -> the instance's file */
};

/* Finds the blueprint and judges the parameters. 0, or -1 with a finding. */
int instance_check(struct expansion *e, struct instance *in);

/* All instances of the project, in path order, each read and checked before the next. 0, or -1 with a finding. */
struct instances {
	VEC_OF(struct instance)
};
int instances_read(struct project *p, struct trace *t, struct expansion *e, struct instances *out);

/* Appends the flowgroups that a checked instance makes to e->out. 0, or -1 with a finding. */
int instance_expand(struct expansion *e, const struct instance *in);

#endif
