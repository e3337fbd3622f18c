/* Rules of test actions (spec/errors.md, section 10; write_test.md, section 10). */
#include "check/checker.h"

static const struct node *key(const struct checker *c, const char *name)
{
	return node_get(c->action->map, name);
}

static void three_parts_check(struct checker *c, const char *name)
{
	const struct node *n = key(c, name);

	if (node_str(n).n != 0 && !is_three_part(n)) /* of a list the first one counts, which generate judges */
		check_hint(c, check_add(c, &rule_test_three_parts, n, "'%s' is %.*s", name, STR_ARG(node_repr(c->u->arena, n))),
		           "write it as catalog.schema.table");
}

static void lengths_check(struct checker *c, const char *one, const char *other)
{
	const struct node *a = key(c, one), *b = key(c, other);

	if (node_truthy(a) && node_truthy(b) && node_len(a) != node_len(b))
		check_hint(c, check_add(c, &rule_test_lengths, b, "%s names %zu columns, %s names %zu", one, node_len(a), other,
		                        node_len(b)),
		           "they are compared one by one: name as many in both");
}

static void row_count_check(struct checker *c)
{
	const struct node *source = c->action->source;

	if (!node_is(source, NODE_LIST) || source->list.n != 2)
		check_hint(c, check_add(c, &rule_test_two_sources, source, "a row count test compares two sources, found %s",
		                        node_is(source, NODE_LIST) ? "a list of another length" : node_kind_name(source)),
		           "write source: [a, b]");
}

static void reference_check(struct checker *c)
{
	three_parts_check(c, "reference");
	lengths_check(c, "source_columns", "reference_columns");
}

static void range_check(struct checker *c)
{
	if (node_is_null(key(c, "min_value")) && node_is_null(key(c, "max_value")))
		check_hint(c, check_add(c, &rule_test_range_bounds, NULL, "the range has no bound"),
		           "give min_value, max_value or both");
}

static void schema_match_check(struct checker *c)
{
	three_parts_check(c, "source");
	three_parts_check(c, "reference");
}

static void lookups_check(struct checker *c)
{
	three_parts_check(c, "lookup_table");
	lengths_check(c, "lookup_columns", "lookup_result_columns");
}

static const struct {
	const char *type;
	void (*check)(struct checker *c);
} families[] = {
	{ "row_count", row_count_check },
	{ "referential_integrity", reference_check },
	{ "range", range_check },
	{ "schema_match", schema_match_check },
	{ "all_lookups_found", lookups_check },
};

void check_test(struct checker *c)
{
	const struct node *type = key(c, "test_type");
	const struct field *f = field_find(&entity_action, 0, STR("test_type"));
	const char *what;

	if (!node_truthy(type)) {
		check_suggest(c, check_add(c, &rule_test_no_type, type, "the test has no test_type"), f, NULL);
		return;
	}
	if (!node_is_str(type) || !field_has_value(f, type->text)) {
		check_suggest(c, check_add(c, &rule_test_unknown_type, type, "there is no test type %.*s",
		                           STR_ARG(node_repr(c->u->arena, type))), f, type);
		return;
	}
	what = str_cstr(c->u->arena, str_fmt(c->u->arena, "a %.*s test", STR_ARG(type->text)));
	if (node_truthy(key(c, "on_violation")))
		check_value(c, "on_violation", &rule_test_on_violation);
	if (!str_is(type->text, "row_count"))
		check_needed(c, &entity_action, entity_kind(&entity_action, type->text), c->action->map, what,
		             &rule_test_key_missing);
	for (size_t i = 0; i < sizeof families / sizeof *families; i++)
		if (str_is(type->text, families[i].type))
			families[i].check(c);
}
