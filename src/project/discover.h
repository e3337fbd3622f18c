/*
 * discover.h - which flowgroups a project has, before anything in them is resolved.
 *
 * Order is the peer's: files below pipelines/ in path order (path_cmp), documents
 * and list entries in file order, then what blueprint instances make (spec/resolve.md,
 * sections 2 and 10). The first finding ends discovery.
 */
#ifndef LHP_PROJECT_DISCOVER_H
#define LHP_PROJECT_DISCOVER_H

#include "project/project.h"

struct flowgroup_source {
	struct str pipeline, name;   /* as written; the resolved ones are in struct flowgroup */
	const char *file;            /* the YAML file that defines it; of a blueprint: the blueprint's */
	size_t index;                /* which flowgroup of that file */
	const struct node *node;     /* the flowgroup's map; list form: with the inherited keys put in */
	struct hash128 hash;         /* node_hash(node) */
	struct str blueprint;        /* name of the blueprint it comes from, or empty */
	const char *instance;        /* and the instance's file, or NULL */
	struct mark at;
};

struct discovery {
	struct flowgroup_source *source;
	size_t n;
	struct diags warnings; /* LHP-DEPR-001 per file, spec/resolve.md 4.3 */
};

/* 0, or -1 with findings in `ds`. `t` gets what discovery itself depended on (listings, files, include keys). */
int discover(struct project *p, struct trace *t, struct arena *a, struct diags *ds, struct discovery *out);

/* Same (pipeline, flowgroup) twice: LHP-VAL-009, all pairs in one finding. Needs resolved names. */

#endif
