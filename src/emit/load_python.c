/* Users' functions and data sources: spec/load_transform.md 3.6 and 3.7. */
#include "emit/load.h"
#include "emit/modules_user.h"
#include "emit/source_name.h"
#include "model/fields.h"

static int suffix_check(struct module *m, const struct action *a, const struct node *path)
{
	if (str_ends(path->text, STR(".py")))
		return 0;
	module_error(m, a, &rule_python_path_suffix, path->at, "`%.*s` does not end in `.py`.", STR_ARG(path->text));
	return module_hint(m, "Name a Python file, relative to the project's root");
}

/* The parameters as one line; absent and null are {}. */
static int parameters_write(struct module *m, struct buf *b, const struct action *a)
{
	const struct node *parameters = node_get(a->source, "parameters");

	buf_adds(b, "    parameters = ");
	if (node_is_null(parameters))
		buf_adds(b, "{}");
	else if (module_data(m, b, a, parameters) < 0)
		return -1;
	buf_addc(b, '\n');
	return 0;
}

int load_python(struct module *m, struct buf *b, const struct action *a)
{
	const struct node *path = node_get(a->source, "module_path"), *function = node_get(a->source, "function_name");
	struct str name = function != NULL ? node_str(function) : entity_text(&entity_source, NULL, "function_name");
	struct user_module user;

	if (!node_is_str(path)) {
		module_error(m, a, &rule_python_path_suffix, node_mark(path), "`module_path` is %s.", node_kind_name(path));
		return module_hint(m, "Name a Python file, relative to the project's root");
	}
	if (suffix_check(m, a, path) < 0 || user_module_copy(m, a, path->text, path->at, &user) < 0)
		return -1;
	module_import(m, "from custom_python_functions.%.*s import %.*s", STR_ARG(user.stem), STR_ARG(name));
	view_begin(m, b, a, module_description(m, a, "Python source: %.*s.%.*s", STR_ARG(user.stem), STR_ARG(name)));
	buf_adds(b, "    # Call the external Python function with spark and parameters\n");
	if (parameters_write(m, b, a) < 0)
		return -1;
	buf_adds(b, "    df = ");
	module_name(m, b, name, function != NULL ? function->at : path->at);
	buf_adds(b, "(spark, parameters)\n");
	view_end(m, b, a);
	return 0;
}

static const struct node *datasource_key(struct module *m, const struct action *a, const char *key)
{
	const struct node *n = node_get(a->source, key);

	if (node_is_str(n) && n->text.n > 0)
		return n;
	module_error(m, a, &rule_datasource_key_missing, a->source->at, "The source has no `%s`.", key);
	module_hint(m, "Give `module_path`, the Python file, and `custom_datasource_class`, the class in it");
	return NULL;
}

static void register_write(struct module *m, struct buf *b, const struct node *class)
{
	buf_adds(b, "# Register the custom data source\nspark.dataSource.register(");
	module_name(m, b, class->text, class->at);
	buf_adds(b, ")\n\n");
}

int load_custom_datasource(struct module *m, struct buf *b, const struct action *a)
{
	const struct node *path, *class, *mode = node_get(a->map, "readMode"), *options;
	struct user_module user;

	if ((path = datasource_key(m, a, "module_path")) == NULL ||
	    (class = datasource_key(m, a, "custom_datasource_class")) == NULL ||
	    (options = inner_map(m, a, "options")) == NULL ||
	    user_module_copy(m, a, path->text, path->at, &user) < 0)
		return -1;
	user_module_ship(m);
	module_import(m, "from custom_python_functions.%.*s import %.*s", STR_ARG(user.stem), STR_ARG(class->text));
	register_write(m, b, class);
	view_begin(m, b, a, module_description(m, a, "Load data from custom data source: %.*s", STR_ARG(class->text)));
	reader_begin(b, reader_of(node_truthy(mode) ? mode->text : STR("stream")));
	reader_call(b, "format");
	py_text(b, source_name_find(user.text, class->text));
	buf_addc(b, ')');
	for (size_t i = 0; i < options->map.n; i++)
		reader_option(m, b, node_text(m->unit->arena, options->map.pair[i].key), options->map.pair[i].value);
	reader_call(b, "load");
	buf_adds(b, ")\n");
	view_end_apart(m, b, a);
	return 0;
}
