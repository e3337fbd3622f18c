/*
 * node.h - a YAML value with its place: what files, templates and resolved flowgroups are made of.
 *
 * Trees are immutable once built (node_build.h) and may be shared (aliases, documents used by
 * several environments and threads): whoever changes something makes new nodes
 * along the way from the root (copy on write) and keeps the rest. Every node
 * keeps the place it was written at and, when a template, preset or token made
 * it, the chain of that (`via`).
 *
 * Scalars are typed as YAML 1.1 is read by PyYAML's SafeLoader (spec: resolve,
 * section 3). `node_text` is Python's str() of the value, `node_repr` its repr().
 *
 * All functions accept NULL for "not there" unless they say otherwise.
 */
#ifndef LHP_YAML_NODE_H
#define LHP_YAML_NODE_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/hash.h"
#include "base/str.h"

enum node_kind {
	NODE_NULL,
	NODE_BOOL,
	NODE_INT,
	NODE_FLOAT,
	NODE_STR,
	NODE_DATE,      /* text is Python's str(date): 2024-02-29 */
	NODE_TIMESTAMP, /* text is Python's str(datetime): 2024-02-29 10:11:12.500000+00:00 */
	NODE_LIST,
	NODE_MAP,
};

struct node_pair {
	const struct node *key, *value;
};

struct node {
	enum node_kind kind;
	bool quoted;              /* NODE_STR written with quotes or as a block */
	bool boolean;             /* NODE_BOOL */
	struct mark at;
	const struct origin *via; /* NULL: written where `at` says */
	struct str text;          /* NODE_STR: the text; other scalars: Python's str() of the value */
	union {
		int64_t integer;  /* NODE_INT; INT64_MIN or INT64_MAX when it does not fit (text has all digits) */
		double number;    /* NODE_FLOAT */
		struct {
			const struct node **item;
			size_t n;
		} list;
		struct {
			struct node_pair *pair; /* in the order of the file; keys are unique */
			size_t n;
		} map;
	};
};

bool node_is(const struct node *n, enum node_kind kind);
bool node_is_null(const struct node *n);         /* absent or null */
bool node_is_str(const struct node *n);
bool node_is_number(const struct node *n);       /* int or float */
bool node_truthy(const struct node *n);          /* Python truth; absent is false */
const struct node *node_get(const struct node *map, const char *key); /* NULL when absent or `map` is no map */
const struct node *node_get_s(const struct node *map, struct str key);
const struct node *node_path(const struct node *map, const char *dotted); /* node_get along "a.b.c" */
bool node_has(const struct node *map, const char *key);               /* also when the value is null */
struct str node_str(const struct node *n);       /* text of a NODE_STR, else the empty text */
struct str node_get_text(const struct node *map, const char *key);    /* node_str(node_get(…)) */
struct mark node_mark(const struct node *n);     /* {0} for NULL */
size_t node_len(const struct node *n);           /* items or pairs; 0 otherwise */
/* Python's str(): True, None, 5.0, [1, 'a'], {'a': 1}. Borrowed for scalars. */
struct str node_text(struct arena *a, const struct node *n);
struct str node_repr(struct arena *a, const struct node *n);
void buf_add_repr(struct buf *b, const struct node *n);
void buf_add_str_repr(struct buf *b, struct str s); /* Python's repr() of a text */
/* Same type and value, places ignored; ints and floats compare as numbers, as Python's == does. */
bool node_equal(const struct node *a, const struct node *b);
/* Of types and values, never of places or quoting. Key order counts. HASH_NONE for NULL. */
struct hash128 node_hash(const struct node *n);
/* The same, places included: for results that show lines. */
struct hash128 node_hash_placed(const struct node *n);
/* As node_hash, but in the first `levels` of maps, from the top, the order of keys does not count. */
struct hash128 node_hash_unordered(const struct node *n, unsigned levels);
const char *node_kind_name(const struct node *n); /* "a text", "a list", "nothing" … for messages */

#endif
