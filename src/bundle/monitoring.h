/*
 * monitoring.h - the event log monitoring of a project: a pipeline, a notebook, a job (spec/bundle.md, section 5).
 */
#ifndef LHP_BUNDLE_MONITORING_H
#define LHP_BUNDLE_MONITORING_H

#include "bundle/bundle.h"
#include "project/discover.h"

struct monitoring {
	bool on;                   /* and at least one pipeline is watched */
	struct str pipeline;       /* its name; also when nothing is watched */
	struct str *member;        /* watched pipelines, sorted */
	size_t n;
	bool has_pipeline;         /* there is something to generate */
	bool job_stats;
	const struct node *settings, *event_log;
};

/* The name of the monitoring pipeline, or empty when monitoring is off. */
struct str monitoring_pipeline(struct project *p, struct trace *t);

/* `pipeline`: all names, sorted; `b` for those that opted out (its config may be NULL). */
void monitoring_open(struct monitoring *m, struct bundle *b, const struct str *pipeline, size_t n);
/*
 * The flowgroup of its pipeline; out->node is NULL when there is none. Puts jobs_stats_loader.py behind the door when it is
 * needed. 0, or -1 with a finding: a file of SQL that is not there.
 */
int monitoring_source(const struct monitoring *m, struct bundle *b, struct flowgroup_source *out);
/* LHP-CFG-010 for tokens left in what the notebook holds. 0 or -1. */
int monitoring_check(const struct monitoring *m, struct bundle *b);

/* Text of monitoring/ENV/union_event_logs.py. */
struct str monitoring_notebook(const struct monitoring *m, struct bundle *b);
/* Text of resources/PIPELINE.job.yml. 0, or -1 with a finding: LHP-IO-001, LHP-IO-002, LHP-CFG-008. */
int monitoring_job(const struct monitoring *m, struct bundle *b, struct str *text);
extern const char MONITORING_JOB_HEAD[]; /* what the first line of such a file begins with */

#endif
