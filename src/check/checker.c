#include "check/checker.h"

#include "base/path.h"
#include "base/utf8.h"
#include "model/suggest.h"
#include "project/project.h"

struct diag *check_add(struct checker *c, const struct rule *rule, const struct node *at, const char *fmt, ...)
{
	struct mark mark = at != NULL ? at->at : c->action != NULL ? node_mark(c->action->map) : c->fg->at;
	struct str text;
	struct diag *d;
	va_list ap;

	va_start(ap, fmt);
	text = str_vfmt(c->parts->arena, fmt, ap);
	va_end(ap);
	d = diag_add(c->parts, rule, mark, "%.*s", STR_ARG(text));
	d->via = at != NULL ? at->via : NULL;
	check_own(c, d);
	return d;
}

void check_own(const struct checker *c, struct diag *d)
{
	d->pipeline = c->u->pipeline;
	d->flowgroup = c->u->flowgroup;
	d->file = c->u->file;
	if (c->action != NULL)
		d->action = c->action->name;
}

void check_hint(struct checker *c, struct diag *d, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	d->hint = str_vfmt(c->parts->arena, fmt, ap);
	va_end(ap);
}

void check_suggest(struct checker *c, struct diag *d, const struct field *f, const struct node *found)
{
	struct arena *a = c->parts->arena;
	struct str candidate[32], rest = str_of(f->values), question = STR_NONE;
	size_t n = 0;

	while (n < sizeof candidate / sizeof *candidate && str_cut(&rest, ' ', &candidate[n]))
		n++;
	if (node_is_str(found))
		question = suggest_question(a, found->text, candidate, n, SUGGEST_MAX);
	check_hint(c, d, "%.*s%s%s is %.*s", STR_ARG(question), question.n != 0 ? " " : "", f->name,
	           STR_ARG(field_values(a, f)));
}

static void key_unknown(struct checker *c, const struct entity *e, unsigned kinds, const struct node *key, const char *what)
{
	struct str *known = ARENA_ARRAY(c->u->arena, struct str, e->n);
	size_t n = field_names(e, kinds, known);
	struct str near = node_is_str(key) ? suggest_key(key->text, known, n) : STR_NONE;
	struct diag *d = check_add(c, &rule_key_unknown, key, "%s has no key %.*s", what,
	                           STR_ARG(node_repr(c->u->arena, key)));
	struct buf b = { 0 };

	if (near.n == 0 && node_is_str(key)) /* the peer has no hint for swapped letters */
		suggest_names(key->text, known, n, &near, 1);
	if (near.n != 0)
		buf_addf(&b, "did you mean '%.*s'?", STR_ARG(near));
	else
		buf_adds(&b, "known keys:");
	for (size_t i = 0; near.n == 0 && i < n; i++)
		buf_addf(&b, "%s%.*s", i == 0 ? " " : ", ", STR_ARG(known[i]));
	d->hint = buf_take(&b, c->parts->arena);
	buf_release(&b);
}

bool check_keys(struct checker *c, const struct entity *e, unsigned kinds, const struct node *map, const char *what)
{
	bool good = true;

	for (size_t i = 0; i < map->map.n; i++) {
		const struct node *key = map->map.pair[i].key;

		if (node_is_str(key) && field_find(e, kinds, key->text) != NULL)
			continue;
		key_unknown(c, e, kinds, key, what);
		good = false;
	}
	return good;
}

void check_needed(struct checker *c, const struct entity *e, unsigned kinds, const struct node *map, const char *what,
                  const struct rule *missing)
{
	for (size_t i = 0; i < e->n; i++) {
		const struct field *f = &e->field[i];
		const struct node *n = (f->needed_by & kinds) != 0 ? node_get(map, f->name) : NULL;

		if ((f->needed_by & kinds) == 0 || node_truthy(n))
			continue;
		check_hint(c, check_add(c, missing, n != NULL ? n : map, "%s needs '%s'%s", what, f->name,
		                        n != NULL ? ", which is empty here" : ""),
		           "%s: %s", f->name, f->doc);
	}
}

/* Integers are compared as numbers, so that `1` is 1 and the text "1" is not. */
static bool value_is_possible(struct arena *a, const struct field *f, const struct node *n)
{
	return n->kind == NODE_LIST || n->kind == NODE_MAP || field_has_value(f, node_text(a, n));
}

/* A text that may as well be a list is judged as a list only. */
static bool is_empty(const struct field *f, const struct node *n)
{
	return (n->kind == NODE_STR && (f->type & FIELD_TEXTS) == 0 && utf8_blank(n->text)) ||
	       ((n->kind == NODE_LIST || n->kind == NODE_MAP) && node_len(n) == 0);
}

static void type_check(struct checker *c, const struct field *f, const struct node *n, const char *what,
                       const struct rule *type, const struct rule *value)
{
	struct arena *a = c->u->arena;

	if (!field_accepts(f, n))
		check_add(c, type, n, "'%s' of %s is %.*s, found %s", f->name, what, STR_ARG(field_type_name(a, f)),
		          node_kind_name(n));
	else if ((f->type & FIELD_FILLED) != 0 && is_empty(f, n))
		check_add(c, value, n, "'%s' of %s is empty", f->name, what);
	else if (!value_is_possible(a, f, n))
		check_suggest(c, check_add(c, value, n, "'%s' of %s cannot be %.*s", f->name, what, STR_ARG(node_repr(a, n))),
		              f, n);
}

void check_types(struct checker *c, const struct entity *e, unsigned kinds, const struct node *map, const char *what,
                 const struct rule *type, const struct rule *value)
{
	for (size_t i = 0; i < e->n; i++) {
		const struct field *f = &e->field[i];
		const struct node *n = NULL;

		if ((f->type & FIELD_CHECKED) != 0 && field_is_of(f, kinds))
			n = node_get(map, f->name);
		if (node_is_null(n))
			continue;
		if ((f->needed_by & kinds) != 0 && !node_truthy(n)) /* check_needed has said so */
			continue;
		type_check(c, f, n, what, type, value);
	}
}

void check_value(struct checker *c, const char *key, const struct rule *rule)
{
	const struct field *f = field_find(&entity_action, 0, str_of(key));
	const struct node *n = node_get(c->action->map, key);

	if (!node_is_null(n) && !field_has_value(f, node_text(c->u->arena, n)))
		check_suggest(c, check_add(c, rule, n, "'%s' cannot be %.*s", key, STR_ARG(node_repr(c->u->arena, n))), f, n);
}

bool is_three_part(const struct node *n)
{
	return node_is_str(n) && str_count_char(n->text, '.') == 2;
}

bool is_text_or_list(const struct node *n)
{
	return node_is_str(n) || node_is(n, NODE_LIST);
}

bool is_text_list(const struct node *n)
{
	if (!node_is(n, NODE_LIST))
		return false;
	for (size_t i = 0; i < n->list.n; i++)
		if (!node_is_str(n->list.item[i]))
			return false;
	return true;
}

bool path_exists(struct checker *c, struct str path)
{
	struct str p = str_replace(c->u->arena, path, STR("\\"), STR("/"));
	struct door *door = c->u->project->door;

	return door_is_file(door, c->u->trace, p) || door_is_dir(door, c->u->trace, p);
}
