/* test_secrets.c - a marker stands wherever a secret may; nothing that is said or stored holds it. */
#include "cmd_case.h"

#define MARKER "HUNTERMARK"

static const char flowgroups[] =
    "pipeline: p\n"
    "flowgroups:\n"
    "- flowgroup: literal\n"
    "  actions:\n"
    "  - {name: l, type: load, source: {type: jdbc, url: u, user: u, password: " MARKER "1, driver: d, tabel: t}, target: v}\n"
    "  - {name: w, type: write, source: v, write_target: {type: streaming_table, catalog: c, schema: s, table: t}}\n"
    "- flowgroup: parameter\n"
    "  use_template: t\n"
    "  template_parameters: {password: '[" MARKER "2 x]'}\n"
    "- flowgroup: variable\n"
    "  variables: {db_password: '[" MARKER "3 x]'}\n"
    "  use_template: t\n"
    "  template_parameters: {password: '%{db_password}'}\n"
    "- flowgroup: token\n"
    "  use_template: t\n"
    "  template_parameters: {password: '${db_password}'}\n"
    "- flowgroup: option\n"
    "  actions:\n"
    "  - {name: l, type: load, target: v,"
    "     source: {type: kafka, bootstrap_servers: b, subscribe: t, options: {ssl.key.password: " MARKER "4}}}\n"
    "  - {name: w, type: write, source: v, write_target: {type: streaming_table, catalog: c, schema: s, table: t}}\n"
    "- flowgroup: block\n"
    "  actions:\n"
    "  - name: l\n"
    "    type: load\n"
    "    source:\n"
    "      type: jdbc\n"
    "      url: u\n"
    "      user: u\n"
    "      driver: d\n"
    "      query: select 1\n"
    "      password: [" MARKER "5]\n"
    "    target: v\n"
    "  - {name: w, type: write, source: v, write_target: {type: streaming_table, catalog: c, schema: s, table: cdc, mode: cdc,"
    "     cdc_config: {keys: [a], sequence_by: b}, spark_conf: {my.password: " MARKER "6}}}\n"
    "- flowgroup: fan_in\n"
    "  actions:\n"
    "  - {name: l, type: load, source: {type: sql, sql: select 1}, target: v}\n"
    "  - {name: x, type: write, source: v, write_target: {type: streaming_table, catalog: c, schema: s, table: cdc, mode: cdc,"
    "     create_table: false, cdc_config: {keys: [a], sequence_by: b}, spark_conf: {my.password: " MARKER "7}}}\n";

static const char good[] =
    "pipeline: p\n"
    "flowgroup: good\n"
    "actions:\n"
    "- {name: l, type: load, source: {type: jdbc, url: u, user: u, password: '${db_password}', driver: d, query: select 1}, target: v}\n"
    "- {name: w, type: write, source: v, write_target: {type: streaming_table, catalog: c, schema: s, table: '${plain}'}}\n";

static void project_put(struct cmd_case *c)
{
	case_put(c, "lhp.yaml", "name: secrets\n");
	case_put(c, "substitutions/dev.yaml",
	         "dev:\n  db_password: '[" MARKER "8 y]'\n  nested: 'a ${db_password}'\n  plain: old_table\n"
	         "  deep: {api_key: " MARKER "9}\n");
	case_put(c, "templates/t.yaml",
	         "name: t\n"
	         "parameters: [{name: password, required: true}]\n"
	         "actions:\n"
	         "- name: l\n"
	         "  type: load\n"
	         "  source: {type: jdbc, url: u, user: u, password: '{{ password }}', driver: d, tabel: t}\n"
	         "  target: v\n"
	         "- {name: w, type: write, source: v, write_target: {type: streaming_table, catalog: c, schema: s, table: t9}}\n");
}

static void assert_clean(struct cmd_case *c, const char *what, const char *bytes, size_t n)
{
	struct str text = { bytes, n };
	ptrdiff_t at = str_find(text, STR(MARKER), 0);

	if (at >= 0)
		fail_msg("%s: %.*s", what, 60, str_cstr(&c->arena, str_sub(text, at > 30 ? (size_t)at - 30 : 0, (size_t)at + 30)));
}

static void tree_clean(struct cmd_case *c, struct str dir)
{
	struct fs_listing l;

	assert_int_equal(fs_list(&c->fs, dir, &c->arena, &l), 0);
	for (size_t i = 0; i < l.n; i++) {
		struct str path = path_join(&c->arena, dir, l.entry[i].name), bytes;

		if (l.entry[i].type == FS_DIR) {
			tree_clean(c, path);
			continue;
		}
		assert_int_equal(fs_read(&c->fs, path, &c->arena, &bytes, NULL), 0);
		assert_clean(c, str_cstr(&c->arena, path), bytes.p, bytes.n);
	}
}

static void run_clean(struct cmd_case *c, const char *line, int status)
{
	assert_int_equal(case_run(c, line), status);
	assert_clean(c, line, c->out, c->n_out);
	assert_clean(c, line, c->err, c->n_err);
}

static void a_failing_run_tells_no_secret(void **state)
{
	static const char *const line[] = { "validate",
		                            "validate -s",
		                            "validate --message-format json",
		                            "validate --message-format sarif",
		                            "validate --message-format github",
		                            "validate --stats --trace .lhp/trace.json",
		                            "-v --log-file validate --no-cache",
		                            "generate -e dev --no-format -s",
		                            "generate -e dev --no-format --message-format json",
		                            "diff -s" };
	struct cmd_case *c = *state;

	project_put(c);
	case_put(c, "pipelines/p.yaml", flowgroups);
	for (int warm = 0; warm < 2; warm++)
		for (size_t i = 0; i < sizeof line / sizeof *line; i++)
			run_clean(c, line[i], 1);
	run_clean(c, "dag", 0);
	run_clean(c, "why p.literal", 0);
	tree_clean(c, STR(".lhp"));
}

static void why_tells_that_a_secret_changed_but_not_what_it_was(void **state)
{
	struct cmd_case *c = *state;

	project_put(c);
	case_put(c, "pipelines/p.yaml", good);
	run_clean(c, "generate -e dev --no-format --stats --trace .lhp/trace.json", 0);
	tree_clean(c, STR(".lhp"));
	case_put(c, "substitutions/dev.yaml", "dev:\n  db_password: other_" MARKER "\n  plain: new_table\n");
	run_clean(c, "why p.good", 0);
	assert_non_null(strstr(c->out, "db_password"));
	assert_non_null(strstr(c->out, "old_table -> new_table"));
	run_clean(c, "why p.good --format json", 0);
	assert_non_null(strstr(c->out, "new_table"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		case_test(a_failing_run_tells_no_secret, case_setup),
		case_test(why_tells_that_a_secret_changed_but_not_what_it_was, case_setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
