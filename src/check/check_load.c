/* Rules of load actions (spec/errors.md, section 10; load_transform.md, section 3). */
#include "check/checker.h"

static void kafka_check(struct checker *c)
{
	static const char *const key[] = { "subscribe", "subscribePattern", "assign" };
	const struct node *source = c->action->source, *second = NULL;
	size_t n = 0;

	for (size_t i = 0; i < 3; i++)
		if (!node_is_null(node_get(source, key[i])) && ++n > 1 && second == NULL)
			second = node_get(source, key[i]);
	if (n == 0)
		check_hint(c, check_add(c, &rule_load_kafka_no_topics, source, "the Kafka source names no topics"),
		           "give one of subscribe, subscribePattern and assign");
	if (n > 1)
		check_hint(c, check_add(c, &rule_load_kafka_topics_twice, second, "the Kafka source names its topics %zu times", n),
		           "keep one of subscribe, subscribePattern and assign");
}

static void jdbc_check(struct checker *c)
{
	const struct node *source = c->action->source;

	if (!node_truthy(node_get(source, "query")) && !node_truthy(node_get(source, "table")))
		check_hint(c, check_add(c, &rule_load_jdbc_nothing, source, "the JDBC source has neither a query nor a table"),
		           "give query, or table");
}

/* The source map and the bit of its type; 0 after a finding that ends the check. */
static unsigned source_kind(struct checker *c)
{
	const struct node *source = c->action->source, *type;
	const struct field *f = field_find(&entity_source, 0, STR("type"));
	unsigned kind;

	if (!node_truthy(source)) {
		check_hint(c, check_add(c, &rule_action_no_source, source, "the load has no source"),
		           "give source as a map with type and what that type needs");
		return 0;
	}
	if (source->kind != NODE_MAP) {
		check_hint(c, check_add(c, &rule_load_source_not_map, source, "the source of a load is a map, found %s",
		                        node_kind_name(source)),
		           "write source: {type: …}; only transforms and writes read a view by its name");
		return 0;
	}
	type = node_get(source, "type");
	if (!node_truthy(type)) {
		check_suggest(c, check_add(c, &rule_load_no_type, source, "the source has no type"), f, NULL);
		return 0;
	}
	kind = entity_kind(&entity_source, node_text(c->u->arena, type));
	if (kind == 0)
		check_suggest(c, check_add(c, &rule_load_unknown_type, type, "there is no load source type %.*s",
		                           STR_ARG(node_repr(c->u->arena, type))), f, type);
	return kind;
}

void check_load(struct checker *c)
{
	unsigned kind;
	struct str type;
	const char *what;

	if (c->action->target.n == 0)
		check_hint(c, check_add(c, &rule_action_no_target, node_get(c->action->map, "target"), "the load has no target"),
		           "name the view that it makes");
	kind = source_kind(c);
	if (kind == 0)
		return;
	type = kind_of(c->action->source);
	what = str_cstr(c->u->arena, str_fmt(c->u->arena, "a %.*s source", STR_ARG(type)));
	if (!check_keys(c, &entity_source, kind, c->action->source, what))
		return;
	check_needed(c, &entity_source, kind, c->action->source, what, &rule_load_key_missing);
	check_types(c, &entity_source, kind, c->action->source, what, &rule_load_wrong_type, &rule_load_wrong_type);
	if (str_is(type, "jdbc"))
		jdbc_check(c);
	if (str_is(type, "kafka"))
		kafka_check(c);
}
