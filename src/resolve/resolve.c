#include "resolve/resolve.h"

#include "base/path.h"
#include "model/rules.h"
#include "project/recall.h"
#include "project/tray.h"
#include "project/variable.h"
#include "python/memory.h"
#include "resolve/metadata.h"
#include "resolve/namespace.h"
#include "resolve/preset.h"
#include "resolve/steps.h"
#include "resolve/template.h"
#include "resolve/token.h"
#include "yaml/node_build.h"

void project_release(struct project *p)
{
	presets_release(p);
	templates_release(p);
	trays_release(p);
	reread_release(p);
	py_memory_destroy(p->python);
	p->python = NULL;
}

struct py_memory *project_python(struct project *p)
{
	struct py_memory *m;

	pthread_mutex_lock(&p->lock);
	if (p->python == NULL)
		p->python = py_memory_create();
	m = p->python;
	pthread_mutex_unlock(&p->lock);
	return m;
}

void flowgroup_names(struct unit *u, const struct flowgroup_source *src, struct str *pipeline, struct str *name)
{
	struct diags ignored = { .arena = u->arena };
	struct unit quiet = *u;
	struct variables v;

	*pipeline = src->pipeline;
	*name = src->name;
	quiet.diags = &ignored;
	if (str_find_char(src->pipeline, '{', 0) < 0 && str_find_char(src->name, '{', 0) < 0)
		return;
	variables_read(&v, u->arena, node_get(src->node, "variables"));
	*pipeline = variables_apply(&v, u->arena, src->pipeline);
	*name = variables_apply(&v, u->arena, src->name);
	tokens_apply(&quiet, *pipeline, src->at, TOKENS_ALL, pipeline);
	tokens_apply(&quiet, *name, src->at, TOKENS_ALL, name);
}

/* --- actions --- */

struct work {
	struct unit *u;
	const struct node *map;
	const struct template *template;
	struct node *actions;
	size_t n_own;             /* actions before the template's */
	bool only_tests_dropped;
	bool failed;
};

/* A step found something wrong. `lhp dag` goes on with what there is; all others end. */
static int went_wrong(struct work *w)
{
	w->failed = true;
	return w->u->env->keep_tokens ? 0 : -1;
}

static const struct node *step_known(struct unit *u, const struct node *action)
{
	return node_is(action, NODE_MAP) ? known_keys(u->arena, &entity_action, action) : action;
}

/* What the file says of the flowgroup and its own actions, without the keys that nobody knows. */
static const struct node *source_known(struct unit *u, const struct node *map)
{
	const struct node *own;
	struct node *out, *actions;

	map = known_keys(u->arena, &entity_flowgroup, map);
	own = node_get(map, "actions");
	if (!node_is(own, NODE_LIST))
		return map;
	actions = node_copy(u->arena, own);
	for (size_t i = 0; i < own->list.n; i++)
		actions->list.item[i] = step_known(u, own->list.item[i]);
	out = node_copy(u->arena, map);
	node_set(u->arena, out, STR("actions"), actions);
	return out;
}

static int template_use(struct work *w)
{
	const struct node *use = node_get(w->map, "use_template"), *own = node_get(w->map, "actions");

	w->actions = node_is(own, NODE_LIST) ? node_copy(w->u->arena, own) : node_new(w->u->arena, NODE_LIST, w->map->at);
	w->n_own = w->actions->list.n;
	if (node_str(use).n == 0)
		return 0;
	w->template = template_find(w->u, use);
	if (w->template == NULL || template_expand(w->u, w->template, use, node_get(w->map, "template_parameters"), w->actions) < 0)
		return went_wrong(w);
	return 0;
}

static bool is_test(const struct node *action)
{
	return str_is(node_get_text(action, "type"), "test");
}

/* Does the flowgroup depend on --include-tests? Then that is recorded. */
static bool has_tests(struct work *w)
{
	for (size_t i = 0; i < w->actions->list.n; i++)
		if (is_test(w->actions->list.item[i])) {
			trace_add(w->u->trace, DEP_ENV, STR("--include-tests"), include_tests_hash(w->u->env), w->actions->list.item[i]->at);
			return true;
		}
	return false;
}

static void tests_drop(struct work *w)
{
	struct node *kept = node_new(w->u->arena, NODE_LIST, w->actions->at);
	size_t own = 0;

	if (!has_tests(w) || w->u->env->include_tests)
		return;
	for (size_t i = 0; i < w->actions->list.n; i++) {
		const struct node *a = w->actions->list.item[i];

		if (is_test(a))
			continue;
		own += i < w->n_own;
		node_push(w->u->arena, kept, a);
	}
	w->only_tests_dropped = kept->list.n == 0;
	w->n_own = own;
	w->actions = kept;
}

/* Every item of the actions replaced by what `step` makes of it; nothing is an error. */
static int actions_map(struct work *w, const struct node *(*step)(struct unit *u, const struct node *action))
{
	for (size_t i = 0; i < w->actions->list.n; i++) {
		const struct node *a = step(w->u, w->actions->list.item[i]);

		if (a != NULL)
			w->actions->list.item[i] = a;
		else if (went_wrong(w) < 0)
			return -1;
	}
	return 0;
}

static const struct node *step_slashes(struct unit *u, const struct node *action)
{
	return action_slashes(u->arena, action);
}

static const struct node *step_tokens(struct unit *u, const struct node *action)
{
	const struct node *out;

	return tokens_apply_node(u, action, &out) == 0 ? out : NULL;
}

/* {source} in the SQL of a temporary table is its source, not a token. */
static const struct node *step_source(struct unit *u, const struct node *action)
{
	const struct node *sql = node_get(action, "sql"), *source = node_get(action, "source");
	struct node *text, *out;

	if (!str_is(node_get_text(action, "transform_type"), "temp_table") || !node_is_str(sql) || !node_is_str(source) ||
	    !str_has(sql->text, STR("{source}")))
		return action;
	text = node_copy(u->arena, sql);
	text->text = str_replace(u->arena, sql->text, STR("{source}"), source->text);
	out = node_copy(u->arena, action);
	node_set(u->arena, out, STR("sql"), text);
	return out;
}

static int map_tokens(struct work *w)
{
	struct node *rest = node_copy(w->u->arena, w->map);
	const struct node *done;

	node_remove(rest, "actions");
	if (tokens_apply_node(w->u, rest, &done) < 0) {
		if (went_wrong(w) < 0)
			return -1;
		done = rest;
	}
	if (actions_map(w, step_tokens) < 0 || actions_map(w, step_source) < 0)
		return -1;
	rest = node_copy(w->u->arena, done);
	node_set(w->u->arena, rest, STR("actions"), w->actions);
	w->map = rest;
	return 0;
}

static int presets_use(struct work *w)
{
	if (w->template != NULL && presets_apply(w->u, w->template->presets, w->actions) < 0 && went_wrong(w) < 0)
		return -1;
	return presets_apply(w->u, node_get(w->map, "presets"), w->actions) < 0 ? went_wrong(w) : 0;
}

/* --- the flowgroup --- */

/* Output goes to PIPELINE/FLOWGROUP.py: neither may lead out of the output folder. Empty names are a matter of check/. */
static int names_check(struct unit *u, const struct node *map)
{
	static const char *const key[] = { "pipeline", "flowgroup" };

	for (size_t i = 0; i < 2; i++) {
		const struct node *n = node_get(map, key[i]);
		struct str name = node_str(n), normal;
		struct diag *d;

		if (path_normal(u->arena, name, &normal) && str_eq(name, normal) && memchr(name.p, '\0', name.n) == NULL &&
		    (i == 0 || str_find_char(name, '/', 0) < 0))
			continue;
		d = unit_diag(u, &rule_name_unsafe, node_mark(n), "'%s: %.*s' cannot be a part of an output's path", key[i],
		              STR_ARG(node_repr(u->arena, n)));
		diag_hint(u->diags, d, "use a name without '/', '.' and '..' as parts");
		return -1;
	}
	return 0;
}

static enum action_type type_of(const struct node *action)
{
	static const char *const word[] = { "load", "transform", "write", "test" };
	struct str type = node_get_text(action, "type");
	size_t i = 0;

	while (i < 3 && !str_is(type, word[i]))
		i++;
	return (enum action_type)i;
}

static struct action action_of(const struct work *w, size_t i)
{
	const struct node *a = w->actions->list.item[i], *source = node_get(a, "source"), *target = node_get(a, "write_target");

	return (struct action){
		.type = type_of(a),
		.name = node_get_text(a, "name"),
		.target = node_get_text(a, "target"),
		.map = a,
		.source = node_is_null(source) ? NULL : source,
		.write_target = node_is_null(target) ? NULL : target,
		.from_template = i >= w->n_own,
	};
}

static void flowgroup_fill(const struct work *w, const struct flowgroup_source *src, struct flowgroup *out)
{
	*out = (struct flowgroup){
		.pipeline = node_get_text(w->map, "pipeline"),
		.name = node_get_text(w->map, "flowgroup"),
		.job_name = node_get_text(w->map, "job_name"),
		.file = src->file,
		.at = src->at,
		.map = w->map,
		.action = ARENA_ARRAY(w->u->arena, struct action, w->actions->list.n),
		.n = w->actions->list.n,
		.only_tests_dropped = w->only_tests_dropped,
		.blueprint = src->blueprint,
		.instance = src->instance,
	};
	for (size_t i = 0; i < out->n; i++)
		out->action[i] = action_of(w, i);
}

static int source_use(struct work *w, const struct node *map)
{
	w->map = source_known(w->u, map);
	return variables_resolve(w->u, w->map, &w->map) < 0 ? went_wrong(w) : 0;
}

/* `lhp dag` knows no tokens and makes no files; a secret's name is judged there, too. */
static int whole_check(struct work *w)
{
	if (w->u->env->keep_tokens)
		return secret_names_check(w->u, w->map) < 0 ? went_wrong(w) : 0;
	return leftovers_check(w->u, w->map) < 0 || names_check(w->u, w->map) < 0 ? -1 : 0;
}

int flowgroup_resolve(struct unit *u, const struct flowgroup_source *src, struct flowgroup *out)
{
	struct work w = { .u = u };

	trace_add(u->trace, DEP_NODE, src->key, src->hash, src->at);
	if (source_use(&w, src->node) < 0 || template_use(&w) < 0 || actions_map(&w, step_known) < 0)
		return -1;
	tests_drop(&w);
	if (actions_map(&w, step_slashes) < 0 || presets_use(&w) < 0 || map_tokens(&w) < 0 || whole_check(&w) < 0 ||
	    actions_map(&w, namespace_convert) < 0)
		return -1;
	flowgroup_fill(&w, src, out);
	return w.failed ? -1 : 0;
}

int flowgroup_resolve_late(struct unit *u, struct flowgroup *fg)
{
	const struct node *presets = node_get(fg->map, "presets"), *selected = NULL;
	struct str *name = ARENA_ARRAY(u->arena, struct str, node_len(presets));

	for (size_t i = 0; i < node_len(presets); i++)
		name[i] = node_str(presets->list.item[i]);
	if (node_len(presets) != 0)
		selected = chain_part(preset_chain(u->project, name, node_len(presets)), u->trace, "operational_metadata");
	if (metadata_resolve(u, fg, selected) < 0)
		return -1;
	return secret_names_check(u, fg->map);
}
