#include "emit/transform.h"

static const struct {
	const char *type;
	int (*emit)(struct module *m, struct buf *b, const struct action *a);
} TRANSFORM[] = {
	{ "sql", transform_sql },
	{ "python", transform_python },
	{ "data_quality", transform_quality },
	{ "temp_table", transform_temp_table },
	{ "schema", transform_schema },
};

int emit_transform(struct module *m, struct buf *b, const struct action *a)
{
	struct str type = node_get_text(a->map, "transform_type");

	for (size_t i = 0; i < sizeof(TRANSFORM) / sizeof(TRANSFORM[0]); i++)
		if (str_is(type, TRANSFORM[i].type))
			return TRANSFORM[i].emit(m, b, a);
	return module_error(m, a, &rule_value_misshapen, a->map->at, "There is no transform of type `%.*s`.", STR_ARG(type));
}

struct str transform_view(const struct action *a)
{
	const struct node *source = a->source;

	if (node_is(source, NODE_MAP)) {
		const struct node *view = node_get(source, "view");
		source = node_truthy(view) ? view : node_get(source, "source");
	}
	for (size_t i = 0; node_is(source, NODE_LIST) && i < source->list.n; i++)
		if (node_is_str(source->list.item[i]))
			return source->list.item[i]->text;
	return node_str(source);
}
