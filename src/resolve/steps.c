#include "resolve/steps.h"

#include "base/utf8.h"
#include "model/rules.h"
#include "project/variable.h"
#include "resolve/leftover.h"
#include "resolve/nearby.h"
#include "resolve/preset.h"
#include "resolve/token.h"
#include "resolve/token_scan.h"
#include "yaml/node_build.h"

enum { VARIABLES_SHOWN = 10, TOKENS_SHOWN = 5 };

/* --- local variables --- */

struct substitution {
	struct arena *arena;
	struct variables variables;
};

static const struct node *variables_put(void *ctx, const struct node *n)
{
	struct substitution *s = ctx;
	struct str text = variables_apply(&s->variables, s->arena, n->text);
	struct node *out;

	if (text.p == n->text.p)
		return n;
	out = node_copy(s->arena, n);
	out->text = text;
	return out;
}

static struct str leftover_lines(struct arena *a, const struct leftovers *l)
{
	struct buf b = { 0 };
	struct str out;

	for (size_t i = 0; i < l->n; i++)
		buf_addf(&b, "%s%.*s at %.*s", i != 0 ? "\n" : "", STR_ARG(l->p[i].names), STR_ARG(l->p[i].path));
	if (l->total > l->n)
		buf_addf(&b, "\nand %zu more", l->total - l->n);
	out = buf_take(&b, a);
	buf_release(&b);
	return out;
}

static int leftovers_refuse(struct unit *u, const struct rule *rule, const struct leftovers *l, const char *what)
{
	struct str lines;
	struct diag *d;

	if (l->n == 0)
		return 0;
	lines = leftover_lines(u->arena, l);
	d = unit_diag(u, rule, node_mark(l->p[0].text), "%s:\n%.*s", what, STR_ARG(lines));
	d->via = l->p[0].text->via;
	return -1;
}

static bool is_known(const struct entity *e, const struct node *key)
{
	return node_is_str(key) && field_find(e, 0, key->text) != NULL;
}

const struct node *known_keys(struct arena *a, const struct entity *e, const struct node *map)
{
	struct node *known;
	size_t n = 0;

	for (size_t i = 0; i < map->map.n; i++)
		n += is_known(e, map->map.pair[i].key);
	if (n == map->map.n)
		return map;
	known = node_copy(a, map);
	known->map.n = 0;
	for (size_t i = 0; i < map->map.n; i++)
		if (is_known(e, map->map.pair[i].key))
			known->map.pair[known->map.n++] = map->map.pair[i];
	return known;
}

int variables_resolve(struct unit *u, const struct node *map, const struct node **out)
{
	const struct node *variables = node_get(map, "variables");
	struct substitution s = { .arena = u->arena };
	struct leftovers left = { 0 };
	struct node *copy;

	*out = map;
	if (node_len(variables) == 0)
		return 0;
	variables_read(&s.variables, u->arena, variables);
	copy = node_copy(u->arena, map);
	node_remove(copy, "variables");
	copy = node_copy(u->arena, node_map_strings(u->arena, copy, variables_put, &s));
	node_set(u->arena, copy, STR("variables"), variables);
	*out = copy;
	leftovers_find(u->arena, copy, variable_find, VARIABLES_SHOWN, &left);
	if (leftovers_refuse(u, &rule_variable_undefined, &left, "the flowgroup's 'variables' do not define") == 0)
		return 0;
	diag_hint(u->diags, &u->diags->p[u->diags->n - 1], "define them below 'variables:', or correct their names");
	return -1;
}

/* --- presets --- */

static const struct chain *chain_of(struct unit *u, const struct node *presets)
{
	struct str *name = ARENA_ARRAY(u->arena, struct str, node_len(presets));
	const struct chain *c;

	for (size_t i = 0; i < node_len(presets); i++)
		name[i] = node_str(presets->list.item[i]);
	c = preset_chain(u->project, name, node_len(presets));
	if (c->fault != NULL) {
		const struct node *culprit = presets->list.item[c->culprit];
		struct diag *d = unit_diag(u, c->fault, culprit->at, "%.*s", STR_ARG(c->detail));

		d->title = str_dup(u->diags->arena, c->title);
		d->hint = str_dup(u->diags->arena, c->hint);
		d->via = culprit->via;
		chain_part(c, u->trace, "");
		return NULL;
	}
	return c;
}

static void suffix_warn(struct unit *u, const struct node *action, const struct node *part)
{
	const struct node *suffix = node_get(part, "database_suffix");
	struct diag *d;

	if (suffix == NULL || node_has(part, "schema_suffix"))
		return;
	d = unit_diag(u, &rule_database_suffix, suffix->at,
	              "the preset key 'database_suffix' is deprecated; it is applied to action '%.*s'",
	              STR_ARG(node_get_text(action, "name")));
	diag_hint(u->diags, d, "use 'schema_suffix'");
}

static const struct node *part_refuse(struct unit *u, const struct chain *c, const char *section, struct str kind,
                                      const struct node *part)
{
	struct diag *d = unit_diag(u, &rule_preset_part_shape, part->at, "%s.%.*s of the preset %.*s is %s; it must be a mapping", section,
	                           STR_ARG(kind), STR_ARG(c->key), node_kind_name(part));

	diag_hint(u->diags, d, "write the keys that actions get below it, or remove it");
	d->via = part->via;
	return NULL;
}

/* The action with what the presets say of its kind; NULL with a finding. */
static const struct node *chain_put(struct unit *u, const struct chain *c, const struct via *via, const struct node *action)
{
	static const struct {
		const char *type, *block, *section;
	} target[] = {
		{ "load", "source", "load_actions" },
		{ "write", "write_target", "write_actions" },
	};

	for (size_t i = 0; i < 2; i++) {
		const struct node *block = node_get(action, target[i].block), *part;
		struct node *out;

		if (!str_is(node_get_text(action, "type"), target[i].type) || kind_of(block).n == 0)
			continue;
		part = chain_part(c, u->trace,
		                  str_fmt(u->arena, "%s.%.*s", target[i].section, STR_ARG(kind_of(block))).p);
		if (!node_truthy(part))
			return action;
		if (part->kind != NODE_MAP)
			return part_refuse(u, c, target[i].section, kind_of(block), part);
		if (i == 1)
			suffix_warn(u, action, part);
		out = node_copy(u->arena, action);
		node_set(u->arena, out, str_of(target[i].block), node_merge(u->arena, block, part, via));
		return out;
	}
	return action;
}

int presets_apply(struct unit *u, const struct node *presets, struct node *actions)
{
	const struct chain *c;
	struct via via;

	if (node_len(presets) == 0)
		return 0;
	c = chain_of(u, presets);
	if (c == NULL)
		return -1;
	via = (struct via){ "preset", c->key, presets->at };
	for (size_t i = 0; i < actions->list.n; i++) {
		const struct node *action = chain_put(u, c, &via, actions->list.item[i]);

		if (action == NULL)
			return -1;
		actions->list.item[i] = action;
	}
	return 0;
}

/* --- leftovers --- */

int leftovers_check(struct unit *u, const struct node *map)
{
	struct str name;
	size_t at, end;
	struct leftovers left = { 0 };

	leftovers_find(u->arena, map, reference_next, TOKENS_SHOWN, &left);
	if (leftovers_refuse(u, &rule_token_left, &left, "these have no value") == 0)
		return 0;
	reference_next(left.p[0].text->text, 0, &at, &end, &name);
	diag_hints(u->diags, &u->diags->p[u->diags->n - 1], token_question(u, name),
	           str_fmt(u->arena, "define them in substitutions/%.*s.yaml, or correct their names", STR_ARG(u->env->name)).p);
	return -1;
}

/* --- secret names --- */

enum { SCOPE_MAX = 128 };

static bool name_good(struct str s, bool any_script)
{
	for (size_t i = 0; i < s.n;) {
		uint32_t c = utf8_next(s, &i);

		if (c != '-' && !(c < 0x80 ? ascii_is_word((char)c) : any_script && ucs_is_word(c)))
			return false;
	}
	return true;
}

static const struct node *secret_look(void *ctx, const struct node *n)
{
	struct unit *u = ctx;
	struct secret_ref ref;

	for (size_t from = 0; secret_find(n->text, from, &ref); from = ref.end) {
		bool scope = name_good(ref.scope, true) && utf8_len(ref.scope) <= SCOPE_MAX;
		struct diag *d;

		if (scope && name_good(ref.key, false))
			continue;
		d = unit_diag(u, &rule_secret_name, n->at, "the %s of ${secret:%.*s/%.*s} is not a name of a secret",
		              scope ? "key" : "scope", STR_ARG(ref.scope), STR_ARG(ref.key));
		diag_hint(u->diags, d, "only letters, digits, '_' and '-'; a scope has at most %d characters", SCOPE_MAX);
		d->via = n->via;
		return NULL;
	}
	return n;
}

int secret_names_check(struct unit *u, const struct node *map)
{
	return node_map_strings(u->arena, map, secret_look, u) != NULL ? 0 : -1;
}

/* --- paths --- */

static bool has_backslash(const struct node *n)
{
	if (n->kind == NODE_STR)
		return str_find_char(n->text, '\\', 0) >= 0;
	for (size_t i = 0; n->kind == NODE_MAP && i < n->map.n; i++)
		if (has_backslash(n->map.pair[i].value))
			return true;
	return false;
}

/* The table of what the value of a row is, or NULL. */
static const struct entity *entity_inside(const struct field *f, const struct node *value)
{
	if (f->of == &entity_write_target && str_is(kind_of(value), "sink"))
		return &entity_sink;
	return strcmp(f->name, "source") == 0 ? &entity_source : f->of;
}

static const struct node *slashes_turn(struct arena *a, const struct entity *e, const struct node *map)
{
	struct node *out = NULL;

	for (size_t i = 0; i < map->map.n; i++) {
		const struct node *value = map->map.pair[i].value;
		const struct field *f = has_backslash(value) ? field_find(e, 0, node_str(map->map.pair[i].key)) : NULL;
		const struct entity *inside = f != NULL ? entity_inside(f, value) : NULL;

		if (f == NULL || (value->kind == NODE_MAP ? inside == NULL : (f->type & FIELD_PATH) == 0))
			continue;
		if (out == NULL)
			out = node_copy(a, map);
		if (value->kind == NODE_MAP) {
			out->map.pair[i].value = slashes_turn(a, inside, value);
		} else {
			struct node *text = node_copy(a, value);

			text->text = str_replace(a, value->text, STR("\\"), STR("/"));
			out->map.pair[i].value = text;
		}
	}
	return out != NULL ? out : map;
}

const struct node *action_slashes(struct arena *a, const struct node *action)
{
	return slashes_turn(a, &entity_action, action);
}
