/*
 * past.c - see past.h.
 *
 * `git ls-tree -r` gives mode, type, object and path of what a commit holds. A submodule is one line of it, with the commit
 * that was recorded: where it changed, or something in it, it is asked for its own changes since then.
 */
#include "build/past.h"

#include "base/path.h"

#include <errno.h>

struct repository {
	struct past *past;
	struct git_objects *objects;
	struct str top, commit;
	char **env;
};

static int repository_open(struct past *p, struct str top, char **env, struct str commit, bool ask, struct str *said);

static void folders_add(struct past *p, struct map *to, struct str path)
{
	for (struct str d = path_parent(path); map_add(to, p->arena, d) && d.n != 0; d = path_parent(d))
		;
}

static void changed_add(struct past *p, struct str path)
{
	map_put(&p->changed, p->arena, path, p);
	folders_add(p, &p->above, path);
}

/* It, or a folder that it is in: of that all may have. What is in a submodule that is known from inside is told by itself. */
static bool is_changed(const struct past *p, struct str path)
{
	const struct map_entry *e;

	while ((e = map_find(&p->changed, path)) == NULL && path.n != 0)
		path = path_parent(path);
	return e != NULL && e->value != NULL;
}

/* A repository inside that is no submodule is listed as a folder, with a '/' at its end. */
static void changed_take(struct repository *r, struct str name)
{
	changed_add(r->past, path_join(r->past->arena, r->top, str_sub(name, 0, name.n - (name.p[name.n - 1] == '/'))));
}

/* "S PATH" is skip-worktree; a small letter, assume-unchanged: of these `git diff` tells nothing. */
static void unwatched_take(struct repository *r, struct str name)
{
	struct past *p = r->past;
	bool sparse = (name.p[0] | 32) == 's';

	if (name.n > 2 && (sparse || name.p[0] >= 'a'))
		map_put(&p->unwatched, p->arena, path_join(p->arena, r->top, str_skip(name, 2)), sparse ? NULL : p);
}

static int names_ask(struct repository *r, const char *const *arg, void (*take)(struct repository *, struct str), struct str *said)
{
	struct arena *a = r->past->arena;
	struct str rest, name;

	if (git_run(a, str_fmt(a, "/%.*s", STR_ARG(r->top)), r->env, arg, said) != 0)
		return -1;
	for (rest = *said; rest.n != 0 && str_cut(&rest, '\0', &name);)
		if (name.n != 0)
			take(r, name);
	return 0;
}

static int changes_find(struct repository *r, struct str *said)
{
	const char *const diff[] = { "diff", "--name-only", "--no-renames", "--ignore-submodules=none", "-z",
		                     str_cstr(r->past->arena, r->commit), "--", NULL };
	const char *const others[] = { "ls-files", "--others", "--exclude-standard", "-z", NULL };
	const char *const marked[] = { "ls-files", "-v", "-z", NULL };

	if (names_ask(r, diff, changed_take, said) != 0 || names_ask(r, others, changed_take, said) != 0)
		return -1;
	return names_ask(r, marked, unwatched_take, said);
}

/* What is not there of a sparse checkout is no change. */
static bool is_other_now(struct repository *r, struct str path, struct str object)
{
	struct past *p = r->past;
	struct arena own = { 0 };
	struct str now, then;
	int rc = fs_read(p->now, str_fmt(&own, "/%.*s", STR_ARG(path)), &own, &now, NULL);
	bool other = rc == -ENOENT && map_get(&p->unwatched, path) != NULL;

	if (rc == 0)
		other = git_object_read(r->objects, object, &own, &then) != 0 || !str_eq(now, then);
	arena_release(&own);
	return other;
}

/* Is it checked out, and does it have the commit? */
static bool submodule_has(struct past *p, struct str path, char **env, struct str commit)
{
	const char *const arg[] = { str_fmt(p->arena, "--git-dir=/%.*s/.git", STR_ARG(path)).p, "cat-file", "-e",
		                    str_fmt(p->arena, "%.*s^{commit}", STR_ARG(commit)).p, NULL };
	struct str said;

	return git_run(p->arena, STR("/"), env, arg, &said) == 0;
}

static int submodule_open(struct past *p, struct str path, struct str commit, struct str *said)
{
	bool ask = is_changed(p, path);
	char **env;

	if (!ask && map_find(&p->above, path) == NULL) {
		map_add(&p->kept, p->arena, path);
		return 0;
	}
	env = git_env_inside(p->arena);
	if (!submodule_has(p, path, env, commit)) {
		*VEC_PUSH(&p->absent, p->arena) = path;
		changed_add(p, path);
		return 0;
	}
	map_put(&p->changed, p->arena, path, NULL);
	return repository_open(p, path, env, commit, ask, said);
}

/* "100644 blob OBJECT\tPATH" */
static int tree_line(struct repository *r, struct str line, struct str *said)
{
	struct past *p = r->past;
	ptrdiff_t tab = str_find_char(line, '\t', 0);
	struct str rest = tab >= 0 ? str_sub(line, 0, (size_t)tab) : STR(""), mode, type, path;
	struct past_file *f;

	if (!str_cut(&rest, ' ', &mode) || !str_cut(&rest, ' ', &type))
		return 0;
	path = path_join(p->arena, r->top, str_skip(line, (size_t)tab + 1));
	if (str_is(type, "commit"))
		return submodule_open(p, path, rest, said);
	map_add(&p->kept, p->arena, path);
	if (map_find(&p->unwatched, path) != NULL && str_starts(mode, STR("100")) && is_other_now(r, path, rest))
		changed_add(p, path);
	if (!is_changed(p, path))
		return 0;
	f = ARENA_NEW(p->arena, struct past_file);
	*f = (struct past_file){ r->objects, rest, str_is(mode, "120000") ? FS_LINK : FS_FILE };
	map_put(&p->file, p->arena, path, f);
	folders_add(p, &p->dir, path);
	return 0;
}

static int repository_open(struct past *p, struct str top, char **env, struct str commit, bool ask, struct str *said)
{
	const char *const arg[] = { "ls-tree", "-r", "-z", "--full-tree", str_cstr(p->arena, commit), NULL };
	struct repository r = { p, ARENA_NEW(p->arena, struct git_objects), top, commit, env };
	struct str folder = str_fmt(p->arena, "/%.*s", STR_ARG(top)), tree, line;
	int rc = git_objects_open(r.objects, p->arena, folder, env);

	if (rc != 0) {
		*said = str_fmt(p->arena, "git cannot be started: %s", strerror(-rc));
		return -1;
	}
	*VEC_PUSH(&p->repository, p->arena) = r.objects;
	if ((ask && changes_find(&r, said) != 0) || git_run(p->arena, folder, env, arg, said) != 0)
		return -1;
	for (tree = *said; rc == 0 && tree.n != 0 && str_cut(&tree, '\0', &line);)
		rc = tree_line(&r, line, said);
	return rc;
}

int past_open(struct past *p, struct arena *a, struct fs *now, struct str top, struct str commit, const struct git_paths *listed,
              struct str *said)
{
	*p = (struct past){ .arena = a, .now = now };
	for (size_t i = 0; listed != NULL && i < listed->n; i++)
		changed_add(p, listed->p[i]);
	return repository_open(p, top, NULL, commit, listed == NULL, said);
}

bool past_lacks(const struct past *p, struct str path)
{
	return is_changed(p, path) && map_find(&p->file, path) == NULL && map_find(&p->dir, path) == NULL;
}

bool past_knows(const struct past *p, struct str path)
{
	while (path.n != 0 && map_find(&p->kept, path) == NULL)
		path = path_parent(path);
	return path.n != 0;
}

void past_close(struct past *p)
{
	for (size_t i = 0; i < p->repository.n; i++)
		git_objects_close(p->repository.p[i]);
}
