/* Rules of write actions and of table options (spec/errors.md, section 10; write_test.md, sections 3.2 and 3.3). */
#include "check/checker.h"
#include "base/utf8.h"

static const char target_what[] = "the write target";

static void tags_check(struct checker *c)
{
	const struct node *tags = node_get(c->action->write_target, "tags");
	const struct node *file = node_get(c->action->write_target, "tags_file");

	if (!node_is_null(tags) && node_truthy(file))
		check_hint(c, check_add(c, &rule_write_tags_twice, file, "both tags and tags_file are given"), "keep one of them");
	if (!node_is(tags, NODE_MAP))
		return;
	for (size_t i = 0; i < tags->map.n; i++) {
		const struct node *key = tags->map.pair[i].key, *value = tags->map.pair[i].value;

		if (!node_is_str(key) || utf8_blank(key->text))
			check_add(c, &rule_write_tag_key, key, "a tag is named by a text that is not blank, found %.*s",
			          STR_ARG(node_repr(c->u->arena, key)));
		if (!node_is_null(value) && !node_is_str(value) && !node_is_number(value) && !node_is(value, NODE_BOOL))
			check_add(c, &rule_write_tag_value, value, "the value of tag %.*s is a text, a number, true, false or nothing, found %s",
			          STR_ARG(node_repr(c->u->arena, key)), node_kind_name(value));
	}
}

static void layout_check(struct checker *c)
{
	const struct node *target = c->action->write_target;
	const struct node *partition = node_get(target, "partition_columns"), *cluster = node_get(target, "cluster_columns");
	const struct node *by_auto = node_get(target, "cluster_by_auto");
	bool clustered = node_truthy(cluster) || (node_is(by_auto, NODE_BOOL) && by_auto->boolean);

	if (node_truthy(partition) && clustered)
		check_hint(c, check_add(c, &rule_write_partition_and_cluster, partition,
		                        "the table is partitioned and has liquid clustering as well"),
		           "keep partition_columns, or %s", node_truthy(cluster) ? "cluster_columns" : "cluster_by_auto");
}

/* Table options have one rule for all write targets. */
static void options_check(struct checker *c, unsigned kind)
{
	check_types(c, &entity_write_target, kind, c->action->write_target, target_what, &rule_write_wrong_type,
	            &rule_write_wrong_value);
	layout_check(c);
	tags_check(c);
}

static void source_type_check(struct checker *c)
{
	const struct node *source = c->action->source;

	if (!is_text_or_list(source))
		check_hint(c, check_add(c, &rule_write_source_type, source, "the source of a write is a view or a list of views, found %s",
		                        node_kind_name(source)), "name the view that is written");
}

static bool takes_one_source(struct str mode)
{
	return str_is(mode, "cdc") || str_is(mode, "replace") || str_is(mode, "replace_where");
}

static void streaming_table_check(struct checker *c)
{
	const struct node *source = c->action->source;
	struct str mode = node_get_text(c->action->write_target, "mode");

	if (!str_is(mode, "snapshot_cdc")) {
		if (!node_truthy(source))
			check_hint(c, check_add(c, &rule_write_no_source, source, "the write has no source"),
			           "name the view that is written");
		else
			source_type_check(c);
	}
	if (takes_one_source(mode) && node_is(source, NODE_LIST) && source->list.n > 1)
		check_hint(c, check_add(c, &rule_write_one_source, source, "mode %.*s takes one source view, found %zu",
		                        STR_ARG(mode), source->list.n),
		           "use one write action for each view, or join them in a transform");
	if (str_is(mode, "replace") && str_is(node_get_text(c->action->map, "readMode"), "batch"))
		check_hint(c, check_add(c, &rule_write_replace_batch, node_get(c->action->map, "readMode"),
		                        "mode replace needs a streaming source, but readMode is batch"),
		           "remove readMode");
	check_modes(c);
}

static void materialized_view_check(struct checker *c)
{
	const struct node *target = c->action->write_target;

	if (node_truthy(c->action->source))
		source_type_check(c);
	else if (!node_truthy(node_get(target, "sql")) && !node_truthy(node_get(target, "sql_path")))
		check_hint(c, check_add(c, &rule_write_no_source, c->action->source,
		                        "the materialized view has no source, sql or sql_path"),
		           "name a view as source, or give its query");
}

/* The type of the target; empty after a finding that ends the check. */
static struct str target_type(struct checker *c)
{
	const struct node *target = c->action->write_target, *type;
	const struct field *f = field_find(&entity_write_target, 0, STR("type"));

	if (!node_truthy(target)) {
		check_hint(c, check_add(c, &rule_write_no_target, target, "the write has no write_target"),
		           "say what is written: write_target: {type: streaming_table, …}");
		return STR_NONE;
	}
	if (target->kind != NODE_MAP) {
		check_add(c, &rule_write_target_not_map, target, "write_target is a map, found %s", node_kind_name(target));
		return STR_NONE;
	}
	type = node_get(target, "type");
	if (!node_truthy(type)) {
		check_suggest(c, check_add(c, &rule_write_no_type, target, "the write_target has no type"), f, NULL);
		return STR_NONE;
	}
	if (!node_is_str(type) || !field_has_value(f, type->text)) {
		check_suggest(c, check_add(c, &rule_write_unknown_type, type, "there is no write target type %.*s",
		                           STR_ARG(node_repr(c->u->arena, type))), f, type);
		return STR_NONE;
	}
	return type->text;
}

void check_write(struct checker *c)
{
	struct str type = target_type(c);
	unsigned kind = entity_kind(&entity_write_target, type);
	const char *what = str_cstr(c->u->arena, str_fmt(c->u->arena, "a write target of type %.*s", STR_ARG(type)));

	if (type.n == 0)
		return;
	if (kind == 0) {
		if (check_keys(c, &entity_sink, 0, c->action->write_target, what))
			check_sink(c);
		return;
	}
	if (!check_keys(c, &entity_write_target, kind, c->action->write_target, what))
		return;
	check_needed(c, &entity_write_target, kind, c->action->write_target, target_what, &rule_write_key_missing);
	if (str_is(type, "streaming_table"))
		streaming_table_check(c);
	else
		materialized_view_check(c);
	options_check(c, kind);
}
