/* Files that actions name and that validate opens too (spec/errors.md, section 3, step 11). */
#include "check/checker.h"
#include "check/tags.h"
#include "resolve/token.h"

/* `sql` wins: then the file is not opened. */
static void sql_file_check(struct checker *c, const struct node *map)
{
	const struct node *path = node_get(map, "sql_path");
	struct str text;

	if (!node_truthy(node_get(map, "sql")) && node_is_str(path) && path->text.n != 0)
		file_text(c->u, path->text, path->at, TOKENS_ALL, true, &text);
}

void check_files(struct checker *c)
{
	for (size_t i = 0; i < c->fg->n; i++) {
		const struct action *a = c->action = &c->fg->action[i];
		struct table_tags tags;

		if (a->type == ACTION_LOAD && str_is(kind_of(a->source), "sql"))
			sql_file_check(c, a->source);
		if (a->type == ACTION_TRANSFORM && str_is(node_get_text(a->map, "transform_type"), "sql"))
			sql_file_check(c, a->map);
		if (a->type == ACTION_WRITE && str_is(kind_of(a->write_target), "materialized_view"))
			sql_file_check(c, a->write_target);
		if (a->type == ACTION_WRITE)
			table_tags_read(c->u, a, &tags);
	}
	c->action = NULL;
}
