#include "resolve/conceal.h"

#include "model/secrecy.h"
#include "resolve/token.h"

/* Shorter ones are in too many words to be taken out. */
enum { MIN_SECRET = 4 };

static const char CONCEALED[] = "***";

static void value_add(struct secret_values *s, struct arena *a, struct str value)
{
	if (value.n >= MIN_SECRET && !value_is_reference(value))
		*VEC_PUSH(s, a) = value;
}

/* All scalars below, once a name on the way to them is secret. */
static void node_add(struct secret_values *s, struct arena *a, const struct node *n, bool secret)
{
	if (n->kind == NODE_LIST)
		for (size_t i = 0; i < n->list.n; i++)
			node_add(s, a, n->list.item[i], secret);
	else if (n->kind == NODE_MAP)
		for (size_t i = 0; i < n->map.n; i++)
			node_add(s, a, n->map.pair[i].value, secret || name_is_secret(node_str(n->map.pair[i].key)));
	else if (secret && !node_is_null(n) && n->kind != NODE_BOOL)
		value_add(s, a, node_text(a, n));
}

void secret_tokens(struct secret_values *s, struct arena *a, const struct tokens *t)
{
	const struct node **value;
	struct str *name;
	size_t n = t != NULL ? tokens_list(t, a, &name, &value) : 0;

	for (size_t i = 0; i < n; i++)
		if (value[i] != NULL)
			node_add(s, a, value[i], name_is_secret(name[i]));
}

struct str token_shown(const struct secret_values *s, struct str name, const struct node *value)
{
	if (!node_is_str(value) || name_is_secret(name))
		return STR_NONE;
	for (size_t i = 0; i < s->n; i++)
		if (str_has(value->text, s->p[i]))
			return STR_NONE;
	return value->text;
}

static void text_conceal(const struct secret_values *s, struct arena *a, struct str *text)
{
	for (size_t i = 0; text->n != 0 && i < s->n; i++)
		*text = str_replace(a, *text, s->p[i], str_of(CONCEALED));
	if (text->n != 0)
		*text = line_concealed(a, *text);
}

static void diags_conceal(const struct secret_values *s, struct diags *ds)
{
	for (size_t i = 0; i < ds->n; i++) {
		struct diag *d = &ds->p[i];

		text_conceal(s, ds->arena, &d->title);
		text_conceal(s, ds->arena, &d->detail);
		text_conceal(s, ds->arena, &d->hint);
		if (d->parts != NULL)
			diags_conceal(s, d->parts);
	}
}

void findings_conceal(struct unit *u, const struct node *flowgroup)
{
	struct secret_values s = { 0 };

	if (u->diags->n == 0)
		return;
	secret_tokens(&s, u->arena, u->env->tokens);
	if (flowgroup != NULL)
		node_add(&s, u->arena, flowgroup, false);
	diags_conceal(&s, u->diags);
}
