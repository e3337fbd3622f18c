/*
 * pipeline.h - inside check/: the flowgroups of one pipeline and what is written there.
 */
#ifndef LHP_CHECK_PIPELINE_H
#define LHP_CHECK_PIPELINE_H

#include "check/facts.h"
#include "check/streaming.h"

struct writer {
	const struct facts *fg;
	const struct table_write *write;
};

struct table {
	struct str name;
	VEC_OF(struct writer)
};

struct pipeline {
	struct str name;
	const struct facts **fg; /* in the project's order */
	size_t n;
	bool selected;           /* any flowgroup is */
	struct { VEC_OF(struct table) } tables; /* by first write */
};

/* The flowgroups of all pipelines, grouped, in order of first appearance. */
void pipelines_group(struct arena *a, const struct facts *facts, size_t n, struct pipeline **out, size_t *n_out);

/* "pipeline.flowgroup.action" */
struct str action_path(struct arena *a, const struct facts *fg, struct str action);
/* A finding of the pipeline. */
struct diag *pipeline_add(struct diags *ds, const struct pipeline *p, const struct rule *rule, struct mark at,
                          const char *fmt, ...) __attribute__((format(printf, 5, 6)));

void pipeline_tables_check(const struct pipeline *p, struct diags *ds);      /* creators, users, fan-in */
void pipeline_quarantines_check(const struct pipeline *p, struct diags *ds); /* LHP-VAL-069 */
void pipeline_chains_check(const struct pipeline *p, struct diags *ds);      /* write_test.md 8.2 and 8.4 */

#endif
