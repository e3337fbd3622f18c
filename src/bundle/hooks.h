/*
 * hooks.h - event hooks beside a pipeline's modules: test reporting and Unity Catalog tags (spec/bundle.md, sections 6 and 7).
 *
 * A hook is constants that say what this pipeline is about, and a fixed text of our own (src/emit/runtime).
 */
#ifndef LHP_BUNDLE_HOOKS_H
#define LHP_BUNDLE_HOOKS_H

#include "check/facts.h"
#include "emit/emit.h"
#include "project/project.h"

/* LHP-CFG-032 when the files that lhp.yaml's test_reporting names are not there. 0 or -1. */
int test_reporting_check(struct unit *u);
/*
 * After the flowgroups were read, with tests included: LHP-CFG-032 when no test has a test_id. 0 or -1.
 */
int test_reporting_used(struct unit *u, const struct facts *const *facts, size_t n);
/* LHP-CFG-009 for two tests of one pipeline with one table, added to `ds`. */
void test_reporting_clashes(struct unit *u, const struct facts *const *facts, size_t n, struct diags *ds);
/* The hook, the provider's module and its package, when the pipeline has tests with a test_id. 0, or -1 with a finding. */
int test_reporting_files(struct unit *u, struct str pipeline, const struct facts *const *facts, size_t n, struct out_files *out);

/* The hook, when the pipeline's tables declare tags. Notes for the log go to `log`. */
void uc_tags_files(struct unit *u, struct str pipeline, const struct facts *const *facts, size_t n, struct out_files *out, struct buf *log);

#endif
