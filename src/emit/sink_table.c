/* Sinks that Spark knows by itself, Delta and Kafka: spec/write_test.md 9.3 and 9.4. */
#include "emit/sink.h"
#include "yaml/node_build.h"

/* Both end with six empty lines; the formatter takes them. */
static const char TAIL[] = "\n\n\n\n\n\n";

int sink_delta(struct sink *s)
{
	struct module *m = s->w->m;
	const struct node *options = node_get(s->target, "options");
	struct str table = node_get_text(options, "tableName");

	sink_comments(s, table.n != 0 ? str_cat(m->unit->arena, STR("Delta sink to "), table) : STR("Delta sink to external table"));
	sink_head_write(s);
	if (sink_create_write(s, "Delta", STR("delta"), options) < 0)
		return -1;
	sink_flows_write(s, SINK_FLOW_PLAIN);
	buf_adds(s->w->b, TAIL);
	return 0;
}

/* Servers and topic first; the user's options may overwrite them in place. */
static const struct node *kafka_options(struct sink *s)
{
	struct arena *a = s->w->m->unit->arena;
	const struct node *given = node_get(s->target, "options");
	struct node *all = node_new(a, NODE_MAP, s->target->at);

	node_set(a, all, STR("kafka.bootstrap.servers"), node_get(s->target, "bootstrap_servers"));
	node_set(a, all, STR("topic"), node_get(s->target, "topic"));
	for (size_t i = 0; node_is(given, NODE_MAP) && i < given->map.n; i++)
		node_set_pair(a, all, given->map.pair[i].key, given->map.pair[i].value);
	return all;
}

int sink_kafka(struct sink *s)
{
	struct arena *a = s->w->m->unit->arena;
	const struct node *options = kafka_options(s);
	bool hub = str_is(node_get_text(options, "kafka.sasl.mechanism"), "OAUTHBEARER");
	const char *kind = hub ? "Event Hubs" : "Kafka";

	sink_comments(s, str_fmt(a, "%s sink to %.*s", kind, STR_ARG(node_text(a, node_get(s->target, "topic")))));
	sink_head_write(s);
	if (sink_create_write(s, kind, STR("kafka"), options) < 0)
		return -1;
	sink_flows_write(s, SINK_FLOW_CHECKED);
	buf_adds(s->w->b, TAIL);
	return 0;
}
