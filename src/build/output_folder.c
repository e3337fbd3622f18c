/* output_folder.c - which folder -o may name (spec/engine.md, "Publishing"): what is in it is ours to sweep. */
#include "base/path.h"
#include "build/steps.h"
#include "model/rules.h"

#include <errno.h>

static int refuse(struct env_run *e, const char *why, struct str what)
{
	struct diags *ds = &e->result->fatal;
	struct diag *d = diag_add(ds, &rule_output_folder_refused, (struct mark){ 0 }, "-o %.*s %s%.*s", STR_ARG(e->run->o->output), why,
	                          STR_ARG(what));

	diag_hint(ds, d, "Name a folder that is not there yet, is empty, or was written by lhp -o before");
	e->result->status = 2;
	return -1;
}

/* The path from / without "." and "..", by text alone. */
static struct str absolute(struct arena *a, struct str root, struct str path)
{
	struct str rest = path_is_absolute(path) ? path : path_join(a, root, path), part, out = STR("");

	while (str_cut(&rest, '/', &part)) {
		if (part.n == 0 || str_is(part, "."))
			continue;
		out = str_is(part, "..") ? path_parent(out) : str_fmt(a, "%.*s/%.*s", STR_ARG(out), STR_ARG(part));
	}
	return out.n != 0 ? out : STR("/");
}

/* Outside of the project nothing is moved: such a folder must be ours already, or empty. */
static int outside_check(struct env_run *e, struct str dir)
{
	struct fs_listing l;
	int rc = fs_list(e->run->fs, dir, &e->run->own, &l);

	if (rc == -ENOENT || (rc == 0 && l.n == 0) || fs_is_file(e->run->fs, path_join(&e->run->own, dir, STR(".lhp-output"))))
		return 0;
	return refuse(e, "lies outside the project and holds files that lhp did not write", STR(""));
}

/* What is in these somebody else looks after: git, the engine, the bundle, monitoring. */
static int others_check(struct env_run *e, struct str dir)
{
	static const char *const others[] = { ".git", ".lhp", "resources/lhp", "monitoring" };

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (path_is_below(dir, str_of(others[i])) || path_is_below(str_of(others[i]), dir))
			return refuse(e, "holds a folder that is not for modules, or lies in it: ", str_of(others[i]));
	return 0;
}

struct str output_folder(struct run *r, struct str env)
{
	struct str root = r->fs->root, dir;

	if (r->o->output.n == 0)
		return str_fmt(&r->own, "generated/%.*s", STR_ARG(env));
	dir = absolute(&r->own, root, r->o->output);
	return path_is_below(dir, root) ? str_skip(dir, root.n + (dir.n > root.n)) : dir;
}

int output_folder_open(struct env_run *e)
{
	struct str root = e->run->fs->root, dir;
	bool inside;

	e->output = dir = output_folder(e->run, e->env.name);
	if (e->run->o->output.n == 0)
		return 0;
	inside = !path_is_absolute(dir);
	if (dir.n == 0 || path_is_below(root, dir) || str_is(dir, "/"))
		return refuse(e, "is the project's root, or a folder that holds it", STR(""));
	if (fs_is_led_away(e->run->fs, dir, inside ? STR("") : STR("/"))) /* anywhere */
		return refuse(e, "leads through a symbolic link", STR(""));
	if (!inside)
		return outside_check(e, dir);
	return others_check(e, dir);
}

struct inputs_look {
	struct fs *fs;
	struct str dir, found; /* the first input that is in the way */
};

/* An input below the folder, or in one that it lies in (the root apart). */
static void input_look(struct inputs_look *look, struct str path)
{
	struct str rest = path, top;
	bool below = path_is_below(path, look->dir), around = str_cut(&rest, '/', &top) && rest.n != 0 && path_is_below(look->dir, top);

	if (look->found.n == 0 && !path_is_absolute(path) && (below || around) && fs_is_file(look->fs, path))
		look->found = path;
}

static void seen_look(void *ctx, const struct door_seen *seen)
{
	if (!seen->is_dir)
		input_look(ctx, seen->path);
}

static void trace_look(struct inputs_look *look, struct arena *a, const struct trace *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->p[i].kind == DEP_FILE || t->p[i].kind == DEP_NODE)
			input_look(look, dep_base(a, &t->p[i]));
}

/* The inputs of this run, be they read by it or known from earlier ones; not what others had: a cold run would not know of it. */
int output_folder_check(struct env_run *e)
{
	struct run *r = e->run;
	struct inputs_look look = { .fs = r->fs, .dir = e->output };

	if (r->o->output.n == 0)
		return 0;
	door_each(r->door, seen_look, &look);
	trace_look(&look, &r->own, &r->trace);
	for (size_t i = 0; i < e->n_unit; i++)
		trace_look(&look, &r->own, &e->unit[i].record.trace);
	return look.found.n == 0 ? 0 : refuse(e, "holds inputs of the project, or lies among them: ", look.found);
}
