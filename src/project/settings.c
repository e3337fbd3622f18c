#include "project/settings.h"

#include "base/utf8.h"
#include "model/rules.h"
#include "project/include.h"
#include "project/shape.h"

struct check {
	struct project *project;
	struct trace *trace;
	struct diags *diags;
};

/* One key of a section: what it must be, and which rule it breaks otherwise. */
struct setting {
	const char *key;
	enum shape shape;
	bool null_ok;
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

static int section_map(struct check *c, const struct rule *rule, const struct node *n, const char *section)
{
	if (node_is(n, NODE_MAP))
		return 0;
	return fail(c, rule, n, "'%s' must be a mapping; it is %s", section, node_kind_name(n));
}

static int section_types(struct check *c, const struct rule *rule, const struct node *n, const char *section,
                         const struct setting *s)
{
	for (; s->key != NULL; s++) {
		const struct node *v = node_get(n, s->key);

		if (v == NULL || (v->kind == NODE_NULL ? s->null_ok : shape_fits(v, s->shape)))
			continue;
		return fail(c, rule, v, "'%s.%s' must be %s; it is %s", section, s->key, shape_name(s->shape),
		            node_kind_name(v));
	}
	return 0;
}

static bool int_within(const struct node *n, int64_t low, int64_t high)
{
	return node_is(n, NODE_INT) && n->integer >= low && n->integer <= high;
}

/* --- operational_metadata --- */

static const struct setting column_settings[] = {
	{ "expression", SHAPE_TEXT, false },         { "description", SHAPE_TEXT, true },
	{ "applies_to", SHAPE_TEXTS, false },        { "additional_imports", SHAPE_TEXTS, true },
	{ "enabled", SHAPE_BOOL, false },            { NULL },
};

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
		if (section_types(c, &rule_metadata_column, v, section, column_settings) < 0)
			return -1;
	}
	return 0;
}

static int metadata_presets_check(struct check *c, const struct node *presets, const struct node *columns)
{
	for (size_t i = 0; i < node_len(presets); i++) {
		const struct node *v = presets->map.pair[i].value, *names = v;
		struct str name = node_text(c->diags->arena, presets->map.pair[i].key);

		if (node_is(v, NODE_MAP))
			names = node_get(v, "columns");
		if (!node_is(v, NODE_MAP) && !node_is(v, NODE_LIST))
			return fail(c, &rule_metadata_preset, v,
			            "metadata preset '%.*s' must be a list of columns or a mapping; it is %s",
			            STR_ARG(name), node_kind_name(v));
		if (names != NULL && !shape_fits(names, SHAPE_TEXTS))
			return fail(c, &rule_metadata_preset, names, "columns of metadata preset '%.*s' must be a list of texts",
			            STR_ARG(name));
		for (size_t k = 0; k < node_len(names); k++)
			if (node_get_s(columns, names->list.item[k]->text) == NULL)
				return fail(c, &rule_metadata_preset_column, names->list.item[k],
				            "metadata preset '%.*s' names the column '%.*s', which "
				            "operational_metadata.columns does not define",
				            STR_ARG(name), STR_ARG(names->list.item[k]->text));
	}
	return 0;
}

static int metadata_check(struct check *c, const struct node *n)
{
	static const char *const part[] = { "columns", "presets", "defaults" };

	if (section_map(c, &rule_settings_shape, n, "operational_metadata") < 0)
		return -1;
	for (size_t i = 0; i < 3; i++) {
		const struct node *v = node_get(n, part[i]);

		if (v != NULL && v->kind != NODE_MAP && !(i == 2 && v->kind == NODE_NULL))
			return fail(c, &rule_settings_shape, v, "'operational_metadata.%s' must be a mapping; it is %s",
			            part[i], node_kind_name(v));
	}
	if (columns_check(c, node_get(n, "columns")) < 0)
		return -1;
	return metadata_presets_check(c, node_get(n, "presets"), node_get(n, "columns"));
}

/* --- include patterns --- */

static int include_check(struct check *c, const char *key)
{
	const struct node *n = node_get(c->project->root, key);

	if (n == NULL)
		return 0;
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
	static const struct setting settings[] = {
		{ "enabled", SHAPE_BOOL, false },     { "catalog", SHAPE_TEXT, true },
		{ "schema", SHAPE_TEXT, true },       { "name_prefix", SHAPE_TEXT, false },
		{ "name_suffix", SHAPE_TEXT, false }, { NULL },
	};
	static const char *const wanted[] = { "catalog", "schema" };

	if (section_map(c, &rule_event_log, n, "event_log") < 0 ||
	    section_types(c, &rule_event_log, n, "event_log", settings) < 0)
		return -1;
	if (!shape_truth(node_get(n, "enabled"), true))
		return 0;
	for (size_t i = 0; i < 2; i++)
		if (!node_truthy(node_get(n, wanted[i])))
			return fail(c, &rule_event_log_incomplete, n, "'event_log' is on but has no %s", wanted[i]);
	return 0;
}

static int views_check(struct check *c, const struct node *views)
{
	static const struct setting settings[] = {
		{ "name", SHAPE_TEXT, true }, { "sql", SHAPE_TEXT, true }, { "sql_path", SHAPE_TEXT, true }, { NULL },
	};

	if (!node_is_null(views) && views->kind != NODE_LIST)
		return fail(c, &rule_monitoring, views, "'monitoring.materialized_views' must be a list; it is %s",
		            node_kind_name(views));
	for (size_t i = 0; i < node_len(views); i++)
		if (section_map(c, &rule_monitoring, views->list.item[i], "monitoring.materialized_views[]") < 0 ||
		    section_types(c, &rule_monitoring, views->list.item[i], "monitoring.materialized_views[]",
		                  settings) < 0)
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
	static const struct setting settings[] = {
		{ "enabled", SHAPE_BOOL, false },        { "pipeline_name", SHAPE_TEXT, true },
		{ "catalog", SHAPE_TEXT, true },         { "schema", SHAPE_TEXT, true },
		{ "streaming_table", SHAPE_TEXT, false }, { "checkpoint_path", SHAPE_TEXT, true },
		{ "job_config_path", SHAPE_TEXT, true }, { NULL },
	};
	const struct node *log = node_get(c->project->root, "event_log");
	const struct node *streams = node_get(n, "max_concurrent_streams"), *views = node_get(n, "materialized_views");

	if (n->kind != NODE_NULL && section_map(c, &rule_monitoring, n, "monitoring") < 0)
		return -1;
	if (views_check(c, views) < 0)
		return -1;
	if (streams != NULL && !int_within(streams, 1, 20))
		return fail(c, &rule_monitoring, streams,
		            "'monitoring.max_concurrent_streams' must be a whole number from 1 to 20");
	if (section_types(c, &rule_monitoring, n, "monitoring", settings) < 0)
		return -1;
	if (!shape_truth(node_get(n, "enabled"), true))
		return 0;
	if (log == NULL || !shape_truth(node_get(log, "enabled"), true))
		return fail(c, &rule_monitoring, n, "'monitoring' is on and needs 'event_log', which is %s",
		            log == NULL ? "absent" : "off");
	return monitoring_files_check(c, n) < 0 ? -1 : view_names_check(c, views);
}

/* --- the small sections --- */

static int test_reporting_check(struct check *c, const struct node *n)
{
	static const struct setting settings[] = {
		{ "module_path", SHAPE_TEXT, false }, { "function_name", SHAPE_TEXT, false },
		{ "config_file", SHAPE_TEXT, true },  { NULL },
	};

	if (section_map(c, &rule_test_reporting, n, "test_reporting") < 0)
		return -1;
	for (size_t i = 0; i < 2; i++)
		if (!node_has(n, settings[i].key))
			return fail(c, &rule_test_reporting, n, "'test_reporting' has no %s", settings[i].key);
	return section_types(c, &rule_test_reporting, n, "test_reporting", settings);
}

static int uc_tagging_check(struct check *c, const struct node *n)
{
	static const char *const flag[] = { "enabled", "remove_undeclared_tags" };
	const struct node *at_once = node_get(n, "tag_update_concurrency");
	const struct node *failures = node_get(n, "max_allowable_consecutive_failures");

	if (n->kind == NODE_NULL)
		return 0;
	if (section_map(c, &rule_uc_tagging, n, "uc_tagging") < 0)
		return -1;
	for (size_t i = 0; i < 2; i++)
		if (node_has(n, flag[i]) && !node_is(node_get(n, flag[i]), NODE_BOOL))
			return fail(c, &rule_uc_tagging, node_get(n, flag[i]), "'uc_tagging.%s' must be true or false", flag[i]);
	if (at_once != NULL && !int_within(at_once, 1, 20))
		return fail(c, &rule_uc_tagging, at_once,
		            "'uc_tagging.tag_update_concurrency' must be a whole number from 1 to 20");
	if (!node_is_null(failures) && !int_within(failures, 0, INT64_MAX))
		return fail(c, &rule_uc_tagging, failures,
		            "'uc_tagging.max_allowable_consecutive_failures' must be a whole number from 0, or null");
	return 0;
}

static int wheel_check(struct check *c, const struct node *n)
{
	static const struct setting settings[] = { { "artifact_volume", SHAPE_TEXT, true }, { NULL } };

	return section_map(c, &rule_wheel_setting, n, "wheel") < 0
	           ? -1
	           : section_types(c, &rule_wheel_setting, n, "wheel", settings);
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
	const struct node *strategy = node_get(n, "strategy"), *envs = node_get(n, "allowed_envs");
	const struct node *pattern = node_get(n, "table_pattern");

	if (section_map(c, &rule_sandbox_setting, n, "sandbox") < 0)
		return -1;
	if (strategy != NULL && !str_is(node_str(strategy), "table"))
		return fail(c, &rule_sandbox_setting, strategy, "'sandbox.strategy' must be 'table'");
	if (pattern != NULL && !table_pattern_good(node_str(pattern)))
		return fail(c, &rule_sandbox_pattern, pattern,
		            "'sandbox.table_pattern' must hold {namespace} and {table}, other text only in letters, "
		            "digits and '_'; it is %.*s", STR_ARG(node_repr(c->diags->arena, pattern)));
	if (!node_is_null(envs) && (!shape_fits(envs, SHAPE_TEXTS) || envs->list.n == 0))
		return fail(c, &rule_sandbox_setting, envs, "'sandbox.allowed_envs' must be a list of environment names");
	return 0;
}

static int plain_check(struct check *c)
{
	static const struct setting settings[] = {
		{ "name", SHAPE_TEXT, false },         { "project_id", SHAPE_TEXT, true },
		{ "version", SHAPE_TEXT, false },      { "description", SHAPE_TEXT, true },
		{ "author", SHAPE_TEXT, true },        { "created_date", SHAPE_TEXT, true },
		{ "required_lhp_version", SHAPE_TEXT, true }, { "apply_formatting", SHAPE_BOOL, false },
		{ NULL },
	};

	for (const struct setting *s = settings; s->key != NULL; s++) {
		const struct node *v = node_get(c->project->root, s->key);
		struct str text;

		if (v == NULL || (v->kind == NODE_NULL ? s->null_ok : shape_fits(v, s->shape)))
			continue;
		text = node_text(c->diags->arena, v);
		fail(c, &rule_settings_shape, v, "'%s' must be %s; it is %s", s->key, shape_name(s->shape),
		     node_kind_name(v));
		if (s->shape == SHAPE_TEXT && v->kind != NODE_LIST && v->kind != NODE_MAP)
			diag_hint(c->diags, &c->diags->p[c->diags->n - 1], "put it in quotes: %s: \"%.*s\"", s->key,
			          STR_ARG(text));
		return -1;
	}
	return 0;
}

int settings_check(struct project *p, struct trace *t, struct diags *ds)
{
	static const struct {
		const char *key;
		int (*check)(struct check *c, const struct node *n);
	} sections[] = {
		{ "operational_metadata", metadata_check },
		{ "include", NULL },
		{ "blueprint_include", NULL },
		{ "instance_include", NULL },
		{ "event_log", event_log_check },
		{ "monitoring", monitoring_check },
		{ "test_reporting", test_reporting_check },
		{ "uc_tagging", uc_tagging_check },
		{ "wheel", wheel_check },
		{ "sandbox", sandbox_check },
	};
	struct check c = { p, t, ds };

	for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
		const struct node *n = node_get(p->root, sections[i].key);

		if (sections[i].check == NULL ? include_check(&c, sections[i].key) < 0
		                              : n != NULL && sections[i].check(&c, n) < 0)
			return -1;
	}
	return plain_check(&c);
}

int settings_files_check(struct project *p, struct trace *t, struct diags *ds)
{
	const struct node *monitoring = node_get(p->root, "monitoring"), *views = node_get(monitoring, "materialized_views");

	for (size_t i = 0; shape_truth(node_get(monitoring, "enabled"), true) && i < node_len(views); i++) {
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
