/*
 * discover.h - which flowgroups a project has, before anything in them is resolved.
 *
 * Order is the peer's: files below pipelines/ in path order (path_cmp), documents
 * and list entries in file order, then what blueprint instances make (spec/resolve.md,
 * sections 2 and 10). The first finding ends discovery.
 *
 * discover() is the whole of it; discover_file() is what one parsed file gives, for
 * callers that keep the answers of files that did not change.
 */
#ifndef LHP_PROJECT_DISCOVER_H
#define LHP_PROJECT_DISCOVER_H

#include "project/project.h"

struct flowgroup_source {
	struct str pipeline, name;   /* as written; the resolved ones: flowgroup_names (resolve/resolve.h) */
	const char *file;            /* the YAML file that defines it; of a blueprint: the blueprint's */
	size_t index;                /* which flowgroup of that file */
	const struct node *node;     /* the flowgroup's map; list form: with the inherited keys put in. NULL: not read, or dropped */
	struct tray *tray;           /* that the map is in, if it can be dropped; else NULL */
	struct hash128 hash;         /* flowgroup_hash(node) */
	struct str key;              /* of its DEP_NODE: "FILE#INDEX"; of a blueprint: "INSTANCE#INDEX" */
	struct str blueprint;        /* name of the blueprint it comes from, or empty */
	const char *instance;        /* and the instance's file, or NULL */
	struct mark at;
};

struct sources {
	VEC_OF(struct flowgroup_source)
};

struct discovery {
	struct flowgroup_source *source;
	size_t n;
	struct diags warnings; /* LHP-DEPR-001 per file, spec/resolve.md 4.3 */
};

/*
 * 0, or -1 with a finding in `ds`. `t` gets what discovery itself depended on (listings, files, include
 * keys). Log-only lines go to `log`, which may be NULL.
 */
int discover(struct project *p, struct trace *t, struct arena *a, struct diags *ds, struct buf *log,
             struct discovery *out);

/* Its two halves, for a caller to whom a failing blueprint is no more than a warning (lhp dag). They append to `out`. */
int discover_plain(struct project *p, struct trace *t, struct arena *a, struct diags *ds, struct sources *out,
                   struct diags *warnings);
int discover_blueprints(struct project *p, struct trace *t, struct arena *a, struct diags *ds, struct buf *log,
                        struct sources *out);

/* Done with the source's map: it goes with those around it. Whoever wants it after all asks source_load (recall.h). */
void source_drop(struct flowgroup_source *src);

/* Paths of the flowgroup files, in order. */
struct paths;
void discover_files(struct project *p, struct trace *t, struct arena *a, struct paths *out);
/* A key of DEP_NODE taken apart: "FILE#INDEX", or "FILE#INDEX@" (project/current.h). False: it is none. */
struct node_key {
	struct str file;
	size_t index;
	bool placed;
};
bool node_key_read(struct str key, struct node_key *out);
/* Is this key the source's own, or the one that it had when others stood before it in its file? */
bool source_has_key(const struct flowgroup_source *src, struct str key);
/*
 * The flowgroups of one parsed file, appended; none for a file with a blueprint instance. 0, or -1 with a finding. Their names
 * may be borrowed from the file's documents.
 */
int discover_file(struct arena *a, const struct door_yaml *y, struct diags *ds, struct sources *out);
/* Identity of a flowgroup's map: the order of its own keys and of those of its actions means nothing. */
struct hash128 flowgroup_hash(const struct node *flowgroup);
/* LHP-DEPR-001 when the text of a flowgroup file has a bare {token}, comments included. */
void bare_token_warn(struct diags *ds, const struct door_file *f);

#endif
