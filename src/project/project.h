/*
 * project.h - lhp.yaml, read once, and what every stage asks of it.
 *
 * Settings are read through project_key, which records the dependency on exactly
 * that subtree: a comment or another key dirties nobody. Order of checks and codes: spec/errors.md,
 * section 13.
 */
#ifndef LHP_PROJECT_PROJECT_H
#define LHP_PROJECT_PROJECT_H

#include "base/map.h"
#include "project/door.h"
#include "project/unit.h"

#include <pthread.h>

struct presets;   /* resolve/preset.h */
struct py_memory; /* python/memory.h */
struct recall;    /* project/recall.h */
struct templates; /* resolve/template.h */

struct project {
	struct door *door;
	struct arena *arena;       /* as long-lived as the run */
	const struct recall *recall; /* what earlier runs know of flowgroup files, or NULL */
	struct str name;           /* `name` of lhp.yaml */
	const struct node *root;   /* the document of lhp.yaml; an empty map when null */
	pthread_mutex_t lock;      /* of what follows while it is first made */
	struct presets *presets;
	struct templates *templates;
	struct tray *trays;        /* what flowgroups' maps are in (project/tray.h) */
	struct {
		struct map file;   /* path -> struct reread, */
		struct arena arena; /* in here */
	} reread;                  /* what flowgroup files hold that were read again (project/recall.h) */
	struct py_memory *python;
	size_t workers;            /* threads for parsing ahead; 0 or 1: none */
};

/* Nearest folder from `cwd` upwards that has a file lhp.yaml, or an empty text. */
struct str project_find_root(struct arena *a, struct str cwd);

/*
 * Reads and checks lhp.yaml. 0, or -1 with the first finding in `ds`. Log-only
 * warnings (spec/errors.md section 16) go to `log`, one text a line.
 */
int project_load(struct project *p, struct door *door, struct arena *a, struct trace *t, struct diags *ds, struct buf *log);

/* A subtree of lhp.yaml by dotted name ("operational_metadata.columns"), or NULL. Records DEP_KEY. */
const struct node *project_key(struct project *p, struct trace *t, const char *dotted);
/* The same for one who asks a mapping for its keys only: records their names, not what they stand for. */
const struct node *project_names(struct project *p, struct trace *t, const char *dotted);
struct hash128 node_names_hash(const struct node *map); /* of the keys, in order; of what is no mapping, all of it */

#endif
