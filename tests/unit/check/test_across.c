#include "unit/check/build.h"

#define N(array) (sizeof(array) / sizeof *(array))

/* Flowgroups, one a line; the rules found, in order. */
struct across {
	const char *flowgroups, *rules;
};

/* ST(pipeline, flowgroup, table, more of the target): a load and a write of it. */
#define FG(p, f, source, write)                                                                                        \
	"{pipeline: " p ", flowgroup: " f ", actions: [{name: l, type: load, source: " source ", target: v},"          \
	" {name: w, type: write, source: v, write_target: {catalog: c, schema: s, " write "}}]}\n"
#define BATCH "{type: delta, catalog: a, schema: b, table: src}"
#define ST(p, f, t, more) FG(p, f, BATCH, "type: streaming_table, table: " t more)
#define CDC(f, more) ST("p", f, "t", ", mode: cdc, cdc_config: {keys: [k]}" more)
#define RW ", mode: replace_where, replace_where_config: {replace_where: x}"
#define USER ", create_table: false"

static const struct across pipeline_row[] = {
	{ ST("p", "f", "t", "") ST("p", "g", "t", USER), "" },
	{ ST("p", "f", "t", "") ST("p", "g", "t", ""), "table.creators.several" },
	{ ST("p", "f", "t", "") ST("q", "g", "t", ""), "" },
	{ ST("p", "f", "t", "") ST("p", "g", "T", ""), "" },
	{ ST("p", "f", "t", "") ST("p", "g", "t", ", create_table: null"), "" },
	{ ST("p", "f", "t", "") ST("p", "g", "t", ", create_table: 0"), "" },
	{ ST("p", "f", "t", "") ST("p", "g", "t", ", create_table: 'false'"), "table.creators.several" },
	{ ST("p", "f", "t", USER), "table.creators.none" },
	{ ST("p", "f", "t", USER) ST("p", "g", "u", USER), "table.creators.none" },
	{ ST("p", "f", "t", USER) ST("q", "g", "t", ""), "table.creators.none" },
	{ ST("p", "f", "t", USER) ST("p", "g", "z", "") ST("p", "h", "z", ""), "table.creators.several" },
	{ FG("p", "f", BATCH, "type: materialized_view, create_table: false, table: t") ST("p", "g", "t", ""), "table.creators.several" },
	/* cdc */
	{ CDC("f", "") CDC("g", USER), "" },
	{ CDC("f", "") ST("p", "g", "t", USER), "table.fan-in" },
	{ CDC("f", "") ST("p", "g", "t", USER ", mode: cdc, cdc_config: {keys: [j]}"), "table.cdc.disagree" },
	{ CDC("f", "") ST("p", "g", "t", USER ", mode: cdc, cdc_config: {keys: [k], scd_type: 1, stored_as_scd_type: 1}"), "" },
	{ CDC("f", "") ST("p", "g", "t", USER ", mode: cdc, cdc_config: {keys: [k], scd_type: 2}"), "table.cdc.disagree" },
	{ CDC("f", "") ST("p", "g", "t", USER ", mode: cdc, cdc_config: {keys: [k], column_list: [a], ignore_null_updates: true}"), "" },
	{ CDC("f", "") CDC("g", USER ", temporary: false"), "" },
	{ CDC("f", "") CDC("g", USER ", temporary: true"), "table.cdc.disagree" },
	{ CDC("f", "") CDC("g", USER ", comment: x"), "table.cdc.disagree" },
	{ CDC("f", "") CDC("g", USER ", tags: {a: b}, private: true, description: x"), "" },
	{ CDC("f", ", spark_conf: {a: 1, b: 2}") CDC("g", USER ", spark_conf: {b: 2, a: 1}"), "" },
	{ CDC("f", "") CDC("g", USER ", path: x") ST("p", "h", "u", USER), "table.cdc.disagree" },
	{ CDC("f", "") ST("p", "g", "t", USER) ST("p", "h", "u", USER), "table.creators.none table.fan-in" },
	/* replace, replace_where */
	{ ST("p", "f", "t", ", mode: replace") ST("p", "g", "t", USER), "table.fan-in" },
	{ ST("p", "f", "t", ", mode: replace" USER) ST("p", "g", "t", ", mode: replace"), "table.creators.several" },
	{ ST("p", "f", "t", RW) ST("p", "g", "t", USER), "table.fan-in" },
	{ ST("p", "f", "t", RW) ST("p", "g", "t", ""), "table.creators.several" },
	{ ST("p", "f", "t", RW) ST("p", "g", "t2", RW), "" },
};

#define LOAD(p, f, mode, more)                                                                                          \
	"{pipeline: " p ", flowgroup: " f ", actions: [{name: l, type: load, readMode: " mode                           \
	", source: {type: delta, catalog: c, schema: s, table: t" more "}, target: v}]}\n"
#define WRITER ST("w", "w", "t", RW)
#define READ "table.replace-where.streaming-read"
#define DIRECT(p, read_mode, write)                                                                                            \
	"{pipeline: " p ", flowgroup: g, actions: [{name: w, type: write, " read_mode "source: c.s.t, write_target: {" write "}}]}\n"

static const struct across reader_row[] = {
	{ WRITER LOAD("p", "f", "stream", ""), READ },
	{ WRITER LOAD("p", "f", "batch", ""), "" },
	{ WRITER LOAD("p", "f", "stream", ", options: {readChangeFeed: 'true'}"), "" },
	{ WRITER LOAD("p", "f", "stream", ", options: {readChangeFeed: 'TRUE'}"), "" },
	{ WRITER LOAD("p", "f", "stream", ", options: {readChangeFeed: true}"), "" },
	{ WRITER LOAD("p", "f", "stream", ", options: {readChangeFeed: 'false'}"), READ },
	{ WRITER LOAD("p", "f", "stream", ", options: {skipChangeCommits: 'true'}"), READ },
	{ ST("w", "w", "T", RW) LOAD("p", "f", "stream", ""), READ },
	{ ST("w", "w", "other", RW) LOAD("p", "f", "stream", ""), "" },
	{ WRITER LOAD("p", "f", "stream", "") LOAD("q", "g", "stream", ""), READ " " READ },
	{ ST("w", "w", "t", "") LOAD("p", "f", "stream", ""), "" },
	{ WRITER FG("p", "g", "{type: sql, sql: 'SELECT * FROM stream(c.s.t)'}", "type: streaming_table, table: z"), READ },
	{ WRITER FG("p", "g", "{type: sql, sql: 'SELECT * FROM c.s.t'}", "type: streaming_table, table: z"), "" },
	{ WRITER DIRECT("p", "", "type: streaming_table, catalog: c, schema: s, table: z"), READ },
	{ WRITER DIRECT("p", "readMode: batch, ", "type: streaming_table, catalog: c, schema: s, table: z"), "" },
	{ WRITER DIRECT("p", "", "type: streaming_table, catalog: c, schema: s, table: z, mode: cdc"), READ },
	{ WRITER DIRECT("p", "", "type: streaming_table, catalog: c, schema: s, table: z, mode: replace_where"), "" },
	{ WRITER DIRECT("p", "", "type: materialized_view, catalog: c, schema: s, table: z"), "" },
	{ WRITER DIRECT("p", "", "type: sink, sink_type: delta, sink_name: z"), READ },
};

#define VIEW_FG(p, f, action) "{pipeline: " p ", flowgroup: " f ", actions: [" action "]}\n"
#define RW_OF(view) "{name: w, type: write, source: " view ", write_target: {type: streaming_table, catalog: c, schema: s, table: t" RW "}}"
#define CHAIN "write.replace-where.streaming-view"

static const struct across chain_row[] = {
	{ VIEW_FG("p", "f", RW_OF("v")) VIEW_FG("p", "g", "{name: l, type: load, source: {type: kafka}, target: v}"), CHAIN },
	{ VIEW_FG("p", "f", RW_OF("v")) VIEW_FG("q", "g", "{name: l, type: load, source: {type: kafka}, target: v}"), "" },
	{ VIEW_FG("p", "f", RW_OF("v")) VIEW_FG("p", "g", "{name: l, type: load, source: " BATCH ", target: v}"), "" },
	{ VIEW_FG("p", "f", "{name: t, type: transform, transform_type: python, source: u, target: v}, " RW_OF("v"))
	      VIEW_FG("p", "g", "{name: l, type: load, source: {type: cloudfiles}, target: u}"), CHAIN },
	{ VIEW_FG("p", "f", "{name: t, type: transform, transform_type: sql, sql: s, source: v, target: u}, " RW_OF("u"))
	      VIEW_FG("p", "g", "{name: t, type: transform, transform_type: sql, sql: s, source: u, target: v}"), "" },
};

static const char *across_rules(struct rig *r, const char *flowgroups)
{
	struct facts facts[8];
	struct str rest = str_of(flowgroups), line;
	size_t n = 0;

	while (str_cut(&rest, '\n', &line)) {
		if (line.n == 0)
			continue;
		facts_take(&r->unit, rig_flowgroup(r, str_cstr(&r->arena, line)), &facts[n]);
		facts[n++].selected = true;
	}
	facts_check(facts, n, &r->diags);
	return rig_rules(r, &r->diags);
}

static void rows_check(const struct across *row, size_t n)
{
	struct rig r;
	size_t wrong = 0;

	for (size_t i = 0; i < n; i++) {
		const char *found;

		rig_init(&r, "{}");
		found = across_rules(&r, row[i].flowgroups);
		if (strcmp(found, row[i].rules) != 0 && ++wrong)
			print_error("%s  expected: %s\n  found:    %s\n", row[i].flowgroups, row[i].rules, found);
		rig_finish(&r);
	}
	assert_int_equal(wrong, 0);
}

static void writers_of_one_table_must_fit_together(void **state)
{
	(void)state;
	rows_check(pipeline_row, N(pipeline_row));
}

static void a_replaced_table_is_not_read_as_a_stream(void **state)
{
	(void)state;
	rows_check(reader_row, N(reader_row));
}

static void the_chain_before_replace_where_is_followed_across_flowgroups(void **state)
{
	(void)state;
	rows_check(chain_row, N(chain_row));
}

static void the_first_table_by_name_is_named_when_several_have_several_creators(void **state)
{
	struct rig r;

	(void)state;
	rig_init(&r, "{}");
	across_rules(&r, ST("p", "f", "z", "") ST("p", "g", "z", "") ST("p", "h", "b", "") ST("p", "i", "b", ""));
	assert_int_equal(r.diags.n, 1);
	assert_true(str_is(r.diags.p[0].detail, "c.s.b is created by 2 actions: p.h.w, p.i.w."));
	assert_true(str_is(r.diags.p[0].pipeline, "p"));
	assert_int_equal(r.diags.p[0].flowgroup.n, 0);
	rig_finish(&r);
}

static void the_first_difference_of_cdc_writers_is_told_with_both_values(void **state)
{
	struct rig r;

	(void)state;
	rig_init(&r, "{}");
	across_rules(&r, CDC("f", "") CDC("g", USER ", row_filter: x, comment: 'a=b\\n'"));
	assert_true(str_is(r.diags.p[0].detail, "All CDC flows into c.s.t share 'comment', but it is None in p.f.w and "
	                                        "'a=b\\\\n' in p.g.w."));
	rig_finish(&r);
}

static void a_refused_reader_is_named_with_its_writer(void **state)
{
	struct rig r;
	const struct diag *d = NULL;

	(void)state;
	rig_init(&r, "{}");
	across_rules(&r, WRITER LOAD("p", "f", "stream", ""));
	d = &r.diags.p[0];
	assert_string_equal(d->rule->code, "LHP-VAL-072");
	assert_true(str_is(diag_title_of(d), "Streaming read of a REPLACE WHERE table"));
	assert_true(str_has(d->detail, STR("p.f.l reads c.s.t as a stream, but w.w.w replaces")));
	assert_true(str_is(d->pipeline, "p"));
	rig_finish(&r);
}

#define QUARANTINE(f, dlq, table)                                                                                           \
	"{pipeline: p, flowgroup: " f ", actions: [{name: q, type: transform, transform_type: data_quality, source: v, "     \
	"target: u, mode: quarantine, quarantine: {dlq_table: " dlq ", source_table: " table "}}]}\n"

static void quarantines_may_share_one_table_but_not_both(void **state)
{
	static const struct across row[] = {
		{ QUARANTINE("f", "a.b.dlq", "a.b.x") QUARANTINE("g", "a.b.dlq", "a.b.y"), "" },
		{ QUARANTINE("f", "a.b.dlq", "a.b.x") QUARANTINE("g", "A.b.DLQ", "a.b.x"), "quarantine.shared" },
		{ QUARANTINE("f", "a.b.dlq", "a.b.x") QUARANTINE("g", "a.b.dlq", "a.b.X"), "" },
	};
	(void)state;
	rows_check(row, N(row));
}

static void only_selected_flowgroups_are_reported_on(void **state)
{
	struct rig r;
	struct facts facts[3];

	(void)state;
	rig_init(&r, "{}");
	facts_take(&r.unit, rig_flowgroup(&r, WRITER), &facts[0]);
	facts_take(&r.unit, rig_flowgroup(&r, LOAD("p", "f", "stream", "")), &facts[1]);
	facts_take(&r.unit, rig_flowgroup(&r, ST("w", "w2", "t", "")), &facts[2]);
	facts_check(facts, 3, &r.diags);
	assert_int_equal(r.diags.n, 0);
	facts[1].selected = true;
	facts_check(facts, 3, &r.diags);
	assert_string_equal(rig_rules(&r, &r.diags), READ);
	rig_finish(&r);
}

static void metadata_that_changes_with_each_run_is_a_warning(void **state)
{
	struct rig r;
	struct flowgroup *fg;
	struct meta_column now = { .name = STR("_at"), .expression = STR("F.current_timestamp()") };
	struct facts f;

	(void)state;
	rig_init(&r, "{}");
	fg = rig_flowgroup(&r, WRITER);
	fg->action[0].meta = &now;
	fg->action[0].n_meta = 1;
	facts_take(&r.unit, fg, &f);
	f.selected = true;
	facts_check(&f, 1, &r.diags);
	assert_string_equal(rig_rules(&r, &r.diags), "write.replace-where.unstable-metadata");
	assert_int_equal(r.diags.p[0].rule->severity, SEV_WARNING);
	rig_finish(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writers_of_one_table_must_fit_together),
		cmocka_unit_test(a_replaced_table_is_not_read_as_a_stream),
		cmocka_unit_test(the_chain_before_replace_where_is_followed_across_flowgroups),
		cmocka_unit_test(the_first_table_by_name_is_named_when_several_have_several_creators),
		cmocka_unit_test(the_first_difference_of_cdc_writers_is_told_with_both_values),
		cmocka_unit_test(a_refused_reader_is_named_with_its_writer),
		cmocka_unit_test(quarantines_may_share_one_table_but_not_both),
		cmocka_unit_test(only_selected_flowgroups_are_reported_on),
		cmocka_unit_test(metadata_that_changes_with_each_run_is_a_warning),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
