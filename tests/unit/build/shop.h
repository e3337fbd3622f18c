/*
 * shop.h - a project that has one of everything, and runs of it that count.
 *
 *	ingest.raw      template landed, metadata column _loaded
 *	silver.recent   sql/recent.sql, with the token `days`; preset kept
 *	silver.clean    functions/clean.py, which imports functions/words.py, with the token `most`, and looks for functions/extra.py; the
 *	                schema file schemas/clean.yaml
 *	silver.checked  expectations/checks.json; presets kept and more, which has its own key `b`
 *	gold.mirror     reads silver.recent; the tokens `gold` and, through it, `layer`
 *	gold.plain      reads nothing of the others
 *	shop_event_log_monitoring.monitoring, and a resource file for each of the four pipelines
 *
 * What a run wrote is seen on the disk, by inodes: not only told by the run.
 */
#ifndef LHP_TESTS_SHOP_H
#define LHP_TESTS_SHOP_H

#include "base/fs.h"
#include "base/map.h"
#include "base/path.h"
#include "build/run.h"
#include "model/rules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#define GEN "generated/dev/"

struct shop {
	char folder[64];
	struct arena arena;
	struct fs fs;
	struct run_options options;
	struct str env[2];
	struct run_result result[2]; /* of the last run */
	struct buf said;             /* what its listener heard: findings are in the results */
	struct str written, removed; /* by the last run: paths, sorted, with blanks between */
	const struct fs_ops *real;   /* of the disk */
	struct fs_ops ops;           /* the same, but for what a test puts in their place for shop_run_seamed */
};

struct shop_file {
	const char *path, *text;
};

static const struct shop_file shop_files[] = {
	{ "lhp.yaml", "name: shop\n"
	              "version: '1.0'\n"
	              "description: all that is sold\n"
	              "description: all that is sold\n"
	              "operational_metadata:\n"
	              "  columns:\n"
	              "    _loaded: {expression: F.current_timestamp(), applies_to: [view]}\n"
	              "    _other: {expression: F.lit(1), applies_to: [view]}\n"
	              "event_log: {catalog: '${catalog}', schema: _ops}\n"
	              "monitoring: {checkpoint_path: /Volumes/c/ops/checkpoints, job_config_path: job.yaml}\n" },
	{ "job.yaml", "max_concurrent_runs: 1\n" },
	{ "databricks.yml", "bundle: {name: shop}\ntargets: {dev: {mode: development}}\n" },
	{ "config.yaml", "project_defaults: {catalog: c, schema: s}\n---\npipeline: gold\nserverless: false\n" },
	{ "substitutions/dev.yaml", "dev:\n"
	                            "  catalog: dev_catalog\n"
	                            "  days: '10'\n"
	                            "  most: '5'\n"
	                            "  layer: top\n"
	                            "  gold: gold_${layer}\n"
	                            "  unused: x\n" },
	{ "substitutions/prod.yaml", "prod:\n  catalog: prod_catalog\n  days: '90'\n  most: '5'\n  layer: top\n  gold: gold\n" },
	{ "presets/kept.yaml", "name: kept\n"
	                       "defaults:\n"
	                       "  write_actions:\n"
	                       "    streaming_table:\n"
	                       "      table_properties: {a: one, b: two}\n" },
	{ "presets/more.yaml", "name: more\ndefaults: {write_actions: {streaming_table: {table_properties: {b: four}}}}\n" },
	{ "templates/landed.yaml", "name: landed\n"
	                           "parameters: [{name: entity, required: true}]\n"
	                           "actions:\n"
	                           "  - name: load_it\n"
	                           "    type: load\n"
	                           "    readMode: stream\n"
	                           "    source: {type: cloudfiles, path: '/Volumes/in/{{ entity }}', format: json}\n"
	                           "    target: 'v_{{ entity }}'\n"
	                           "  - name: write_it\n"
	                           "    type: write\n"
	                           "    source: 'v_{{ entity }}'\n"
	                           "    write_target: {type: streaming_table, catalog: c, schema: raw, table: '{{ entity }}'}\n" },
	{ "sql/recent.sql", "SELECT * FROM stream(c.raw.orders) WHERE age < ${days}\n" },
	{ "functions/clean.py", "from extra import more\n"
	                        "from words import word\n\n\n"
	                        "def clean(df, spark, parameters):\n"
	                        "    return df.where(word)\n" },
	{ "functions/words.py", "word = 'a > 0 and a < ${most}'\n" },
	{ "schemas/clean.yaml", "column_mapping: {a: b}\n" },
	{ "expectations/checks.json", "{\"a > 0\": {\"action\": \"drop\"}}\n" },
	{ "pipelines/raw.yaml", "pipeline: ingest\n"
	                        "flowgroup: raw\n"
	                        "operational_metadata: [_loaded]\n"
	                        "use_template: landed\n"
	                        "template_parameters: {entity: orders}\n" },
	{ "pipelines/recent.yaml", "pipeline: silver\n"
	                           "flowgroup: recent\n"
	                           "presets: [kept]\n"
	                           "actions:\n"
	                           "  - name: load_it\n"
	                           "    type: load\n"
	                           "    source: {type: sql, sql_path: sql/recent.sql}\n"
	                           "    target: v_recent\n"
	                           "  - name: write_it\n"
	                           "    type: write\n"
	                           "    source: v_recent\n"
	                           "    write_target: {type: streaming_table, catalog: '${catalog}', schema: silver, table: recent}\n" },
	{ "pipelines/clean.yaml", "pipeline: silver\n"
	                          "flowgroup: clean\n"
	                          "actions:\n"
	                          "  - {name: l, type: load, source: {type: sql, sql: SELECT 1 AS a}, target: v_one}\n"
	                          "  - {name: s, type: transform, transform_type: schema, source: v_one, target: v_two,"
	                          " schema_file: schemas/clean.yaml}\n"
	                          "  - {name: t, type: transform, transform_type: python, source: v_two, target: v_three,"
	                          " module_path: functions/clean.py, function_name: clean}\n"
	                          "  - {name: w, type: write, source: v_three, write_target: {type: materialized_view,"
	                          " catalog: c, schema: silver, table: clean}}\n" },
	{ "pipelines/checked.yaml", "pipeline: silver\n"
	                            "flowgroup: checked\n"
	                            "presets: [kept, more]\n"
	                            "actions:\n"
	                            "  - name: load_it\n"
	                            "    type: load\n"
	                            "    readMode: stream\n"
	                            "    source: {type: delta, catalog: c, schema: raw, table: orders}\n"
	                            "    target: v_checked\n"
	                            "  - {name: t, type: transform, transform_type: data_quality, source: v_checked, target: v_good,"
	                            " readMode: stream, expectations_file: expectations/checks.json}\n"
	                            "  - name: write_it\n"
	                            "    type: write\n"
	                            "    source: v_good\n"
	                            "    write_target: {type: streaming_table, catalog: c, schema: silver, table: checked}\n" },
	{ "pipelines/mirror.yaml", "pipeline: gold\n"
	                           "flowgroup: mirror\n"
	                           "actions:\n"
	                           "  - name: load_it\n"
	                           "    type: load\n"
	                           "    readMode: stream\n"
	                           "    source: {type: delta, catalog: '${catalog}', schema: silver, table: recent}\n"
	                           "    target: v_mirror\n"
	                           "  - name: write_it\n"
	                           "    type: write\n"
	                           "    source: v_mirror\n"
	                           "    write_target: {type: streaming_table, catalog: c, schema: '${gold}', table: mirror}\n" },
	{ "pipelines/plain.yaml", "pipeline: gold\n"
	                          "flowgroup: plain\n"
	                          "actions:\n"
	                          "  - {name: l, type: load, source: {type: sql, sql: SELECT 1 AS a}, target: v_plain}\n"
	                          "  - {name: w, type: write, source: v_plain, write_target: {type: materialized_view, catalog: c,"
	                          " schema: gold, table: plain, table_properties: {x: one, y: two}}}\n" },
};

static inline void shop_put(struct shop *s, const char *path, const char *text)
{
	assert_int_equal(fs_mkdirs(&s->fs, path_parent(str_of(path))), 0);
	assert_int_equal(fs_replace(&s->fs, str_of(path), str_of(text)), 0);
}

static inline struct str shop_read(struct shop *s, const char *path)
{
	struct str bytes;

	assert_int_equal(fs_read(&s->fs, str_of(path), &s->arena, &bytes, NULL), 0);
	return bytes;
}

/* The first `from` of a file becomes `to`. */
static inline void shop_edit(struct shop *s, const char *path, const char *from, const char *to)
{
	struct str text = shop_read(s, path);
	ptrdiff_t at = str_find(text, str_of(from), 0);

	assert_true(at >= 0);
	shop_put(s, path, str_cstr(&s->arena, str_fmt(&s->arena, "%.*s%s%.*s", (int)at, text.p, to,
	                                              STR_ARG(str_skip(text, (size_t)at + strlen(from))))));
}

static inline void shop_open(struct shop *s)
{
	*s = (struct shop){ .folder = "/tmp/lhp-shop-XXXXXX" };
	unsetenv("CI"); /* there a run trusts no stat: what it counts would be another */
	assert_non_null(mkdtemp(s->folder));
	assert_int_equal(fs_open(&s->fs, &s->arena, str_of(s->folder)), 0);
	for (size_t i = 0; i < sizeof shop_files / sizeof *shop_files; i++)
		shop_put(s, shop_files[i].path, shop_files[i].text);
	s->real = s->fs.ops;
	s->ops = *s->real;
	s->env[0] = STR("dev");
	s->options = (struct run_options){ .task = RUN_GENERATE, .env = s->env, .n_env = 1, .no_format = true,
		                           .pipeline_config = STR("config.yaml") };
}

static inline void shop_close(struct shop *s)
{
	fs_remove_tree(&s->fs, STR(""));
	fs_close(&s->fs);
	rmdir(s->folder);
	buf_release(&s->said);
	arena_release(&s->arena);
}

/* path -> struct fs_stat, of every file below. */
static inline void shop_look(struct shop *s, struct str dir, struct map *out)
{
	struct fs_listing l;

	if (fs_list(&s->fs, dir, &s->arena, &l) != 0)
		return;
	for (size_t i = 0; i < l.n; i++) {
		struct str path = path_join(&s->arena, dir, l.entry[i].name);
		struct fs_stat *st = ARENA_NEW(&s->arena, struct fs_stat);

		if (l.entry[i].type == FS_DIR) {
			shop_look(s, path, out);
			continue;
		}
		assert_int_equal(fs_lstat(&s->fs, path, st), 0);
		map_put(out, &s->arena, path, st);
	}
}

static inline void shop_outputs(struct shop *s, struct map *out)
{
	shop_look(s, STR("generated"), out);
	shop_look(s, STR("resources"), out);
	shop_look(s, STR("monitoring"), out);
	shop_look(s, STR("out"), out);
}

/* Files of `a` that are not, or are others, in `b`. */
static inline struct str shop_beyond(struct shop *s, const struct map *a, const struct map *b, bool others)
{
	uint32_t *order = map_sorted(a, &s->arena);
	struct buf out = { 0 };
	struct str text;

	for (size_t i = 0; i < a->n; i++) {
		const struct map_entry *e = &a->entry[order[i]];
		const struct fs_stat *x = e->value, *y = map_get(b, e->key);

		if (y == NULL || (others && (x->ino != y->ino || x->mtime_ns != y->mtime_ns)))
			buf_addf(&out, "%s%.*s", out.n != 0 ? " " : "", STR_ARG(e->key));
	}
	text = buf_take(&out, &s->arena);
	buf_release(&out);
	return text.p != NULL ? text : STR("");
}

static inline void shop_hear(void *ctx, struct str line)
{
	buf_addf(&((struct shop *)ctx)->said, "%.*s\n", STR_ARG(line));
}

static inline void shop_complain(const struct diags *ds)
{
	for (size_t i = 0; i < ds->n; i++) {
		print_error("%s: %.*s\n", ds->p[i].rule->code, STR_ARG(ds->p[i].detail));
		if (ds->p[i].parts != NULL)
			shop_complain(ds->p[i].parts);
	}
}

static inline int shop_run(struct shop *s)
{
	const struct run_listener listener = { .ctx = s, .log = shop_hear };
	struct map before = { 0 }, after = { 0 };

	buf_reset(&s->said);
	shop_outputs(s, &before);
	run_project(&s->fs, &s->options, &listener, &s->arena, s->result);
	shop_outputs(s, &after);
	s->written = shop_beyond(s, &after, &before, true);
	s->removed = shop_beyond(s, &before, &after, false);
	if (s->result[0].status != 0) {
		shop_complain(&s->result[0].fatal);
		shop_complain(&s->result[0].findings);
	}
	return s->result[0].status;
}

/* For what a test puts between a run and the disk: whose disk it is. */
static inline struct shop *shop_of(struct fs *fs)
{
	return (struct shop *)(void *)((char *)fs - offsetof(struct shop, fs));
}

/* With that in between; what it says and writes is not looked at. */
static inline int shop_run_seamed(struct shop *s)
{
	s->fs.ops = &s->ops;
	run_project(&s->fs, &s->options, &(struct run_listener){ 0 }, &s->arena, s->result);
	s->fs.ops = s->real;
	return s->result[0].status;
}

/* A run that has a store to go by must do this and nothing else. */
#define assert_run(s, n_rebuilt, files_written, files_removed)                                       \
	do {                                                                                         \
		assert_int_equal(shop_run(s), 0);                                                    \
		assert_string_equal(str_cstr(&(s)->arena, (s)->written), files_written);             \
		assert_string_equal(str_cstr(&(s)->arena, (s)->removed), files_removed);             \
		assert_int_equal((s)->result->rebuilt, n_rebuilt);                                   \
		assert_int_equal((s)->result->written, shop_words(files_written));                   \
		assert_int_equal((s)->result->removed, shop_words(files_removed));                   \
	} while (0)

static inline size_t shop_words(const char *text)
{
	return *text == '\0' ? 0 : str_count_char(str_of(text), ' ') + 1;
}

/* A cold run finds every file as it would make it, and the next warm one nothing to do. */
static inline void assert_like_cold(struct shop *s)
{
	s->options.no_cache = true;
	assert_run(s, s->result->units, "", "");
	s->options.no_cache = false;
	assert_run(s, 0, "", "");
	assert_true(s->result->up_to_date);
}

/* A test whose state is a shop of its own: `setup` is shop_setup, or does more. It is gone afterwards, also when the test fails. */
#define shop_test(test, setup) cmocka_unit_test_setup_teardown(test, setup, shop_teardown)

static inline int shop_setup(void **state)
{
	*state = xmalloc(sizeof(struct shop));
	shop_open(*state);
	return 0;
}

/* And generated. */
static inline int shop_made(void **state)
{
	struct shop *s;

	shop_setup(state);
	s = *state;
	return shop_run(s) != 0 || s->result->units != 7 || s->result->rebuilt != 7;
}

static inline int shop_teardown(void **state)
{
	shop_close(*state);
	free(*state);
	return 0;
}

#endif
