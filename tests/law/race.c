/*
 * race.c - inputs and outputs that change while a run looks at them, or writes them.
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
	struct calls {
		unsigned n, usual; /* in this run; in the last one */
		unsigned at[MOMENTS]; /* numbers of those before which something is edited; 0: none */
	} all, late;               /* calls of the disk; those since the run first wrote */
	bool no_bundle;
	size_t runs;
	struct buf said;
};

static struct race *racing;        /* fs_ops have no room for it */

static bool is_moment(struct calls *c)
{
	bool is = false;

	c->n++;
	for (size_t i = 0; i < MOMENTS; i++)
		is = is || c->at[i] == c->n;
	return is;
}

/* Where it writes, somebody who changes what is written is met most. */
static void tick(bool writes)
{
	struct race *r = racing;
	bool late = (writes || r->late.n != 0) && is_moment(&r->late), at_all = is_moment(&r->all);

	if (!late && !at_all)
		return;
	r->warm.fs.ops = r->real;
	buf_addf(&r->said, " at %u ", r->all.n);
	if (late)
		edits_make_output(&r->edits, &r->warm.fs, &r->said);
	else
		edits_make(&r->edits, &r->warm.fs, &r->said);
	r->warm.fs.ops = &r->ops;
}

static int raced_stat(struct fs *fs, struct str path, bool follow, struct fs_stat *st)
{
	tick(false);
	return racing->real->stat(fs, path, follow, st);
}

static int raced_read(struct fs *fs, struct str path, struct arena *a, struct str *bytes, struct fs_stat *st)
{
	tick(false);
	return racing->real->read(fs, path, a, bytes, st);
}

static int raced_list(struct fs *fs, struct str dir, struct arena *a, struct fs_listing *l)
{
	tick(false);
	return racing->real->list(fs, dir, a, l);
}

static void raced_stat_names(struct fs *fs, struct str dir, const struct str *name, size_t n, struct fs_stat *st, int *rc)
{
	tick(false);
	racing->real->stat_names(fs, dir, name, n, st, rc);
}

static int raced_create(struct fs *fs, struct str path, struct str bytes, uint32_t mode)
{
	tick(true);
	return racing->real->create(fs, path, bytes, mode);
}

static int raced_rename(struct fs *fs, struct str from, struct str to)
{
	tick(true);
	return racing->real->rename(fs, from, to);
}

static int raced_unlink(struct fs *fs, struct str path)
{
	tick(true);
	return racing->real->unlink(fs, path);
}

static int64_t raced_now(struct fs *fs, struct str dir)
{
	tick(false);
	return racing->real->now(fs, dir);
}

static struct run_result run_in(struct race *r, struct fs *fs, bool no_cache)
{
	struct str env = STR("dev");
	struct run_options o = { .task = RUN_GENERATE, .env = &env, .n_env = 1, .no_format = true, .no_bundle = r->no_bundle,
		                 .workers = 1, .no_cache = no_cache };
	struct run_result result;

	run_project(fs, &o, &(struct run_listener){ 0 }, &r->arena, &result);
	r->runs++;
	return result;
}

static void moments_choose(struct race *r, struct calls *c)
{
	c->usual = c->n > 20 ? c->n : 20;
	c->n = 0;
	for (size_t i = 0; i < MOMENTS; i++)
		c->at[i] = edits_random(&r->edits, 2) == 0 ? 1 + edits_random(&r->edits, c->usual) : 0;
}

static void run_raced(struct race *r)
{
	racing = r;
	moments_choose(r, &r->all);
	moments_choose(r, &r->late);
	r->warm.fs.ops = &r->ops;
	buf_addf(&r->said, "; a run: %d", run_in(r, &r->warm.fs, false).status);
	r->warm.fs.ops = r->real;
}

/* A run after one that nobody disturbed has nothing to do: what is left to others is no reason to look again and again. */
static bool is_done(struct race *r)
{
	struct run_result again = run_in(r, &r->warm.fs, false);

	if (again.status != 0 || again.up_to_date)
		return true;
	buf_addf(&r->said, "and again: not up to date\n");
	return false;
}

static bool step_run(void *ctx, int step)
{
	struct race *r = ctx;
	struct map warm = { 0 }, want = { 0 };
	struct scratch cold;
	struct reach reach;
	int status, wanted;
	bool good;

	arena_reset(&r->arena);
	buf_addf(&r->said, "\n%d: ", step);
	if (step > 0)
		edits_make(&r->edits, &r->warm.fs, &r->said);
	for (unsigned n = edits_random(&r->edits, 3); n > 0; n--)
		run_raced(r);
	r->no_bundle = edits_random(&r->edits, 2) == 0;
	reach = reach_of(r->no_bundle ? STR("generate -e dev --no-bundle") : STR("generate -e dev"));
	status = run_in(r, &r->warm.fs, false).status;
	scratch_make(&cold, NULL);
	edits_lay(&r->edits, &cold.fs);
	wanted = run_in(r, &cold.fs, true).status;
	outputs_of(&r->edits, &r->warm, &r->arena, &reach, &warm);
	outputs_of(&r->edits, &cold, &r->arena, &reach, &want);
	buf_addf(&r->said, "; then %d, cold %d\n", status, wanted);
	good = status == wanted && (status != 0 || (trees_equal(&want, &warm, &r->said) && is_done(r)));
	scratch_drop(&cold);
	return good;
}

static bool race_run(struct session *s, const struct txtar *project)
{
	struct race r = { 0 };
	bool good;

	scratch_make(&r.warm, project);
	edits_init(&r.edits, project, s->seed);
	r.real = r.warm.fs.ops;
	r.ops = *r.real;
	r.ops.stat = raced_stat;
	r.ops.read = raced_read;
	r.ops.list = raced_list;
	r.ops.stat_names = raced_stat_names;
	r.ops.create = raced_create;
	r.ops.rename = raced_rename;
	r.ops.unlink = raced_unlink;
	r.ops.now = raced_now;
	good = session_steps(s, step_run, &r, &r.said);
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
