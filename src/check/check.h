/*
 * check.h - rules over one flowgroup, over the flowgroups of a pipeline, and across pipelines.
 *
 * Rules of one flowgroup are collected into one LHP-VAL-007 whose parts are the
 * findings (spec/errors.md, section 10). Rules across flowgroups work on facts,
 * never on YAML, so that a warm run has them from the store.
 */
#ifndef LHP_CHECK_CHECK_H
#define LHP_CHECK_CHECK_H

#include "check/facts.h"
#include "model/flowgroup.h"
#include "project/unit.h"

/* Steps 9 and 11 of spec/errors.md section 3. 0, or -1 with findings in u->diags. */
int flowgroup_check(struct unit *u, const struct flowgroup *fg);

/*
 * Rules across the flowgroups that passed (spec/errors.md section 11, write_test.md 3.5 and 8.3). `facts` are of the
 * whole project; findings get the pipeline they belong to. Only flowgroups with `selected` set are reported on.
 */
void facts_check(const struct facts *facts, size_t n, struct diags *ds);

#endif
