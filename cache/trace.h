/*
 * trace.h - what a result was made from.
 *
 * A trace is the list of everything that one unit of work depended on, each with
 * the hash it had. The code that reads a thing records it, at the moment it reads
 * it; what is not there is recorded too (HASH_NONE), so that making it counts.
 * A trace is good while every dependency still has the recorded hash.
 *
 * A trace belongs to one thread; it lives in its arena. Adding the same
 * dependency again costs one look-up.
 */
#ifndef LHP_CACHE_TRACE_H
#define LHP_CACHE_TRACE_H

#include "base/diag.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"

enum dep_kind {
	DEP_FILE,  /* key: path; content of an input, or absent */
	DEP_NODE,  /* key: path#N; structure of one document or flowgroup of a parsed file */
	DEP_DIR,   /* key: path; sorted listing */
	DEP_TOKEN, /* key: ENV/NAME (token_key_cut); the value of one substitution token */
	DEP_KEY,   /* key: FILE/dotted.key or preset/…; one subtree of settings */
	DEP_TABLE, /* key: canonical table name; its exported signature */
	DEP_ENV,   /* key: variable, option or "version" */
	DEP_KINDS
};

struct dep {
	enum dep_kind kind;
	struct str key;
	struct hash128 hash;
	struct mark at; /* where it was read, for `why`; may be empty */
};

struct trace {
	struct arena *arena;
	struct map seen; /* kind + key */
	VEC_OF(struct dep)
};

void trace_add(struct trace *t, enum dep_kind kind, struct str key, struct hash128 hash, struct mark at);
/* Everything of `from` that is not in `to`. */
void trace_merge(struct trace *to, const struct trace *from);
/* Has no dependency of `b` another hash in `a`, which was made by adding? */
bool trace_agrees(const struct trace *a, const struct trace *b);
/* An option of the command line, such as "--include-tests": a DEP_ENV, HASH_NONE when it is not given. */
bool dep_is_option(const struct dep *d);
/* The environment may be in a folder; a name has no slash, but behind "secret:". */
void token_key_cut(struct str key, struct str *env, struct str *name);
const char *dep_kind_name(enum dep_kind kind); /* "file", "node", "dir", … */

#endif
