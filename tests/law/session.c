#include "law/session.h"
#include "base/path.h"
#include "law/edit.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

bool session_is_over(const struct session *s)
{
	return s->until != 0 && seconds() > s->until;
}

void session_report(const struct session *s, int step, struct str said)
{
	enum { TAIL = 6000 };

	printf("FAIL %.*s (seed %llu, step %d)\n%.*s\n", STR_ARG(s->path), (unsigned long long)s->seed, step,
	       STR_ARG(s->verbose || said.n <= TAIL ? said : str_skip(said, said.n - TAIL)));
	fflush(stdout);
}

bool session_steps(struct session *s, bool (*step)(void *ctx, int step), void *ctx, const struct buf *said)
{
	bool good = true;
	int i;

	for (i = 0; good && i < s->steps && !session_is_over(s); i++, s->steps_done++)
		good = step(ctx, i);
	if (!good)
		session_report(s, i - 1, buf_str(said));
	return good;
}

/* A folder with lhp.yaml, as a case. */
static void folder_take(struct session *s, struct arena *a, struct str below, struct txtar *out)
{
	struct fs_listing l;
	struct str bytes;

	if (fs_list(&s->cwd, path_join(a, s->path, below), a, &l) != 0)
		return;
	for (size_t i = 0; i < l.n; i++) {
		struct str path = path_join(a, below, l.entry[i].name), full = path_join(a, s->path, path);

		if (str_is(path, ".lhp") || str_is(path, "generated"))
			continue;
		if (l.entry[i].type == FS_DIR)
			folder_take(s, a, path, out);
		else if (l.entry[i].type == FS_FILE && fs_read(&s->cwd, full, a, &bytes, NULL) == 0)
			*VEC_PUSH(out, a) = (struct section){ str_cat(a, STR("project/"), path), bytes };
	}
}

/* The projects of a file of cases, or of a folder that is one. */
static void projects_run(struct session *s)
{
	struct arena a = { 0 };
	struct txtar_cases cases = { 0 };
	struct txtar all = { 0 };
	struct str text;

	if (fs_is_dir(&s->cwd, s->path))
		folder_take(s, &a, STR(""), &all);
	else if (fs_read(&s->cwd, s->path, &a, &text, NULL) == 0)
		txtar_parse(&all, &a, text);
	txtar_split(&cases, &a, &all);
	for (size_t i = 0; i < cases.n && !session_is_over(s); i++)
		++*(s->run(s, &cases.p[i].sections) ? &s->passed : &s->failed);
	arena_release(&a);
}

static void path_collect(struct session *s, struct str path)
{
	struct fs_listing l;

	if (!fs_is_dir(&s->cwd, path) || fs_is_file(&s->cwd, path_join(&s->arena, path, STR("lhp.yaml")))) {
		*VEC_PUSH(&s->project, &s->arena) = path;
		return;
	}
	if (fs_list(&s->cwd, path, &s->arena, &l) != 0)
		return;
	for (size_t i = 0; i < l.n; i++)
		if (l.entry[i].type == FS_DIR || str_ends(l.entry[i].name, STR(".txtar")))
			path_collect(s, path_join(&s->arena, path, l.entry[i].name));
}

/* In an order of the seed's, so that no project is always behind the end of the time. */
static void all_run(struct session *s)
{
	struct edits dice = { .state = s->seed };

	for (size_t i = s->project.n; i > 0; i--, s->seed++) {
		size_t k = edits_random(&dice, (unsigned)i);

		s->path = s->project.p[k];
		s->project.p[k] = s->project.p[i - 1];
		projects_run(s);
	}
}

/* Index of the first word that is no option. */
static int options_take(struct session *s, int argc, char **argv)
{
	int i = 1;

	for (; i < argc && argv[i][0] == '-'; i++) {
		if (str_is(str_of(argv[i]), "-v"))
			s->verbose = true;
		else if (i + 1 >= argc)
			break;
		else if (str_is(str_of(argv[i]), "-s"))
			s->seed = strtoull(argv[++i], NULL, 10);
		else if (str_is(str_of(argv[i]), "-n"))
			s->steps = atoi(argv[++i]);
		else if (str_is(str_of(argv[i]), "-t"))
			s->until = seconds() + atof(argv[++i]);
	}
	return i;
}

int session_main(project_run *run, int argc, char **argv)
{
	struct session s = { .run = run, .steps = 40, .seed = (uint64_t)time(NULL) };
	int i = options_take(&s, argc, argv);

	if (i >= argc || fs_open(&s.cwd, &s.arena, STR(".")) != 0) {
		fprintf(stderr, "usage: %s [-s SEED] [-n STEPS] [-t SECONDS] [-v] FILE.txtar|FOLDER …\n", argv[0]);
		return 2;
	}
	printf("seed %llu, %d steps each\n", (unsigned long long)s.seed, s.steps);
	for (; i < argc; i++)
		path_collect(&s, str_of(argv[i]));
	all_run(&s);
	printf("%zu steps, %zu runs; %d passed, %d failed\n", s.steps_done, s.runs, s.passed, s.failed);
	fs_close(&s.cwd);
	arena_release(&s.arena);
	return s.failed != 0 || s.passed == 0;
}
