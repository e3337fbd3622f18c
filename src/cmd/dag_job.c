#include "cmd/dag_analysis.h"

#include "cmd/embedded.h"
#include "model/rules.h"
#include "yaml/writer.h"

#include <stdlib.h>

static struct str carried(const char *path)
{
	for (const struct embedded *e = dag_files; e->path.n > 0; e++)
		if (str_is(e->path, path))
			return e->bytes;
	return STR_NONE;
}

/* Text of a scalar as YAML has it. */
static struct str scalar(struct dag *d, const struct node *n)
{
	if (node_is(n, NODE_BOOL))
		return n->boolean ? STR("true") : STR("false");
	return node_text(d->arena, n);
}

static void double_quoted(struct buf *b, struct str s)
{
	buf_addc(b, '"');
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '\n') {
			buf_adds(b, "\\n");
			continue;
		}
		if (s.p[i] == '"' || s.p[i] == '\\')
			buf_addc(b, '\\');
		buf_addc(b, s.p[i]);
	}
	buf_addc(b, '"');
}

/* `key: value` as YAML at an indentation: what this file has no form of its own for. */
static void passed_through(struct dag *d, struct buf *b, const struct node *key, const struct node *value, size_t indent)
{
	struct node *one = node_new(d->arena, NODE_MAP, (struct mark){ 0 });
	node_set_pair(d->arena, one, key, value);
	buf_add_repeat(b, ' ', indent);
	yaml_dump_indented(b, one, indent);
	buf_addc(b, '\n');
}

/* The keys of a map that are none of `known`. */
static void others_pass(struct dag *d, struct buf *b, const struct node *map, const char *const *known, size_t indent)
{
	for (size_t i = 0; node_is(map, NODE_MAP) && i < map->map.n; i++) {
		const struct node *key = map->map.pair[i].key, *value = map->map.pair[i].value;
		bool is_known = false;
		for (size_t k = 0; known[k] != NULL; k++)
			is_known |= str_is(node_str(key), known[k]);
		if (!is_known && !node_is_null(value))
			passed_through(d, b, key, value, indent);
	}
}

/* --- the known keys, each with its own form --- */

static void queue_write(struct dag *d, struct buf *b, const struct node *n)
{
	static const char *const known[] = { "enabled", NULL };
	const struct node *enabled = node_get(n, "enabled");
	bool on = node_is(n, NODE_MAP) ? node_truthy(enabled) : node_truthy(n);
	if (node_truthy(n)) {
		buf_addf(b, "      queue:\n        enabled: %s\n", on ? "true" : "false");
		others_pass(d, b, n, known, 8);
	}
}

static void target_write(struct dag *d, struct buf *b, const struct node *n)
{
	if (!node_is_null(n))
		buf_addf(b, "      performance_target: %.*s\n", STR_ARG(scalar(d, n)));
}

static void timeout_write(struct dag *d, struct buf *b, const struct node *n)
{
	if (node_truthy(n))
		buf_addf(b, "      timeout_seconds: %.*s\n", STR_ARG(scalar(d, n)));
}

static void tags_write(struct dag *d, struct buf *b, const struct node *n)
{
	if (!node_truthy(n) || !node_is(n, NODE_MAP))
		return;
	buf_adds(b, "      tags:\n");
	for (size_t i = 0; i < n->map.n; i++) {
		struct node *key = node_new(d->arena, NODE_LIST, (struct mark){ 0 });
		struct buf quoted = { 0 };
		node_push(d->arena, key, n->map.pair[i].key);
		yaml_dump(&quoted, key); /* "- key", quoted where a plain one would be another type */
		buf_addf(b, "        %.*s: ", STR_ARG(str_skip(str_trim(buf_str(&quoted)), 2)));
		double_quoted(b, scalar(d, n->map.pair[i].value));
		buf_addc(b, '\n');
		buf_release(&quoted);
	}
}

static const char *const occasions[] = { "on_start", "on_success", "on_failure", NULL };

static void notifications_write(struct dag *d, struct buf *b, const char *name, const struct node *n, bool hooks)
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
				buf_addf(&inner, "          - id: %.*s\n", STR_ARG(scalar(d, node_get(item, "id"))));
			else
				buf_addf(&inner, "          - %.*s\n", STR_ARG(scalar(d, item)));
		}
	}
	others_pass(d, &inner, n, occasions, 8);
	if (inner.n > 0) {
		buf_addf(b, "      %s:\n", name);
		buf_add(b, buf_str(&inner));
	}
	buf_release(&inner);
}

static void email_write(struct dag *d, struct buf *b, const struct node *n)
{
	notifications_write(d, b, "email_notifications", n, false);
}

static void webhook_write(struct dag *d, struct buf *b, const struct node *n)
{
	notifications_write(d, b, "webhook_notifications", n, true);
}

static void permissions_write(struct dag *d, struct buf *b, const struct node *n)
{
	static const char *const known[] = { "level", "user_name", "group_name", NULL };
	if (!node_truthy(n) || !node_is(n, NODE_LIST))
		return;
	buf_adds(b, "      permissions:\n");
	for (size_t i = 0; i < n->list.n; i++) {
		const struct node *one = n->list.item[i];
		buf_addf(b, "        - level: %.*s\n", STR_ARG(scalar(d, node_get(one, "level"))));
		for (size_t k = 1; known[k] != NULL; k++)
			if (node_truthy(node_get(one, known[k])))
				buf_addf(b, "          %s: %.*s\n", known[k], STR_ARG(scalar(d, node_get(one, known[k]))));
		others_pass(d, b, one, known, 10);
	}
}

static void schedule_write(struct dag *d, struct buf *b, const struct node *n)
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
			double_quoted(b, scalar(d, value));
		else
			buf_add(b, scalar(d, value));
		buf_addc(b, '\n');
	}
	others_pass(d, b, n, known, 8);
}

static void nothing_write(struct dag *d, struct buf *b, const struct node *n)
{
	(void)d, (void)b, (void)n;
}

/* In the order of the file. Keys that are not here are passed through. */
static const struct {
	const char *key;
	void (*write)(struct dag *d, struct buf *b, const struct node *n);
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

static void settings_write(struct dag *d, struct buf *b, const struct node *config)
{
	for (size_t i = 0; i < N_KNOWN; i++)
		known_keys[i].write(d, b, node_get(config, known_keys[i].key));
	for (size_t i = 0; i < config->map.n; i++) {
		bool known = false;
		for (size_t k = 0; k < N_KNOWN; k++)
			known |= str_is(node_str(config->map.pair[i].key), known_keys[k].key);
		if (!known)
			passed_through(d, b, config->map.pair[i].key, config->map.pair[i].value, 6);
	}
}

/* --- one job --- */


static void task_write(struct dag *d, struct buf *b, const struct digraph *g, struct str name, uint32_t pipeline)
{
	size_t n;
	const struct str *on = dag_depends_on(d, g, pipeline, &n);
	buf_addf(b, "        - task_key: %.*s_pipeline\n", STR_ARG(name));
	if (n > 0)
		buf_adds(b, "          depends_on:\n");
	for (size_t i = 0; i < n; i++)
		buf_addf(b, "            - task_key: %.*s_pipeline\n", STR_ARG(on[i]));
	buf_addf(b,
	         "          pipeline_task:\n            pipeline_id: ${resources.pipelines.%.*s_pipeline.id}\n"
	         "            full_refresh: false\n",
	         STR_ARG(name));
}

/* Tasks stage by stage, by name inside a stage. */
static void tasks_write(struct dag *d, struct buf *b, const struct digraph *g, const bool *keep)
{
	struct stages stages;
	digraph_stages(g, &stages);
	for (size_t s = 0; s < stages.n; s++) {
		struct map names = { 0 };
		for (size_t k = stages.first[s]; k < stages.first[s + 1]; k++)
			if (keep[stages.node[k]])
				map_put(&names, d->arena, d->lineage.pipeline.p[stages.node[k]].name, (void *)(uintptr_t)stages.node[k]);
		uint32_t *order = map_sorted(&names, d->arena);
		for (size_t k = 0; k < names.n; k++)
			task_write(d, b, g, names.entry[order[k]].key, (uint32_t)(uintptr_t)names.entry[order[k]].value);
	}
}

static struct str job_text(struct dag *d, struct str name, const struct digraph *g, const bool *keep, const struct node *config)
{
	struct buf b = { 0 };
	const struct node *runs = node_get(config, "max_concurrent_runs");
	buf_addf(&b, "# Generated by LakehousePlumber - Orchestration Job for %.*s\n\nresources:\n  jobs:\n    %.*s:\n      name: %.*s\n",
	         STR_ARG(d->name), STR_ARG(name), STR_ARG(name));
	if (!node_is_null(runs))
		buf_addf(&b, "      max_concurrent_runs: %.*s\n", STR_ARG(scalar(d, runs)));
	buf_adds(&b, "      tasks:\n");
	tasks_write(d, &b, g, keep);
	settings_write(d, &b, config);
	buf_add(&b, carried("job_hints.txt"));
	struct str text = buf_take(&b, d->arena);
	buf_release(&b);
	return text;
}

static void single_make(struct dag *d, const struct job_config *config, struct dag_jobs *out)
{
	struct str name = d->o->job_name.n > 0 ? d->o->job_name : str_fmt(d->arena, "%.*s_orchestration", STR_ARG(d->name));
	bool *keep = ARENA_ARRAY(d->arena, bool, d->lineage.pipeline.n + 1);
	memset(keep, 1, d->lineage.pipeline.n);
	*VEC_PUSH(out, d->arena) =
	    (struct dag_job){ name, job_text(d, name, &d->lineage.pipelines, keep, config->defaults), false };
}

/* --- several jobs --- */

/* Which pipelines a job holds, and which other jobs own what they read from. */
struct job {
	struct str name;
	bool *flowgroup, *pipeline;
	struct map upstream;
};

struct jobs {
	VEC_OF(struct job)
};

static int names_check(struct dag *d, size_t *named)
{
	*named = 0;
	for (size_t i = 0; i < d->flowgroup.n; i++) {
		struct str name = d->flowgroup.p[i].job_name;
		*named += name.n > 0;
		for (size_t k = 0; k < name.n; k++)
			if (strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", name.p[k]) == NULL ||
			    name.p[k] == '\0') {
				struct diag *diag = diag_add(&d->fatal, &rule_job_name_characters,
				                             (struct mark){ d->flowgroup.p[i].file, 0, 0 },
				                             "`job_name: %.*s` of the flowgroup '%.*s' may hold letters, digits, '_' and "
				                             "'-' only", STR_ARG(name), STR_ARG(d->lineage.flowgroup.p[i].id));
				diag_hint(&d->fatal, diag, "rename the job");
				return -1;
			}
	}
	for (size_t i = 0; i < d->flowgroup.n && *named > 0 && *named < d->flowgroup.n; i++)
		if (d->flowgroup.p[i].job_name.n == 0) {
			struct diag *diag = diag_add(&d->fatal, &rule_job_name_on_some, (struct mark){ d->flowgroup.p[i].file, 0, 0 },
			                             "%zu of %zu flowgroups have a `job_name`; '%.*s' has none", *named,
			                             d->flowgroup.n, STR_ARG(d->lineage.flowgroup.p[i].id));
			diag_hint(&d->fatal, diag, "give every flowgroup a job_name, or none");
			return -1;
		}
	return 0;
}

static void jobs_split(struct dag *d, struct jobs *jobs)
{
	struct map names = { 0 };
	for (size_t i = 0; i < d->flowgroup.n; i++)
		map_add(&names, d->arena, d->flowgroup.p[i].job_name);
	uint32_t *order = map_sorted(&names, d->arena);
	for (size_t k = 0; k < names.n; k++) {
		struct job *job = VEC_PUSH(jobs, d->arena);
		job->name = names.entry[order[k]].key;
		job->flowgroup = ARENA_ARRAY(d->arena, bool, d->flowgroup.n + 1);
		job->pipeline = ARENA_ARRAY(d->arena, bool, d->lineage.pipeline.n + 1);
		for (size_t i = 0; i < d->flowgroup.n; i++)
			if (str_eq(d->flowgroup.p[i].job_name, job->name)) {
				job->flowgroup[i] = true;
				job->pipeline[d->lineage.flowgroup.p[i].pipeline] = true;
			}
	}
}

/* Jobs that own a pipeline which one of this job's pipelines reads from. */
static void upstream_find(struct dag *d, struct jobs *jobs, struct job *job)
{
	for (uint32_t p = 0; p < d->lineage.pipeline.n; p++)
		for (size_t k = 0; job->pipeline[p] && k < d->lineage.pipelines.in[p].n; k++)
			for (size_t j = 0; j < jobs->n; j++)
				if (&jobs->p[j] != job && jobs->p[j].pipeline[d->lineage.pipelines.in[p].p[k]])
					map_add(&job->upstream, d->arena, jobs->p[j].name);
}

/* Jobs that wait for each other in a ring never start: say so, the files stay as they are. */
static void rings_tell(struct dag *d, const struct jobs *jobs)
{
	struct digraph g;
	struct cycles rings;
	digraph_init(&g, d->arena, jobs->n);
	for (uint32_t i = 0; i < jobs->n; i++)
		for (uint32_t j = 0; j < jobs->n; j++)
			if (map_find(&jobs->p[i].upstream, jobs->p[j].name) != NULL)
				digraph_add(&g, j, i);
	digraph_cycles(&g, LINEAGE_MAX_CYCLES, &rings);
	for (size_t i = 0; i < rings.n; i++) {
		fputs("WARNING: jobs wait for each other: ", d->io->err);
		for (size_t k = 0; k < rings.p[i].n; k++)
			fprintf(d->io->err, "%.*s -> ", STR_ARG(jobs->p[rings.p[i].p[k]].name));
		fprintf(d->io->err, "%.*s\n  Give flowgroups that read from each other the same job_name.\n",
		        STR_ARG(jobs->p[rings.p[i].p[0]].name));
	}
}

static struct str master_text(struct dag *d, struct str name, const struct jobs *jobs)
{
	struct buf b = { 0 };
	buf_addf(&b,
	         "# Generated by LakehousePlumber - Master Orchestration Job for %.*s\n"
	         "# This job coordinates the execution of all individual jobs\n\nresources:\n  jobs:\n    %.*s:\n"
	         "      name: %.*s\n      max_concurrent_runs: 1\n      tasks:\n",
	         STR_ARG(d->name), STR_ARG(name), STR_ARG(name));
	for (size_t i = 0; i < jobs->n; i++) {
		const struct job *job = &jobs->p[i];
		uint32_t *order = map_sorted(&job->upstream, d->arena);
		buf_addf(&b, "        - task_key: %.*s_task\n", STR_ARG(job->name));
		if (job->upstream.n > 0)
			buf_adds(&b, "          depends_on:\n");
		for (size_t k = 0; k < job->upstream.n; k++)
			buf_addf(&b, "            - task_key: %.*s_task\n", STR_ARG(job->upstream.entry[order[k]].key));
		buf_addf(&b, "          job_task:\n            job_id: ${resources.jobs.%.*s.id}\n", STR_ARG(job->name));
	}
	buf_add(&b, str_replace(d->arena, carried("master_tail.txt"), STR("{project}"), d->name));
	struct str text = buf_take(&b, d->arena);
	buf_release(&b);
	return text;
}

static void several_make(struct dag *d, const struct job_config *config, struct dag_jobs *out)
{
	struct jobs jobs = { 0 };
	jobs_split(d, &jobs);
	for (size_t i = 0; i < jobs.n; i++) {
		struct digraph g;
		lineage_pipelines_of(&d->lineage, jobs.p[i].flowgroup, &g);
		upstream_find(d, &jobs, &jobs.p[i]);
		*VEC_PUSH(out, d->arena) = (struct dag_job){
			jobs.p[i].name,
			job_text(d, jobs.p[i].name, &g, jobs.p[i].pipeline, job_config_of(d, config, jobs.p[i].name)), false,
		};
	}
	rings_tell(d, &jobs);
	if (!config->master)
		return;
	struct str name = config->master_name.n > 0 ? config->master_name : str_fmt(d->arena, "%.*s_master", STR_ARG(d->name));
	*VEC_PUSH(out, d->arena) = (struct dag_job){ name, master_text(d, name, &jobs), true };
}

int dag_jobs_make(struct dag *d, struct dag_jobs *out)
{
	struct job_config config;
	size_t named;
	if (names_check(d, &named) < 0 || job_config_read(d, &config) < 0)
		return -1;
	if (d->lineage.pipeline.n == 0) {
		struct diag *diag = diag_add(&d->fatal, &rule_job_without_stages, (struct mark){ 0 },
		                             "The project has no flowgroups: a job would have no task");
		diag_hint(&d->fatal, diag, "write a flowgroup below pipelines/");
		return -1;
	}
	if (named > 0)
		several_make(d, &config, out);
	else
		single_make(d, &config, out);
	return 0;
}
