/*
 * race.c - inputs that change while a run looks at them.
 *
 * For each project of a session: a run with random edits at random calls of the disk, on one thread, so that a seed repeats them;
 * whatever it makes of that, the next run must end like a cold one in a fresh copy.
 */
#include "build/run.h"
#include "law/outputs.h"
#include "law/session.h"

enum { MOMENTS = 4 };

struct race {
	struct arena arena;        /* of one step */
	struct edits edits;
	struct scratch warm;
	struct fs_ops ops;         /* of a run that is raced */
	const struct fs_ops *real;
	unsigned calls, usual;     /* of the disk, in this run; in the last one */
	unsigned at[MOMENTS];      /* numbers of calls before which something is edited; 0: none */
	size_t runs;
	struct buf said;
};

static struct race *racing;        /* fs_ops have no room for it */

static void tick(void)
{
	struct race *r = racing;
	unsigned now = ++r->calls;

	for (size_t i = 0; i < MOMENTS; i++) {
		if (r->at[i] != now)
			continue;
		r->warm.fs.ops = r->real;
		r->edits.spares_outputs = true; /* it is the run that writes them now */
		buf_addf(&r->said, " at %u ", now);
		edits_make(&r->edits, &r->warm.fs, &r->said);
		r->edits.spares_outputs = false;
		r->warm.fs.ops = &r->ops;
	}
}

static int raced_stat(struct fs *fs, struct str path, bool follow, struct fs_stat *st)
{
	tick();
	return racing->real->stat(fs, path, follow, st);
}

static int raced_read(struct fs *fs, struct str path, struct arena *a, struct str *bytes, struct fs_stat *st)
{
	tick();
	return racing->real->read(fs, path, a, bytes, st);
}

static int raced_list(struct fs *fs, struct str dir, struct arena *a, struct fs_listing *l)
{
	tick();
	return racing->real->list(fs, dir, a, l);
}

static void raced_stat_names(struct fs *fs, struct str dir, const struct str *name, size_t n, struct fs_stat *st, int *rc)
{
	tick();
	racing->real->stat_names(fs, dir, name, n, st, rc);
}

static int run_in(struct race *r, struct fs *fs, bool no_cache)
{
	struct str env = STR("dev");
	struct run_options o = { .task = RUN_GENERATE, .env = &env, .n_env = 1, .no_format = true, .no_bundle = true, .workers = 1,
		                 .no_cache = no_cache };
	struct run_result result;

	run_project(fs, &o, &(struct run_listener){ 0 }, &r->arena, &result);
	r->runs++;
	return result.status;
}

static void run_raced(struct race *r)
{
	racing = r;
	r->calls = 0;
	for (size_t i = 0; i < MOMENTS; i++)
		r->at[i] = edits_random(&r->edits, 2) == 0 ? 1 + edits_random(&r->edits, r->usual) : 0;
	r->warm.fs.ops = &r->ops;
	buf_addf(&r->said, "; a run: %d", run_in(r, &r->warm.fs, false));
	r->warm.fs.ops = r->real;
	r->usual = r->calls > 50 ? r->calls : 50;
}

static bool step_run(struct race *r, int step)
{
	const struct reach reach = reach_of(STR("generate -e dev --no-bundle"));
	struct map warm = { 0 }, want = { 0 };
	struct scratch cold;
	int status, wanted;
	bool good;

	arena_reset(&r->arena);
	buf_addf(&r->said, "\n%d: ", step);
	if (step > 0)
		edits_make(&r->edits, &r->warm.fs, &r->said);
	for (unsigned n = edits_random(&r->edits, 3); n > 0; n--)
		run_raced(r);
	status = run_in(r, &r->warm.fs, false);
	scratch_make(&cold, NULL);
	edits_lay(&r->edits, &cold.fs);
	wanted = run_in(r, &cold.fs, true);
	outputs_of(&r->edits, &r->warm, &r->arena, &reach, &warm);
	outputs_of(&r->edits, &cold, &r->arena, &reach, &want);
	buf_addf(&r->said, "; then %d, cold %d\n", status, wanted);
	good = status == wanted && (status != 0 || trees_equal(&want, &warm, &r->said));
	scratch_drop(&cold);
	return good;
}

static bool race_run(struct session *s, const struct txtar *project)
{
	struct race r = { .usual = 50 };
	bool good = true;
	int i;

	scratch_make(&r.warm, project);
	edits_init(&r.edits, project, s->seed);
	r.real = r.warm.fs.ops;
	r.ops = *r.real;
	r.ops.stat = raced_stat;
	r.ops.read = raced_read;
	r.ops.list = raced_list;
	r.ops.stat_names = raced_stat_names;
	for (i = 0; good && i < s->steps && !session_is_over(s); i++, s->steps_done++)
		good = step_run(&r, i);
	if (!good)
		session_report(s, i - 1, buf_str(&r.said));
	s->runs += r.runs;
	edits_finish(&r.edits);
	scratch_drop(&r.warm);
	buf_release(&r.said);
	arena_release(&r.arena);
	return good;
}

int main(int argc, char **argv)
{
	return session_main(race_run, argc, argv);
}
