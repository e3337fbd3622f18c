#include "emit/sink.h"

static const struct {
	const char *type;
	int (*write)(struct sink *s);
} SINKS[] = {
	{ "delta", sink_delta },
	{ "kafka", sink_kafka },
	{ "custom", sink_custom },
	{ "foreachbatch", sink_foreachbatch },
};

int write_sink(struct write *w)
{
	struct str type = node_get_text(w->target, "sink_type");
	struct sink s = { .w = w, .a = w->creator, .target = w->target, .name = node_get_text(w->target, "sink_name") };

	module_import(w->m, "from pyspark.sql import functions as F");
	for (size_t i = 0; i < sizeof SINKS / sizeof *SINKS; i++)
		if (str_is(type, SINKS[i].type))
			return SINKS[i].write(&s);
	return module_error(w->m, w->creator, &rule_value_misshapen, w->target->at, "There is no sink of type `%.*s`.", STR_ARG(type));
}

static struct str first_given(struct arena *a, const struct node *given, struct str otherwise)
{
	return node_truthy(given) ? node_text(a, given) : otherwise;
}

void sink_comments(struct sink *s, struct str standard)
{
	struct arena *a = s->w->m->unit->arena;
	const struct node *description = node_get(s->a->map, "description");

	s->standard = standard;
	s->comment = first_given(a, node_get(s->target, "comment"), first_given(a, description, standard));
	s->flow_text = first_given(a, description, s->comment);
}

void sink_head_write(struct sink *s)
{
	py_comment(s->w->b, s->comment);
	buf_adds(s->w->b, "\n\n");
}

int sink_create_write(struct sink *s, const char *kind, struct str format, const struct node *options)
{
	struct buf *b = s->w->b;

	buf_addf(b, "# Create %s sink\ndp.create_sink(\n", kind);
	argument_text(b, "name", s->name);
	argument_text(b, "format", format);
	buf_adds(b, "    options=");
	if (node_is_null(options))
		buf_adds(b, "{}");
	else if (module_data(s->w->m, b, s->a, options) < 0)
		return -1;
	buf_adds(b, "\n)\n\n");
	return 0;
}

static void decorator_write(struct sink *s, enum sink_flow form, struct str name)
{
	struct buf *b = s->w->b;
	bool one_line = form == SINK_FLOW_SHORT;

	buf_adds(b, one_line ? "@dp.append_flow(target=" : "@dp.append_flow(\n    target=");
	py_text(b, s->name);
	buf_adds(b, one_line ? ", name=" : ",\n    name=");
	py_text(b, name);
	buf_adds(b, one_line ? ", comment=" : ",\n    comment=");
	if (form == SINK_FLOW_BLOCK)
		py_block(b, s->flow_text);
	else
		py_text(b, s->flow_text);
	buf_adds(b, one_line ? ")\n" : "\n)\n");
}

static void column_check_write(struct buf *b)
{
	buf_adds(b, "    # Runtime validation for strict mode (user must provide key and value columns)\n"
	            "    if \"value\" not in df.columns:\n"
	            "        raise ValueError(\"Kafka sink requires 'value' column in strict mode. Add a transform action to create it.\")\n"
	            "    # Key column is optional for Kafka\n\n");
}

void sink_flow_write(struct sink *s, enum sink_flow form, struct str view, size_t k)
{
	struct arena *a = s->w->m->unit->arena;
	struct str name = py_identifier(a, str_fmt(a, "f_%.*s_%zu", STR_ARG(s->name), k));
	struct buf *b = s->w->b;

	decorator_write(s, form, name);
	buf_addf(b, "def %.*s():\n    df = spark.readStream.table(", STR_ARG(name));
	py_text(b, view);
	buf_adds(b, ")\n\n");
	if (s->a->n_meta != 0)
		buf_addf(b, "    # Add operational metadata columns%s\n", form == SINK_FLOW_CHECKED ? " FIRST" : "");
	module_metadata(s->w->m, b, s->a);
	buf_addc(b, '\n');
	if (form == SINK_FLOW_CHECKED)
		column_check_write(b);
	buf_adds(b, "    return df\n");
}

void sink_flows_write(struct sink *s, enum sink_flow form)
{
	struct views views;

	buf_adds(s->w->b, "# Define append flow(s)\n");
	sink_views(s->w, s->a, &views);
	for (size_t k = 0; k < views.n; k++)
		sink_flow_write(s, form, views.p[k], k + 1);
}
