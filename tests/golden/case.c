#include "golden/case.h"
#include "base/glob.h"
#include "base/path.h"
#include "cmd/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void must(bool good, const char *what)
{
	if (good)
		return;
	perror(what);
	abort();
}

void scratch_make(struct scratch *s, const struct txtar *t)
{
	char top[] = "/tmp/lhp-case-XXXXXX";
	struct str path, bytes;
	size_t i = 0;
	struct fs fs;

	*s = (struct scratch){ 0 };
	must(mkdtemp(top) != NULL, "mkdtemp");
	s->top = str_dup(&s->arena, str_of(top));
	s->root = str_fmt(&s->arena, "%s/p", top);
	s->home = str_fmt(&s->arena, "%s/h", top);
	must(fs_open(&fs, &s->arena, s->top) == 0, top);
	must(fs_mkdirs(&fs, STR("p")) == 0 && fs_mkdirs(&fs, STR("h")) == 0, top);
	fs_close(&fs);
	must(fs_open(&s->fs, &s->arena, s->root) == 0, top);
	while (t != NULL && txtar_next(t, &i, STR("project/"), &path, &bytes)) {
		must(fs_mkdirs(&s->fs, path_parent(path)) == 0, "mkdir");
		must(s->fs.ops->create(&s->fs, path, bytes, 0666) == 0, "create");
	}
	setenv("HOME", s->home.p, 1);
	setenv("NO_COLOR", "1", 1);
	setenv("COLUMNS", "110", 1);
	setenv("TERM", "dumb", 1);
	unsetenv("WORKSPACE_ENV");
	unsetenv("LOGICAL_ENV");
	unsetenv("LHP_IGNORE_VERSION");
}

void scratch_drop(struct scratch *s)
{
	struct fs tmp;

	fs_close(&s->fs);
	if (fs_open(&tmp, &s->arena, path_parent(s->top)) == 0) {
		fs_remove_tree(&tmp, path_base(s->top));
		fs_close(&tmp);
	}
	arena_release(&s->arena);
}

/* The next word of a shell line, quotes taken off; false at the end. */
static bool word_next(struct arena *a, struct str line, size_t *i, struct str *word)
{
	struct buf b = { 0 };
	char quote = 0;

	while (*i < line.n && line.p[*i] == ' ')
		(*i)++;
	if (*i >= line.n)
		return false;
	for (; *i < line.n && (quote != 0 || line.p[*i] != ' '); (*i)++) {
		char c = line.p[*i];

		if (quote != 0 && c == quote)
			quote = 0;
		else if (quote == 0 && (c == '\'' || c == '"'))
			quote = c;
		else if (c == '\\' && quote != '\'' && *i + 1 < line.n)
			buf_addc(&b, line.p[++*i]);
		else
			buf_addc(&b, c);
	}
	*word = buf_take(&b, a);
	buf_release(&b);
	return true;
}

static bool is_assignment(struct str word)
{
	size_t i = 0;

	while (i < word.n && ((word.p[i] >= 'A' && word.p[i] <= 'Z') || word.p[i] == '_'))
		i++;
	return i > 0 && i < word.n && word.p[i] == '=';
}

static const char *variable(const char *name)
{
	return getenv(name);
}

int scratch_run(struct scratch *s, struct str line, struct str *out)
{
	struct {
		VEC_OF(char *)
	} argv = { 0 };
	char *text = NULL;
	size_t size = 0, i = 0;
	struct str word;
	struct io io = { .cwd = s->root, .columns = 110, .getenv = variable };
	int status;

	*VEC_PUSH(&argv, &s->arena) = (char *)(uintptr_t)str_cstr(&s->arena, STR("lhp"));
	while (word_next(&s->arena, line, &i, &word)) {
		if (argv.n == 1 && is_assignment(word)) {
			ptrdiff_t eq = str_find_char(word, '=', 0);

			setenv(str_cstr(&s->arena, str_sub(word, 0, (size_t)eq)), word.p + eq + 1, 1);
			continue;
		}
		*VEC_PUSH(&argv, &s->arena) = (char *)(uintptr_t)word.p;
	}
	*VEC_PUSH(&argv, &s->arena) = NULL;
	io.out = io.err = open_memstream(&text, &size);
	must(io.out != NULL, "open_memstream");
	must(chdir(s->root.p) == 0, "chdir");
	status = lhp_main((int)argv.n - 1, argv.p, &io);
	fclose(io.out);
	*out = str_dup(&s->arena, (struct str){ text, size });
	free(text);
	return status;
}

static bool is_ignored(struct str path)
{
	static const struct str dir[] = { STR_INIT(".git/"), STR_INIT("__pycache__/"), STR_INIT(".ruff_cache/") };

	if (str_starts(path, STR(".lhp/")) && !str_starts(path, STR(".lhp/dependencies/")))
		return true;
	if (str_is(path_base(path), ".lhp-output"))
		return true;
	for (size_t i = 0; i < sizeof dir / sizeof *dir; i++)
		if (str_has(path, dir[i]))
			return true;
	return false;
}

static void tree_add(struct scratch *s, struct arena *a, struct str dir, struct map *tree)
{
	struct fs_listing l;

	if (fs_list(&s->fs, dir, a, &l) != 0)
		return;
	for (size_t i = 0; i < l.n; i++) {
		struct str path = path_join(a, dir, l.entry[i].name), *bytes;

		if (l.entry[i].type == FS_DIR) {
			tree_add(s, a, path, tree);
			continue;
		}
		if (is_ignored(path))
			continue;
		bytes = ARENA_NEW(a, struct str);
		if (fs_read(&s->fs, path, a, bytes, NULL) == 0)
			map_put(tree, a, path, bytes);
	}
}

void scratch_tree(struct scratch *s, struct arena *a, struct map *tree)
{
	tree_add(s, a, STR(""), tree);
}
