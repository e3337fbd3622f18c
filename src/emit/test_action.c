/* Tests as temporary tables with expectations: spec/write_test.md, section 10. */
#include "emit/test_query.h"
#include "model/fields.h"
#include "yaml/node_build.h"

/* By on_violation, in the order of the decorators. */
static const struct {
	const char *violation, *decorator;
} DECORATORS[] = {
	{ "fail", "expect_all_or_fail" },
	{ "drop", "expect_all_or_drop" },
	{ "warn", "expect_all" },
};

enum { N_DECORATORS = sizeof DECORATORS / sizeof *DECORATORS };

/* Name to condition, one map per decorator. */
struct expectations {
	struct node *by[N_DECORATORS];
};

/* Another word, null too, drops the entry. */
static void expectation_add(struct module *m, struct expectations *e, struct str word, const struct node *name,
                            const struct node *condition)
{
	for (size_t i = 0; i < N_DECORATORS; i++)
		if (str_is(word, DECORATORS[i].violation))
			node_set_pair(m->unit->arena, e->by[i], name, condition);
}

static int own_collect(struct module *m, const struct action *a, struct expectations *e)
{
	static const char *const NEEDED[] = { "name", "expression" };
	const struct node *given = node_get(a->map, "expectations");

	for (size_t i = 0; node_is(given, NODE_LIST) && i < given->list.n; i++) {
		const struct node *entry = given->list.item[i];
		struct str word = entity_text(&entity_expectation, NULL, "on_violation");

		for (size_t k = 0; k < 2; k++)
			if (!node_has(entry, NEEDED[k])) {
				module_error(m, a, &rule_value_misshapen, entry->at, "The expectation has no `%s`.", NEEDED[k]);
				return module_hint(m, "Give each expectation a `name` and an `expression`");
			}
		if (node_has(entry, "on_violation"))
			word = node_get_text(entry, "on_violation");
		expectation_add(m, e, word, node_get(entry, "name"), node_get(entry, "expression"));
	}
	return 0;
}

static int expectations_collect(struct module *m, const struct action *a, const struct test_kind *kind, struct expectations *e)
{
	struct arena *arena = m->unit->arena;
	const struct node *violation = node_get(a->map, "on_violation");

	for (size_t i = 0; i < N_DECORATORS; i++)
		e->by[i] = node_new(arena, NODE_MAP, a->map->at);
	if (kind->expectation == NULL)
		return own_collect(m, a, e);
	expectation_add(m, e, node_truthy(violation) ? node_text(arena, violation)
	                                                : entity_text(&entity_action, NULL, "on_violation"),
	                node_new_str(arena, a->map->at, str_of(kind->expectation)),
	                node_new_str(arena, a->map->at, test_text_fill(m, a, kind->condition)));
	return 0;
}

static int expectations_write(struct module *m, struct buf *b, const struct action *a, const struct test_kind *kind)
{
	struct expectations e;

	if (expectations_collect(m, a, kind, &e) < 0)
		return -1;
	for (size_t i = 0; i < N_DECORATORS; i++) {
		if (node_len(e.by[i]) == 0)
			continue;
		buf_addf(b, "@dp.%s(", DECORATORS[i].decorator);
		if (module_data(m, b, a, e.by[i]) < 0)
			return -1;
		buf_adds(b, ")\n");
	}
	return 0;
}

static bool is_plain_table(struct str name)
{
	struct str part;
	size_t parts = 0;

	for (; str_cut(&name, '.', &part); parts++)
		if (part.n == 0 || str_has(part, STR("`")))
			return false;
	return parts == 3;
}

/* The names of schema_match become texts of a query. */
static int names_check(struct module *m, const struct action *a)
{
	const struct node *source = node_is(a->source, NODE_LIST) && a->source->list.n != 0 ? a->source->list.item[0] : a->source;
	const struct node *name[2] = { source, node_get(a->map, "reference") };

	for (size_t i = 0; i < 2; i++) {
		if (is_plain_table(node_str(name[i])))
			continue;
		module_error(m, a, &rule_test_table_name, node_is_null(name[i]) ? a->map->at : name[i]->at,
		             "`%.*s` was found; a name catalog.schema.table without backticks was expected.", STR_ARG(node_str(name[i])));
		return module_hint(m, "Give `source` and `reference` as three parts with dots between");
	}
	return 0;
}

static void query_write(struct module *m, struct buf *b, const struct action *a, const struct test_kind *kind)
{
	struct arena *arena = m->unit->arena;
	struct str query = test_text_fill(m, a, kind->query);

	buf_adds(b, "    return spark.sql(");
	py_block(b, str_fmt(arena, "\n        %.*s\n    ", STR_ARG(query)));
	buf_addc(b, ')');
}

int emit_test(struct module *m, struct buf *b, const struct action *a)
{
	struct arena *arena = m->unit->arena;
	struct str type = node_get_text(a->map, "test_type"), description, table = a->target;
	const struct test_kind *kind = test_kind_find(type);

	if (kind == NULL)
		return module_error(m, a, &rule_value_misshapen, a->map->at, "There is no test of type `%.*s`.", STR_ARG(type));
	if (str_is(type, "schema_match") && names_check(m, a) < 0)
		return -1;
	module_import(m, "from pyspark.sql.functions import *");
	description = module_description(m, a, "Test: %.*s", STR_ARG(type));
	if (table.n == 0)
		table = str_cat(arena, STR("tmp_test_"), a->name);
	if (expectations_write(m, b, a, kind) < 0)
		return -1;
	buf_adds(b, "@dp.table(name=");
	py_text(b, table);
	buf_adds(b, ", comment=");
	py_text(b, description);
	buf_adds(b, ", temporary=True)\ndef ");
	module_name(m, b, py_identifier(arena, table), a->map->at);
	buf_adds(b, "():\n    ");
	py_doc(b, description);
	buf_addc(b, '\n');
	query_write(m, b, a, kind);
	return 0;
}
