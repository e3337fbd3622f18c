#include "emit/load.h"
#include "yaml/node_build.h"

static const struct {
	const char *type;
	int (*emit)(struct module *m, struct buf *b, const struct action *a);
} LOAD[] = {
	{ "cloudfiles", load_cloudfiles },
	{ "delta", load_delta },
	{ "sql", load_sql },
	{ "jdbc", load_jdbc },
	{ "kafka", load_kafka },
	{ "python", load_python },
	{ "custom_datasource", load_custom_datasource },
};

int emit_load(struct module *m, struct buf *b, const struct action *a)
{
	struct str type = kind_of(a->source);

	for (size_t i = 0; i < sizeof(LOAD) / sizeof(LOAD[0]); i++)
		if (str_is(type, LOAD[i].type))
			return LOAD[i].emit(m, b, a);
	return module_error(m, a, &rule_value_misshapen, a->map->at, "There is no load of type `%.*s`.", STR_ARG(type));
}

int stream_only_check(struct module *m, const struct action *a)
{
	struct str mode = module_read_mode(a, "stream");
	const struct node *at = node_get(a->map, "readMode");

	if (str_is(mode, "stream"))
		return 0;
	if (!node_truthy(at))
		at = node_get(a->source, "readMode");
	module_error(m, a, &rule_read_mode_stream_only, node_mark(at), "readMode is `%.*s`; this kind of action only streams.",
		     STR_ARG(mode));
	return module_hint(m, "Remove `readMode`, or write `readMode: stream`");
}

static int key_error(struct module *m, const struct action *a, const struct node *key)
{
	module_error(m, a, &rule_value_misshapen, key->at, "The option name `%.*s` is %s, not a text.", STR_ARG(key->text),
		     node_kind_name(key));
	return module_hint(m, "Put the name in quotes");
}

int options_prefix_check(struct module *m, const struct action *a, const struct node *options, struct str prefix,
                         bool (*needs_prefix)(struct str name))
{
	for (size_t i = 0; i < options->map.n; i++) {
		const struct node *key = options->map.pair[i].key;

		if (!node_is_str(key))
			return key_error(m, a, key);
		if (!needs_prefix(key->text))
			continue;
		module_error(m, a, &rule_option_unprefixed, key->at, "The option `%.*s` needs its prefix.", STR_ARG(key->text));
		return module_hint(m, "Write `%.*s%.*s`", STR_ARG(prefix), STR_ARG(key->text));
	}
	return 0;
}

const struct node *inner_map(struct module *m, const struct action *a, const char *key)
{
	const struct node *n = node_get(a->source, key);

	if (node_is_null(n) || node_is(n, NODE_MAP))
		return !node_is_null(n) ? n : node_new(m->unit->arena, NODE_MAP, a->map->at);
	module_error(m, a, &rule_value_misshapen, n->at, "`%s` is %s; it must map option names to values.", key,
		     node_kind_name(n));
	return NULL;
}
