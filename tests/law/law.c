/*
 * law.c - the one law: a warm run leaves the tree and says the things that a cold run would.
 *
 *	law_run [-s SEED] [-n STEPS] [-t SECONDS] [-v] FILE.txtar|FOLDER …
 *
 * For each project: random edits, one after another; after each, a random command runs in the warm project and
 * in a fresh copy of its inputs. Exit status, diagnostics (the JSON form) and, when the run succeeded, every file made
 * must be equal; a failed run must leave the outputs as they were. The seed is printed, and one failure ends a project.
 */
#include "base/path.h"
#include "golden/case.h"
#include "law/edit.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct law {
	struct arena arena;        /* of one step */
	struct edits edits;
	struct scratch warm;
	bool verbose;
	struct buf said;           /* what was done, for the report */
};

/* The files of a tree that are not inputs; of the output folders, only that of `env`. */
static void outputs_of(struct law *l, struct scratch *s, const char *env, struct map *out)
{
	struct str ours = str_fmt(&l->arena, "generated/%s/", env), notebooks = str_fmt(&l->arena, "monitoring/%s/", env);
	struct map tree = { 0 };

	scratch_tree(s, &l->arena, &tree);
	for (size_t i = 0; i < tree.n; i++) {
		struct str path = tree.entry[i].key;

		if (edits_has(&l->edits, path) || (str_starts(path, STR("generated/")) && !str_starts(path, ours)) ||
		    (str_starts(path, STR("monitoring/")) && !str_starts(path, notebooks)))
			continue;
		map_put(out, &l->arena, path, tree.entry[i].value);
	}
}

/* Findings in JSON, the root taken out; not the summary, which tells the effort. Their order is part of the law. */
static struct str diagnostics(struct law *l, const struct scratch *s, struct str out)
{
	struct buf b = { 0 };
	struct str line, text;

	while (str_cut(&out, '\n', &line))
		if (str_starts(line, STR("{")) && !str_starts(line, STR("{\"type\":\"summary\"")))
			buf_addf(&b, "%.*s\n", STR_ARG(str_replace(&l->arena, line, s->root, STR("<ROOT>"))));
	text = buf_take(&b, &l->arena);
	buf_release(&b);
	return text;
}

static bool trees_equal(struct law *l, const struct map *want, const struct map *got, struct buf *why)
{
	size_t before = why->n;

	(void)l;
	for (size_t i = 0; i < want->n; i++) {
		const struct str *w = want->entry[i].value, *g = map_get(got, want->entry[i].key);

		if (g == NULL || !str_eq(*w, *g))
			buf_addf(why, "  %.*s: %s\n", STR_ARG(want->entry[i].key), g == NULL ? "missing" : "differs");
	}
	for (size_t i = 0; i < got->n; i++)
		if (map_find(want, got->entry[i].key) == NULL)
			buf_addf(why, "  %.*s: surplus\n", STR_ARG(got->entry[i].key));
	return why->n == before;
}

/*
 * A run that failed before it published left everything as it was; one that failed after (monitoring, bundle_sync) left what
 * the cold one left.
 */
static bool failed_tree_good(struct law *l, const struct map *before, const struct map *warm, const struct map *cold)
{
	struct buf unheard = { 0 };
	bool good = trees_equal(l, cold, warm, &unheard);

	buf_release(&unheard);
	return good || trees_equal(l, before, warm, &l->said);
}

static bool step_check(struct law *l, struct str line, bool partial)
{
	const char *env = str_has(line, STR(" -e prod ")) ? "prod" : "dev";
	struct scratch cold;
	struct map before = { 0 }, warm_out = { 0 }, cold_out = { 0 };
	struct str warm_said, cold_said;
	int warm, cold_status;
	bool good;

	outputs_of(l, &l->warm, env, &before);
	warm = scratch_run(&l->warm, line, &warm_said);
	outputs_of(l, &l->warm, env, &warm_out);
	scratch_make(&cold, NULL);
	edits_lay(&l->edits, &cold.fs);
	edits_environment(&l->edits);
	cold_status = scratch_run(&cold, line, &cold_said);
	outputs_of(l, &cold, env, &cold_out);
	buf_addf(&l->said, "$ lhp %.*s -> warm %d, cold %d\n", STR_ARG(line), warm, cold_status);
	good = warm == cold_status;
	if (!str_eq(diagnostics(l, &l->warm, warm_said), diagnostics(l, &cold, cold_said))) {
		buf_addf(&l->said, "diagnostics differ\nwarm:\n%.*scold:\n%.*s", STR_ARG(warm_said), STR_ARG(cold_said));
		good = false;
	}
	if (warm == 0 && cold_status == 0 && !partial && !str_starts(line, STR("validate")))
		good = trees_equal(l, &cold_out, &warm_out, &l->said) && good;
	else if (warm != 0)
		good = failed_tree_good(l, &before, &warm_out, &cold_out) && good;
	scratch_drop(&cold);
	return good;
}

static struct str command(struct law *l, bool *partial)
{
	static const char *const task[] = { "generate", "generate", "validate" };
	struct edits *e = &l->edits;
	struct str pipeline = edits_any_pipeline(e);
	bool sandbox = edits_has(e, STR(".lhp/profile.yaml")) && edits_random(e, 2) == 0;

	*partial = edits_random(e, 8) == 0 && pipeline.n != 0 && !sandbox;
	return str_fmt(&l->arena, "%s -e %s --message-format json%s%s%s%.*s%s", task[edits_random(e, 3)],
	               edits_random(e, 6) == 0 ? "prod" : "dev", sandbox ? " --sandbox" : "",
	               edits_random(e, 8) == 0 ? " --include-tests" : "",
	               *partial ? " -p " : "", STR_ARG(*partial ? pipeline : STR("")),
	               edits_random(e, 12) == 0 ? " --max-workers 1" : "");
}

static bool project_run(const struct txtar *t, struct str file, uint64_t seed, int steps, bool verbose)
{
	struct law l = { .verbose = verbose };
	bool good = true;

	scratch_make(&l.warm, t);
	edits_init(&l.edits, t, seed);
	for (int i = 0; good && i < steps; i++) {
		bool partial;
		struct str line;

		arena_reset(&l.arena);
		buf_addf(&l.said, "%d: ", i);
		if (i > 0)
			edits_make(&l.edits, &l.warm.fs, &l.said);
		buf_addc(&l.said, '\n');
		edits_environment(&l.edits);
		line = command(&l, &partial);
		good = step_check(&l, line, partial);
	}
	if (!good)
		printf("FAIL %.*s (seed %llu)\n%.*s\n", STR_ARG(file), (unsigned long long)seed,
		       STR_ARG(verbose ? buf_str(&l.said) : str_skip(buf_str(&l.said), l.said.n > 3000 ? l.said.n - 3000 : 0)));
	fflush(stdout);
	edits_finish(&l.edits);
	scratch_drop(&l.warm);
	buf_release(&l.said);
	arena_release(&l.arena);
	return good;
}

struct session {
	struct fs *cwd;
	struct arena *a;
	uint64_t seed;
	int steps, passed, failed;
	double until;
	bool verbose;
};

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void file_run(struct session *s, struct str file)
{
	struct arena a = { 0 };
	struct txtar_cases cases = { 0 };
	struct txtar all = { 0 };
	struct str text;

	if (fs_read(s->cwd, file, &a, &text, NULL) != 0) {
		s->failed++;
		return;
	}
	txtar_parse(&all, &a, text);
	txtar_split(&cases, &a, &all);
	for (size_t i = 0; i < cases.n && (s->until == 0 || seconds() < s->until); i++) {
		if (project_run(&cases.p[i].sections, file, s->seed++, s->steps, s->verbose))
			s->passed++;
		else
			s->failed++;
	}
	arena_release(&a);
}

static void path_run(struct session *s, struct str path)
{
	struct fs_listing l;

	if (!fs_is_dir(s->cwd, path)) {
		file_run(s, path);
		return;
	}
	if (fs_list(s->cwd, path, s->a, &l) != 0)
		return;
	for (size_t i = 0; i < l.n; i++)
		if (l.entry[i].type == FS_DIR || str_ends(l.entry[i].name, STR(".txtar")))
			path_run(s, path_join(s->a, path, l.entry[i].name));
}

int main(int argc, char **argv)
{
	struct arena a = { 0 };
	struct fs cwd;
	struct session s = { .cwd = &cwd, .a = &a, .steps = 40, .seed = (uint64_t)time(NULL) };
	int i = 1;

	for (; i < argc && argv[i][0] == '-'; i++) {
		if (str_is(str_of(argv[i]), "-v"))
			s.verbose = true;
		else if (i + 1 >= argc)
			break;
		else if (str_is(str_of(argv[i]), "-s"))
			s.seed = strtoull(argv[++i], NULL, 10);
		else if (str_is(str_of(argv[i]), "-n"))
			s.steps = atoi(argv[++i]);
		else if (str_is(str_of(argv[i]), "-t"))
			s.until = seconds() + atof(argv[++i]);
	}
	if (i >= argc || fs_open(&cwd, &a, STR(".")) != 0) {
		fprintf(stderr, "usage: law_run [-s SEED] [-n STEPS] [-t SECONDS] [-v] FILE.txtar|FOLDER …\n");
		return 2;
	}
	printf("seed %llu, %d steps each\n", (unsigned long long)s.seed, s.steps);
	for (; i < argc; i++)
		path_run(&s, str_of(argv[i]));
	printf("%d passed, %d failed\n", s.passed, s.failed);
	fs_close(&cwd);
	arena_release(&a);
	return s.failed != 0 || s.passed == 0;
}
