/*
 * user_text.h - tokens and secrets in users' Python.
 *
 * Tokens are replaced as `${word}` everywhere; as bare `{word}` only in comments and plain strings: an f-string's or a
 * set's braces are Python's (spec/load_transform.md, defect 13). Secrets are left in canonical form.
 * Internal to emit/.
 */
#ifndef LHP_EMIT_USER_TEXT_H
#define LHP_EMIT_USER_TEXT_H

#include "emit/module.h"
#include "python/pysrc.h"

struct user_text {
	struct module *m;
	const struct action *action;
	struct str text;
	struct mark at;        /* blamed */
	struct py_span *plain; /* its comments and plain strings, in order */
	size_t n_plain;
};

/* Appends text[from..to) with its tokens replaced. 0, or -1 with a finding. */
int user_range_add(const struct user_text *t, struct buf *b, size_t from, size_t to);

/* A whole text. One that does not parse as it stands (a token in the middle of code) has both forms replaced everywhere. */
int user_text_substitute(struct module *m, const struct action *a, struct str text, struct mark at, struct str *out);

/*
 * Users' code that becomes part of the generated module: every string literal that holds a secret, rewritten to call for it
 * (write_test.md 11.3). In the unit's arena, or `code` itself.
 */
struct str user_secrets_call(struct module *m, struct str code);

#endif
