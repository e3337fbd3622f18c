#include "graph/order.h"

#include <setjmp.h>
#include <stdio.h>
#include <cmocka.h>

/* "01 12": edges of one-digit nodes. */
static void graph_of(struct digraph *g, struct arena *a, size_t n, const char *edges)
{
	digraph_init(g, a, n);
	for (const char *e = edges; *e != '\0'; e += e[2] != '\0' ? 3 : 2)
		digraph_add(g, (uint32_t)(e[0] - '0'), (uint32_t)(e[1] - '0'));
}

static const struct {
	size_t n;
	const char *edges, *stages; /* nodes, '|' between stages; "cycle" */
} stage_cases[] = {
	{ 0, "", "" },
	{ 3, "", "012" },
	{ 3, "01 12", "0|1|2" },
	{ 3, "21 10", "2|1|0" },
	{ 4, "01 02 13 23", "0|12|3" },
	{ 4, "02 01 13 23", "0|21|3" },
	{ 4, "03 01 12 23", "0|1|2|3" },
	{ 5, "10 30 24", "123|40" },
	{ 2, "01 10", "cycle" },
	{ 3, "01 12 21", "cycle" },
	{ 1, "00", "cycle" },
};

static struct str stages_text(struct arena *a, const struct digraph *g)
{
	struct stages s;
	struct buf b = { 0 };
	if (!digraph_stages(g, &s))
		return STR("cycle");
	for (size_t i = 0; i < s.n; i++)
		for (size_t k = s.first[i]; k < s.first[i + 1]; k++) {
			assert_int_equal(s.stage[s.node[k]], i);
			buf_addf(&b, "%s%u", i > 0 && k == s.first[i] ? "|" : "", s.node[k]);
		}
	struct str text = buf_take(&b, a);
	buf_release(&b);
	return text;
}

static void a_node_comes_when_its_last_producer_is_done(void **state)
{
	(void)state;
	struct arena a = { 0 };
	for (size_t i = 0; i < sizeof stage_cases / sizeof *stage_cases; i++) {
		struct digraph g;
		graph_of(&g, &a, stage_cases[i].n, stage_cases[i].edges);
		struct str found = stages_text(&a, &g);
		if (!str_is(found, stage_cases[i].stages))
			printf("%s: expected %s, found %.*s\n", stage_cases[i].edges, stage_cases[i].stages, STR_ARG(found));
		assert_true(str_is(found, stage_cases[i].stages));
	}
	arena_release(&a);
}

static const struct {
	size_t n, limit;
	const char *edges, *cycles;
} cycle_cases[] = {
	{ 3, 20, "01 12", "" },
	{ 2, 20, "01 10", "01" },
	{ 2, 20, "10 01 11", "1 01" },
	{ 3, 20, "12 20 01", "012" },
	{ 3, 20, "01 10 12 21", "01 12" },
	{ 4, 20, "01 12 23 30 20 13", "012 0123 013" },
	{ 3, 20, "01 02 10 12 20 21", "01 012 02 021 12" },
	{ 3, 2, "01 02 10 12 20 21", "01 012" },
	{ 4, 20, "23 32 01 10", "01 23" },
	{ 5, 20, "01 10 34 43 13", "01 34" },
	{ 2, 1, "00 11", "0" },
};

static struct str cycles_text(struct arena *a, const struct digraph *g, size_t limit)
{
	struct cycles found;
	struct buf b = { 0 };
	digraph_cycles(g, limit, &found);
	for (size_t i = 0; i < found.n; i++) {
		buf_adds(&b, i > 0 ? " " : "");
		for (size_t k = 0; k < found.p[i].n; k++)
			buf_addf(&b, "%u", found.p[i].p[k]);
	}
	struct str text = buf_take(&b, a);
	buf_release(&b);
	return text;
}

static void elementary_cycles_come_in_a_fixed_order(void **state)
{
	(void)state;
	struct arena a = { 0 };
	size_t failed = 0;
	for (size_t i = 0; i < sizeof cycle_cases / sizeof *cycle_cases; i++) {
		struct digraph g;
		graph_of(&g, &a, cycle_cases[i].n, cycle_cases[i].edges);
		struct str found = cycles_text(&a, &g, cycle_cases[i].limit);
		if (str_is(found, cycle_cases[i].cycles))
			continue;
		printf("%s: expected %s, found %.*s\n", cycle_cases[i].edges, cycle_cases[i].cycles, STR_ARG(found));
		failed++;
	}
	arena_release(&a);
	assert_int_equal(failed, 0);
}

static void a_long_ring_and_a_dense_graph_stay_cheap(void **state)
{
	(void)state;
	struct arena a = { 0 };
	struct digraph ring, dense;
	struct cycles found;
	digraph_init(&ring, &a, 20000);
	for (uint32_t i = 0; i < 20000; i++)
		digraph_add(&ring, i, (i + 1) % 20000);
	digraph_cycles(&ring, 20, &found);
	assert_int_equal(found.n, 1);
	assert_int_equal(found.p[0].n, 20000);
	digraph_init(&dense, &a, 60);
	for (uint32_t i = 0; i < 60; i++)
		for (uint32_t k = 0; k < 60; k++)
			digraph_add(&dense, i, k);
	digraph_cycles(&dense, 100, &found);
	assert_int_equal(found.n, 100);
	arena_release(&a);
}

static void an_edge_is_kept_once(void **state)
{
	(void)state;
	struct arena a = { 0 };
	struct digraph g;
	digraph_init(&g, &a, 2);
	assert_true(digraph_add(&g, 0, 1));
	assert_false(digraph_add(&g, 0, 1));
	assert_int_equal(g.out[0].n, 1);
	arena_release(&a);
}

static void closure_holds_all_that_is_reachable(void **state)
{
	(void)state;
	struct arena a = { 0 };
	struct digraph g;
	bool mark[5];
	graph_of(&g, &a, 5, "01 12 32 24");
	digraph_closure(&g, 1, false, mark);
	assert_true(!mark[0] && !mark[1] && mark[2] && !mark[3] && mark[4]);
	digraph_closure(&g, 2, true, mark);
	assert_true(mark[0] && mark[1] && !mark[2] && mark[3] && !mark[4]);
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_node_comes_when_its_last_producer_is_done),
		cmocka_unit_test(elementary_cycles_come_in_a_fixed_order),
		cmocka_unit_test(a_long_ring_and_a_dense_graph_stay_cheap),
		cmocka_unit_test(an_edge_is_kept_once),
		cmocka_unit_test(closure_holds_all_that_is_reachable),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
