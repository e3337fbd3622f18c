/* sandbox_set.h - a set R for tests, from a list of tables. Include after cmocka.h. */
#ifndef LHP_TESTS_SANDBOX_SET_H
#define LHP_TESTS_SANDBOX_SET_H

#include "bundle/sandbox_rename.h"

/* NULL ends `table`. The pattern is that of namespace "kari". */
static inline struct renames set_of(struct arena *a, const char *const *table)
{
	struct renames r = { .arena = a, .pattern = STR("kari_{table}") };

	for (; *table != NULL; table++)
		renames_add(&r, str_of(*table));
	return r;
}

/* port_a and port_b both write raw.berths; out.sent is a sink without a catalog. */
static const char *const docks[] = {
	"port_a.raw.berths", "port_b.raw.berths", "port_a.raw.moorings", "Port_A.`Raw`.Berth Use", "out.sent", NULL,
};

#define assert_same(a, s, literal) assert_string_equal(str_cstr(a, s), literal)

#endif
