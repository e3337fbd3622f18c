#include "graph/lineage.h"

#include <setjmp.h>
#include <cmocka.h>

/* Each source stands in line 7 of NAME.yaml. */
static void action(struct lineage *l, const char *pipeline, const char *flowgroup, const char *name, const char *table,
                   const char *source, bool at_run_time)
{
	struct lineage_action a = { .name = str_of(name), .table = str_of(table) };
	struct lineage_source s = { str_of(source), at_run_time, str_cstr(l->arena, str_cat(l->arena, str_of(pipeline), STR(".yaml"))), 7 };
	if (source != NULL)
		lineage_source_add(&a, l->arena, &s);
	lineage_add(l, lineage_flowgroup(l, str_of(pipeline), str_of(flowgroup)), &a);
}

static void edges_rise_from_actions_to_pipelines(void **state)
{
	(void)state;
	struct arena a = { 0 };
	struct lineage l;
	lineage_init(&l, &a);
	action(&l, "use", "f", "w", "c.s.out", "c.s.in", false);
	action(&l, "make", "f", "w", "c.s.in", "ext.s.t", false);
	lineage_link(&l);
	assert_int_equal(l.pipelines.out[1].n, 1);
	assert_int_equal(l.pipelines.out[1].p[0], 0);
	assert_true(map_find(&l.external, STR("ext.s.t")) != NULL);
	assert_int_equal(l.pipeline.p[0].external.n, 0);
	assert_int_equal(l.pipeline.p[1].external.n, 1);
	assert_int_equal(l.stages.n, 2);
	assert_int_equal(l.stages.stage[0], 1);
	arena_release(&a);
}

static void an_action_that_reads_its_own_table_at_run_time_is_no_cycle(void **state)
{
	(void)state;
	struct arena a = { 0 };
	struct lineage l;
	lineage_init(&l, &a);
	action(&l, "p", "f", "w", "c.s.t", "c.s.t", true);
	lineage_link(&l);
	assert_int_equal(l.cycle.n, 0);
	assert_int_equal(l.external.n, 0);
	lineage_init(&l, &a);
	action(&l, "p", "f", "w", "c.s.t", "c.s.t", false);
	lineage_link(&l);
	assert_int_equal(l.cycle.n, 1);
	assert_true(str_is(l.cycle.p[0].text, "action level: p.f.w -> p.f.w"));
	assert_int_equal(l.stages.n, 0);
	arena_release(&a);
}

static void a_cycle_is_told_on_every_level(void **state)
{
	(void)state;
	struct arena a = { 0 };
	struct lineage l;
	lineage_init(&l, &a);
	action(&l, "q", "f", "w", "c.s.q", "c.s.p", false);
	action(&l, "p", "f", "w", "c.s.p", "c.s.q", false);
	lineage_link(&l);
	assert_int_equal(l.cycle.n, 3);
	assert_true(str_is(l.cycle.p[0].text, "action level: q.f.w -> p.f.w -> q.f.w"));
	assert_true(str_is(l.cycle.p[1].text, "flowgroup level: q.f -> p.f -> q.f"));
	assert_true(str_is(l.cycle.p[2].text, "pipeline level: q -> p -> q"));
	arena_release(&a);
}

static void a_cycle_knows_where_each_of_its_edges_is_read(void **state)
{
	(void)state;
	struct arena a = { 0 };
	struct lineage l;
	lineage_init(&l, &a);
	action(&l, "q", "f", "w", "c.s.q", "c.s.p", false);
	action(&l, "p", "f", "w", "c.s.p", "C.S.q", false);
	action(&l, "p", "f", "more", "c.s.p", "c.s.x", false);
	lineage_link(&l);
	for (size_t i = 0; i < 3; i++) {
		const struct lineage_step *step = l.cycle.p[i].step.p;
		assert_int_equal(l.cycle.p[i].step.n, 2);
		assert_string_equal(step[0].source->file, "p.yaml");
		assert_int_equal(step[0].source->line, 7);
		assert_true(str_is(step[0].source->text, "C.S.q"));
		assert_true(str_is(lineage_id(&l, step[0].maker), "q.f.w"));
		assert_true(str_is(lineage_id(&l, step[0].reader), "p.f.w"));
		assert_string_equal(step[1].source->file, "q.yaml");
	}
	arena_release(&a);
}

static void actions_of_one_name_are_one_node(void **state)
{
	(void)state;
	struct arena a = { 0 };
	struct lineage l;
	lineage_init(&l, &a);
	action(&l, "p", "f", "w", "c.s.t", "ext.s.a", false);
	action(&l, "p", "f", "w", "c.s.u", "ext.s.b", false);
	action(&l, "p", "g", "w", "c.s.v", "c.s.t", false);
	lineage_link(&l);
	assert_int_equal(l.action.n, 2);
	assert_int_equal(l.action.p[0].source.n, 2);
	assert_int_equal(l.actions.out[0].n, 1);
	/* Counts are of what was found, not of nodes. */
	assert_int_equal(l.pipeline.p[0].flowgroups, 3);
	assert_int_equal(l.pipeline.p[0].actions, 3);
	assert_int_equal(l.flowgroup.p[0].actions, 1);
	arena_release(&a);
}

static void a_cut_keeps_edges_among_its_own_flowgroups(void **state)
{
	(void)state;
	struct arena a = { 0 };
	struct lineage l;
	struct digraph g;
	lineage_init(&l, &a);
	action(&l, "p", "one", "w", "c.s.one", NULL, false);
	action(&l, "p", "two", "w", "c.s.two", NULL, false);
	action(&l, "q", "reader", "w", "c.s.out", "c.s.one", false);
	lineage_link(&l);
	lineage_pipelines_of(&l, (const bool[]){ true, false, true }, &g);
	assert_int_equal(g.out[0].n, 1);
	lineage_pipelines_of(&l, (const bool[]){ false, true, true }, &g);
	assert_int_equal(g.out[0].n, 0);
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(edges_rise_from_actions_to_pipelines),
		cmocka_unit_test(an_action_that_reads_its_own_table_at_run_time_is_no_cycle),
		cmocka_unit_test(a_cycle_is_told_on_every_level),
		cmocka_unit_test(a_cycle_knows_where_each_of_its_edges_is_read),
		cmocka_unit_test(actions_of_one_name_are_one_node),
		cmocka_unit_test(a_cut_keeps_edges_among_its_own_flowgroups),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
