/* Rules of sinks (spec/errors.md, sections 10 and 12; write_test.md, section 9). */
#include "check/checker.h"
#include "base/utf8.h"
#include "model/kafka_options.h"

static const struct node *key(const struct checker *c, const char *name)
{
	return node_get(c->action->write_target, name);
}

static void delta_check(struct checker *c)
{
	const struct node *options = key(c, "options"), *table = node_get(options, "tableName");
	bool has_table = node_has(options, "tableName"), has_path = node_has(options, "path");

	if (!node_truthy(options))
		return;
	if (options->kind != NODE_MAP) {
		check_add(c, &rule_sink_options_type, options, "'options' is a map, found %s", node_kind_name(options));
		return;
	}
	if (has_table == has_path)
		check_hint(c, check_add(c, &rule_sink_delta_table_or_path, options, "the options have %s of tableName and path",
		                        has_table ? "both" : "neither"),
		           "give one of tableName and path");
	if (node_is_str(table) && !is_three_part(table))
		check_hint(c, check_add(c, &rule_sink_delta_three_parts, table, "tableName is %.*s",
		                        STR_ARG(node_repr(c->u->arena, table))),
		           "write it as catalog.schema.table");
}

static void auth_check(struct checker *c, const struct node *options, const struct kafka_auth *auth)
{
	const struct node *mechanism = node_get(options, "kafka.sasl.mechanism");

	if (!str_is(node_str(mechanism), auth->mechanism))
		return;
	for (size_t i = 0; auth->needs[i] != NULL; i++)
		if (!node_has(options, auth->needs[i]))
			check_add(c, auth->needs == kafka_oauth.needs ? &rule_sink_kafka_oauth : &rule_sink_kafka_msk, mechanism,
			          "%s needs the option %s", auth->mechanism, auth->needs[i]);
}

static void kafka_check(struct checker *c)
{
	const struct node *options = key(c, "options");

	if (!node_truthy(options))
		return;
	if (options->kind != NODE_MAP) {
		check_add(c, &rule_sink_kafka_options_type, options, "'options' is a map, found %s", node_kind_name(options));
		return;
	}
	for (size_t i = 0; i < options->map.n; i++) {
		const struct node *name = options->map.pair[i].key;

		if (node_is_str(name) && kafka_needs_prefix(name->text))
			check_hint(c, check_add(c, &rule_sink_kafka_prefix, name, "the Kafka option '%.*s' lacks its prefix",
			                        STR_ARG(name->text)),
			           "write kafka.%.*s", STR_ARG(name->text));
	}
	auth_check(c, options, &kafka_msk);
	auth_check(c, options, &kafka_oauth);
}

static void batch_check(struct checker *c)
{
	const struct node *module = key(c, "module_path"), *handler = key(c, "batch_handler");
	bool has_handler = !node_is_null(handler) && !(node_is_str(handler) && handler->text.n == 0);

	if (node_is(c->action->source, NODE_LIST))
		check_hint(c, check_add(c, &rule_sink_batch_source, c->action->source, "a foreachbatch sink reads one view, found a list"),
		           "name one view as a text");
	if (node_truthy(module) == has_handler)
		check_hint(c, check_add(c, &rule_sink_handler, has_handler ? handler : c->action->write_target,
		                        "the sink has %s of module_path and batch_handler",
		                        has_handler ? "both" : "neither"),
		           "give one of them");
	if (has_handler && utf8_blank(node_str(handler)))
		check_add(c, &rule_sink_handler_blank, handler, "batch_handler is blank");
}

static void source_check(struct checker *c)
{
	const struct node *source = c->action->source;

	if (!node_truthy(source))
		check_hint(c, check_add(c, &rule_write_no_source, source, "the sink has no source"), "name the view that is written");
	else if (!is_text_or_list(source))
		check_add(c, &rule_write_source_type, source, "the source of a sink is a view or a list of views, found %s",
		          node_kind_name(source));
}

void check_sink(struct checker *c)
{
	const struct node *type = key(c, "sink_type");
	const struct field *f = field_find(&entity_sink, 0, STR("sink_type"));
	unsigned kind = entity_kind(&entity_sink, node_str(type));
	const char *what = str_cstr(c->u->arena, str_fmt(c->u->arena, "a %.*s sink", STR_ARG(node_str(type))));

	if (!node_truthy(type)) {
		check_suggest(c, check_add(c, &rule_sink_no_type, c->action->write_target, "the sink has no sink_type"), f, NULL);
		return;
	}
	source_check(c);
	if (kind == 0) {
		check_suggest(c, check_add(c, &rule_sink_unknown_type, type, "there is no sink type %.*s",
		                           STR_ARG(node_repr(c->u->arena, type))), f, type);
		if (!node_truthy(key(c, "sink_name")))
			check_add(c, &rule_sink_key_missing, c->action->write_target, "a sink needs 'sink_name'");
		return;
	}
	check_needed(c, &entity_sink, kind, c->action->write_target, what, &rule_sink_key_missing);
	if (str_is(type->text, "delta"))
		delta_check(c);
	if (str_is(type->text, "kafka"))
		kafka_check(c);
	if (str_is(type->text, "foreachbatch"))
		batch_check(c);
}
