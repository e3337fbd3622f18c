#include "resolve/template.h"

#include "base/path.h"
#include "base/utf8.h"
#include "model/rules.h"
#include "model/shape.h"
#include "model/suggest.h"
#include "project/document.h"
#include "project/include.h"
#include "project/shape.h"
#include "resolve/expr.h"
#include "resolve/token.h"
#include "yaml/node_build.h"

#include <errno.h>
#include <stdlib.h>

/* --- finding --- */

/* Hashes of the documents in use: many flowgroups share one. */
struct templates {
	struct arena arena;
	struct map hash; /* path -> struct hash128 */
};

static struct hash128 document_hash(struct project *p, const struct door_yaml *y, const struct node *doc)
{
	struct templates *t;
	struct hash128 *h;

	pthread_mutex_lock(&p->lock);
	if (p->templates == NULL) {
		p->templates = xmalloc(sizeof *p->templates);
		memset(p->templates, 0, sizeof *p->templates);
	}
	t = p->templates;
	h = map_get(&t->hash, y->file->path);
	if (h == NULL) {
		h = ARENA_NEW(&t->arena, struct hash128);
		*h = node_hash(doc);
		map_put(&t->hash, &t->arena, y->file->path, h);
	}
	pthread_mutex_unlock(&p->lock);
	return *h;
}

void templates_release(struct project *p)
{
	if (p->templates == NULL)
		return;
	arena_release(&p->templates->arena);
	free(p->templates);
	p->templates = NULL;
}

/* The peer logs the finding of the file itself beside LHP-CFG-027: its code is in the title. */
static const char *load_trouble(struct arena *a, const struct diag *d)
{
	return str_fmt(a, "does not load (%s)", d->rule->code).p;
}

static struct diag *unusable(struct unit *u, const struct node *use, const char *title, struct str why)
{
	struct diag *d = unit_diag(u, &rule_template_unknown, use->at, "%.*s", STR_ARG(why));

	diag_title(u->diags, d, "Template '%.*s' %s", STR_ARG(use->text), title);
	d->via = use->via;
	return d;
}

static const struct template *not_loaded(struct unit *u, const struct node *use, const char *title, struct str why)
{
	diag_hint(u->diags, unusable(u, use, title, why), "mend templates/%.*s.yaml", STR_ARG(use->text));
	return NULL;
}

static const struct template *not_found(struct unit *u, const struct node *use, struct str why)
{
	struct paths paths = { 0 };
	struct { VEC_OF(struct str) } known = { 0 };
	struct buf all = { 0 };
	struct str question;
	struct diag *d;

	include_walk(u->project->door, u->trace, u->arena, STR("templates"), (struct patterns){ 0 }, &paths);
	for (size_t i = 0; i < paths.n; i++) {
		struct str path = str_skip(paths.p[i], sizeof "templates/" - 1);

		if (!str_is(path_ext(path), ".yaml"))
			continue;
		*VEC_PUSH(&known, u->arena) = str_sub(path, 0, path.n - sizeof ".yaml" + 1);
		buf_addf(&all, "%s%.*s", all.n != 0 ? ", " : "", STR_ARG(known.p[known.n - 1]));
	}
	question = suggest_question(u->arena, use->text, known.p, known.n, SUGGEST_MAX);
	d = unusable(u, use, "not found",
	             str_fmt(u->arena, "%.*s%s%.*s", STR_ARG(why), question.n != 0 ? "; " : "", STR_ARG(question)));
	if (known.n != 0)
		diag_hint(u->diags, d, "templates of the project: %.*s", STR_ARG(buf_str(&all)));
	else
		diag_hint(u->diags, d, "templates are files templates/NAME.yaml");
	buf_release(&all);
	return NULL;
}

const struct template *template_find(struct unit *u, const struct node *use)
{
	struct door *door = u->project->door;
	struct str path = str_fmt(u->arena, "templates/%.*s.yaml", STR_ARG(use->text)), normal;
	const struct door_yaml *y;
	const struct node *doc;
	struct diags found = { .arena = u->arena };
	struct template *t;
	const char *problem;

	if (!path_normal(u->arena, path, &normal) || !path_is_below(normal, STR("templates")))
		return not_found(u, use, str_fmt(u->arena, "%.*s is not below templates/", STR_ARG(path)));
	y = door_yaml_quiet(door, normal);
	doc = document_peek(y);
	if (doc == NULL) {
		door_yaml(door, u->trace, normal, use->at);
		document_only(&found, y, (struct mark){ 0 });
		return y->file->error == -ENOENT ? not_found(u, use, found.p[0].detail)
		                                 : not_loaded(u, use, load_trouble(u->arena, found.p), found.p[0].detail);
	}
	trace_add(u->trace, DEP_NODE, str_fmt(u->trace->arena, "%s#0", y->file->path.p), document_hash(u->project, y, doc),
	          use->at);
	problem = document_misfit(u->arena, &entity_template, doc);
	if (problem != NULL)
		return not_loaded(u, use, "does not load", str_fmt(u->arena, "%s: %s", y->file->path.p, problem));
	t = ARENA_NEW(u->arena, struct template);
	*t = (struct template){
		.name = use->text,
		.file = y->file->path.p,
		.node = doc,
		.presets = node_get(doc, "presets"),
		.parameters = node_get(doc, "parameters"),
		.actions = node_get(doc, "actions"),
	};
	return t;
}

/* --- parameters --- */

bool template_requires(const struct node *parameter)
{
	return node_truthy(node_get(parameter, "required"));
}

static int missing_refuse(struct unit *u, const struct template *t, const struct node *use, struct str missing)
{
	struct diag *d = unit_diag(u, &rule_template_parameter, use->at, "the template '%.*s' requires %.*s",
	                           STR_ARG(t->name), STR_ARG(missing));

	diag_hint(u->diags, d, "give them below 'template_parameters:'");
	d->via = use->via;
	return -1;
}

/* The names that the texts of the template can use; NULL with a finding. */
static const struct node *parameters_complete(struct unit *u, const struct template *t, const struct node *use,
                                              const struct node *given)
{
	struct node *all = node_is(given, NODE_MAP) ? node_copy(u->arena, given) : node_new(u->arena, NODE_MAP, use->at);
	struct buf missing = { 0 };
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < node_len(t->parameters); i++) {
		const struct node *p = t->parameters->list.item[i];
		struct str name = node_text(u->arena, node_get(p, "name"));

		if (!node_truthy(node_get(p, "name"))) {
			unit_diag(u, &rule_template_definition, p->at, "parameter %zu of the template '%.*s' has no name", i + 1,
			          STR_ARG(t->name));
			rc = -1;
		} else if (node_get_s(given, name) != NULL) {
			continue;
		} else if (template_requires(p)) {
			buf_addf(&missing, "%s'%.*s'", missing.n != 0 ? ", " : "", STR_ARG(name));
		} else if (node_has(p, "default")) {
			node_set(u->arena, all, name, node_get(p, "default"));
		}
	}
	if (rc == 0 && missing.n != 0)
		rc = missing_refuse(u, t, use, buf_str(&missing));
	buf_release(&missing);
	return rc == 0 ? all : NULL;
}

/* --- rendering --- */

struct render {
	struct unit *u;
	const struct template *template;
	const struct node *use, *params;
};

static const struct node *expression_refuse(struct render *r, const struct node *n, const struct expr_error *e)
{
	const struct rule *rule = e->fault == EXPR_UNDEFINED ? &rule_template_undefined
	                          : e->fault == EXPR_SYNTAX  ? &rule_template_expression
	                                                     : &rule_template_value;
	struct diag *d = unit_diag(r->u, rule, n->at, "%.*s: %.*s", STR_ARG(str_trim(n->text)), STR_ARG(e->problem));

	d->via = node_via(r->u->arena, n, "template", r->template->name, r->use->at)->via;
	return NULL;
}

static const struct node *text_render(struct render *r, const struct node *n, bool text_only)
{
	struct expr_error error;
	const struct node *value;
	struct str out;

	if (!str_has(n->text, STR("{{")) || !str_has(n->text, STR("}}")))
		return n;
	if (expr_render(r->u->arena, n->text, r->params, false, &out, &error) < 0)
		return expression_refuse(r, n, &error);
	value = template_value(r->u, n, out, text_only);
	return value != NULL ? node_via(r->u->arena, value, "template", r->template->name, r->use->at) : NULL;
}

/* Where a value stands, as far as it decides whether a number stays text. */
struct place {
	struct str block; /* the key of the action that it is inside of, once deeper than that */
	struct str key;
	bool item;        /* an item of a list */
	unsigned depth;   /* 1: a key of the action */
};

static bool row_has(const struct entity *e, struct str key, unsigned types)
{
	const struct field *f = field_find(e, 0, key);

	return f != NULL && (f->type & types) != 0;
}

static bool wants_text(const struct place *p)
{
	if (p->depth == 1)
		return row_has(&entity_action, p->key, FIELD_TEXT);
	if (p->depth != 2)
		return false;
	if (p->item)
		return row_has(&entity_action, p->key, FIELD_TEXTS | FIELD_MIXED);
	if (str_is(p->block, "source"))
		return row_has(&entity_source, p->key, FIELD_TEXT);
	return str_is(p->block, "write_target") &&
	       (row_has(&entity_write_target, p->key, FIELD_TEXT) || row_has(&entity_sink, p->key, FIELD_TEXT));
}

static const struct node *value_render(struct render *r, const struct node *n, struct place at);

static const struct node *list_render(struct render *r, const struct node *n, struct place at)
{
	struct place inside = { at.block, at.key, true, at.depth + 1 };
	struct node *out = NULL;

	for (size_t i = 0; i < n->list.n; i++) {
		const struct node *item = value_render(r, n->list.item[i], inside);

		if (item == NULL)
			return NULL;
		if (item == n->list.item[i])
			continue;
		if (out == NULL)
			out = node_copy(r->u->arena, n);
		out->list.item[i] = item;
	}
	return out != NULL ? out : n;
}

static const struct node *map_render(struct render *r, const struct node *n, struct place at)
{
	struct node *out = NULL;

	for (size_t i = 0; i < n->map.n; i++) {
		struct place inside = { at.depth == 1 ? at.key : at.block, node_str(n->map.pair[i].key), false,
			                at.depth + 1 };
		const struct node *value = value_render(r, n->map.pair[i].value, inside);

		if (value == NULL)
			return NULL;
		if (value == n->map.pair[i].value)
			continue;
		if (out == NULL)
			out = node_copy(r->u->arena, n);
		out->map.pair[i].value = value;
	}
	return out != NULL ? out : n;
}

static const struct node *value_render(struct render *r, const struct node *n, struct place at)
{
	switch (n->kind) {
	case NODE_STR: return text_render(r, n, wants_text(&at));
	case NODE_LIST: return list_render(r, n, at);
	case NODE_MAP: return map_render(r, n, at);
	default: return n;
	}
}

/* --- SQL files of template actions (spec/resolve.md, section 7.2) --- */

static const struct node *sql_refuse(struct render *r, const struct node *path, const char *why, struct str problem)
{
	struct diag *d = unit_diag(r->u, &rule_template_sql, path->at, "%.*s: %s%.*s", STR_ARG(path->text), why,
	                           STR_ARG(problem));

	d->via = node_via(r->u->arena, path, "template", r->template->name, r->use->at)->via;
	return NULL;
}

/* `holder` with the file of sql_path rendered into `sql`, or itself. NULL with a finding. */
static const struct node *sql_file_render(struct render *r, const struct node *holder)
{
	const struct node *path = node_get(holder, "sql_path");
	struct expr_error error;
	struct node *out;
	struct str text, sql;

	if (node_str(path).n == 0 || node_truthy(node_get(holder, "sql")) || str_has(path->text, STR("{")))
		return holder;
	if (r->u->env->keep_tokens && !door_is_file(r->u->project->door, r->u->trace, path->text))
		return holder; /* dag looks for it beside the YAML file, too, and tells when it is nowhere */
	if (file_text_raw(r->u, path->text, path->at, &text) < 0)
		return NULL;
	if (!str_has(text, STR("{{")) && !str_has(text, STR("{%")) && !str_has(text, STR("{#")))
		return holder;
	if (expr_render(r->u->arena, text, r->params, true, &sql, &error) < 0) {
		struct str where = str_fmt(r->u->arena, "line %u, column %u: %.*s", error.line, error.col,
		                           STR_ARG(error.problem));

		return sql_refuse(r, path, "", where);
	}
	sql = utf8_trim(sql);
	if (sql.n == 0)
		return sql_refuse(r, path, "nothing is left of it after rendering", STR(""));
	out = node_copy(r->u->arena, holder);
	node_set(r->u->arena, out, STR("sql"),
	         node_via(r->u->arena, node_new_str(r->u->arena, path->at, sql), "template", r->template->name, r->use->at));
	node_remove(out, "sql_path");
	return out;
}

static const struct node *sql_render(struct render *r, const struct node *action)
{
	static const struct {
		const char *type, *block, *kind_key, *kind;
	} holders[] = {
		{ "transform", NULL, "transform_type", "sql" },
		{ "load", "source", "type", "sql" },
		{ "write", "write_target", "type", "materialized_view" },
	};

	for (size_t i = 0; i < sizeof holders / sizeof *holders; i++) {
		const struct node *holder = holders[i].block != NULL ? node_get(action, holders[i].block) : action, *new;
		struct node *out;

		if (!str_is(node_get_text(action, "type"), holders[i].type) ||
		    !str_is(node_get_text(holder, holders[i].kind_key), holders[i].kind))
			continue;
		new = sql_file_render(r, holder);
		if (new == NULL || new == holder || holders[i].block == NULL)
			return new == holder ? action : new;
		out = node_copy(r->u->arena, action);
		node_set(r->u->arena, out, str_of(holders[i].block), new);
		return out;
	}
	return action;
}

/* The action and the values of its keys say where the template was used; what lies deeper is shared with its document. */
static const struct node *action_marked(struct render *r, const struct node *action)
{
	struct node *out;

	if (action->kind != NODE_MAP)
		return node_via(r->u->arena, action, "template", r->template->name, r->use->at);
	out = node_via(r->u->arena, node_copy(r->u->arena, action), "template", r->template->name, r->use->at);
	for (size_t i = 0; i < out->map.n; i++)
		if (out->map.pair[i].value->via == NULL)
			out->map.pair[i].value = node_via(r->u->arena, out->map.pair[i].value, "template", r->template->name,
			                                  r->use->at);
	return out;
}

static int action_render(struct render *r, size_t i, struct node *out)
{
	const struct node *action = value_render(r, r->template->actions->list.item[i], (struct place){ 0 });
	size_t found = r->u->diags->n;

	if (action == NULL)
		return -1;
	action = action_marked(r, action);
	if (action_shape_check(r->u->diags, action, i, r->use->at) < 0) {
		unit_own(r->u, found);
		r->u->diags->p[found].via = action->via;
		return -1;
	}
	action = sql_render(r, action);
	if (action == NULL)
		return -1;
	node_push(r->u->arena, out, action);
	return 0;
}

int template_expand(struct unit *u, const struct template *t, const struct node *use, const struct node *parameters,
                    struct node *out)
{
	struct render r = { .u = u, .template = t, .use = use, .params = parameters_complete(u, t, use, parameters) };

	if (r.params == NULL)
		return -1;
	for (size_t i = 0; i < node_len(t->actions); i++)
		if (action_render(&r, i, out) < 0)
			return -1;
	return 0;
}
