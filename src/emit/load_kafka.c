/* Kafka topics as sources: spec/load_transform.md 3.5. */
#include "emit/kafka.h"
#include "emit/load.h"

static const char *const SUBSCRIPTION[] = { "subscribe", "subscribePattern", "assign" };

static void option_put(struct module *m, struct map *to, struct str key, const struct node *value)
{
	map_put(to, m->unit->arena, key, (void *)(uintptr_t)value);
}

/* Servers, subscription, then the user's options; one given again keeps its place. */
static void options_collect(struct module *m, const struct action *a, const struct node *options, struct map *to)
{
	option_put(m, to, STR("kafka.bootstrap.servers"), node_get(a->source, "bootstrap_servers"));
	for (size_t i = 0; i < sizeof(SUBSCRIPTION) / sizeof(SUBSCRIPTION[0]); i++) {
		const struct node *topics = node_get(a->source, SUBSCRIPTION[i]);

		if (node_truthy(topics))
			option_put(m, to, str_of(SUBSCRIPTION[i]), topics);
	}
	for (size_t i = 0; i < options->map.n; i++)
		option_put(m, to, options->map.pair[i].key->text, options->map.pair[i].value);
}

int load_kafka(struct module *m, struct buf *b, const struct action *a)
{
	const struct node *options;
	struct str servers = source_text(m, a, "bootstrap_servers");
	struct map all = { 0 };

	if (stream_only_check(m, a) < 0 || (options = source_map(m, a, "options")) == NULL ||
	    kafka_options_check(m, a, options) < 0)
		return -1;
	options_collect(m, a, options, &all);
	view_begin(m, b, a, module_description(m, a, "Load data from Kafka topics at %.*s", STR_ARG(servers)));
	reader_begin(b, "spark.readStream");
	reader_call(b, "format");
	buf_adds(b, "\"kafka\")");
	for (size_t i = 0; i < all.n; i++)
		reader_option(m, b, all.entry[i].key, all.entry[i].value);
	reader_call(b, "load");
	buf_adds(b, ")\n");
	view_end_apart(m, b, a);
	buf_addc(b, '\n');
	return 0;
}
