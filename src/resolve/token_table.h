/*
 * token_table.h - inside of struct tokens; for token*.c and secret.c only.
 */
#ifndef LHP_RESOLVE_TOKEN_TABLE_H
#define LHP_RESOLVE_TOKEN_TABLE_H

#include "base/map.h"
#include "resolve/token.h"

struct tokens {
	struct str env;
	struct map value;         /* name -> const struct node *: a NODE_STR, or a map or list as written */
	struct map written;       /* name -> struct str *: the text before other tokens were put into it, of values that have such */
	struct map nameless;      /* those whose key is no text: listed, never put in */
	struct map variable[2];   /* names whose values come from WORKSPACE_ENV, LOGICAL_ENV, through others too */
	struct door *door;
	struct map scope;         /* alias -> struct str * */
	struct str default_scope; /* as written, or empty */
};

/* "ENV/NAME" with the hash of now, into a trace that may be NULL. */
void token_note(const struct tokens *t, struct trace *trace, struct str name, struct mark at);
/* ${secret:…} to canonical form. */
int secrets_apply(struct unit *u, struct str s, struct mark at, struct str *out);
/* Hash of "secret:ALIAS" or "secret:". */
struct hash128 secret_hash(const struct tokens *t, struct str name);

#endif
