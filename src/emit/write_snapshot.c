/* Change data from snapshots: spec/write_test.md section 6. */
#include "emit/modules_user.h"
#include "emit/write.h"
#include "model/suggest.h"
#include "python/pysrc.h"
#include "resolve/token.h"

/* Types of a parameter that Python's repr() writes as code. */
static const struct node *parameter_refuse(const struct node *n)
{
	const struct node *bad = NULL;

	if (node_is(n, NODE_DATE) || node_is(n, NODE_TIMESTAMP))
		return n;
	for (size_t i = 0; node_is(n, NODE_LIST) && bad == NULL && i < n->list.n; i++)
		bad = parameter_refuse(n->list.item[i]);
	for (size_t i = 0; node_is(n, NODE_MAP) && bad == NULL && i < n->map.n; i++)
		bad = parameter_refuse(n->map.pair[i].value);
	return bad;
}

static int types_check(struct write *w, const struct node *parameters)
{
	for (size_t i = 0; i < parameters->map.n; i++) {
		const struct node *name = parameters->map.pair[i].key, *bad = parameter_refuse(parameters->map.pair[i].value);

		if (bad == NULL)
			continue;
		module_error(w->m, w->creator, &rule_snapshot_parameter_type, bad->at,
		             "The parameter `%.*s` holds %s (%.*s); a text, number, boolean, list, mapping or null was expected.",
		             STR_ARG(name->text), node_kind_name(bad), STR_ARG(bad->text));
		return module_hint(w->m, "Put a date in quotes and read it in the function");
	}
	return 0;
}

static bool takes(const struct py_function *f, struct str name)
{
	for (size_t i = 0; i < f->n_keyword_only; i++)
		if (str_eq(f->keyword_only[i], name))
			return true;
	return f->takes_kwargs;
}

static int names_check(struct write *w, const struct node *parameters, const struct py_function *f, struct str file)
{
	for (size_t i = 0; i < parameters->map.n; i++) {
		const struct node *name = parameters->map.pair[i].key;

		if (takes(f, name->text))
			continue;
		module_error(w->m, w->creator, &rule_snapshot_parameter_unknown, name->at,
		             "`%.*s` is no keyword-only argument of `%.*s` (line %u of %.*s).", STR_ARG(name->text),
		             STR_ARG(f->name), f->line, STR_ARG(file));
		return module_hint(w->m, "Put the argument behind a `*` in the function, or take **kwargs");
	}
	return 0;
}

/* The function must be there and take the parameters; each function by its own signature. */
static int function_check(struct write *w, const struct node *file, const struct node *function, const struct node *parameters)
{
	struct arena *a = w->m->unit->arena;
	struct py_error err = { 0 };
	struct py_function f;
	struct py_source *s;
	struct str text, *name;
	size_t n;
	bool found;

	if (file_text_raw(w->m->unit, file->text, file->at, &text) < 0) {
		file_fault_as(w->m->unit, &rule_user_not_utf8, &rule_user_is_folder);
		return module_fault(w->m, w->creator);
	}
	s = py_parse(text, &err);
	if (s == NULL) {
		struct mark at = { str_cstr(a, file->text), err.line, err.col };

		return module_error(w->m, w->creator, &rule_user_syntax, at, "%s is no Python: %.*s.", at.file, STR_ARG(err.problem));
	}
	found = py_find_function(s, a, function->text, &f);
	n = found ? 0 : py_function_names(s, a, &name);
	py_free(s);
	if (!found) {
		struct str question = suggest_question(a, function->text, name, n, 1);

		module_error(w->m, w->creator, &rule_snapshot_function_missing, function->at,
		             "%.*s has no `def %.*s` at its top level.", STR_ARG(file->text), STR_ARG(function->text));
		return module_hint(w->m, "%.*s%sNested, async and class functions do not count", STR_ARG(question),
		                   question.n != 0 ? "\n" : "");
	}
	if (!node_is(parameters, NODE_MAP))
		return 0;
	return types_check(w, parameters) < 0 ? -1 : names_check(w, parameters, &f, file->text);
}

static void call_write(struct write *w, const struct node *function, const struct node *parameters, struct str alias)
{
	if (!node_truthy(parameters)) {
		buf_addf(w->b, "%.*s.", STR_ARG(alias));
		module_name(w->m, w->b, function->text, function->at);
		return;
	}
	module_import(w->m, "from functools import partial");
	buf_addf(w->b, "partial(\n        %.*s.", STR_ARG(alias));
	module_name(w->m, w->b, function->text, function->at);
	for (size_t i = 0; i < parameters->map.n; i++) {
		const struct node_pair *p = &parameters->map.pair[i];

		buf_adds(w->b, ",\n        ");
		module_name(w->m, w->b, p->key->text, p->key->at);
		buf_addc(w->b, '=');
		py_repr(w->b, p->value);
	}
	buf_adds(w->b, "\n    )");
}

static int source_function_write(struct write *w, const struct node *source)
{
	const struct node *file = node_get(source, "file"), *function = node_get(source, "function");
	const struct node *parameters = node_get(source, "parameters");
	struct user_module user;
	struct str alias;

	if (!node_is_str(file) || !node_is_str(function))
		return module_error(w->m, w->creator, &rule_value_misshapen, source->at,
		                    "A source function needs the texts `file` and `function`.");
	if (function_check(w, file, function, parameters) < 0 ||
	    user_module_copy(w->m, w->creator, file->text, file->at, &user) < 0)
		return -1;
	alias = str_cat(w->m->unit->arena, STR("_snap_"), user.stem);
	module_import(w->m, "import custom_python_functions.%.*s as %.*s", STR_ARG(user.stem), STR_ARG(alias));
	module_statement(w->m, "%.*s.spark = spark", STR_ARG(alias));
	module_statement(w->m, "%.*s.dbutils = dbutils", STR_ARG(alias));
	call_write(w, function, parameters, alias);
	return 0;
}

static int source_write(struct write *w, const struct node *config)
{
	const struct node *function = node_get(config, "source_function");
	int rc = 0;

	buf_adds(w->b, "source=");
	if (!node_is_null(function))
		rc = source_function_write(w, function);
	else
		py_text(w->b, node_text(w->m->unit->arena, node_get(config, "source")));
	buf_adds(w->b, ",\n");
	return rc;
}

static int flow_write(struct write *w, const struct node *config)
{
	const struct node *history = node_get(config, "track_history_column_list"), *scd = node_get(config, "stored_as_scd_type");
	const char *key = "track_history_column_list";

	if (!node_truthy(history)) {
		key = "track_history_except_column_list";
		history = node_get(config, key);
	}
	buf_adds(w->b, "# Snapshot CDC mode using create_auto_cdc_from_snapshot_flow\ndp.create_auto_cdc_from_snapshot_flow(\n");
	argument_text(w->b, "target", w->full);
	if (source_write(w, config) < 0 || argument_data(w, w->creator, "keys", node_get(config, "keys")) < 0)
		return -1;
	buf_addf(w->b, "    stored_as_scd_type=%s", node_is(scd, NODE_INT) && scd->integer == 2 ? "2" : "1");
	if (node_truthy(history)) {
		buf_addf(w->b, ",\n    %s=", key);
		if (module_data(w->m, w->b, w->creator, history) < 0)
			return -1;
	}
	buf_adds(w->b, ")\n\n");
	return 0;
}

int write_snapshot_cdc(struct write *w)
{
	if (table_create_write(w, "# Create the streaming table for snapshot CDC") < 0)
		return -1;
	buf_addc(w->b, '\n');
	return flow_write(w, node_get(w->target, "snapshot_cdc_config"));
}
