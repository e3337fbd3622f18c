/*
 * config.h - the pipeline_config file of -pc: settings of pipelines for their bundle resources (spec/bundle.md, section 3).
 *
 * Checked as it is read, document by document; the first fault ends it. A fault has two codes: its own, and, when
 * preflight of a bundle run finds it, the same number under CFG, as the peer prints it.
 */
#ifndef LHP_BUNDLE_CONFIG_H
#define LHP_BUNDLE_CONFIG_H

#include "project/project.h"

struct pipeline_config;

/* The name that stands for the monitoring pipeline, whatever its real one is. */
extern const char MONITORING_ALIAS[];

/*
 * Reads the file (root-relative or absolute). NULL with a finding. `monitoring`: real name of the monitoring
 * pipeline, or empty. `under_cfg`: codes as preflight shows them.
 */
struct pipeline_config *pipeline_config_read(struct project *p, struct trace *t, struct arena *a, struct str path,
                                             struct str monitoring, bool under_cfg, struct diags *ds);
/* Built-in defaults, project_defaults and the pipeline's own settings, merged. `c` may be NULL: defaults alone. */
const struct node *pipeline_settings(const struct pipeline_config *c, struct arena *a, struct str pipeline);

#endif
