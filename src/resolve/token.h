/*
 * token.h - the substitution tokens of one environment, and replacing them in text.
 *
 * Rules: spec/resolve.md, sections 4 and 5. Every look-up records DEP_TOKEN
 * "ENV/NAME" in the trace, of a name that is no token too: editing one token
 * dirties only its readers. The hash is of the expanded value, so it changes with
 * the tokens that the value names. What secrets need is recorded as "ENV/secret:ALIAS"
 * and, for the default scope, "ENV/secret:". A value that comes from WORKSPACE_ENV or LOGICAL_ENV records the variable too.
 *
 * A `struct tokens` is immutable once loaded; threads share it.
 */
#ifndef LHP_RESOLVE_TOKEN_H
#define LHP_RESOLVE_TOKEN_H

#include "project/unit.h"
#include "yaml/node.h"

struct project;
struct tokens;

/*
 * Reads substitutions/ENV.yaml (absent: only the reserved tokens). NULL with a
 * finding in `ds`. With `keep` (lhp dag) no file is read and only the reserved tokens exist.
 */
struct tokens *tokens_load(struct project *p, struct arena *a, struct str env, bool keep, struct diags *ds, struct buf *log);

/* Value of a token, expanded; NULL when there is none. Records the look-up. */
const struct node *token_get(const struct tokens *t, struct trace *trace, struct str name);
struct hash128 token_hash(const struct tokens *t, struct str name); /* what DEP_TOKEN holds now, secrets' entries too */
/* The tokens that the value of one was made from, in order of place; those may be made from others in turn. */
size_t token_parts(const struct tokens *t, struct arena *a, struct str name, struct str **part);
/* Every token in order of name (`lhp substitutions`). */
size_t tokens_list(const struct tokens *t, struct arena *a, struct str **name, const struct node ***value);
struct str tokens_default_scope(const struct tokens *t); /* or empty */

enum token_forms {
	TOKENS_ALL,    /* ${x}, then {x}, then ${secret:…} */
	TOKENS_DOLLAR, /* ${x} and ${secret:…} only */
};

/*
 * The text with tokens replaced and secrets in canonical form; `s` itself when nothing changed. Bad secrets and
 * tokens that are maps or lists: findings in u->diags, and -1. Not for text that went through it
 * already: an alias of a scope is looked up once.
 */
int tokens_apply(struct unit *u, struct str s, struct mark at, enum token_forms forms, struct str *out);
/* The same over every text value of a tree. */
int tokens_apply_node(struct unit *u, const struct node *n, const struct node **out);

/*
 * The text of a project file that a flowgroup names (SQL, batch handler, Python, tags file), line ends as \n, tokens
 * replaced: 0, or -1 with a finding at `at` (IO-001 absent, IO-004 not UTF-8 or a folder, IO-005 not readable;
 * with `strict`, CFG-010 for a plain ${name} left over). '\' in the path counts as '/'.
 */
int file_text(struct unit *u, struct str path, struct mark at, enum token_forms forms, bool strict, struct str *out);
/* The same without replacing anything. */
int file_text_raw(struct unit *u, struct str path, struct mark at, struct str *out);
/*
 * The finding of either, said by the rules that the reference has for files of this kind: one that is no UTF-8
 * text, and a folder. NULL: as it is.
 */
void file_fault_as(struct unit *u, const struct rule *not_utf8, const struct rule *folder);

/* A secret reference in canonical text: at s.p[at..end), with its parts. False when there is none at or after `from`. */
struct secret_ref {
	size_t at, end;
	struct str scope, key;
};
bool secret_find(struct str s, size_t from, struct secret_ref *out);

#endif
