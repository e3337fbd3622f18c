/* test_hostile.c - inputs that are made to hurt: each ends with a code, in bounded time and memory. */
#include "cmd_case.h"

#include <sys/stat.h>

#define LOAD "{name: l, type: load, source: {type: cloudfiles, path: /x, format: json}, target: v}"
#define WRITE "{name: w, type: write, source: v, write_target: {type: streaming_table, catalog: c, schema: s, table: t}}"
#define HEAD "pipeline: p\nflowgroup: f\nactions:\n"
#define GOOD HEAD "- " LOAD "\n- " WRITE "\n"
#define SQL_OF(path) HEAD "- {name: l, type: load, source: {type: sql, sql_path: " path "}, target: v}\n- " WRITE "\n"

/* What stands at a path instead of a good file. */
enum thing { FIFO, LINK_LOOP, LINK_NOWHERE, FOLDER, TOO_LARGE };

static void thing_put(struct cmd_case *c, const char *path, enum thing thing)
{
	const char *absolute = str_cstr(&c->arena, path_join(&c->arena, str_of(c->folder), str_of(path)));

	assert_int_equal(fs_mkdirs(&c->fs, path_parent(str_of(path))), 0);
	unlink(absolute);
	switch (thing) {
	case FIFO: assert_int_equal(mkfifo(absolute, 0666), 0); break;
	case LINK_LOOP: assert_int_equal(symlink(str_cstr(&c->arena, path_base(str_of(path))), absolute), 0); break;
	case LINK_NOWHERE: assert_int_equal(symlink("nowhere", absolute), 0); break;
	case FOLDER: assert_int_equal(mkdir(absolute, 0777), 0); break;
	case TOO_LARGE:
		case_put(c, path, "");
		assert_int_equal(truncate(absolute, (off_t)FS_MAX_FILE + 1), 0);
		break;
	}
}

static void things_that_are_no_files_are_told_and_never_waited_for(void **state)
{
	static const struct {
		const char *path;
		enum thing thing;
		const char *line, *code;
	} row[] = {
		{ "pipelines/q.yaml", FIFO, "validate", "LHP-IO-002" },
		{ "pipelines/q.yaml", LINK_LOOP, "validate", "LHP-IO-001" },
		{ "pipelines/q.yaml", LINK_NOWHERE, "validate", "LHP-IO-001" },
		{ "pipelines/q.yaml", FOLDER, "generate -e dev --no-format", "LHP-IO-002" },
		{ "pipelines/q.yaml", TOO_LARGE, "validate", "LHP-IO-002" },
		{ "lhp.yaml", FIFO, "validate", "LHP-IO-002" },
		{ "lhp.yaml", FOLDER, "generate -e dev", "LHP-IO-002" },
		{ "lhp.yaml", TOO_LARGE, "dag", "LHP-IO-002" },
		{ "substitutions/dev.yaml", FIFO, "validate", "LHP-IO-002" },
		{ "substitutions/dev.yaml", FOLDER, "substitutions", "LHP-IO-002" },
		{ "blueprints/b.yaml", FIFO, "list blueprints", "LHP-IO-002" },
		{ ".lhp/profile.yaml", FIFO, "validate --sandbox", "LHP-CFG-064" },
		{ "jobs.yaml", FIFO, "dag --format job -jc jobs.yaml", "LHP-IO-002" },
		{ "q.sql", FIFO, "validate", "LHP-IO-005" },
		{ "q.sql", LINK_LOOP, "validate", "LHP-IO-001" },
		{ "q.sql", LINK_NOWHERE, "validate", "LHP-IO-001" },
		{ "q.sql", FOLDER, "validate", "LHP-IO-004" },
		{ "q.sql", TOO_LARGE, "validate", "LHP-IO-005" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct cmd_case c;

		case_open(&c);
		case_put(&c, "lhp.yaml", "name: hostile\n");
		case_put(&c, "pipelines/p.yaml", strcmp(row[i].path, "q.sql") == 0 ? SQL_OF("q.sql") : GOOD);
		thing_put(&c, row[i].path, row[i].thing);
		for (int warm = 0; warm < 2; warm++) {
			assert_int_equal(case_run(&c, row[i].line), 1);
			if (strstr(c.err, row[i].code) == NULL)
				fail_msg("row %zu (%s): no %s in\n%s", i, row[i].path, row[i].code, c.err);
		}
		case_close(&c);
	}
}

static void links_to_folders_are_not_followed(void **state)
{
	struct cmd_case c;

	(void)state;
	case_open(&c);
	case_put(&c, "lhp.yaml", "name: hostile\n");
	case_put(&c, "pipelines/p.yaml", GOOD);
	assert_int_equal(symlink("..", str_fmt(&c.arena, "%s/pipelines/up", c.folder).p), 0);
	assert_int_equal(symlink(".", str_fmt(&c.arena, "%s/pipelines/here", c.folder).p), 0);
	assert_int_equal(case_run(&c, "generate -e dev --no-format"), 0);
	assert_non_null(strstr(c.err, "1 pipeline generated · 1 file"));
	case_close(&c);
}

/* `HEAD` `open`×n `middle` `close`×n. */
static const char *nested(struct arena *a, const char *head, const char *open, size_t n, const char *middle, const char *close)
{
	struct buf b = { 0 };

	buf_adds(&b, head);
	for (size_t i = 0; i < n; i++)
		buf_adds(&b, open);
	buf_adds(&b, middle);
	for (size_t i = 0; i < n; i++)
		buf_adds(&b, close);
	buf_addc(&b, '\n');
	struct str s = buf_take(&b, a);
	buf_release(&b);
	return s.p;
}

/* Nine aliases of the line before, in each of nine lines. */
static const char *alias_bomb(struct arena *a)
{
	struct buf b = { 0 };

	buf_adds(&b, GOOD "a: &a [x, x, x, x, x, x, x, x, x]\n");
	for (char c = 'b'; c < 'k'; c++) {
		buf_addf(&b, "%c: &%c [", c, c);
		for (int i = 0; i < 9; i++)
			buf_addf(&b, "%s*%c", i != 0 ? ", " : "", c - 1);
		buf_adds(&b, "]\n");
	}
	struct str s = buf_take(&b, a);
	buf_release(&b);
	return s.p;
}

static void assert_refused(const char *path, const char *text, const char *line, const char *code)
{
	struct cmd_case c;

	case_open(&c);
	case_put(&c, "lhp.yaml", "name: hostile\n");
	case_put(&c, "pipelines/p.yaml", GOOD);
	case_put(&c, path, text);
	assert_int_equal(case_run(&c, line), 1);
	if (strstr(c.err, code) == NULL)
		fail_msg("%s: no %s in\n%s", path, code, c.err);
	case_close(&c);
}

static void nesting_and_aliases_are_bounded(void **state)
{
	struct arena a = { 0 };

	(void)state;
	assert_refused("pipelines/q.yaml", alias_bomb(&a), "validate", "LHP-CFG-009");
	assert_refused("lhp.yaml", alias_bomb(&a), "validate", "LHP-CFG-009");
	assert_refused("pipelines/q.yaml", nested(&a, "x: ", "[", 10000, "", "]"), "validate", "LHP-CFG-009");
	assert_refused("pipelines/q.yaml", nested(&a, "x: ", "{a: ", 10000, "1", "}"), "validate", "LHP-CFG-009");
	assert_refused("pipelines/q.yaml", nested(&a, "", "- ", 10000, "1", ""), "validate", "LHP-CFG-009");
	assert_refused("substitutions/dev.yaml", nested(&a, "dev: ", "[", 10000, "", "]"), "substitutions", "LHP-CFG-009");
	arena_release(&a);
}

static const char template_of[] = "name: t\nactions:\n- {name: l, type: load, source: {type: sql, sql: \"";
static const char template_end[] = "\"}, target: v}\n";

static void expressions_are_bounded(void **state)
{
	static const char *const expr[] = { "{{ 'x' * 1000000000 }}", "{{ 9 ** 9 ** 9 }}", "{{ range(1000000000) | list }}",
		                            "{{ 'x' | center(1000000000) }}", "{{ '%999999999d' % 1 }}" };
	struct arena a = { 0 };
	struct cmd_case c;

	(void)state;
	case_open(&c);
	case_put(&c, "lhp.yaml", "name: hostile\n");
	case_put(&c, "pipelines/p.yaml", "pipeline: p\nflowgroup: f\nuse_template: t\n");
	for (size_t i = 0; i <= sizeof expr / sizeof *expr; i++) {
		const char *e = i < sizeof expr / sizeof *expr ? expr[i] : nested(&a, "{{ ", "(", 10000, "1 }}", "");

		case_put(&c, "templates/t.yaml", str_fmt(&a, "%s%.*s%s", template_of, (int)strcspn(e, "\n"), e, template_end).p);
		if (case_run(&c, "validate") != 1)
			fail_msg("%.40s: status %d", e, c.status);
		assert_non_null(strstr(c.err, "LHP-"));
	}
	case_close(&c);
	arena_release(&a);
}

static void tokens_that_double_each_other_are_bounded(void **state)
{
	struct buf b = { 0 };
	struct cmd_case c;

	(void)state;
	buf_adds(&b, "dev:\n  a0: xxxxxxxxxxxxxxxx\n");
	for (int i = 1; i < 40; i++)
		buf_addf(&b, "  a%d: '${a%d}${a%d}${a%d}'\n", i, i - 1, i - 1, i - 1);
	buf_addc(&b, '\0');
	case_open(&c);
	case_put(&c, "lhp.yaml", "name: hostile\n");
	case_put(&c, "substitutions/dev.yaml", b.p);
	case_put(&c, "pipelines/p.yaml", HEAD "- {name: l, type: load, source: {type: cloudfiles, path: '${a39}', format: json}, target: v}\n"
	                                 "- " WRITE "\n");
	assert_int_equal(case_run(&c, "validate"), 1);
	assert_non_null(strstr(c.err, "LHP-CFG-010"));
	assert_int_equal(case_run(&c, "substitutions"), 0);
	assert_true(c.n_out < 64u << 20);
	case_close(&c);
	buf_release(&b);
}

/* Larger than what any buffer grows by, and read without a copy for each line. */
static void a_scalar_of_100_mb_is_read_like_any_other(void **state)
{
	struct buf b = { 0 };
	struct cmd_case c;

	(void)state;
	buf_adds(&b, GOOD "x: \"");
	buf_add_repeat(&b, 'a', 100u << 20);
	buf_adds(&b, "\"\n");
	buf_addc(&b, '\0');
	case_open(&c);
	case_put(&c, "lhp.yaml", "name: hostile\n");
	case_put(&c, "pipelines/p.yaml", b.p);
	buf_release(&b);
	assert_int_equal(case_run(&c, "validate"), 0);
	case_close(&c);
}

/* { file, its bytes, the command, the code }: bytes that are no text, in every kind of file. */
static void bytes_that_are_no_text_are_told(void **state)
{
	static const char sql[] = SQL_OF("q.sql");
	static const char python[] = HEAD
	    "- {name: l, type: load, source: {type: python, module_path: m.py, function_name: f}, target: v}\n- " WRITE "\n";
	static const char tags[] = HEAD "- " LOAD "\n- {name: w, type: write, source: v, write_target: {type: streaming_table, "
	                                "catalog: c, schema: s, table: t, tags_file: t.yaml}}\n";
	static const char schema[] = HEAD "- " LOAD "\n- {name: w, type: write, source: v, write_target: {type: streaming_table, "
	                                  "catalog: c, schema: s, table: t, table_schema: t.yaml}}\n";
	static const char preset[] = "pipeline: p\nflowgroup: f\npresets: [a]\nactions:\n- " LOAD "\n- " WRITE "\n";
	static const char generate[] = "generate -e dev --no-format";
	static const struct {
		const char *flowgroup, *path, *line, *latin, *nul;
	} row[] = {
		{ GOOD, "pipelines/q.yaml", "validate", "LHP-IO-002", "LHP-CFG-009" },
		{ GOOD, "lhp.yaml", "validate", "LHP-IO-002", "LHP-CFG-009" },
		{ GOOD, "substitutions/dev.yaml", "validate", "LHP-IO-002", "LHP-CFG-009" },
		{ GOOD, "blueprints/b.yaml", "validate", "LHP-IO-002", "LHP-CFG-009" },
		{ preset, "presets/a.yaml", "validate", "LHP-ACT-001", "LHP-ACT-001" },
		{ "pipeline: p\nflowgroup: f\nuse_template: a\n", "templates/a.yaml", "validate", "LHP-CFG-027", "LHP-CFG-027" },
		{ sql, "q.sql", "validate", "LHP-IO-004", NULL },
		{ python, "m.py", generate, "LHP-ACT-002", "LHP-IO-003" },
		{ tags, "t.yaml", "validate", "LHP-IO-002", "LHP-CFG-009" },
		{ schema, "t.yaml", generate, "LHP-IO-002", "LHP-CFG-009" },
		{ GOOD, "jobs.yaml", "dag --format job -jc jobs.yaml", "LHP-IO-002", "LHP-CFG-009" },
		{ GOOD, ".lhp/profile.yaml", "validate --sandbox", "LHP-CFG-064", "LHP-CFG-064" },
	};

	(void)state;
	for (size_t i = 0; i < 2 * sizeof row / sizeof *row; i++) {
		const char *code = i % 2 == 0 ? row[i / 2].latin : row[i / 2].nul;
		struct str bytes = i % 2 == 0 ? STR("# \xe9\n") : STR("# \0\n");
		struct cmd_case c;

		case_open(&c);
		case_put(&c, "lhp.yaml", "name: hostile\n");
		case_put(&c, "pipelines/p.yaml", row[i / 2].flowgroup);
		assert_int_equal(fs_mkdirs(&c.fs, path_parent(str_of(row[i / 2].path))), 0);
		assert_int_equal(fs_replace(&c.fs, str_of(row[i / 2].path), bytes), 0);
		if (case_run(&c, row[i / 2].line) != (code != NULL) || (code != NULL && strstr(c.err, code) == NULL))
			fail_msg("%s: status %d, no %s in\n%s", row[i / 2].path, c.status, code != NULL ? code : "success", c.err);
		case_close(&c);
	}
}

static void a_pipeline_cannot_lead_out_of_the_output_folder(void **state)
{
	static const char *const name[] = { "../../x", "/tmp/x", "a/../b", "..", "." };

	(void)state;
	for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
		struct cmd_case c;

		case_open(&c);
		case_put(&c, "lhp.yaml", "name: hostile\n");
		case_put(&c, "pipelines/p.yaml",
		         str_fmt(&c.arena, "pipeline: '%s'\nflowgroup: f\nactions:\n- " LOAD "\n- " WRITE "\n", name[i]).p);
		assert_int_equal(case_run(&c, "generate -e dev --no-format"), 1);
		assert_non_null(strstr(c.err, "LHP-VAL-008"));
		assert_false(fs_is_dir(&c.fs, STR("generated")));
		case_close(&c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(things_that_are_no_files_are_told_and_never_waited_for),
		cmocka_unit_test(links_to_folders_are_not_followed),
		cmocka_unit_test(nesting_and_aliases_are_bounded),
		cmocka_unit_test(expressions_are_bounded),
		cmocka_unit_test(tokens_that_double_each_other_are_bounded),
		cmocka_unit_test(a_scalar_of_100_mb_is_read_like_any_other),
		cmocka_unit_test(bytes_that_are_no_text_are_told),
		cmocka_unit_test(a_pipeline_cannot_lead_out_of_the_output_folder),
	};

	alarm(300); /* whoever waits for a fifo waits for ever */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
