/*
 * dag.h - `lhp dag`: who reads whom, across flowgroups and pipelines.
 *
 * Spec: dag.md. cmd_dag resolves every flowgroup of the project without an
 * environment, hands their tables and reads to graph/, prints the analysis on
 * io->err and the written files on io->out, and returns the exit status (0, 1, 2
 * or 3). Options are taken as the user gave them: it checks them itself, before
 * anything is read.
 */
#ifndef LHP_CMD_DAG_H
#define LHP_CMD_DAG_H

#include "cmd/cli.h"

struct dag_options {
	struct str format;      /* --format: comma list as given; p == NULL when absent, which is "all" */
	struct str output;      /* -o, or empty; relative to io->cwd */
	struct str job_name;    /* -j, or empty */
	struct str job_config;  /* -jc, or empty; relative to the project root */
	struct str pipeline;    /* -p, or empty */
	struct str blueprint;   /* --blueprint, or STR_NONE */
	struct str env;         /* --env: load this environment's substitutions; empty: none (spec: dag, 12.1) */
	bool bundle_output;     /* -b */
	bool trust_depends_on;
	bool no_cache;
	bool expand_blueprints; /* hidden; says so and does nothing */
	bool deprecated_alias;  /* called as `lhp deps` */
	bool has_max_workers;
	long max_workers;       /* below 1 is a usage error */
};

int cmd_dag(struct io *io, const struct dag_options *o);

#endif
