/*
 * project_run.h - validate, generate and diff: a run of build/run.h, and what is shown of it.
 *
 * Spec: errors.md, sections 4 to 6 and 8. The presentation of a result is a function of the
 * result alone (result_show), so that tests can give it one of their own.
 */
#ifndef LHP_CMD_PROJECT_RUN_H
#define LHP_CMD_PROJECT_RUN_H

#include "build/run.h"
#include "cmd/call.h"
#include "ui/machine.h"

struct project_run {
	struct call *call;
	enum run_task task;
	bool details;
	enum message_format format;
	struct run_options options;
	struct run_result *result; /* options.n_env of them */
};

/* What the words of a command ask of a run, whatever options it has; but for the environments. */
struct run_options run_options_of(const struct args *a, enum run_task task);
/* Options, project, run; everything shown. Returns the exit status. */
int project_run(struct call *c, enum run_task task, struct project_run *run);
/* The texts of one environment's result: summary, warnings, findings, panels. */
void result_show(const struct project_run *run, size_t env);
/* Failing units of a result: its pipelines with findings, and findings of no pipeline. Pointers to one finding of each.
 */
size_t failing_units(struct arena *a, const struct diags *findings, const struct diag ***unit);

#endif
