#include "model/flowgroup.h"

struct str kind_of(const struct node *map)
{
	return node_get_text(map, "type");
}

struct str full_table_name(struct arena *a, const struct node *write_target)
{
	static const char *const key[] = { "catalog", "schema", "table" };
	struct str name = STR("");

	for (size_t i = 0; i < 3; i++) {
		const struct node *part = node_get(write_target, key[i]);
		struct str text;

		if (i == 2 && !node_truthy(part))
			part = node_get(write_target, "name");
		text = node_truthy(part) ? node_text(a, part) : STR("");
		if (text.n == 0)
			return STR("");
		name = i != 0 ? str_cat_sep(a, name, '.', text) : text;
	}
	return name;
}

bool creates_table(const struct action *w)
{
	static const char *const always[] = { "snapshot_cdc", "replace", "replace_where" };
	const struct node *create = node_get(w->write_target, "create_table");
	struct str mode = node_get_text(w->write_target, "mode");

	if (str_is(kind_of(w->write_target), "materialized_view"))
		return true;
	for (size_t i = 0; i < sizeof always / sizeof *always; i++)
		if (str_is(mode, always[i]))
			return true;
	return create == NULL || node_truthy(create);
}
