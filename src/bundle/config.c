#include "bundle/config.h"
#include "model/rules.h"
#include "resolve/preset.h"
#include "yaml/node_build.h"

const char MONITORING_ALIAS[] = "__eventlog_monitoring";

struct pipeline_config {
	const struct node *defaults; /* the last project_defaults, or NULL */
	struct map own;              /* pipeline -> its document */
	struct str monitoring;
};

enum fault { FAULT_MISSING, FAULT_SYNTAX, FAULT_ENCODING, FAULT_VALUE, FAULT_PACKAGING,
             FAULT_EMPTY_LIST, FAULT_TWICE, FAULT_ALIAS, FAULTS };

/* Own code, and the one that preflight shows. */
static const struct rule *const fault_rule[FAULTS][2] = {
	[FAULT_MISSING] = { &rule_pipeline_config_missing, &rule_pipeline_config_missing_cfg },
	[FAULT_SYNTAX] = { &rule_pipeline_config_syntax, &rule_pipeline_config_syntax },
	[FAULT_ENCODING] = { &rule_pipeline_config_encoding, &rule_pipeline_config_encoding_cfg },
	[FAULT_VALUE] = { &rule_pipeline_config_value, &rule_pipeline_config_value_cfg },
	[FAULT_PACKAGING] = { &rule_pipeline_config_packaging, &rule_pipeline_config_packaging_cfg },
	[FAULT_EMPTY_LIST] = { &rule_pipeline_config_empty, &rule_pipeline_config_empty_cfg },
	[FAULT_TWICE] = { &rule_pipeline_config_twice, &rule_pipeline_config_twice_cfg },
	[FAULT_ALIAS] = { &rule_pipeline_config_alias, &rule_pipeline_config_alias_cfg },
};

struct reading {
	struct pipeline_config *c;
	struct arena *arena;
	struct diags *ds;
	bool under_cfg;
};

static int fault_add(struct reading *r, enum fault f, struct mark at, const char *hint, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));

static int fault_add(struct reading *r, enum fault f, struct mark at, const char *hint, const char *fmt, ...)
{
	struct diag *d;
	va_list ap;

	va_start(ap, fmt);
	d = diag_vadd(r->ds, fault_rule[f][r->under_cfg], at, fmt, ap);
	va_end(ap);
	diag_hint(r->ds, d, "%s", hint);
	return -1;
}

/* --- one document --- */

static int one_of(struct reading *r, const struct node *settings, const char *key, const char *const *word, enum fault f)
{
	const struct node *v = node_get(settings, key);
	struct buf list = { 0 };
	int rc = 0;

	if (v == NULL)
		return 0;
	for (size_t i = 0; word[i] != NULL; i++) {
		if (node_is_str(v) && str_is(v->text, word[i]))
			goto out;
		buf_addf(&list, "%s%s", i != 0 ? ", " : "", word[i]);
	}
	rc = fault_add(r, f, v->at, "Write one of the words as they stand here, without a token", "`%s` is one of %.*s, found `%.*s`", key,
	               STR_ARG(buf_str(&list)), STR_ARG(node_text(r->arena, v)));
out:
	buf_release(&list);
	return rc;
}

static int map_check(struct reading *r, const struct node *settings, const char *key)
{
	const struct node *v = node_get(settings, key);

	if (v == NULL || node_is(v, NODE_MAP))
		return 0;
	return fault_add(r, FAULT_VALUE, v->at, "Write `key: value` lines below it", "`%s` is a mapping, found %s", key, node_kind_name(v));
}

static int configuration_check(struct reading *r, const struct node *settings)
{
	const struct node *v = node_get(settings, "configuration");

	if (map_check(r, settings, "configuration") != 0)
		return -1;
	for (size_t i = 0; node_is(v, NODE_MAP) && i < v->map.n; i++)
		if (!node_is_str(v->map.pair[i].value))
			return fault_add(r, FAULT_VALUE, node_mark(v->map.pair[i].value), "Put the value in quotes",
			                 "`configuration.%.*s` is a text, found %s", STR_ARG(node_text(r->arena, v->map.pair[i].key)),
			                 node_kind_name(v->map.pair[i].value));
	return 0;
}

static int permission_check(struct reading *r, const struct node *p)
{
	static const char *const who[] = { "user_name", "group_name", "service_principal_name" };
	size_t given = 0;

	if (!node_is(p, NODE_MAP))
		return fault_add(r, FAULT_VALUE, node_mark(p), "Write `- level: CAN_VIEW` and who gets it",
		                 "An entry of `permissions` is a mapping, found %s", node_kind_name(p));
	if (!node_is_str(node_get(p, "level")))
		return fault_add(r, FAULT_VALUE, p->at, "Add `level`, such as CAN_VIEW, CAN_RUN or CAN_MANAGE",
		                 "An entry of `permissions` needs a `level` that is a text");
	for (size_t i = 0; i < sizeof who / sizeof *who; i++)
		given += node_get(p, who[i]) != NULL;
	if (given != 1)
		return fault_add(r, FAULT_VALUE, p->at, "Give exactly one of user_name, group_name, service_principal_name",
		                 "An entry of `permissions` names %zu of user, group and service principal", given);
	return 0;
}

static int permissions_check(struct reading *r, const struct node *settings)
{
	const struct node *v = node_get(settings, "permissions");

	if (v == NULL)
		return 0;
	if (!node_is(v, NODE_LIST))
		return fault_add(r, FAULT_VALUE, v->at, "Write a list of `- level: …` entries", "`permissions` is a list, found %s",
		                 node_kind_name(v));
	for (size_t i = 0; i < v->list.n; i++)
		if (permission_check(r, v->list.item[i]) != 0)
			return -1;
	return 0;
}

static int settings_check(struct reading *r, const struct node *settings)
{
	static const char *const edition[] = { "CORE", "PRO", "ADVANCED", NULL };
	static const char *const channel[] = { "CURRENT", "PREVIEW", NULL };
	static const char *const packaging[] = { "source", "wheel", NULL };

	if (one_of(r, settings, "edition", edition, FAULT_VALUE) != 0 || one_of(r, settings, "channel", channel, FAULT_VALUE) != 0 ||
	    one_of(r, settings, "packaging", packaging, FAULT_PACKAGING) != 0)
		return -1;
	return map_check(r, settings, "environment") != 0 || configuration_check(r, settings) != 0 ? -1 : permissions_check(r, settings);
}

/* --- which pipelines a document is for --- */

static int pipeline_take(struct reading *r, struct str name, struct mark at, const struct node *doc)
{
	if (map_put(&r->c->own, r->arena, name, (void *)(uintptr_t)doc) == NULL)
		return 0;
	return fault_add(r, FAULT_TWICE, at, "Bring the settings of a pipeline together in one document",
	                 "The pipeline `%.*s` is configured twice", STR_ARG(name));
}

static int list_check(struct reading *r, const struct node *list)
{
	if (list->list.n == 0)
		return fault_add(r, FAULT_EMPTY_LIST, list->at, "Name a pipeline, or remove the document", "The list of pipelines is empty");
	for (size_t i = 0; list->list.n > 1 && i < list->list.n; i++)
		if (str_is(node_str(list->list.item[i]), MONITORING_ALIAS))
			return fault_add(r, FAULT_ALIAS, list->list.item[i]->at, "Give the monitoring pipeline a document of its own",
			                 "`%s` stands in a list with other pipelines", MONITORING_ALIAS);
	return 0;
}

static int document_take(struct reading *r, const struct node *doc)
{
	const struct node *which = node_get(doc, "pipeline"), *defaults = node_get(doc, "project_defaults");
	bool is_list = node_is(which, NODE_LIST);

	if (!node_is(doc, NODE_MAP))
		return 0;
	if (defaults != NULL) { /* whatever stands beside it, and it replaces earlier ones whatever it is */
		r->c->defaults = node_is(defaults, NODE_MAP) ? defaults : NULL;
		return r->c->defaults != NULL ? settings_check(r, defaults) : 0;
	}
	if (!node_is_str(which) && !is_list)
		return 0;
	if ((is_list && list_check(r, which) != 0) || settings_check(r, doc) != 0)
		return -1;
	if (!is_list)
		return pipeline_take(r, which->text, which->at, doc);
	for (size_t i = 0; i < which->list.n; i++)
		if (pipeline_take(r, node_text(r->arena, which->list.item[i]), which->list.item[i]->at, doc) != 0)
			return -1;
	return 0;
}

static int names_check(struct reading *r)
{
	const struct node *alias = map_get(&r->c->own, str_of(MONITORING_ALIAS));
	struct diag *d;

	if (alias == NULL || r->c->monitoring.n == 0 || map_get(&r->c->own, r->c->monitoring) == NULL)
		return 0;
	d = diag_add(r->ds, &rule_pipeline_config_both_names, alias->at, "Both `%s` and `%.*s` are configured: they are one pipeline",
	             MONITORING_ALIAS, STR_ARG(r->c->monitoring));
	diag_hint(r->ds, d, "Keep one of the two");
	return -1;
}

struct pipeline_config *pipeline_config_read(struct project *p, struct trace *t, struct arena *a, struct str path,
                                             struct str monitoring, bool under_cfg, struct diags *ds)
{
	const struct door_yaml *y = door_yaml(p->door, t, path, (struct mark){ 0 });
	struct reading r = { ARENA_NEW(a, struct pipeline_config), a, ds, under_cfg };
	struct mark at = { .file = y->file->path.p };

	r.c->monitoring = monitoring;
	if (y->file->error != 0) {
		fault_add(&r, FAULT_MISSING, at, "Check the path after -pc: it is relative to the project's root",
		          "%.*s cannot be read: %s", STR_ARG(path), strerror(-y->file->error));
		return NULL;
	}
	if (y->yaml.fault == YAML_NOT_UTF8) {
		fault_add(&r, FAULT_ENCODING, y->yaml.at, "Save the file as UTF-8", "%.*s", STR_ARG(y->yaml.problem));
		return NULL;
	}
	if (y->yaml.fault != YAML_GOOD) {
		fault_add(&r, FAULT_SYNTAX, y->yaml.at, "Correct the YAML", "%.*s", STR_ARG(y->yaml.problem));
		return NULL;
	}
	for (size_t i = 0; i < y->yaml.n_doc; i++)
		if (document_take(&r, y->yaml.doc[i]) != 0)
			return NULL;
	return names_check(&r) == 0 ? r.c : NULL;
}

/* --- merging --- */

static const struct node *built_in(struct arena *a)
{
	struct node *n = node_new(a, NODE_MAP, (struct mark){ 0 });

	node_set(a, n, STR("serverless"), node_new_bool(a, n->at, true));
	node_set(a, n, STR("edition"), node_new_str(a, n->at, STR("ADVANCED")));
	node_set(a, n, STR("channel"), node_new_str(a, n->at, STR("CURRENT")));
	node_set(a, n, STR("continuous"), node_new_bool(a, n->at, false));
	return n;
}

const struct node *pipeline_settings(const struct pipeline_config *c, struct arena *a, struct str pipeline)
{
	const struct node *out = built_in(a), *own;
	struct node *copy;

	if (c == NULL)
		return out;
	if (c->defaults != NULL)
		out = node_merge(a, out, c->defaults, NULL);
	own = map_get(&c->own, pipeline);
	if (own == NULL && c->monitoring.n != 0 && str_eq(pipeline, c->monitoring))
		own = map_get(&c->own, str_of(MONITORING_ALIAS));
	if (own != NULL)
		out = node_merge(a, out, own, NULL);
	copy = node_copy(a, out);
	node_remove(copy, "pipeline");
	return copy;
}
