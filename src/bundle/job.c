#include "bundle/job.h"
#include "yaml/node_build.h"
#include "yaml/writer.h"

/* Text of a scalar as YAML has it. */
struct str job_scalar(struct arena *a, const struct node *n)
{
	if (node_is(n, NODE_BOOL))
		return n->boolean ? STR("true") : STR("false");
	return node_text(a, n);
}

/* `key: value` as YAML at an indentation: what this file has no form of its own for. */
static void passed_through(struct arena *a, struct buf *b, const struct node *key, const struct node *value, size_t indent)
{
	struct node *one = node_new(a, NODE_MAP, (struct mark){ 0 });
	node_set_pair(a, one, key, value);
	buf_add_repeat(b, ' ', indent);
	yaml_dump_indented(b, one, indent);
	buf_addc(b, '\n');
}

/* The keys of a map that are none of `known`. */
static void others_pass(struct arena *a, struct buf *b, const struct node *map, const char *const *known, size_t indent)
{
	for (size_t i = 0; node_is(map, NODE_MAP) && i < map->map.n; i++) {
		const struct node *key = map->map.pair[i].key, *value = map->map.pair[i].value;
		bool is_known = false;
		for (size_t k = 0; known[k] != NULL; k++)
			is_known |= str_is(node_str(key), known[k]);
		if (!is_known && !node_is_null(value))
			passed_through(a, b, key, value, indent);
	}
}

/* Lines that were written for one item of a list, at column `at`: its dash goes two columns before. */
static void item_add(struct buf *b, struct buf *lines, size_t at)
{
	if (lines->n == 0)
		return;
	lines->p[at - 2] = '-';
	buf_add(b, buf_str(lines));
	buf_release(lines);
}

/* --- the known keys, each with its own form --- */

struct settings {
	struct arena *arena;
	struct buf *b;
	enum job_kind kind;
};


static void queue_write(struct settings *s, const struct node *n)
{
	static const char *const known[] = { "enabled", NULL };
	const struct node *enabled = node_get(n, "enabled");
	bool on = node_is(n, NODE_MAP) ? node_truthy(enabled) : node_truthy(n);
	if (node_truthy(n)) {
		buf_addf(s->b, "      queue:\n        enabled: %s\n", on ? "true" : "false");
		others_pass(s->arena, s->b, n, known, 8);
	}
}

static void target_write(struct settings *s, const struct node *n)
{
	if (!node_is_null(n))
		buf_addf(s->b, "      performance_target: %.*s\n", STR_ARG(job_scalar(s->arena, n)));
}

static void timeout_write(struct settings *s, const struct node *n)
{
	if (node_truthy(n))
		buf_addf(s->b, "      timeout_seconds: %.*s\n", STR_ARG(job_scalar(s->arena, n)));
}

static void tags_write(struct settings *s, const struct node *n)
{
	buf_adds(s->b, "      tags:\n");
	for (size_t i = 0; i < n->map.n; i++) {
		if (node_is_null(n->map.pair[i].value))
			continue;
		struct node *key = node_new(s->arena, NODE_LIST, (struct mark){ 0 });
		struct buf quoted = { 0 };
		node_push(s->arena, key, n->map.pair[i].key);
		yaml_dump(&quoted, key); /* "- key", quoted where a plain one would be another type */
		buf_addf(s->b, "        %.*s: ", STR_ARG(str_skip(str_trim(buf_str(&quoted)), 2)));
		yaml_quoted(s->b, job_scalar(s->arena, n->map.pair[i].value));
		buf_addc(s->b, '\n');
		buf_release(&quoted);
	}
}

static const char *const occasions[] = { "on_start", "on_success", "on_failure", NULL };

/* An address, or the map of a web hook. */
static void notified_write(struct arena *a, struct buf *b, const struct node *n)
{
	static const char *const known[] = { "id", NULL };
	struct buf lines = { 0 };
	if (!node_is(n, NODE_MAP)) {
		buf_addf(b, "          - %.*s\n", STR_ARG(job_scalar(a, n)));
		return;
	}
	if (!node_is_null(node_get(n, "id")))
		buf_addf(&lines, "            id: %.*s\n", STR_ARG(job_scalar(a, node_get(n, "id"))));
	others_pass(a, &lines, n, known, 12);
	item_add(b, &lines, 12);
}

static void notifications_write(struct settings *s, const char *name, const struct node *n)
{
	struct buf inner = { 0 };
	for (size_t i = 0; occasions[i] != NULL; i++) {
		const struct node *list = node_get(n, occasions[i]);
		if (!node_truthy(list))
			continue;
		buf_addf(&inner, "        %s:\n", occasions[i]);
		if (!node_is(list, NODE_LIST))
			notified_write(s->arena, &inner, list);
		for (size_t k = 0; node_is(list, NODE_LIST) && k < list->list.n; k++)
			notified_write(s->arena, &inner, list->list.item[k]);
	}
	others_pass(s->arena, &inner, n, occasions, 8);
	if (inner.n > 0 || s->kind == JOB_OF_MONITORING) {
		buf_addf(s->b, "      %s:\n", name);
		buf_add(s->b, buf_str(&inner));
	}
	buf_release(&inner);
}

static void email_write(struct settings *s, const struct node *n)
{
	notifications_write(s, "email_notifications", n);
}

static void webhook_write(struct settings *s, const struct node *n)
{
	notifications_write(s, "webhook_notifications", n);
}

static void permissions_write(struct settings *s, const struct node *n)
{
	static const char *const known[] = { "level", "user_name", "group_name", NULL };
	buf_adds(s->b, "      permissions:\n");
	for (size_t i = 0; i < n->list.n; i++) {
		const struct node *one = n->list.item[i];
		struct buf lines = { 0 };
		for (size_t k = 0; known[k] != NULL; k++)
			if (node_truthy(node_get(one, known[k])))
				buf_addf(&lines, "          %s: %.*s\n", known[k], STR_ARG(job_scalar(s->arena, node_get(one, known[k]))));
		others_pass(s->arena, &lines, one, known, 10);
		item_add(s->b, &lines, 10);
	}
}

static void schedule_write(struct settings *s, const struct node *n)
{
	static const char *const known[] = { "quartz_cron_expression", "timezone_id", "pause_status", NULL };
	buf_adds(s->b, "      schedule:\n");
	for (size_t k = 0; known[k] != NULL; k++) {
		const struct node *value = node_get(n, known[k]);
		if (node_is_null(value))
			continue;
		buf_addf(s->b, "        %s: ", known[k]);
		if (k == 0)
			yaml_quoted(s->b, job_scalar(s->arena, value));
		else
			buf_add(s->b, job_scalar(s->arena, value));
		buf_addc(s->b, '\n');
	}
	others_pass(s->arena, s->b, n, known, 8);
}

static void nothing_write(struct settings *s, const struct node *n)
{
	(void)s, (void)n;
}

/* In the order of the file. A key that is not here, or whose value is of another kind, is passed through. */
static const struct {
	const char *key;
	enum node_kind kind; /* NODE_NULL: any */
	void (*write)(struct settings *s, const struct node *n);
} known_keys[] = {
	{ "max_concurrent_runs", NODE_NULL, nothing_write },
	{ "queue", NODE_NULL, queue_write },
	{ "performance_target", NODE_NULL, target_write },
	{ "timeout_seconds", NODE_NULL, timeout_write },
	{ "tags", NODE_MAP, tags_write },
	{ "email_notifications", NODE_MAP, email_write },
	{ "webhook_notifications", NODE_MAP, webhook_write },
	{ "permissions", NODE_LIST, permissions_write },
	{ "schedule", NODE_MAP, schedule_write },
	{ "generate_master_job", NODE_NULL, nothing_write },
	{ "master_job_name", NODE_NULL, nothing_write },
	{ "notebook_cluster", NODE_NULL, nothing_write },
};

enum { N_KNOWN = sizeof known_keys / sizeof *known_keys };

static bool has_own_form(size_t row, const struct node *value)
{
	return known_keys[row].kind == NODE_NULL || node_is(value, known_keys[row].kind);
}

static size_t row_of(struct str key)
{
	size_t row = 0;
	while (row < N_KNOWN && !str_is(key, known_keys[row].key))
		row++;
	return row;
}

void job_settings_write(struct arena *a, struct buf *b, const struct node *config, enum job_kind kind)
{
	struct settings s = { a, b, kind };

	for (size_t i = 0; i < N_KNOWN; i++) {
		const struct node *value = node_get(config, known_keys[i].key);
		if (known_keys[i].kind == NODE_NULL || (node_truthy(value) && has_own_form(i, value)))
			known_keys[i].write(&s, value);
	}
	for (size_t i = 0; i < config->map.n; i++) {
		const struct node *key = config->map.pair[i].key, *value = config->map.pair[i].value;
		size_t row = row_of(node_str(key));
		if (row == N_KNOWN || (node_truthy(value) && !has_own_form(row, value)))
			passed_through(a, b, key, value, 6);
	}
}
