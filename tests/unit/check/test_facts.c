#include "unit/check/build.h"

#define N(array) (sizeof(array) / sizeof *(array))

/* --- taking --- */

static const char everything[] =
    "{pipeline: p, flowgroup: f, job_name: j, actions: ["
    "{name: l, type: load, readMode: stream, source: {type: delta, catalog: A, schema: b, table: c,"
    " options: {readChangeFeed: 'True'}}, target: v},"
    "{name: q, type: transform, transform_type: data_quality, source: v, target: u, mode: quarantine,"
    " quarantine: {dlq_table: x.y.Z, source_table: x.y.s}},"
    "{name: w, type: write, source: [u, m.n.o], write_target: {type: streaming_table, catalog: c, schema: s, table: t, mode: cdc,"
    " create_table: false, cdc_config: {keys: [k]}, table_properties: {b: 1, a: 2}}},"
    "{name: r, type: write, source: u, write_target: {type: streaming_table, catalog: c, schema: s, table: r, mode: replace_where}},"
    "{name: m, type: write, write_target: {type: materialized_view, catalog: c, schema: s, table: m, sql: SELECT * FROM STREAM g.h.i}},"
    "{name: x, type: test, test_type: custom_sql, sql: s, test_id: T1}]}";

static void facts_hold_what_rules_across_flowgroups_ask_for(void **state)
{
	struct rig r;
	struct facts f;

	(void)state;
	rig_init(&r, "{}");
	facts_take(&r.unit, rig_flowgroup(&r, everything), &f);
	assert_int_equal(f.n_write, 3);
	assert_true(str_is(f.write[0].table, "c.s.t"));
	assert_true(str_is(f.write[0].mode, "cdc"));
	assert_false(f.write[0].creates);
	assert_true(str_has(f.write[0].fan_in, STR("keys=['k']\nsequence_by=None\nstored_as_scd_type=1\n")));
	assert_true(str_has(f.write[0].fan_in, STR("table_properties={'a': 2, 'b': 1}\n")));
	assert_true(f.write[1].creates);
	assert_true(str_is(f.write[2].mode, ""));
	assert_int_equal(f.n_read, 3);
	assert_true(str_is(f.read[0].table, "A.b.c"));
	assert_true(f.read[0].change_feed);
	assert_true(str_is(f.read[1].table, "m.n.o"));
	assert_true(str_is(f.read[2].table, "g.h.i"));
	assert_int_equal(f.n_view, 2);
	assert_true(f.view[0].streaming);
	assert_false(f.view[1].streaming);
	assert_true(str_is(f.view[1].source[0], "v"));
	assert_int_equal(f.n_quarantine, 1);
	assert_int_equal(f.n_test, 1);
	assert_true(str_is(f.test[0].table, "tmp_test_x"));
	assert_int_equal(f.n_replace_where, 1);
	assert_true(str_is(f.replace_where[0].view, "u"));
	rig_finish(&r);
}

static void calls_that_give_another_value_at_each_run_are_unstable(void **state)
{
	static const struct {
		const char *expression;
		bool unstable;
	} row[] = {
		{ "F.current_timestamp()", true },   { "F.expr('UUID ()')", true },   { "F.lit(1)", false },
		{ "F.unix_timestamp()", true },      { "F.unix_timestamp( )", true }, { "F.unix_timestamp('d')", false },
		{ "F.col('rand')", false },          { "F.operand(1)", false },       { "F.rand(7)", true },
		{ "F.my_current_date()", false },
	};
	struct rig r;

	(void)state;
	for (size_t i = 0; i < N(row); i++) {
		struct flowgroup *fg;
		struct meta_column column = { .expression = str_of(row[i].expression) };
		struct facts f;

		rig_init(&r, "{}");
		fg = rig_flowgroup(&r, "{pipeline: p, flowgroup: f, actions: [{name: l, type: load, source: {type: python}, target: v}]}");
		fg->action[0].meta = &column;
		fg->action[0].n_meta = 1;
		facts_take(&r.unit, fg, &f);
		if (f.view[0].unstable_metadata != row[i].unstable)
			fail_msg("%s", row[i].expression);
		rig_finish(&r);
	}
}

static void a_write_reads_its_first_source(void **state)
{
	static const struct {
		const char *source, *view;
	} row[] = {
		{ "v", "v" }, { "[a, b]", "a" }, { "[{view: x}]", "x" }, { "[{table: t, view: x}]", "t" },
		{ "[{catalog: a, schema: b, table: c}]", "a.b.c" }, { "[{name: n}]", "n" }, { "[]", "" }, { "null", "" },
	};
	struct rig r;

	(void)state;
	for (size_t i = 0; i < N(row); i++) {
		struct action a = { .type = ACTION_WRITE };

		rig_init(&r, "{}");
		a.source = rig_yaml(&r, row[i].source);
		assert_true(str_is(write_source_view(&r.arena, &a), row[i].view));
		rig_finish(&r);
	}
}

/* --- bytes --- */

static bool mark_eq(struct mark a, struct mark b)
{
	return str_eq(str_of(a.file), str_of(b.file)) && a.line == b.line && a.col == b.col;
}

static void facts_come_back_from_their_bytes(void **state)
{
	struct rig r;
	struct facts f, g;
	struct str bytes;

	(void)state;
	rig_init(&r, "{}");
	facts_take(&r.unit, rig_flowgroup(&r, everything), &f);
	f.write[1].at.file = "templates/t.yaml";
	f.read[1].at.file = NULL;
	bytes = facts_pack(&r.arena, &f);
	assert_int_equal(facts_unpack(&r.arena, bytes, &g), 0);
	assert_true(str_eq(bytes, facts_pack(&r.arena, &g)));
	assert_true(str_is(g.job_name, "j"));
	assert_string_equal(g.file, "pipelines/x.yaml");
	assert_int_equal(g.n_write, 3);
	for (size_t i = 0; i < g.n_write; i++) {
		assert_true(str_eq(f.write[i].fan_in, g.write[i].fan_in));
		assert_true(mark_eq(f.write[i].at, g.write[i].at));
	}
	assert_null(g.read[1].at.file);
	assert_true(g.read[0].change_feed && g.read[0].streaming);
	rig_finish(&r);
}

static void damaged_bytes_are_refused(void **state)
{
	struct rig r;
	struct facts f, g;
	struct str bytes;

	(void)state;
	rig_init(&r, "{}");
	facts_take(&r.unit, rig_flowgroup(&r, everything), &f);
	bytes = facts_pack(&r.arena, &f);
	for (size_t n = 0; n < bytes.n; n++)
		assert_int_equal(facts_unpack(&r.arena, str_sub(bytes, 0, n), &g), -1);
	assert_int_equal(facts_unpack(&r.arena, str_cat(&r.arena, bytes, STR("x")), &g), -1);
	assert_int_equal(facts_unpack(&r.arena, STR("\0\0\0\0\xff\xff\xff\xff\x0f"), &g), -1);
	rig_finish(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(facts_hold_what_rules_across_flowgroups_ask_for),
		cmocka_unit_test(calls_that_give_another_value_at_each_run_are_unstable),
		cmocka_unit_test(a_write_reads_its_first_source),
		cmocka_unit_test(facts_come_back_from_their_bytes),
		cmocka_unit_test(damaged_bytes_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
