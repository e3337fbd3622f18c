#include "cmd/project_run.h"

int cmd_validate(struct call *c)
{
	struct project_run run;

	return project_run(c, RUN_VALIDATE, &run);
}
