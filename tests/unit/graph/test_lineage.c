#include "graph/lineage.h"

#include <setjmp.h>
#include <cmocka.h>

static struct lineage_action *action(struct lineage *l, const char *pipeline, const char *flowgroup, const char *name,
                                     const char *table, const char *source, bool at_run_time)
{
	struct lineage_action *a = lineage_add(l, lineage_flowgroup(l, str_of(pipeline), str_of(flowgroup)), str_of(name));
	a->table = str_of(table);
	if (source != NULL)
		*VEC_PUSH(&a->source, l->arena) = (struct lineage_source){ str_of(source), at_run_time };
	return a;
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
	assert_int_equal(l.flowgroup.p[0].external.n, 0);
	assert_int_equal(l.flowgroup.p[1].external.n, 1);
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
		cmocka_unit_test(a_cut_keeps_edges_among_its_own_flowgroups),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
