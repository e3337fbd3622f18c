#include "check/fan_in.h"
#include "base/hash.h"
#include "model/secrecy.h"

#include <stdlib.h>

enum { MAX_DEPTH = 100 };

static const struct {
	const char *key;
	bool in_cdc;          /* of cdc_config, else of the write target */
	const char *fallback; /* what absence is equal to */
} shared[] = {
	{ "keys", true, "None" },
	{ "sequence_by", true, "None" },
	{ "stored_as_scd_type", true, "1" },
	{ "scd_type", true, "1" },
	{ "track_history_column_list", true, "None" },
	{ "track_history_except_column_list", true, "None" },
	{ "partition_columns", false, "None" },
	{ "cluster_columns", false, "None" },
	{ "cluster_by_auto", false, "None" },
	{ "table_properties", false, "None" },
	{ "spark_conf", false, "None" },
	{ "table_schema", false, "None" },
	{ "comment", false, "None" },
	{ "path", false, "None" },
	{ "row_filter", false, "None" },
	{ "temporary", false, "False" },
};

static struct str canonical(struct arena *a, const struct node *n, unsigned depth);

static int line_cmp(const void *x, const void *y)
{
	return str_cmp(*(const struct str *)x, *(const struct str *)y);
}

static struct str map_canonical(struct arena *a, const struct node *n, unsigned depth)
{
	struct str *line = ARENA_ARRAY(a, struct str, n->map.n + 1);
	struct buf b = { 0 };
	struct str s;

	for (size_t i = 0; i < n->map.n; i++) {
		struct str key = canonical(a, n->map.pair[i].key, depth + 1), value = canonical(a, n->map.pair[i].value, depth + 1);

		/* It is stored and shown: of a secret only that it differs. */
		if (name_is_secret(node_str(n->map.pair[i].key))) {
			struct hash128 h = hash_bytes(value);

			value = str_fmt(a, "*** (%02x%02x%02x%02x)", h.b[0], h.b[1], h.b[2], h.b[3]);
		}
		line[i] = str_fmt(a, "%.*s: %.*s", STR_ARG(key), STR_ARG(value));
	}
	if (n->map.n > 1)
		qsort(line, n->map.n, sizeof *line, line_cmp);
	for (size_t i = 0; i < n->map.n; i++)
		buf_addf(&b, "%s%.*s", i == 0 ? "{" : ", ", STR_ARG(line[i]));
	buf_adds(&b, n->map.n == 0 ? "{}" : "}");
	s = buf_take(&b, a);
	buf_release(&b);
	return s;
}

static struct str canonical(struct arena *a, const struct node *n, unsigned depth)
{
	struct buf b = { 0 };
	struct str s;

	if (depth > MAX_DEPTH || (n->kind != NODE_MAP && n->kind != NODE_LIST))
		return node_repr(a, n);
	if (n->kind == NODE_MAP)
		return map_canonical(a, n, depth);
	buf_addc(&b, '[');
	for (size_t i = 0; i < n->list.n; i++)
		buf_addf(&b, "%s%.*s", i == 0 ? "" : ", ", STR_ARG(canonical(a, n->list.item[i], depth + 1)));
	buf_addc(&b, ']');
	s = buf_take(&b, a);
	buf_release(&b);
	return s;
}

struct str fan_in_of(struct arena *a, const struct node *write_target)
{
	struct buf b = { 0 };
	struct str s;

	for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
		const struct node *map = shared[i].in_cdc ? node_get(write_target, "cdc_config") : write_target;
		const struct node *n = node_get(map, shared[i].key);

		if (n == NULL)
			buf_addf(&b, "%s=%s\n", shared[i].key, shared[i].fallback);
		else
			buf_addf(&b, "%s=%.*s\n", shared[i].key, STR_ARG(canonical(a, n, 0)));
	}
	s = buf_take(&b, a);
	buf_release(&b);
	return s;
}

bool fan_in_differ(struct str a, struct str b, struct str *key, struct str *value_a, struct str *value_b)
{
	struct str line_a, line_b;

	while (str_cut(&a, '\n', &line_a) && str_cut(&b, '\n', &line_b)) {
		if (str_eq(line_a, line_b))
			continue;
		*value_a = line_a;
		*value_b = line_b;
		str_cut(value_a, '=', key);
		str_cut(value_b, '=', key);
		return true;
	}
	return false;
}
