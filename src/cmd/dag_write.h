/*
 * dag_write.h - the formats of `lhp dag`: they read the analysis and change nothing in it.
 *
 * Private to cmd/dag*.c. Texts are appended to `b`, or live in the arena of the analysis.
 */
#ifndef LHP_CMD_DAG_WRITE_H
#define LHP_CMD_DAG_WRITE_H

#include "cmd/dag_analysis.h"

void dag_dot_pipelines(const struct dag *d, struct buf *b);
void dag_dot_flowgroups(const struct dag *d, struct buf *b);
void dag_json_write(const struct dag *d, struct buf *b);
void dag_text_write(const struct dag *d, struct buf *b);
void dag_html_write(const struct dag *d, struct buf *b);
/* Names of what a pipeline reads from, sorted. */
const struct str *dag_depends_on(const struct dag *d, const struct digraph *g, uint32_t pipeline, size_t *n);
bool dag_in_parallel(const struct dag *d, uint32_t pipeline);
size_t dag_affected_count(const struct dag *d);
struct str dag_suggestion(const struct dag_doubt *w);
void dag_show(const struct dag *d);

/* One file of the job format. */
struct dag_job {
	struct str name; /* of the job; file NAME.job.yml */
	struct str text;
	bool master;
};
struct dag_jobs {
	VEC_OF(struct dag_job)
};
/* 0, or -1 with d->fatal set. */
int dag_jobs_make(struct dag *d, struct dag_jobs *out);

/* --- dag_job_config.c --- */
struct job_config {
	const struct node *defaults; /* built-in ones with project_defaults over them */
	struct map job;              /* job name -> const struct node *: its own document */
	bool master;
	struct str master_name;      /* or empty */
};
int job_config_read(struct dag *d, struct job_config *out);
const struct node *job_config_of(struct dag *d, const struct job_config *c, struct str job);

#endif
