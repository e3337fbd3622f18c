#include "project/settings.h"

#include "base/utf8.h"
#include "model/rules.h"
#include "model/shape.h"
#include "project/include.h"

struct check {
	struct project *project;
	struct trace *trace;
	struct diags *diags;
};

static int fail(struct check *c, const struct rule *rule, const struct node *n, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

static int fail(struct check *c, const struct rule *rule, const struct node *n, const char *fmt, ...)
{
	struct mark at = node_mark(n);
	va_list ap;

	if (at.file == NULL)
		at.file = "lhp.yaml";
	va_start(ap, fmt);
	diag_vadd(c->diags, rule, at, fmt, ap);
	va_end(ap);
	return -1;
}

/* `map`, called `name`, against its table. */
static int entity_check(struct check *c, const struct rule *rule, const struct entity *e, const struct node *map, const char *name)
{
	struct misfit m;
	struct str hint;

	if (!node_is(map, NODE_MAP))
		return fail(c, rule, map, "'%s' must be a mapping; it is %s", name, node_kind_name(map));
	if (entity_fits(e, map, &m))
		return 0;
	fail(c, rule, m.value != NULL ? m.value : map, "%s: %.*s", name, STR_ARG(misfit_text(c->diags->arena, &m)));
	hint = misfit_hint(c->diags->arena, &m);
	if (hint.n != 0)
		diag_hint(c->diags, &c->diags->p[c->diags->n - 1], "%.*s", STR_ARG(hint));
	return -1;
}

static bool int_within(const struct node *n, int64_t low, int64_t high)
{
	return node_is(n, NODE_INT) && n->integer >= low && n->integer <= high;
}

/* --- operational_metadata --- */

static int columns_check(struct check *c, const struct node *columns)
{
	for (size_t i = 0; i < node_len(columns); i++) {
		const struct node *v = columns->map.pair[i].value;
		struct str name = node_text(c->diags->arena, columns->map.pair[i].key);
		const char *section = str_fmt(c->diags->arena, "operational_metadata.columns.%.*s", STR_ARG(name)).p;

		if (node_is_str(v))
			continue;
		if (!node_is(v, NODE_MAP))
			return fail(c, &rule_metadata_column, v, "'%s' must be an expression or a mapping; it is %s",
			            section, node_kind_name(v));
		if (entity_check(c, &rule_metadata_column, &entity_metadata_column, v, section) < 0)
			return -1;
	}
	return 0;
}

/* A preset is a list of columns, or a map that has one. */
static int metadata_preset_check(struct check *c, struct str name, const struct node *preset, const struct node *columns)
{
	const struct node *names = node_is(preset, NODE_MAP) ? node_get(preset, "columns") : preset;
	struct misfit m;

	if (!node_is(preset, NODE_MAP) && !node_is(preset, NODE_LIST))
		return fail(c, &rule_metadata_preset, preset,
		            "metadata preset '%.*s' must be a list of columns or a mapping; it is %s", STR_ARG(name),
		            node_kind_name(preset));
	if (!field_fits(field_find(&entity_metadata_preset, 0, STR("columns")), names, &m))
		return fail(c, &rule_metadata_preset, m.value, "metadata preset '%.*s': %.*s", STR_ARG(name),
		            STR_ARG(misfit_text(c->diags->arena, &m)));
	for (size_t k = 0; k < node_len(names); k++)
		if (node_get_s(columns, names->list.item[k]->text) == NULL)
			return fail(c, &rule_metadata_preset_column, names->list.item[k],
			            "metadata preset '%.*s' names the column '%.*s', which operational_metadata.columns does "
			            "not define", STR_ARG(name), STR_ARG(names->list.item[k]->text));
	return 0;
}

static int metadata_check(struct check *c, const struct node *n)
{
	const struct node *columns = node_get(n, "columns"), *presets = node_get(n, "presets");

	if (columns_check(c, columns) < 0)
		return -1;
	for (size_t i = 0; i < node_len(presets); i++)
		if (metadata_preset_check(c, node_text(c->diags->arena, presets->map.pair[i].key), presets->map.pair[i].value,
		                          columns) < 0)
			return -1;
	return 0;
}

/* --- include patterns --- */

static int include_check(struct check *c, const struct node *n, const char *key)
{
	if (n->kind != NODE_LIST)
		return fail(c, &rule_include_list, n, "'%s' must be a list of patterns; it is %s", key, node_kind_name(n));
	for (size_t i = 0; i < n->list.n; i++) {
		const struct node *item = n->list.item[i];

		if (!node_is_str(item))
			return fail(c, &rule_include_text, item, "'%s' must hold texts; entry %zu is %s", key, i + 1,
			            node_kind_name(item));
		if (include_pattern_bad(item->text))
			return fail(c, &rule_include_pattern, item, "'%s' holds the pattern \"%.*s\", which cannot be used",
			            key, STR_ARG(item->text));
	}
	return 0;
}

/* --- event_log and monitoring --- */

static int event_log_check(struct check *c, const struct node *n)
{
	static const char *const wanted[] = { "catalog", "schema" };

	if (!entity_truth(&entity_event_log, n, "enabled"))
		return 0;
	for (size_t i = 0; i < 2; i++)
		if (!node_truthy(node_get(n, wanted[i])))
			return fail(c, &rule_event_log_incomplete, n, "'event_log' is on but has no %s", wanted[i]);
	return 0;
}

static int views_check(struct check *c, const struct node *views)
{
	for (size_t i = 0; i < node_len(views); i++)
		if (entity_check(c, &rule_monitoring, &entity_monitoring_view, views->list.item[i],
		                 "monitoring.materialized_views[]") < 0)
			return -1;
	return 0;
}

static int view_names_check(struct check *c, const struct node *views)
{
	struct map seen = { 0 };

	for (size_t i = 0; i < node_len(views); i++) {
		const struct node *v = views->list.item[i];
		struct str name = node_get_text(v, "name");

		if (name.n == 0)
			return fail(c, &rule_monitoring, v, "entry %zu of 'monitoring.materialized_views' has no name", i + 1);
		if (!map_add(&seen, c->diags->arena, name))
			return fail(c, &rule_monitoring, v, "'monitoring.materialized_views' names '%.*s' twice",
			            STR_ARG(name));
		if (node_truthy(node_get(v, "sql")) && node_truthy(node_get(v, "sql_path")))
			return fail(c, &rule_monitoring, v, "monitoring view '%.*s' has both sql and sql_path", STR_ARG(name));
	}
	return 0;
}

static int monitoring_files_check(struct check *c, const struct node *n)
{
	static const char *const wanted[] = { "checkpoint_path", "job_config_path" };
	struct str path = node_get_text(n, "job_config_path");

	for (size_t i = 0; i < 2; i++)
		if (!node_truthy(node_get(n, wanted[i])))
			return fail(c, &rule_monitoring, n, "'monitoring' is on but has no %s", wanted[i]);
	if (!str_has(path, STR("${")) && !door_is_file(c->project->door, c->trace, path))
		return fail(c, &rule_monitoring, node_get(n, "job_config_path"),
		            "'monitoring.job_config_path' names %.*s, which is not there", STR_ARG(path));
	return 0;
}

static int monitoring_check(struct check *c, const struct node *n)
{
	const struct node *log = node_get(c->project->root, "event_log");
	const struct node *streams = node_get(n, "max_concurrent_streams"), *views = node_get(n, "materialized_views");

	if (views_check(c, views) < 0)
		return -1;
	if (streams != NULL && !int_within(streams, 1, 20))
		return fail(c, &rule_monitoring, streams,
		            "'monitoring.max_concurrent_streams' must be a whole number from 1 to 20");
	if (!entity_truth(&entity_monitoring, n, "enabled"))
		return 0;
	if (log == NULL || !entity_truth(&entity_event_log, log, "enabled"))
		return fail(c, &rule_monitoring, n, "'monitoring' is on and needs 'event_log', which is %s",
		            log == NULL ? "absent" : "off");
	return monitoring_files_check(c, n) < 0 ? -1 : view_names_check(c, views);
}

/* --- the small sections --- */

static int uc_tagging_check(struct check *c, const struct node *n)
{
	const struct node *at_once = node_get(n, "tag_update_concurrency");
	const struct node *failures = node_get(n, "max_allowable_consecutive_failures");

	if (at_once != NULL && !int_within(at_once, 1, 20))
		return fail(c, &rule_uc_tagging, at_once,
		            "'uc_tagging.tag_update_concurrency' must be a whole number from 1 to 20");
	if (!node_is_null(failures) && !int_within(failures, 0, INT64_MAX))
		return fail(c, &rule_uc_tagging, failures,
		            "'uc_tagging.max_allowable_consecutive_failures' must be a whole number from 0, or null");
	return 0;
}

/* "{namespace}_{table}": both there, nothing else in braces, other text in [A-Za-z0-9_]. */
static bool table_pattern_good(struct str s)
{
	bool namespace = false, table = false;

	while (s.n != 0) {
		if (str_starts(s, STR("{namespace}"))) {
			namespace = true;
			s = str_skip(s, sizeof "{namespace}" - 1);
		} else if (str_starts(s, STR("{table}"))) {
			table = true;
			s = str_skip(s, sizeof "{table}" - 1);
		} else if (ascii_is_word(s.p[0])) {
			s = str_skip(s, 1);
		} else {
			return false;
		}
	}
	return namespace && table;
}

static int sandbox_check(struct check *c, const struct node *n)
{
	const struct node *pattern = node_get(n, "table_pattern");

	if (pattern == NULL || table_pattern_good(node_str(pattern)))
		return 0;
	return fail(c, &rule_sandbox_pattern, pattern,
	            "'sandbox.table_pattern' must hold {namespace} and {table}, other text only in letters, digits and '_'; "
	            "it is %.*s", STR_ARG(node_repr(c->diags->arena, pattern)));
}

/* --- all of it --- */

struct section {
	const char *key;
	const struct rule *rule;                                  /* that a wrong shape breaks; NULL: a list of patterns */
	int (*check)(struct check *c, const struct node *n);      /* beyond the shape, or NULL */
};

static const struct section sections[] = {
	{ "operational_metadata", &rule_settings_shape, metadata_check },
	{ "include", NULL, NULL },
	{ "blueprint_include", NULL, NULL },
	{ "instance_include", NULL, NULL },
	{ "event_log", &rule_event_log, event_log_check },
	{ "monitoring", &rule_monitoring, monitoring_check },
	{ "test_reporting", &rule_test_reporting, NULL },
	{ "uc_tagging", &rule_uc_tagging, uc_tagging_check },
	{ "wheel", &rule_wheel_setting, NULL },
	{ "sandbox", &rule_sandbox_setting, sandbox_check },
};

static int section_check(struct check *c, const struct section *s)
{
	const struct node *n = node_get(c->project->root, s->key);
	const struct field *f = field_find(&entity_project, 0, str_of(s->key));

	if (n == NULL)
		return 0;
	if (s->rule == NULL)
		return include_check(c, n, s->key);
	if ((n->kind != NODE_NULL || !field_accepts(f, n)) && entity_check(c, s->rule, f->of, n, s->key) < 0)
		return -1;
	return s->check != NULL ? s->check(c, n) : 0;
}

int settings_check(struct project *p, struct trace *t, struct diags *ds)
{
	struct check c = { p, t, ds };

	for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
		if (section_check(&c, &sections[i]) < 0)
			return -1;
	return entity_check(&c, &rule_settings_shape, &entity_project, p->root, "lhp.yaml");
}

int settings_files_check(struct project *p, struct trace *t, struct diags *ds)
{
	const struct node *monitoring = node_get(p->root, "monitoring"), *views = node_get(monitoring, "materialized_views");

	for (size_t i = 0; entity_truth(&entity_monitoring, monitoring, "enabled") && i < node_len(views); i++) {
		const struct node *path = node_get(views->list.item[i], "sql_path");
		struct diag *d;

		if (node_str(path).n == 0 || door_is_file(p->door, t, path->text))
			continue;
		d = diag_add(ds, &rule_file_missing, path->at, "'sql_path' of the monitoring view '%.*s' names %.*s, which is not there",
		             STR_ARG(node_get_text(views->list.item[i], "name")), STR_ARG(path->text));
		diag_hint(ds, d, "paths are relative to the folder of lhp.yaml");
		return -1;
	}
	return 0;
}
