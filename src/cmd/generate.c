#include "cmd/project_run.h"

int cmd_generate(struct call *c)
{
	struct project_run run;

	if (opt_given(c->args, "--force"))
		fputs("--force is deprecated and does nothing: what changed is made again, and only that.\n",
		      c->io->err);
	return project_run(c, RUN_GENERATE, &run);
}
