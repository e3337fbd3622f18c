/* Taking the facts of one flowgroup. What counts as a streaming read or view: write_test.md, sections 8.2 and 8.3. */
#include "base/pack.h"
#include "check/facts.h"
#include "check/tags.h"

#include "base/utf8.h"
#include "check/fan_in.h"
#include "graph/sql.h"
#include "model/fields.h"
#include "model/sources.h"
#include "resolve/token.h"

struct taking {
	struct unit unit;     /* with a list of its own: nothing is reported here */
	struct diags ignored;
	const struct action *action;
	struct facts *out;
	struct { VEC_OF(struct table_write) } writes;
	struct { VEC_OF(struct table_read) } reads;
	struct { VEC_OF(struct view_made) } views;
	struct { VEC_OF(struct quarantine_made) } quarantines;
	struct { VEC_OF(struct test_reported) } tests;
	struct { VEC_OF(struct replace_where_write) } replacing;
	struct { VEC_OF(struct tagged) } tags;
};

static void taking_init(struct taking *t, struct unit *u, const struct flowgroup *fg, struct facts *out)
{
	*t = (struct taking){ .unit = *u, .ignored = { .arena = u->arena }, .out = out };
	t->unit.diags = &t->ignored;
	*out = (struct facts){ .pipeline = fg->pipeline, .flowgroup = fg->name, .job_name = fg->job_name, .file = fg->file };
}

static void taking_finish(struct taking *t)
{
	struct facts *f = t->out;

	f->write = t->writes.p, f->n_write = t->writes.n;
	f->read = t->reads.p, f->n_read = t->reads.n;
	f->view = t->views.p, f->n_view = t->views.n;
	f->quarantine = t->quarantines.p, f->n_quarantine = t->quarantines.n;
	f->test = t->tests.p, f->n_test = t->tests.n;
	f->replace_where = t->replacing.p, f->n_replace_where = t->replacing.n;
	f->tag = t->tags.p, f->n_tag = t->tags.n;
}

/* Functions whose value is another one at each run. */
static const char *const unstable[] = { "current_timestamp", "current_date", "curdate", "now", "localtimestamp", "rand", "randn",
	                                "random", "uuid", "shuffle", "monotonically_increasing_id", "spark_partition_id",
	                                "input_file_name" };

static bool is_unstable_call(struct str word, struct str rest)
{
	rest = str_trim(rest);
	if (rest.n == 0 || rest.p[0] != '(')
		return false;
	if (str_is_nocase(word, "unix_timestamp"))
		return str_starts(str_trim(str_skip(rest, 1)), STR(")"));
	for (size_t i = 0; i < sizeof unstable / sizeof *unstable; i++)
		if (str_is_nocase(word, unstable[i]))
			return true;
	return false;
}

static bool calls_unstable(struct str expression)
{
	size_t i = 0, from;

	while (i < expression.n) {
		for (from = i; i < expression.n && ascii_is_word(expression.p[i]);)
			i++;
		if (i > from && is_unstable_call(str_sub(expression, from, i), str_skip(expression, i)))
			return true;
		i += i == from;
	}
	return false;
}

static bool writes_unstable(const struct action *a)
{
	for (size_t i = 0; i < a->n_meta; i++)
		if (calls_unstable(a->meta[i].expression))
			return true;
	return false;
}

/* The SQL of `map`: `sql`, else the file of `sql_path`; empty when there is none or it cannot be read. */
static struct str sql_of(struct taking *t, const struct node *map)
{
	const struct node *sql = node_get(map, "sql"), *path = node_get(map, "sql_path");
	struct str text = STR_NONE;

	if (node_is_str(sql) && !utf8_blank(sql->text))
		return sql->text;
	if (node_is_str(path) && path->text.n != 0 &&
	    file_text(&t->unit, path->text, path->at, TOKENS_ALL, false, &text) != 0)
		return STR_NONE;
	return text;
}

static bool is_mode(const struct node *n, const char *mode)
{
	return str_is(node_str(n), mode);
}

/* readMode of the action, else of its source, else the default of the load's type. */
static bool reads_stream(const struct action *a)
{
	const struct node *mode = node_get(a->map, "readMode");
	struct str type = a->type == ACTION_LOAD ? kind_of(a->source) : STR_NONE;

	if (str_is(type, "cloudfiles") || str_is(type, "kafka"))
		return true;
	if (node_is_null(mode) && a->type == ACTION_LOAD)
		mode = node_get(a->source, "readMode");
	if (node_is_null(mode))
		return str_is(type, "custom_datasource");
	return is_mode(mode, "stream");
}

static void read_add(struct taking *t, struct str table, bool change_feed, struct mark at)
{
	if (str_find_char(table, '.', 0) < 0)
		return;
	*VEC_PUSH(&t->reads, t->unit.arena) = (struct table_read){
		.table = table, .action = t->action->name, .streaming = true, .change_feed = change_feed, .at = at
	};
}

/* True when the text reads anything as a stream; tables among that become reads. */
static bool sql_take(struct taking *t, const struct node *map)
{
	struct sql_streams names;
	const struct node *sql = node_get(map, "sql");

	sql_streams(t->unit.arena, sql_of(t, map), &names);
	for (size_t i = 0; i < names.n; i++)
		read_add(t, names.p[i], false, node_mark(node_is_str(sql) ? sql : node_get(map, "sql_path")));
	return names.n != 0;
}

static bool is_change_feed(const struct node *source)
{
	const struct node *feed = node_path(source, "options.readChangeFeed");

	return node_is(feed, NODE_BOOL) ? feed->boolean : str_is_nocase(node_str(feed), "true");
}

static void view_add(struct taking *t, bool streaming)
{
	const struct action *a = t->action;
	struct names sources = { 0 };

	if (a->target.n == 0)
		return;
	if (a->type == ACTION_TRANSFORM)
		action_sources(t->unit.arena, a, &sources);
	*VEC_PUSH(&t->views, t->unit.arena) = (struct view_made){
		.view = a->target, .action = a->name, .streaming = streaming, .source = sources.p, .n_source = sources.n,
		.unstable_metadata = writes_unstable(a), .at = node_mark(a->map)
	};
}

static void load_take(struct taking *t)
{
	const struct node *source = t->action->source;
	struct str type = kind_of(source);
	bool streaming = reads_stream(t->action);

	if (str_is(type, "sql"))
		streaming = sql_take(t, source);
	if (str_is(type, "delta") && streaming)
		read_add(t, full_table_name(t->unit.arena, source), is_change_feed(source), node_mark(source));
	view_add(t, streaming);
}

static void transform_take(struct taking *t)
{
	const struct node *map = t->action->map, *block = node_get(map, "quarantine");
	bool streaming = reads_stream(t->action);

	if (is_mode(node_get(map, "transform_type"), "sql") || is_mode(node_get(map, "transform_type"), "temp_table"))
		streaming |= sql_take(t, map);
	if (is_mode(node_get(map, "mode"), "quarantine") && node_is(block, NODE_MAP))
		*VEC_PUSH(&t->quarantines, t->unit.arena) = (struct quarantine_made){
			node_get_text(block, "dlq_table"), node_get_text(block, "source_table"), t->action->name, node_mark(block)
		};
	view_add(t, streaming);
}

/* The name that one item of a write's source stands for (write_test.md, section 4.2). */
static struct str source_item(struct arena *a, const struct node *item)
{
	static const char *const key[] = { "table", "view", "name" };
	struct str name = node_str(item);

	if (node_is(item, NODE_MAP) && node_truthy(node_get(item, "catalog")) && node_truthy(node_get(item, "schema")))
		name = full_table_name(a, item);
	for (size_t i = 0; name.n == 0 && i < sizeof key / sizeof *key; i++)
		name = node_get_text(item, key[i]);
	return name;
}

struct str write_source_view(struct arena *a, const struct action *write)
{
	const struct node *source = write->source;

	if (node_is(source, NODE_LIST))
		source = source->list.n != 0 ? source->list.item[0] : NULL;
	return source_item(a, source);
}

/* Modes whose flows read their source as a stream. */
static bool flow_streams(const struct action *a)
{
	const struct node *mode = node_get(a->write_target, "mode");

	if (str_is(kind_of(a->write_target), "sink"))
		return true;
	if (!str_is(kind_of(a->write_target), "streaming_table") || is_mode(mode, "snapshot_cdc") ||
	    is_mode(mode, "replace_where"))
		return false;
	return is_mode(mode, "cdc") || is_mode(mode, "replace") || !is_mode(node_get(a->map, "readMode"), "batch");
}

static void flow_reads_add(struct taking *t)
{
	const struct node *source = t->action->source;

	if (!node_is(source, NODE_LIST)) {
		read_add(t, source_item(t->unit.arena, source), false, node_mark(source));
		return;
	}
	for (size_t i = 0; i < source->list.n; i++)
		read_add(t, source_item(t->unit.arena, source->list.item[i]), false, node_mark(source->list.item[i]));
}

static struct str mode_of(const struct node *target)
{
	struct str mode = node_get_text(target, "mode");

	if (str_is(kind_of(target), "materialized_view"))
		return STR("");
	return mode.n != 0 ? mode : entity_text(&entity_write_target, NULL, "mode");
}

static void tag_set_add(struct taking *t, const struct table_tags *of, struct str column, const struct tag_set *set)
{
	struct buf pairs = { 0 };

	if (!set->declared)
		return;
	for (size_t i = 0; i < set->n; i++) {
		pack_str(&pairs, set->p[i].key);
		pack_str(&pairs, set->p[i].value);
	}
	*VEC_PUSH(&t->tags, t->unit.arena) = (struct tagged){ of->table, column, of->named, buf_take(&pairs, t->unit.arena) };
	buf_release(&pairs);
}

static void tags_take(struct taking *t)
{
	struct table_tags tags = { 0 };

	if (table_tags_read(&t->unit, t->action, &tags) <= 0)
		return;
	tag_set_add(t, &tags, STR(""), &tags.tags);
	for (size_t i = 0; i < tags.columns.n; i++)
		tag_set_add(t, &tags, tags.columns.p[i].column, &tags.columns.p[i].tags);
}

static void write_take(struct taking *t)
{
	struct arena *arena = t->unit.arena;
	const struct action *a = t->action;
	struct str table = full_table_name(arena, a->write_target), mode = mode_of(a->write_target);

	if (table.n != 0)
		*VEC_PUSH(&t->writes, arena) = (struct table_write){
			.table = table, .action = a->name, .mode = mode, .creates = creates_table(a),
			.fan_in = str_is(mode, "cdc") ? fan_in_of(arena, a->write_target) : STR(""), .at = node_mark(a->map)
		};
	if (str_is(mode, "replace_where"))
		*VEC_PUSH(&t->replacing, arena) =
		    (struct replace_where_write){ a->name, write_source_view(arena, a), node_mark(a->map) };
	tags_take(t);
	if (flow_streams(a))
		flow_reads_add(t);
	if (mode.n == 0)
		sql_take(t, a->write_target);
}

static void test_take(struct taking *t)
{
	const struct action *a = t->action;
	struct str id = node_get_text(a->map, "test_id");

	if (id.n == 0)
		return;
	*VEC_PUSH(&t->tests, t->unit.arena) = (struct test_reported){
		a->target.n != 0 ? a->target : str_cat(t->unit.arena, STR("tmp_test_"), a->name), id, a->name, node_mark(a->map)
	};
}

void facts_take_views(struct unit *u, const struct flowgroup *fg, struct facts *out)
{
	struct taking t;

	taking_init(&t, u, fg, out);
	for (size_t i = 0; i < fg->n; i++) {
		t.action = &fg->action[i];
		if (t.action->type == ACTION_LOAD)
			load_take(&t);
		else if (t.action->type == ACTION_TRANSFORM)
			transform_take(&t);
	}
	taking_finish(&t);
}

void facts_take(struct unit *u, const struct flowgroup *fg, struct facts *out)
{
	static void (*const take[])(struct taking *t) = {
		[ACTION_LOAD] = load_take, [ACTION_TRANSFORM] = transform_take, [ACTION_WRITE] = write_take, [ACTION_TEST] = test_take
	};
	struct taking t;

	taking_init(&t, u, fg, out);
	for (size_t i = 0; i < fg->n; i++) {
		t.action = &fg->action[i];
		take[t.action->type](&t);
	}
	taking_finish(&t);
}
