/*
 * conceal.h - keeping secret values out of what is said and stored.
 *
 * What stands under a secret's name (model/secrecy.h) in a flowgroup or among the tokens is taken out of the texts of
 * findings, wherever it turns up in them.
 */
#ifndef LHP_RESOLVE_CONCEAL_H
#define LHP_RESOLVE_CONCEAL_H

#include "base/vec.h"
#include "project/unit.h"
#include "yaml/node.h"

struct secret_values {
	VEC_OF(struct str)
};

/* The values of secret tokens. */
void secret_tokens(struct secret_values *s, struct arena *a, const struct tokens *t);
/* What may be shown and stored of a token: its text, or STR_NONE for a secret, for one that holds a secret, and for no text. */
struct str token_shown(const struct secret_values *s, struct str name, const struct node *value);
/* Of all findings of the unit. `flowgroup`: as it is written, or NULL. */
void findings_conceal(struct unit *u, const struct node *flowgroup);

#endif
