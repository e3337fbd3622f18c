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

/* --- the known keys, each with its own form --- */

static void queue_write(struct arena *a, struct buf *b, const struct node *n)
{
	static const char *const known[] = { "enabled", NULL };
	const struct node *enabled = node_get(n, "enabled");
	bool on = node_is(n, NODE_MAP) ? node_truthy(enabled) : node_truthy(n);
	if (node_truthy(n)) {
		buf_addf(b, "      queue:\n        enabled: %s\n", on ? "true" : "false");
		others_pass(a, b, n, known, 8);
	}
}

static void target_write(struct arena *a, struct buf *b, const struct node *n)
{
	if (!node_is_null(n))
		buf_addf(b, "      performance_target: %.*s\n", STR_ARG(job_scalar(a, n)));
}

static void timeout_write(struct arena *a, struct buf *b, const struct node *n)
{
	if (node_truthy(n))
		buf_addf(b, "      timeout_seconds: %.*s\n", STR_ARG(job_scalar(a, n)));
}

static void tags_write(struct arena *a, struct buf *b, const struct node *n)
{
	if (!node_truthy(n) || !node_is(n, NODE_MAP))
		return;
	buf_adds(b, "      tags:\n");
	for (size_t i = 0; i < n->map.n; i++) {
		struct node *key = node_new(a, NODE_LIST, (struct mark){ 0 });
		struct buf quoted = { 0 };
		node_push(a, key, n->map.pair[i].key);
		yaml_dump(&quoted, key); /* "- key", quoted where a plain one would be another type */
		buf_addf(b, "        %.*s: ", STR_ARG(str_skip(str_trim(buf_str(&quoted)), 2)));
		yaml_quoted(b, job_scalar(a, n->map.pair[i].value));
		buf_addc(b, '\n');
		buf_release(&quoted);
	}
}

static const char *const occasions[] = { "on_start", "on_success", "on_failure", NULL };

static void notifications_write(struct arena *a, struct buf *b, const char *name, const struct node *n, bool hooks)
{
	struct buf inner = { 0 };
	for (size_t i = 0; occasions[i] != NULL; i++) {
		const struct node *list = node_get(n, occasions[i]);
		if (!node_truthy(list))
			continue;
		buf_addf(&inner, "        %s:\n", occasions[i]);
		for (size_t k = 0; node_is(list, NODE_LIST) && k < list->list.n; k++) {
			const struct node *item = list->list.item[k];
			if (hooks && node_is(item, NODE_MAP))
				buf_addf(&inner, "          - id: %.*s\n", STR_ARG(job_scalar(a, node_get(item, "id"))));
			else
				buf_addf(&inner, "          - %.*s\n", STR_ARG(job_scalar(a, item)));
		}
	}
	others_pass(a, &inner, n, occasions, 8);
	if (inner.n > 0) {
		buf_addf(b, "      %s:\n", name);
		buf_add(b, buf_str(&inner));
	}
	buf_release(&inner);
}

static void email_write(struct arena *a, struct buf *b, const struct node *n)
{
	notifications_write(a, b, "email_notifications", n, false);
}

static void webhook_write(struct arena *a, struct buf *b, const struct node *n)
{
	notifications_write(a, b, "webhook_notifications", n, true);
}

static void permissions_write(struct arena *a, struct buf *b, const struct node *n)
{
	static const char *const known[] = { "level", "user_name", "group_name", NULL };
	if (!node_truthy(n) || !node_is(n, NODE_LIST))
		return;
	buf_adds(b, "      permissions:\n");
	for (size_t i = 0; i < n->list.n; i++) {
		const struct node *one = n->list.item[i];
		buf_addf(b, "        - level: %.*s\n", STR_ARG(job_scalar(a, node_get(one, "level"))));
		for (size_t k = 1; known[k] != NULL; k++)
			if (node_truthy(node_get(one, known[k])))
				buf_addf(b, "          %s: %.*s\n", known[k], STR_ARG(job_scalar(a, node_get(one, known[k]))));
		others_pass(a, b, one, known, 10);
	}
}

static void schedule_write(struct arena *a, struct buf *b, const struct node *n)
{
	static const char *const known[] = { "quartz_cron_expression", "timezone_id", "pause_status", NULL };
	if (!node_truthy(n) || !node_is(n, NODE_MAP))
		return;
	buf_adds(b, "      schedule:\n");
	for (size_t k = 0; known[k] != NULL; k++) {
		const struct node *value = node_get(n, known[k]);
		if (node_is_null(value))
			continue;
		buf_addf(b, "        %s: ", known[k]);
		if (k == 0)
			yaml_quoted(b, job_scalar(a, value));
		else
			buf_add(b, job_scalar(a, value));
		buf_addc(b, '\n');
	}
	others_pass(a, b, n, known, 8);
}

static void nothing_write(struct arena *a, struct buf *b, const struct node *n)
{
	(void)a, (void)b, (void)n;
}

/* In the order of the file. Keys that are not here are passed through. */
static const struct {
	const char *key;
	void (*write)(struct arena *a, struct buf *b, const struct node *n);
} known_keys[] = {
	{ "max_concurrent_runs", nothing_write },
	{ "queue", queue_write },
	{ "performance_target", target_write },
	{ "timeout_seconds", timeout_write },
	{ "tags", tags_write },
	{ "email_notifications", email_write },
	{ "webhook_notifications", webhook_write },
	{ "permissions", permissions_write },
	{ "schedule", schedule_write },
	{ "generate_master_job", nothing_write },
	{ "master_job_name", nothing_write },
	{ "notebook_cluster", nothing_write },
};

enum { N_KNOWN = sizeof known_keys / sizeof *known_keys };

void job_settings_write(struct arena *a, struct buf *b, const struct node *config)
{
	for (size_t i = 0; i < N_KNOWN; i++)
		known_keys[i].write(a, b, node_get(config, known_keys[i].key));
	for (size_t i = 0; i < config->map.n; i++) {
		bool known = false;
		for (size_t k = 0; k < N_KNOWN; k++)
			known |= str_is(node_str(config->map.pair[i].key), known_keys[k].key);
		if (!known)
			passed_through(a, b, config->map.pair[i].key, config->map.pair[i].value, 6);
	}
}
