/* Sinks that run the user's code: spec/write_test.md 9.5 and 9.6. */
#include "emit/modules_user.h"
#include "base/utf8.h"
#include "emit/sink.h"
#include "emit/source_name.h"
#include "emit/user_text.h"
#include "resolve/token.h"

int sink_custom(struct sink *s)
{
	struct module *m = s->w->m;
	const struct node *path = node_get(s->target, "module_path"), *class = node_get(s->target, "custom_sink_class");
	struct user_module user;

	if (user_module_copy(m, s->a, node_str(path), node_mark(path), &user) < 0)
		return -1;
	user_module_ship(m);
	module_import(m, "from custom_python_functions.%.*s import %.*s", STR_ARG(user.stem), STR_ARG(node_str(class)));
	sink_comments(s, str_cat(m->unit->arena, STR("Custom sink: "), node_str(class)));
	sink_head_write(s);
	buf_adds(s->w->b, "# Register custom data sink\nspark.dataSource.register(");
	module_name(m, s->w->b, node_str(class), node_mark(class));
	buf_adds(s->w->b, ")\n\n");
	if (sink_create_write(s, "custom", sink_format_find(user.text, node_str(class)), node_get(s->target, "options")) < 0)
		return -1;
	sink_flows_write(s, SINK_FLOW_BLOCK);
	return 0;
}

/* The handler's body, from the flowgroup or a file, tokens replaced. */
static int body_read(struct sink *s, struct str *body)
{
	struct module *m = s->w->m;
	const struct node *inline_body = node_get(s->target, "batch_handler"), *path = node_get(s->target, "module_path");
	struct str text;

	*body = node_str(inline_body);
	if (node_truthy(inline_body))
		return 0;
	if (file_text_raw(m->unit, node_str(path), node_mark(path), &text) < 0) {
		file_fault_as(m->unit, &rule_user_not_utf8, &rule_user_is_folder);
		return module_fault(m, s->a);
	}
	return user_text_substitute(m, s->a, text, node_mark(path), body);
}

static void body_write(struct sink *s, struct str body)
{
	struct str line;

	for (bool first = true; str_cut(&body, '\n', &line); first = false) {
		buf_adds(s->w->b, first ? "    " : "\n");
		if (!first && !utf8_blank(line))
			buf_adds(s->w->b, "    ");
		buf_add(s->w->b, line);
	}
	buf_addc(s->w->b, '\n');
}

int sink_foreachbatch(struct sink *s)
{
	struct module *m = s->w->m;
	struct arena *a = m->unit->arena;
	struct buf *b = s->w->b;
	struct views views;
	struct str body;

	sink_comments(s, str_cat(a, STR("ForEachBatch sink: "), s->a->name));
	/* The target's comment is for the code only. */
	s->flow_text = module_description(m, s->a, "%.*s", STR_ARG(s->standard));
	if (body_read(s, &body) < 0)
		return -1;
	sink_head_write(s);
	buf_adds(b, "@dp.foreach_batch_sink(name=");
	py_text(b, s->name);
	buf_adds(b, ")\ndef ");
	module_name(m, b, py_identifier(a, s->name), node_mark(node_get(s->target, "sink_name")));
	buf_adds(b, "(df, batch_id):\n    ");
	py_doc(b, s->flow_text);
	buf_addc(b, '\n');
	m->user_body = true;
	body_write(s, user_secrets_call(m, body));
	buf_adds(b, "    return\n\n");
	sink_views(s->w, s->a, &views);
	sink_flow_write(s, SINK_FLOW_SHORT, views.n != 0 ? views.p[0] : STR_NONE, 1);
	return 0;
}
