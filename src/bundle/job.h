/*
 * job.h - settings of a Databricks job as text: orchestration jobs (spec/dag.md 9.4) and the monitoring job (spec/bundle.md 5).
 */
#ifndef LHP_BUNDLE_JOB_H
#define LHP_BUNDLE_JOB_H

#include "yaml/node.h"

/*
 * They differ in one thing: notifications without any occasion are a heading alone in the job of monitoring, and are left
 * out of orchestration jobs (spec/dag.md, peer defect 26).
 */
enum job_kind { JOB_OF_PIPELINES, JOB_OF_MONITORING };

/* Text of a scalar as YAML has it: booleans in lower case. */
struct str job_scalar(struct arena *a, const struct node *n);
/*
 * The lines below the tasks: known keys in their own form and order, all others passed through as YAML,
 * indented by 6. Nulls are left out.
 */
void job_settings_write(struct arena *a, struct buf *b, const struct node *config, enum job_kind kind);

#endif
