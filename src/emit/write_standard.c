/* Streaming tables that are appended to: spec/write_test.md section 4. */
#include "emit/write.h"

#include "model/fields.h"

static struct str description(struct write *w, const struct action *a, struct str view, size_t n)
{
	return n > 1 ? module_description(w->m, a, "Append flow to %.*s from %.*s", STR_ARG(w->full), STR_ARG(view))
	             : module_description(w->m, a, "Append flow to %.*s", STR_ARG(w->full));
}

/* An action without a readMode has that of the one that creates the table. */
static bool is_batch(const struct write *w, const struct action *a)
{
	bool creator = str_is(module_read_mode(w->creator, "stream"), "batch");

	return str_is(module_read_mode(a, creator ? "batch" : "stream"), "batch");
}

static void flow_write(struct write *w, const struct action *a, struct str name, struct str view, struct str doc)
{
	bool batch = is_batch(w, a);

	buf_adds(w->b, "@dp.append_flow(\n");
	argument_text(w->b, "target", w->full);
	argument_text(w->b, "name", name);
	if (entity_truth(&entity_action, a->map, "once"))
		buf_adds(w->b, "once=True,");
	buf_adds(w->b, "    comment=");
	py_text(w->b, doc);
	buf_adds(w->b, "\n)\n");
	function_begin(w, name, doc, a->map->at);
	buf_addf(w->b, "    # %s\n", batch ? "Batch mode" : "Streaming flow");
	function_read(w, batch ? "spark.read" : "spark.readStream", view);
	buf_addc(w->b, '\n');
}

int write_standard(struct write *w)
{
	if (creates_table(w->creator)) {
		if (table_create_write(w, "# Create the streaming table") < 0)
			return -1;
		buf_addc(w->b, '\n');
	}
	buf_adds(w->b, "\n# Define append flow(s)\n");
	for (size_t i = 0; i < w->group->n; i++) {
		const struct action *a = w->group->action[i];
		struct views views;

		write_views(w, a, &views);
		for (size_t k = 0; k < views.n; k++)
			flow_write(w, a, flow_name(w, a, k + 1, views.n), views.p[k], description(w, a, views.p[k], views.n));
	}
	return 0;
}
