#include "emit/test_query.h"

#include "base/utf8.h"

#define CLAUSE "\n                    "
#define ITEM "\n                      "

static const struct test_kind KINDS[] = {
	{ "row_count",
	  "SELECT * FROM"
	  ITEM "(SELECT COUNT(*) AS source_count FROM {source}),"
	  ITEM "(SELECT COUNT(*) AS target_count FROM {second_source})",
	  "row_count_match", "abs(source_count - target_count) <= {tolerance}" },
	{ "uniqueness",
	  "SELECT {columns}, COUNT(*) as duplicate_count"
	  CLAUSE "FROM {source}{where}"
	  CLAUSE "GROUP BY {columns}"
	  CLAUSE "HAVING COUNT(*) > 1",
	  "no_duplicates", "duplicate_count == 0" },
	{ "referential_integrity",
	  "SELECT"
	  ITEM "s.*,"
	  ITEM "r.{reference_column} as ref_{reference_column}"
	  CLAUSE "FROM {source} s"
	  CLAUSE "LEFT JOIN {reference} r ON {reference_pairs}",
	  "referential_integrity", "ref_{reference_column} IS NOT NULL" },
	{ "all_lookups_found",
	  "SELECT"
	  ITEM "s.*,"
	  ITEM "l.{result_column} as lookup_{result_column}"
	  CLAUSE "FROM {source} s"
	  CLAUSE "LEFT JOIN {lookup_table} l ON {lookup_pairs}",
	  "all_lookups_found", "lookup_{result_column} IS NOT NULL" },
	{ "completeness",
	  "SELECT {required_columns}"
	  CLAUSE "FROM {source}",
	  "required_fields_complete", "{required_conditions}" },
	{ "range",
	  "SELECT {column}"
	  CLAUSE "FROM {source}",
	  "value_in_range", "{range_conditions}" },
	{ "schema_match",
	  "WITH source_schema AS ("
	  ITEM "SELECT column_name, data_type, ordinal_position"
	  ITEM "FROM {source_catalog}.information_schema.columns"
	  ITEM "WHERE table_catalog = '{source_catalog}'"
	  ITEM "  AND table_schema = '{source_schema}'"
	  ITEM "  AND table_name = '{source_table}'"
	  CLAUSE "),"
	  CLAUSE "reference_schema AS ("
	  ITEM "SELECT column_name, data_type, ordinal_position"
	  ITEM "FROM {reference_catalog}.information_schema.columns"
	  ITEM "WHERE table_catalog = '{reference_catalog}'"
	  ITEM "  AND table_schema = '{reference_schema}'"
	  ITEM "  AND table_name = '{reference_table}'"
	  CLAUSE "),"
	  CLAUSE "schema_diff AS ("
	  ITEM "SELECT"
	  ITEM "  COALESCE(s.column_name, r.column_name) as column_name,"
	  ITEM "  s.data_type as source_type,"
	  ITEM "  r.data_type as reference_type,"
	  ITEM "  CASE"
	  ITEM "    WHEN s.column_name IS NULL THEN 'missing_in_source'"
	  ITEM "    WHEN r.column_name IS NULL THEN 'extra_in_source'"
	  ITEM "    WHEN s.data_type != r.data_type THEN 'type_mismatch'"
	  ITEM "    ELSE 'match'"
	  ITEM "  END as status"
	  ITEM "FROM source_schema s"
	  ITEM "FULL OUTER JOIN reference_schema r ON s.column_name = r.column_name"
	  CLAUSE ")"
	  CLAUSE "SELECT * FROM schema_diff WHERE status != 'match'",
	  "schemas_match", "false" },
	{ "custom_sql", "{sql}", NULL, NULL },
	{ "custom_expectations", "SELECT * FROM {source}", NULL, NULL },
};

const struct test_kind *test_kind_find(struct str type)
{
	for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
		if (str_is(type, KINDS[i].type))
			return &KINDS[i];
	return NULL;
}

static const struct node *list_item(const struct node *list, size_t i)
{
	return node_is(list, NODE_LIST) && i < list->list.n ? list->list.item[i] : NULL;
}

static void add_text(struct module *m, struct buf *b, const struct node *n)
{
	if (!node_is_null(n))
		buf_add(b, node_text(m->unit->arena, n));
}

/* The k-th source; of a text, the first. */
static const struct node *source_at(const struct action *a, size_t k)
{
	return node_is(a->source, NODE_LIST) ? list_item(a->source, k) : k == 0 ? a->source : NULL;
}

static void fill_source(struct module *m, struct buf *b, const struct action *a, const char *key)
{
	(void)key;
	add_text(m, b, source_at(a, 0));
}

static void fill_second(struct module *m, struct buf *b, const struct action *a, const char *key)
{
	(void)key;
	add_text(m, b, source_at(a, 1));
}

static void fill_key(struct module *m, struct buf *b, const struct action *a, const char *key)
{
	add_text(m, b, node_get(a->map, key));
}

static void fill_tolerance(struct module *m, struct buf *b, const struct action *a, const char *key)
{
	if (node_is_null(node_get(a->map, key)))
		buf_addc(b, '0');
	else
		fill_key(m, b, a, key);
}

static void fill_first(struct module *m, struct buf *b, const struct action *a, const char *key)
{
	add_text(m, b, list_item(node_get(a->map, key), 0));
}

static void fill_list(struct module *m, struct buf *b, const struct action *a, const char *key)
{
	const struct node *list = node_get(a->map, key);

	for (size_t i = 0; i < node_len(list); i++) {
		buf_adds(b, i != 0 ? ", " : "");
		add_text(m, b, list_item(list, i));
	}
}

static void fill_where(struct module *m, struct buf *b, const struct action *a, const char *key)
{
	struct str filter = utf8_trim(node_get_text(a->map, key));

	(void)m;
	if (filter.n != 0)
		buf_addf(b, CLAUSE "WHERE %.*s", STR_ARG(filter));
}

static void add_pairs(struct module *m, struct buf *b, const struct node *left, const struct node *right, char alias)
{
	for (size_t i = 0; i < node_len(left) && i < node_len(right); i++) {
		buf_adds(b, i != 0 ? " AND s." : "s.");
		add_text(m, b, list_item(left, i));
		buf_addf(b, " = %c.", alias);
		add_text(m, b, list_item(right, i));
	}
}

static void fill_reference_pairs(struct module *m, struct buf *b, const struct action *a, const char *key)
{
	add_pairs(m, b, node_get(a->map, key), node_get(a->map, "reference_columns"), 'r');
}

static void fill_lookup_pairs(struct module *m, struct buf *b, const struct action *a, const char *key)
{
	add_pairs(m, b, node_get(a->map, key), node_get(a->map, key), 'l');
}

static void fill_not_null(struct module *m, struct buf *b, const struct action *a, const char *key)
{
	const struct node *list = node_get(a->map, key);

	for (size_t i = 0; i < node_len(list); i++) {
		buf_adds(b, i != 0 ? " AND " : "");
		add_text(m, b, list_item(list, i));
		buf_adds(b, " IS NOT NULL");
	}
}

/* A bound as text; a time as ISO 8601 writes it. */
static void add_bound(struct module *m, struct buf *b, const struct node *bound)
{
	struct str text = node_text(m->unit->arena, bound);

	if (node_is(bound, NODE_TIMESTAMP)) {
		text = str_replace(m->unit->arena, text, STR(" "), STR("T"));
		if (str_ends(text, STR("+00:00")))
			text = str_cat(m->unit->arena, str_sub(text, 0, text.n - 6), STR("Z"));
	}
	buf_addf(b, "'%.*s'", STR_ARG(text));
}

static void fill_range(struct module *m, struct buf *b, const struct action *a, const char *key)
{
	static const struct {
		const char *key, *operator;
	} BOUNDS[] = { { "min_value", ">=" }, { "max_value", "<=" } };
	bool any = false;

	for (size_t i = 0; i < 2; i++) {
		const struct node *bound = node_get(a->map, BOUNDS[i].key);

		if (node_is_null(bound))
			continue;
		buf_adds(b, any ? " AND " : "");
		fill_key(m, b, a, key);
		buf_addf(b, " %s ", BOUNDS[i].operator);
		add_bound(m, b, bound);
		any = true;
	}
}

/* The user's own query: every line as deep as the first one. */
static void fill_sql(struct module *m, struct buf *b, const struct action *a, const char *key)
{
	struct str rest = utf8_trim(node_get_text(a->map, key)), line;

	(void)m;
	for (bool first = true; str_cut(&rest, '\n', &line); first = false) {
		buf_adds(b, first ? "" : "\n");
		buf_adds(b, first || utf8_blank(line) ? "" : "        ");
		buf_add(b, line);
	}
}

/* The k-th part of a dotted name. */
static void add_part(struct buf *b, struct str name, size_t k)
{
	struct str part;

	while (str_cut(&name, '.', &part))
		if (k-- == 0) {
			buf_add(b, part);
			return;
		}
}

static struct str table_name(const struct action *a, const char *key)
{
	return strcmp(key, "source") == 0 ? node_str(source_at(a, 0)) : node_get_text(a->map, key);
}

static void fill_catalog(struct module *m, struct buf *b, const struct action *a, const char *key)
{
	(void)m;
	add_part(b, table_name(a, key), 0);
}

static void fill_schema(struct module *m, struct buf *b, const struct action *a, const char *key)
{
	(void)m;
	add_part(b, table_name(a, key), 1);
}

static void fill_table(struct module *m, struct buf *b, const struct action *a, const char *key)
{
	(void)m;
	add_part(b, table_name(a, key), 2);
}

static const struct hole {
	const char *name;
	void (*fill)(struct module *m, struct buf *b, const struct action *a, const char *key);
	const char *key;
} HOLES[] = {
	{ "source", fill_source, "source" },
	{ "second_source", fill_second, "source" },
	{ "tolerance", fill_tolerance, "tolerance" },
	{ "columns", fill_list, "columns" },
	{ "where", fill_where, "filter" },
	{ "reference", fill_key, "reference" },
	{ "reference_column", fill_first, "reference_columns" },
	{ "reference_pairs", fill_reference_pairs, "source_columns" },
	{ "lookup_table", fill_key, "lookup_table" },
	{ "result_column", fill_first, "lookup_result_columns" },
	{ "lookup_pairs", fill_lookup_pairs, "lookup_columns" },
	{ "required_columns", fill_list, "required_columns" },
	{ "required_conditions", fill_not_null, "required_columns" },
	{ "column", fill_key, "column" },
	{ "range_conditions", fill_range, "column" },
	{ "source_catalog", fill_catalog, "source" },
	{ "source_schema", fill_schema, "source" },
	{ "source_table", fill_table, "source" },
	{ "reference_catalog", fill_catalog, "reference" },
	{ "reference_schema", fill_schema, "reference" },
	{ "reference_table", fill_table, "reference" },
	{ "sql", fill_sql, "sql" },
};

static void hole_fill(struct module *m, struct buf *b, const struct action *a, struct str name)
{
	for (size_t i = 0; i < sizeof HOLES / sizeof *HOLES; i++)
		if (str_is(name, HOLES[i].name))
			HOLES[i].fill(m, b, a, HOLES[i].key);
}

struct str test_text_fill(struct module *m, const struct action *a, const char *text)
{
	struct str s = str_of(text), out;
	struct buf b = { 0 };
	size_t from = 0;
	ptrdiff_t open;

	while ((open = str_find_char(s, '{', from)) >= 0) {
		size_t close = (size_t)str_find_char(s, '}', (size_t)open);

		buf_add(&b, str_sub(s, from, (size_t)open));
		hole_fill(m, &b, a, str_sub(s, (size_t)open + 1, close));
		from = close + 1;
	}
	buf_add(&b, str_skip(s, from));
	out = buf_take(&b, m->unit->arena);
	buf_release(&b);
	return out;
}
