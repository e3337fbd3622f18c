/* Rules of the mode blocks of streaming tables (spec/errors.md, section 10; write_test.md, sections 3.4 and 8.2). */
#include "check/checker.h"
#include "check/streaming.h"

static const struct node *target_key(const struct checker *c, const char *name)
{
	return node_get(c->action->write_target, name);
}

/* Two lists of which one is enough. */
static void either_check(struct checker *c, const struct node *block, const char *one, const char *other)
{
	const struct node *n = node_get(block, other);

	if (!node_is_null(node_get(block, one)) && !node_is_null(n))
		check_hint(c, check_add(c, &rule_write_block_either, n, "both %s and %s are given", one, other), "keep one of them");
}

/* The block, its needed keys and types checked; NULL after a finding that ends the check. `filled`: an empty one counts as missing. */
static const struct node *block_check(struct checker *c, const struct entity *e, bool filled)
{
	const struct node *block = target_key(c, e->name);

	if (filled ? !node_truthy(block) : node_is_null(block)) {
		check_hint(c, check_add(c, &rule_write_block_missing, block != NULL ? block : target_key(c, "mode"),
		                        "the mode needs '%s'", e->name),
		           "%s: %s", e->name, e->doc);
		return NULL;
	}
	if (block->kind != NODE_MAP) {
		check_add(c, &rule_write_block_not_map, block, "'%s' is a map, found %s", e->name, node_kind_name(block));
		return NULL;
	}
	check_needed(c, e, 1, block, e->name, &rule_write_block_key_missing);
	check_types(c, e, 1, block, e->name, &rule_write_block_type, &rule_write_block_value);
	return block;
}

static bool is_two(const struct node *n)
{
	return node_is(n, NODE_INT) && n->integer == 2;
}

static void cdc_check(struct checker *c)
{
	const struct node *block = block_check(c, &entity_cdc, true);
	const struct node *truncates = node_get(block, "apply_as_truncates");

	if (block == NULL)
		return;
	if (is_two(node_get(block, "scd_type")) && !node_is_null(truncates))
		check_hint(c, check_add(c, &rule_cdc_truncates, truncates, "apply_as_truncates is given with scd_type 2"),
		           "remove it, or use scd_type 1");
	either_check(c, block, "track_history_column_list", "track_history_except_column_list");
	either_check(c, block, "column_list", "except_column_list");
	if (is_two(node_get(block, "scd_type")))
		check_history_columns(c);
}

static void source_function_check(struct checker *c, const struct node *function)
{
	if (!node_is(function, NODE_MAP))
		return;
	check_needed(c, &entity_source_function, 1, function, "source_function", &rule_write_block_key_missing);
	check_types(c, &entity_source_function, 1, function, "source_function", &rule_write_block_type, &rule_write_block_value);
}

static void snapshot_check(struct checker *c)
{
	const struct node *block = block_check(c, &entity_snapshot_cdc, true);

	if (block == NULL)
		return;
	either_check(c, block, "source", "source_function");
	if (node_is_null(node_get(block, "source")) && node_is_null(node_get(block, "source_function")))
		check_hint(c, check_add(c, &rule_snapshot_no_source, block, "snapshot_cdc_config has neither source nor source_function"),
		           "name the snapshot table, or the function that gives snapshots");
	source_function_check(c, node_get(block, "source_function"));
	either_check(c, block, "track_history_column_list", "track_history_except_column_list");
}

static void replace_check(struct checker *c)
{
	block_check(c, &entity_replace, false);
}

static void replace_where_check(struct checker *c)
{
	const struct node *mode = node_get(c->action->map, "readMode");
	const struct view_place *stream;
	struct chain chain = { 0 };
	struct facts own;
	const struct facts *fg = &own;
	struct views views;

	block_check(c, &entity_replace_where, false);
	if (str_is(node_str(mode), "stream"))
		check_hint(c, check_add(c, &rule_replace_where_stream, mode, "mode replace_where reads in batches, but readMode is stream"),
		           "remove readMode");
	facts_take_views(c->u, c->fg, &own);
	views_init(&views, c->u->arena, &fg, 1);
	chain_of(&views, c->u->arena, &own, write_source_view(c->u->arena, c->action), &chain);
	stream = chain_streaming(&chain);
	if (stream != NULL)
		check_hint(c, check_add(c, &rule_replace_where_streaming_view, c->action->source,
		                        "the source view is a stream: action '%.*s' makes it one", STR_ARG(stream->view->action)),
		           "read it in batches: readMode: batch");
}

static const struct {
	const char *mode;
	void (*check)(struct checker *c);
} modes[] = {
	{ "cdc", cdc_check },
	{ "snapshot_cdc", snapshot_check },
	{ "replace", replace_check },
	{ "replace_where", replace_where_check },
};

void check_modes(struct checker *c)
{
	struct str mode = node_str(target_key(c, "mode"));

	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
		if (str_is(mode, modes[i].mode))
			modes[i].check(c);
}
