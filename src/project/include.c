#include "project/include.h"

#include "base/glob.h"
#include "base/path.h"
#include "cache/leaves.h"

/* `**` with something before it: some folder matches what precedes, the rest of the path what follows. */
static bool match_below(struct arena *a, struct str path, struct str pattern, struct str before, struct str after)
{
	struct str start = str_cat(a, before, STR("*")), at = path;

	for (;;) {
		struct str rest = at.n == path.n ? STR(".") : at.n == 0 ? path : str_skip(path, at.n + 1);

		if (glob_match(at.n == 0 ? STR(".") : at, start) && glob_match(rest, after))
			return true;
		if (at.n == 0)
			return glob_match(path, pattern);
		at = path_parent(at);
	}
}

bool include_match(struct arena *a, struct str path, struct str pattern)
{
	ptrdiff_t stars = str_find(pattern, STR("**"), 0);
	struct str before, after;

	if (stars < 0) {
		if (str_find_char(pattern, '*', 0) >= 0 || str_find_char(pattern, '?', 0) >= 0)
			return glob_match(path, pattern);
		return str_eq(path_base(path), pattern) || glob_match(path, pattern);
	}
	before = str_sub(pattern, 0, (size_t)stars);
	after = str_skip(pattern, (size_t)stars + 2);
	if (str_has(after, STR("**")))
		return false;
	while (str_ends(before, STR("/")))
		before.n--;
	while (str_starts(after, STR("/")))
		after = str_skip(after, 1);
	if (before.n == 0)
		return glob_match(path_base(path), after);
	return match_below(a, path, pattern, before, after);
}

bool include_match_any(struct arena *a, struct str path, struct patterns patterns)
{
	for (size_t i = 0; i < patterns.n; i++)
		if (include_match(a, path, patterns.p[i]))
			return true;
	return patterns.n == 0;
}

bool include_pattern_bad(struct str pattern)
{
	return pattern.n == 0 || str_has(pattern, STR("***/")) || str_has(pattern, STR("[unclosed"));
}

/*
 * What every path that the pattern selects starts with: the text before its first
 * wildcard, or all of it. Empty for patterns that look at the file's name only.
 */
static struct str literal_start(struct str pattern)
{
	size_t n = 0;

	while (n < pattern.n && pattern.p[n] != '*' && pattern.p[n] != '?' && pattern.p[n] != '[')
		n++;
	if (n == pattern.n)
		return str_find_char(pattern, '/', 0) >= 0 ? pattern : STR("");
	/* "a" before stars also takes what is in "ab": the '/' before the stars is not part of it. */
	if (str_starts(str_skip(pattern, n), STR("**")))
		while (n > 0 && pattern.p[n - 1] == '/')
			n--;
	return str_sub(pattern, 0, n);
}

/* Can a file below the folder `dir` (relative, no trailing '/') be selected? */
static bool folder_reachable(struct str dir, struct patterns patterns)
{
	for (size_t i = 0; i < patterns.n; i++) {
		struct str start = literal_start(patterns.p[i]);

		if (str_starts(dir, start))
			return true;
		if (str_starts(start, dir) && start.p[dir.n] == '/')
			return true;
	}
	return patterns.n == 0;
}

static bool is_yaml(struct str name)
{
	struct str ext = path_ext(name);

	return str_is(ext, ".yaml") || str_is(ext, ".yml");
}

struct walk {
	struct door *door;
	struct trace *trace;
	struct arena *arena;
	struct str dir;
	struct patterns patterns;
	struct paths *out;
};

enum { WALK_MAX_DEPTH = 128 };

/* What names in the folder walked can begin with, to be of any use: "a/b", or empty for anything ("." is the folder itself). */
static struct str useful_starts(const struct walk *w)
{
	struct str out = STR(""), rest, start;

	for (size_t i = 0; i < w->patterns.n; i++) {
		rest = literal_start(w->patterns.p[i]);
		if (!str_cut(&rest, '/', &start) || start.n == 0 || start.p[0] == '.')
			return STR("");
		out = i == 0 ? start : starts_both(w->arena, out, start);
	}
	return out;
}

/* The root is where everything lies: most of what comes and goes there is of no concern to a walk. */
static const struct fs_listing *folder_list(const struct walk *w, struct str dir)
{
	return door_list_some(w->door, w->trace, dir, dir.n == 0 ? useful_starts(w) : STR(""));
}

static void walk_folder(const struct walk *w, struct str below, unsigned depth)
{
	struct str dir = path_join(w->arena, w->dir, below);
	const struct fs_listing *l = folder_list(w, dir);

	for (size_t i = 0; i < l->n; i++) {
		const struct fs_entry *e = &l->entry[i];
		bool folder = e->type == FS_DIR && depth < WALK_MAX_DEPTH && !str_is(e->name, ".git") && !str_is(e->name, ".lhp");
		struct str path;

		if (!folder && !is_yaml(e->name))
			continue;
		path = path_join(w->arena, below, e->name);
		if (is_yaml(e->name) && include_match_any(w->arena, path, w->patterns))
			*VEC_PUSH(w->out, w->arena) = path_join(w->arena, w->dir, path);
		if (folder && folder_reachable(path, w->patterns))
			walk_folder(w, path, depth + 1);
	}
}

void include_walk(struct door *d, struct trace *t, struct arena *a, struct str dir, struct patterns patterns,
                  struct paths *out)
{
	struct walk w = { d, t, a, dir, patterns, out };

	walk_folder(&w, STR(""), 0); /* listings are sorted, so the paths are, part by part */
}

struct patterns include_patterns(struct project *p, struct trace *t, struct arena *a, const char *key,
                                 const struct str *standard, size_t n)
{
	const struct node *list = project_key(p, t, key);
	struct patterns out = { standard, n };
	struct str *own;

	if (node_len(list) == 0)
		return out;
	own = ARENA_ARRAY(a, struct str, list->list.n);
	for (size_t i = 0; i < list->list.n; i++)
		own[i] = node_str(list->list.item[i]);
	return (struct patterns){ own, list->list.n };
}
