/*
 * reader.h - YAML 1.1 text to documents, over libyaml's events.
 *
 * Bounded: nesting (YAML_MAX_DEPTH), and the number of nodes that aliases and
 * merge keys may expand to (YAML_MAX_NODES); past a bound it is an error like a
 * syntax error, so an alias bomb costs nothing. Aliases share nodes. A byte order
 * mark, CRLF and CR are accepted as YAML says. Scalars over 100 MB cannot occur
 * (FS_MAX_FILE).
 *
 * Documents live in the arena given. Texts that stand in the file as they are, which is most of them, are borrowed from
 * its bytes: these must live as long as the documents, and no text ends in a NUL.
 */
#ifndef LHP_YAML_READER_H
#define LHP_YAML_READER_H

#include "yaml/node.h"

enum { YAML_MAX_DEPTH = 512, YAML_MAX_NODES = 4 * 1000 * 1000 };

enum yaml_fault {
	YAML_GOOD,
	YAML_SYNTAX,    /* not YAML, unknown alias or tag, a bound passed: LHP-CFG-009 */
	YAML_NOT_UTF8,  /* LHP-IO-002 */
	YAML_BAD_VALUE, /* well formed, but no such date: LHP-IO-002 */
};

struct yaml_duplicate {
	struct str key;
	struct mark first, again;
};

struct yaml_file {
	const struct node **doc; /* null documents (comments only) are NODE_NULL */
	size_t n_doc;
	struct yaml_duplicate *duplicate; /* a key written twice in one map; merge-key overrides are none */
	size_t n_duplicate;
	enum yaml_fault fault;
	struct mark at;       /* of the fault */
	struct str problem;   /* what was found and what was expected, one line */
};

/* `file` is kept in every mark and, as `bytes`, must outlive the documents. Returns out->fault. On a fault there are no documents. */
enum yaml_fault yaml_read(struct arena *a, const char *file, struct str bytes, struct yaml_file *out);

#endif
