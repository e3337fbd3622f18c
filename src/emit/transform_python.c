/* Users' functions over views: spec/load_transform.md 4.2. */
#include "base/vec.h"
#include "emit/modules_user.h"
#include "emit/transform.h"

struct views {
	VEC_OF(struct str)
};

static void views_read(struct module *m, const struct action *a, struct views *out)
{
	if (node_is_str(a->source))
		*VEC_PUSH(out, m->unit->arena) = a->source->text;
	for (size_t i = 0; node_is(a->source, NODE_LIST) && i < a->source->list.n; i++)
		*VEC_PUSH(out, m->unit->arena) = node_str(a->source->list.item[i]);
}

/* `cat.sch.tab` is no name: its characters that cannot be in one become '_'. */
static struct str frame_name(struct module *m, struct str view)
{
	return str_cat(m->unit->arena, py_identifier(m->unit->arena, view), STR("_df"));
}

static void frames_write(struct module *m, struct buf *b, const struct action *a, const struct views *views)
{
	const char *reader = reader_of(module_read_mode(a, "batch"));

	if (views->n == 0) {
		buf_adds(b, "    # No source views - function generates data\n");
		return;
	}
	buf_adds(b, "    # Load source view(s)\n");
	for (size_t i = 0; i < views->n; i++) {
		buf_addf(b, "    %.*s = %s.table(", STR_ARG(frame_name(m, views->p[i])), reader);
		py_text(b, views->p[i]);
		buf_adds(b, ")\n");
	}
	buf_adds(b, "\n    # Apply Python transformation\n");
}

static int parameters_write(struct module *m, struct buf *b, const struct action *a)
{
	const struct node *parameters = node_get(a->map, "parameters");

	buf_adds(b, "    parameters = ");
	if (!node_truthy(parameters))
		buf_adds(b, "{}");
	else if (module_data(m, b, a, parameters) < 0)
		return -1;
	buf_addc(b, '\n');
	return 0;
}

/* No view, one view, or a list of them in front of spark. */
static void call_write(struct module *m, struct buf *b, const struct action *a, struct str function, const struct views *views)
{
	const struct node *at = node_get(a->map, "function_name");

	if (views->n > 1) {
		buf_adds(b, "    dataframes = [");
		for (size_t i = 0; i < views->n; i++)
			buf_addf(b, "%s%.*s", i > 0 ? ", " : "", STR_ARG(frame_name(m, views->p[i])));
		buf_adds(b, "]\n");
	}
	buf_adds(b, "    df = ");
	module_name(m, b, function, at != NULL ? at->at : a->map->at);
	buf_addc(b, '(');
	if (views->n == 1)
		buf_addf(b, "%.*s, ", STR_ARG(frame_name(m, views->p[0])));
	buf_adds(b, views->n > 1 ? "dataframes, spark, parameters)\n" : "spark, parameters)\n");
}

int transform_python(struct module *m, struct buf *b, const struct action *a)
{
	const struct node *path = node_get(a->map, "module_path");
	struct str function = node_get_text(a->map, "function_name");
	struct user_module user;
	struct views views = { 0 };

	if (user_module_copy(m, a, node_str(path), node_mark(path), &user) < 0)
		return -1;
	views_read(m, a, &views);
	module_import(m, "from custom_python_functions.%.*s import %.*s", STR_ARG(user.stem), STR_ARG(function));
	view_begin(m, b, a, module_description(m, a, "Python transform: %.*s.%.*s", STR_ARG(user.stem), STR_ARG(function)));
	frames_write(m, b, a, &views);
	if (parameters_write(m, b, a) < 0)
		return -1;
	call_write(m, b, a, function, &views);
	buf_addc(b, '\n');
	view_metadata(m, b, a);
	buf_adds(b, "\n    return df");
	return 0;
}
