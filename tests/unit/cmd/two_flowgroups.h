/* two_flowgroups.h - a small project: orders_recent of silver_orders, read by orders_mirror of gold_orders. */
#ifndef TESTS_CMD_TWO_FLOWGROUPS_H
#define TESTS_CMD_TWO_FLOWGROUPS_H

#include "cmd_case.h"

static const char RECENT[] = "pipeline: silver_orders\n"
                             "flowgroup: orders_recent\n"
                             "actions:\n"
                             "  - name: load_it\n"
                             "    type: load\n"
                             "    source: {type: sql, sql_path: sql/recent.sql}\n"
                             "    target: v_recent\n"
                             "  - name: write_it\n"
                             "    type: write\n"
                             "    source: v_recent\n"
                             "    write_target: {type: streaming_table, catalog: '${catalog}', schema: '${schema_silver}', table: %s}\n";

/* The flowgroup with `before` in front of it, writing `table`. */
static inline void recent_put(struct cmd_case *c, const char *before, const char *table)
{
	case_put(c, "pipelines/recent.yaml", str_cat(&c->arena, str_of(before), str_fmt(&c->arena, RECENT, table)).p);
}

static inline void two_flowgroups_put(struct cmd_case *c)
{
	case_put(c, "lhp.yaml", "name: demo\nversion: '1.0'\n");
	case_put(c, "substitutions/dev.yaml", "dev:\n  catalog: dev_catalog\n  schema_silver: silver\n");
	case_put(c, "sql/recent.sql", "SELECT * FROM stream(bronze.orders)\n");
	recent_put(c, "", "orders_recent");
	case_put(c, "pipelines/mirror.yaml",
	         "pipeline: gold_orders\n"
	         "flowgroup: orders_mirror\n"
	         "actions:\n"
	         "  - name: load_it\n"
	         "    type: load\n"
	         "    readMode: stream\n"
	         "    source: {type: delta, catalog: '${catalog}', schema: '${schema_silver}', table: orders_recent}\n"
	         "    target: v_mirror\n"
	         "  - name: write_it\n"
	         "    type: write\n"
	         "    source: v_mirror\n"
	         "    write_target: {type: streaming_table, catalog: '${catalog}', schema: gold, table: orders_mirror}\n");
}

/* Cases with the project (case_test): as it is written, and generated. */
static inline int two_flowgroups(void **state)
{
	case_setup(state);
	two_flowgroups_put(*state);
	return 0;
}

static inline int two_flowgroups_made(void **state)
{
	two_flowgroups(state);
	return case_run(*state, "generate -e dev --no-format");
}

#endif
