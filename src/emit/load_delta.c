/* Tables as sources: spec/load_transform.md 3.2. */
#include "emit/load.h"

/* "true", "True", true, and 1, which is equal to true. */
static bool is_on(const struct node *n)
{
	if (node_is(n, NODE_INT))
		return str_is(n->text, "1");
	return node_is(n, NODE_BOOL) ? n->boolean : node_is_str(n) && (str_is(n->text, "true") || str_is(n->text, "True"));
}

/* What the exclusive options are judged by. */
struct delta_options {
	const struct node *map;
	bool feed;   /* the change feed is read */
	bool stream;
};

static bool has(const struct delta_options *o, const char *key)
{
	return node_has(o->map, key);
}

static bool feed_skips(const struct delta_options *o)
{
	return o->feed && is_on(node_get(o->map, "skipChangeCommits"));
}

static bool feed_version(const struct delta_options *o)
{
	return o->feed && has(o, "versionAsOf");
}

static bool feed_timestamp(const struct delta_options *o)
{
	return o->feed && has(o, "timestampAsOf");
}

static bool two_starts(const struct delta_options *o)
{
	return has(o, "startingVersion") && has(o, "startingTimestamp");
}

static bool two_points(const struct delta_options *o)
{
	return has(o, "versionAsOf") && has(o, "timestampAsOf");
}

static bool stream_ends_version(const struct delta_options *o)
{
	return o->stream && has(o, "endingVersion");
}

static bool stream_ends_timestamp(const struct delta_options *o)
{
	return o->stream && has(o, "endingTimestamp");
}

static bool feed_unbounded(const struct delta_options *o)
{
	return o->feed && !o->stream && !has(o, "startingVersion") && !has(o, "startingTimestamp");
}

/* In the order in which they are tested. */
static const struct {
	bool (*holds)(const struct delta_options *o);
	const char *key; /* what to point at */
	const char *problem, *hint;
} EXCLUSIVE[] = {
	{ feed_skips, "skipChangeCommits", "`readChangeFeed` and `skipChangeCommits` are both on",
	  "Keep one: the change feed holds every change, skipping leaves changes out" },
	{ feed_version, "versionAsOf", "`readChangeFeed` is on together with `versionAsOf`",
	  "Use `startingVersion` with the change feed" },
	{ feed_timestamp, "timestampAsOf", "`readChangeFeed` is on together with `timestampAsOf`",
	  "Use `startingTimestamp` with the change feed" },
	{ two_starts, "startingTimestamp", "`startingVersion` and `startingTimestamp` are both given", "Keep one of them" },
	{ two_points, "timestampAsOf", "`versionAsOf` and `timestampAsOf` are both given", "Keep one of them" },
	{ stream_ends_version, "endingVersion", "`endingVersion` is given for a stream, which has no end",
	  "Remove it, or read with `readMode: batch`" },
	{ stream_ends_timestamp, "endingTimestamp", "`endingTimestamp` is given for a stream, which has no end",
	  "Remove it, or read with `readMode: batch`" },
	{ feed_unbounded, "readChangeFeed", "The change feed is read in batch without a start",
	  "Give `startingVersion` or `startingTimestamp`" },
};

static int values_check(struct module *m, const struct action *a, const struct node *options)
{
	for (size_t i = 0; i < options->map.n; i++) {
		const struct node *key = options->map.pair[i].key, *value = options->map.pair[i].value;

		if (!node_is_null(value) && !(node_is_str(value) && value->text.n == 0))
			continue;
		module_error(m, a, &rule_delta_option_empty, value->at, "The option `%.*s` has no value.", STR_ARG(key->text));
		return module_hint(m, "Give it a value, or remove it");
	}
	return 0;
}

static int options_check(struct module *m, const struct action *a, const struct node *options, bool stream)
{
	struct delta_options o = { options, is_on(node_get(options, "readChangeFeed")), stream };

	if (values_check(m, a, options) < 0)
		return -1;
	for (size_t i = 0; i < sizeof(EXCLUSIVE) / sizeof(EXCLUSIVE[0]); i++) {
		if (!EXCLUSIVE[i].holds(&o))
			continue;
		module_error(m, a, &rule_delta_options_exclusive, node_mark(node_get(options, EXCLUSIVE[i].key)), "%s.",
			     EXCLUSIVE[i].problem);
		return module_hint(m, "%s", EXCLUSIVE[i].hint);
	}
	return 0;
}

static void where_write(struct module *m, struct buf *b, const struct node *condition)
{
	buf_adds(b, "    df = df.where(");
	py_text(b, node_text(m->unit->arena, condition));
	buf_adds(b, ")\n");
}

/* One text is a list of one. */
static int filters_write(struct module *m, struct buf *b, const struct action *a)
{
	const struct node *where = node_get(a->source, "where_clause");

	if (node_is(where, NODE_LIST)) {
		for (size_t i = 0; i < where->list.n; i++)
			where_write(m, b, where->list.item[i]);
	} else if (node_is_str(where)) {
		if (where->text.n != 0)
			where_write(m, b, where);
	} else if (node_truthy(where)) {
		module_error(m, a, &rule_value_misshapen, where->at, "`where_clause` is %s; it must be a text or a list of text.",
		             node_kind_name(where));
		return module_hint(m, "Put the condition in quotes");
	}
	return 0;
}

static int projection_write(struct module *m, struct buf *b, const struct action *a)
{
	const struct node *columns = node_get(a->source, "select_columns");

	if (!node_truthy(columns))
		return 0;
	buf_adds(b, "\n    # Apply column selection\n    df = df.select(");
	if (module_data(m, b, a, columns) < 0)
		return -1;
	buf_adds(b, ")\n");
	return 0;
}

static struct str table_name(struct module *m, const struct action *a)
{
	struct str catalog = source_text(m, a, "catalog"), schema = source_text(m, a, "schema");
	struct str table = source_text(m, a, "table");

	return str_fmt(m->unit->arena, "%.*s.%.*s.%.*s", STR_ARG(catalog), STR_ARG(schema), STR_ARG(table));
}

int load_delta(struct module *m, struct buf *b, const struct action *a)
{
	struct str mode = module_read_mode(a, "batch"), table = table_name(m, a);
	const struct node *options = source_map(m, a, "options");

	if (options == NULL || options_check(m, a, options, str_is(mode, "stream")) < 0)
		return -1;
	view_begin(m, b, a, module_description(m, a, "Delta source: %.*s", STR_ARG(table)));
	reader_begin(b, reader_of(mode));
	for (size_t i = 0; i < options->map.n; i++)
		reader_option(m, b, node_text(m->unit->arena, options->map.pair[i].key), options->map.pair[i].value);
	buf_adds(b, ".table(");
	py_text(b, table);
	buf_adds(b, ")\n");
	if (filters_write(m, b, a) < 0 || projection_write(m, b, a) < 0)
		return -1;
	view_end(m, b, a);
	return 0;
}
