#include "resolve/token.h"

#include "model/rules.h"
#include "project/document.h"
#include "project/expand.h"
#include "project/project.h"
#include "resolve/token_scan.h"
#include "resolve/token_table.h"
#include "yaml/node_build.h"

#include <errno.h>

/* --- loading --- */

static void token_put(struct tokens *t, struct arena *a, struct str name, const struct node *n)
{
	map_put(&t->value, a, name, (void *)(uintptr_t)n);
}

/* What a value becomes in text: booleans in lower case, else Python's str(). Maps and lists stay. */
static const struct node *token_value(struct arena *a, const struct node *n)
{
	struct str text;

	if (n->kind == NODE_STR || n->kind == NODE_MAP || n->kind == NODE_LIST)
		return n;
	text = n->kind == NODE_BOOL ? n->boolean ? STR("true") : STR("false") : node_text(a, n);
	return node_new_str(a, n->at, text);
}

static void section_read(struct tokens *t, struct arena *a, const struct node *section, bool replace)
{
	if (!node_is(section, NODE_MAP))
		return;
	for (size_t i = 0; i < section->map.n; i++) {
		const struct node *key = section->map.pair[i].key, *value = token_value(a, section->map.pair[i].value);
		struct str name = node_text(a, key);

		if (!node_is_str(key))
			map_put(&t->nameless, a, name, (void *)(uintptr_t)value);
		else if (replace || map_find(&t->value, name) == NULL)
			token_put(t, a, name, value);
	}
}

static const struct {
	const char *name, *variable;
} reserved[] = { { "workspace_env", "WORKSPACE_ENV" }, { "logical_env", "LOGICAL_ENV" } };

static void reserved_read(struct tokens *t, struct project *p, struct arena *a, struct str env)
{
	for (size_t i = 0; i < 2; i++) {
		struct str value = door_getenv(p->door, NULL, reserved[i].variable);

		token_put(t, a, str_of(reserved[i].name),
		          node_new_str(a, (struct mark){ 0 }, value.p != NULL ? str_dup(a, value) : env));
	}
}

static void secrets_read(struct tokens *t, struct arena *a, const struct node *secrets)
{
	const struct node *scope = node_get(secrets, "default_scope"), *scopes = node_get(secrets, "scopes");

	if (node_truthy(scope))
		t->default_scope = node_text(a, scope);
	if (!node_is(scopes, NODE_MAP))
		return;
	for (size_t i = 0; i < scopes->map.n; i++) {
		struct str *real = ARENA_NEW(a, struct str);

		*real = node_text(a, scopes->map.pair[i].value);
		map_put(&t->scope, a, node_text(a, scopes->map.pair[i].key), real);
	}
}

/* Marks the tokens whose texts name one that is marked; true when there was a new one. */
static bool variable_spread(struct tokens *t, struct arena *a, struct map *marked)
{
	struct str name;
	size_t at, end, before = marked->n;

	for (size_t i = 0; i < t->value.n; i++) {
		struct str s = node_str(t->value.entry[i].value);

		for (size_t k = 0; reference_next(s, k, &at, &end, &name); k = end)
			if (map_find(marked, name) != NULL)
				map_add(marked, a, t->value.entry[i].key);
	}
	return marked->n != before;
}

/* Before values are expanded: which of them come from the variables of the environment. */
static void variables_mark(struct tokens *t, struct arena *a, const struct node *section)
{
	for (size_t i = 0; i < 2; i++) {
		if (node_has(section, reserved[i].name))
			continue;
		map_add(&t->variable[i], a, str_of(reserved[i].name));
		while (variable_spread(t, a, &t->variable[i]))
			;
	}
}

/* Tokens inside the values of tokens. */
static bool values_expand(struct tokens *t, struct arena *a)
{
	struct map text = { 0 };
	bool good;

	for (size_t i = 0; i < t->value.n; i++) {
		const struct node *n = t->value.entry[i].value;
		struct str *s;

		if (n->kind != NODE_STR)
			continue;
		s = ARENA_NEW(a, struct str);
		*s = n->text;
		map_put(&text, a, t->value.entry[i].key, s);
	}
	good = definitions_expand(&text, a, reference_next);
	for (size_t i = 0; i < t->value.n; i++) {
		const struct node *n = t->value.entry[i].value;
		const struct str *s = map_get(&text, t->value.entry[i].key);

		if (s == NULL || s->p == n->text.p)
			continue;
		map_put(&t->written, a, t->value.entry[i].key, (void *)(uintptr_t)&n->text);
		t->value.entry[i].value = node_new_str(a, n->at, *s);
	}
	return good;
}

/* The document of substitutions/ENV.yaml; NULL when it is absent or, with *bad set and a finding, unusable. */
static const struct node *file_read(struct project *p, struct str path, struct diags *ds, bool *bad)
{
	const struct door_yaml *y;
	const struct node *doc;
	struct diag *d;

	*bad = false;
	y = door_yaml_quiet(p->door, path);
	if (y->file->error == -ENOENT)
		return NULL;
	doc = document_only(ds, y, (struct mark){ 0 });
	*bad = doc == NULL;
	if (doc == NULL || doc->kind == NODE_MAP)
		return doc;
	if (doc->kind == NODE_NULL)
		return NULL;
	*bad = true;
	d = diag_add(ds, &rule_substitutions_shape, doc->at, "%s must hold a mapping; it holds %s", y->file->path.p,
	             node_kind_name(doc));
	diag_hint(ds, d, "write the name of the environment as a key, and its tokens below it");
	return NULL;
}

struct tokens *tokens_load(struct project *p, struct arena *a, struct str env, bool keep, struct diags *ds, struct buf *log)
{
	struct tokens *t = ARENA_NEW(a, struct tokens);
	struct str path = str_fmt(a, "substitutions/%.*s.yaml", STR_ARG(env));
	const struct node *doc;
	bool bad;

	t->env = str_dup(a, env);
	t->door = p->door;
	reserved_read(t, p, a, t->env);
	if (keep) {
		variables_mark(t, a, NULL);
		return t;
	}
	doc = file_read(p, path, ds, &bad);
	if (bad)
		return NULL;
	section_read(t, a, node_get_s(doc, env), true);
	section_read(t, a, node_get(doc, "global"), false);
	secrets_read(t, a, node_get(doc, "secrets"));
	variables_mark(t, a, node_get_s(doc, env));
	if (!values_expand(t, a) && log != NULL)
		buf_addf(log, "%.*s: tokens that name each other in a circle, or grow without end, stay as written\n",
		         STR_ARG(path));
	return t;
}

/* --- looking up --- */

struct hash128 token_hash(const struct tokens *t, struct str name)
{
	if (str_starts(name, STR("secret:")))
		return secret_hash(t, str_skip(name, sizeof "secret:" - 1));
	return node_hash(map_get(&t->value, name));
}

void token_note(const struct tokens *t, struct trace *trace, struct str name, struct mark at)
{
	if (trace == NULL)
		return;
	trace_add(trace, DEP_TOKEN, str_cat_sep(trace->arena, t->env, '/', name),
	          token_hash(t, name), at);
	for (size_t i = 0; i < 2; i++)
		if (map_find(&t->variable[i], name) != NULL)
			door_getenv(t->door, trace, reserved[i].variable);
}

const struct node *token_get(const struct tokens *t, struct trace *trace, struct str name)
{
	token_note(t, trace, name, (struct mark){ 0 });
	return map_get(&t->value, name);
}

size_t token_parts(const struct tokens *t, struct arena *a, struct str name, struct str **part)
{
	const struct str *text = map_get(&t->written, name);
	struct { VEC_OF(struct str) } out = { 0 };
	struct str inner;
	size_t at, end;

	for (size_t i = 0; text != NULL && reference_next(*text, i, &at, &end, &inner); i = end)
		if (node_is_str(map_get(&t->value, inner)))
			*VEC_PUSH(&out, a) = inner;
	*part = out.p;
	return out.n;
}

size_t tokens_list(const struct tokens *t, struct arena *a, struct str **name, const struct node ***value)
{
	struct map all = { 0 };
	uint32_t *order;

	for (size_t i = 0; i < t->nameless.n; i++)
		map_put(&all, a, t->nameless.entry[i].key, t->nameless.entry[i].value);
	for (size_t i = 0; i < t->value.n; i++)
		map_put(&all, a, t->value.entry[i].key, t->value.entry[i].value);
	order = map_sorted(&all, a);
	*name = ARENA_ARRAY(a, struct str, all.n);
	*value = ARENA_ARRAY(a, const struct node *, all.n);
	for (size_t i = 0; i < all.n; i++) {
		(*name)[i] = all.entry[order[i]].key;
		(*value)[i] = all.entry[order[i]].value;
	}
	return all.n;
}

struct str tokens_default_scope(const struct tokens *t)
{
	return t->default_scope;
}

/* --- replacing --- */

struct replacement {
	struct unit *u;
	struct mark at;
	const struct node *first; /* the first token that was put in, and its name */
	struct str name;
};

static int container_refuse(struct replacement *r, struct str name, const struct node *n)
{
	struct diag *d = unit_diag(r->u, &rule_token_left, r->at, "the token '%.*s' is %s and cannot stand in a text",
	                           STR_ARG(name), node_kind_name(n));

	diag_hint(r->u->diags, d, "give the token a text in substitutions/%.*s.yaml", STR_ARG(r->u->env->name));
	return -1;
}

static int pass(struct replacement *r, struct str s, reference_find *find, struct str *out)
{
	const struct tokens *t = r->u->env->tokens;
	struct buf b = { 0 };
	struct str name;
	size_t from = 0, at, end;
	int rc = 0;

	*out = s;
	for (size_t i = 0; rc == 0 && find(s, i, &at, &end, &name); i = end) {
		const struct node *n = map_get(&t->value, name);

		token_note(t, r->u->trace, name, r->at);
		if (n == NULL)
			continue;
		if (n->kind != NODE_STR) {
			rc = container_refuse(r, name, n);
			break;
		}
		if (r->first == NULL) {
			r->first = n;
			r->name = name;
		}
		buf_add(&b, str_sub(s, from, at));
		buf_add(&b, n->text);
		from = end;
	}
	if (rc == 0 && from != 0) {
		buf_add(&b, str_skip(s, from));
		*out = buf_take(&b, r->u->arena);
	}
	buf_release(&b);
	return rc;
}

static int replace(struct replacement *r, struct str s, enum token_forms forms, struct str *out)
{
	*out = s;
	if (memchr(s.p, '{', s.n) == NULL)
		return 0;
	if (pass(r, s, dollar_find, out) < 0)
		return -1;
	if (forms == TOKENS_ALL && pass(r, *out, bare_find, out) < 0)
		return -1;
	return secrets_apply(r->u, *out, r->at, out);
}

int tokens_apply(struct unit *u, struct str s, struct mark at, enum token_forms forms, struct str *out)
{
	struct replacement r = { .u = u, .at = at };

	*out = s;
	return s.n == 0 ? 0 : replace(&r, s, forms, out);
}

static const struct node *node_replace(void *ctx, const struct node *n)
{
	struct replacement r = { .u = ctx, .at = n->at };
	const struct node *new;
	struct str out;

	if (n->text.n == 0)
		return n;
	if (replace(&r, n->text, TOKENS_ALL, &out) < 0)
		return NULL;
	if (out.p == n->text.p)
		return n;
	struct node *made = node_copy(r.u->arena, n);

	made->text = out;
	new = made;
	if (r.first != NULL && r.first->at.file != NULL)
		new = node_via(r.u->arena, new, "token", r.name, r.first->at);
	return new;
}

int tokens_apply_node(struct unit *u, const struct node *n, const struct node **out)
{
	*out = node_map_strings(u->arena, n, node_replace, u);
	return *out != NULL || n == NULL ? 0 : -1;
}
