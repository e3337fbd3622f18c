/* Rules of transform actions (spec/errors.md, section 10; load_transform.md, section 4). */
#include "check/checker.h"
#include "resolve/nearby.h"

static const struct node *key(const struct checker *c, const char *name)
{
	return node_get(c->action->map, name);
}

static void source_check(struct checker *c)
{
	if (!node_truthy(c->action->source))
		check_hint(c, check_add(c, &rule_action_no_source, c->action->source, "the transform has no source"),
		           "name the view that it reads");
}

static void sql_check(struct checker *c)
{
	if (!node_truthy(key(c, "sql")) && !node_truthy(key(c, "sql_path")))
		check_hint(c, check_add(c, &rule_transform_no_sql, NULL, "the SQL transform has neither sql nor sql_path"),
		           "give the query as sql, or the file that holds it as sql_path");
	source_check(c);
}

static void module_check(struct checker *c)
{
	const struct node *module = key(c, "module_path"), *function = key(c, "function_name");

	if (!node_truthy(module))
		check_add(c, &rule_action_key_missing, module, "the Python transform needs 'module_path'");
	else if (node_is_str(module) && !path_exists(c, module->text))
		diag_hints(c->parts, check_add(c, &rule_transform_module_absent, module, "there is no file %.*s", STR_ARG(module->text)),
		           file_question(c->u, module->text), "paths start at the folder of lhp.yaml");
	if (!node_truthy(function))
		check_add(c, &rule_action_key_missing, function, "the Python transform needs 'function_name'");
}

static void python_check(struct checker *c)
{
	const struct node *source = c->action->source, *parameters = key(c, "parameters");

	if (node_is_null(source))
		source_check(c);
	else if (!node_is_str(source) && !is_text_list(source))
		check_hint(c, check_add(c, &rule_action_source_type, source,
		                        "the source of a Python transform is a text or a list of text, found %s",
		                        node_kind_name(source)), "name the view, or list the views");
	module_check(c);
	if (!node_is_null(parameters) && parameters->kind != NODE_MAP)
		check_add(c, &rule_transform_parameters, parameters, "'parameters' is a map, found %s",
		          node_kind_name(parameters));
}

static void quality_check(struct checker *c)
{
	const struct node *block = key(c, "quarantine");

	source_check(c);
	check_value(c, "mode", &rule_action_value);
	if (str_is(node_str(key(c, "mode")), "quarantine"))
		check_quarantine(c);
	else if (!node_is_null(block))
		check_hint(c, check_add(c, &rule_quarantine_unexpected, block, "a quarantine block, but mode is not quarantine"),
		           "set mode: quarantine, or remove the block");
}

static const struct {
	const char *type;
	void (*check)(struct checker *c);
} families[] = {
	{ "sql", sql_check },
	{ "python", python_check },
	{ "data_quality", quality_check },
	{ "temp_table", source_check },
	{ "schema", check_schema_transform },
};

void check_transform(struct checker *c)
{
	const struct node *type = key(c, "transform_type");

	if (c->action->target.n == 0)
		check_hint(c, check_add(c, &rule_action_no_target, key(c, "target"), "the transform has no target"),
		           "name the view that it makes");
	if (!node_truthy(type)) {
		check_suggest(c, check_add(c, &rule_transform_no_type, type, "the transform has no transform_type"),
		              field_find(&entity_action, 0, STR("transform_type")), NULL);
		return;
	}
	for (size_t i = 0; i < sizeof families / sizeof *families; i++)
		if (str_is(node_str(type), families[i].type))
			families[i].check(c);
}
