#include "model/rules.h"
#include "resolve/token_scan.h"
#include "resolve/token_table.h"

struct hash128 secret_hash(const struct tokens *t, struct str name)
{
	const struct str *real = map_get(&t->scope, name);

	if (name.n == 0)
		return t->default_scope.n != 0 ? hash_bytes(t->default_scope) : HASH_NONE;
	return real != NULL ? hash_bytes(*real) : HASH_NONE;
}

static int malformed(struct unit *u, struct mark at, struct str body)
{
	struct diag *d = unit_diag(u, &rule_secret_malformed, at, "${secret:%.*s} has no %s", STR_ARG(body),
	                           str_starts(body, STR("/")) || body.n == 0 ? "scope or key" : "key");

	diag_hint(u->diags, d, "write ${secret:SCOPE/KEY}, or ${secret:KEY} with a default scope");
	return -1;
}

static int scope_missing(struct unit *u, struct mark at, struct str body)
{
	struct diag *d = unit_diag(u, &rule_secret_scope, at, "${secret:%.*s} names no scope, and there is no default scope",
	                           STR_ARG(body));

	diag_hint(u->diags, d, "set secrets.default_scope in substitutions/%.*s.yaml, or write ${secret:SCOPE/%.*s}",
	          STR_ARG(u->env->name), STR_ARG(body));
	return -1;
}

/* Scope and key of what stands between `${secret:` and `}`, aliases and default applied. */
static int parts_of(struct unit *u, struct mark at, struct str body, struct str *scope, struct str *key)
{
	const struct tokens *t = u->env->tokens;
	const struct str *real;
	ptrdiff_t slash = str_find_char(body, '/', 0);

	*scope = slash < 0 ? t->default_scope : str_sub(body, 0, (size_t)slash);
	*key = slash < 0 ? body : str_skip(body, (size_t)slash + 1);
	if (slash < 0)
		token_note(t, u->trace, STR("secret:"), at);
	if (slash < 0 && scope->n == 0)
		return scope_missing(u, at, body);
	if (key->n == 0 || scope->n == 0)
		return malformed(u, at, body);
	if (u->trace != NULL)
		token_note(t, u->trace, str_cat(u->trace->arena, STR("secret:"), *scope), at);
	real = map_get(&t->scope, *scope);
	if (real != NULL)
		*scope = *real;
	return 0;
}

int secrets_apply(struct unit *u, struct str s, struct mark at, struct str *out)
{
	struct buf b = { 0 };
	struct str body, scope, key;
	size_t from = 0, start, end;
	int rc = 0;

	*out = s;
	for (size_t i = 0; rc == 0 && secret_next(s, i, &start, &end, &body); i = end) {
		rc = parts_of(u, at, body, &scope, &key);
		if (rc < 0)
			break;
		buf_add(&b, str_sub(s, from, start));
		buf_addf(&b, "${secret:%.*s/%.*s}", STR_ARG(scope), STR_ARG(key));
		from = end;
	}
	if (rc == 0 && from != 0) {
		buf_add(&b, str_skip(s, from));
		if (!str_eq(buf_str(&b), s))
			*out = buf_take(&b, u->arena);
	}
	buf_release(&b);
	return rc;
}

bool secret_find(struct str s, size_t from, struct secret_ref *out)
{
	struct str body;
	ptrdiff_t slash;

	while (secret_next(s, from, &out->at, &out->end, &body)) {
		slash = str_find_char(body, '/', 0);
		if (slash > 0) {
			out->scope = str_sub(body, 0, (size_t)slash);
			out->key = str_skip(body, (size_t)slash + 1);
			return true;
		}
		from = out->end;
	}
	return false;
}
