/*
 * session.h - the command line of tests that edit project after project.
 *
 *	PROGRAM [-s SEED] [-n STEPS] [-t SECONDS] [-v] FILE.txtar|FOLDER …
 *
 * A folder with lhp.yaml is a project; another is looked through for projects and for cases. Each path has a seed of its own:
 * the one that is printed with a failure repeats it. The time, when given, ends the session between two steps.
 */
#ifndef LHP_TESTS_SESSION_H
#define LHP_TESTS_SESSION_H

#include "base/fs.h"
#include "base/vec.h"
#include "golden/txtar.h"

struct session;

/* Edits one project, `steps` times or until session_is_over. False: it found a fault, and told it with session_report. */
typedef bool project_run(struct session *s, const struct txtar *project);

struct session {
	project_run *run;
	struct str path;           /* of the project at hand */
	uint64_t seed;             /* of the project at hand */
	int steps;
	size_t steps_done, runs;   /* counted by `run` */
	bool verbose;
	int passed, failed;
	double until;
	struct fs cwd;
	struct arena arena;
	struct {
		VEC_OF(struct str)
	} project;                 /* paths of them */
};

/* The whole program; its exit status. */
int session_main(project_run *run, int argc, char **argv);
bool session_is_over(const struct session *s);
/* Does steps until one finds a fault, which is told. False: one did. */
bool session_steps(struct session *s, bool (*step)(void *ctx, int step), void *ctx, const struct buf *said);
/* Tells, at once, of a fault: what was `said` up to this step. */
void session_report(const struct session *s, int step, struct str said);

#endif
