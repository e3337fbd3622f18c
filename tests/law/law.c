/*
 * law.c - the one law: a warm run leaves the tree and says the things that a cold run would.
 *
 * For each project of a session: random edits, one after another; after each, a random command runs in the warm project and
 * in a fresh copy of its inputs, and a second time in the warm one. Exit status, diagnostics (in any form, and the lines of the
 * log) and, when the run succeeded, every file made must be equal; a failed run must leave the outputs as they were, and one of
 * one pipeline the files of the others. In between, other commands look at the store, replace it or make without it. One
 * failure ends a project.
 */
#include "base/path.h"
#include "golden/case.h"
#include "law/outputs.h"
#include "law/session.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

struct law {
	struct arena arena;        /* of one step */
	struct edits edits;
	struct scratch warm;
	size_t runs;
	struct buf said;           /* what was done, for the report */
};

/* What a run tells of the state it found, which a cold one cannot have found. */
static bool is_of_state(struct str line)
{
	static const char *const words[] = { "was edited by hand", "moved to ", "The cache could not be trusted" };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (str_has(line, str_of(words[i])))
			return true;
	return false;
}

/* Of a finding, in any format. */
static bool is_finding(struct str line)
{
	static const char *const start[] = { "{", "::", "│", "╭", "╰" };

	for (size_t i = 0; i < sizeof start / sizeof *start; i++)
		if (str_starts(line, str_of(start[i])))
			return !str_starts(line, STR("{\"type\":\"summary\""));
	return false;
}

/*
 * Findings and lines of the log, the root taken out; not the summary, which tells the effort. Their order is part of the
 * law.
 */
static struct str diagnostics(struct law *l, const struct scratch *s, struct str out)
{
	struct buf b = { 0 };
	struct str line, text;

	while (str_cut(&out, '\n', &line))
		if (is_finding(line) || (str_starts(line, STR("WARNING: ")) && !is_of_state(line)))
			buf_addf(&b, "%.*s\n", STR_ARG(str_replace(&l->arena, line, s->root, STR("<ROOT>"))));
	text = buf_take(&b, &l->arena);
	buf_release(&b);
	return text;
}

/* Files that `-p` may have changed or removed; of all others nothing may be missing or different. */
static bool is_pipelines(const struct reach *r, struct str path)
{
	struct str name = path_stem(path);

	if (path_is_below(path, STR("resources/lhp")))
		return str_starts(name, r->pipeline) || str_starts(name, STR("_wheels"));
	return path_is_below(path, STR("monitoring")) || str_starts(path, STR("resources/")) || str_has(path, r->pipeline);
}

/* A run of one pipeline makes what a cold one of it makes, and leaves the others' files. */
static bool partial_tree_good(struct law *l, const struct reach *r, const struct map *before, const struct map *warm,
                              const struct map *cold)
{
	size_t problems = l->said.n;

	for (size_t i = 0; i < cold->n; i++) {
		const struct str *w = cold->entry[i].value, *g = map_get(warm, cold->entry[i].key);

		if (g == NULL || !str_eq(*w, *g))
			buf_addf(&l->said, "  %.*s: %s\n", STR_ARG(cold->entry[i].key), g == NULL ? "missing" : "differs");
	}
	for (size_t i = 0; i < before->n; i++) {
		const struct str *w = before->entry[i].value, *g = map_get(warm, before->entry[i].key);

		if (!is_pipelines(r, before->entry[i].key) && (g == NULL || !str_eq(*w, *g)))
			buf_addf(&l->said, "  %.*s: of another pipeline, %s\n", STR_ARG(before->entry[i].key), g == NULL ? "gone" : "changed");
	}
	return l->said.n == problems;
}

struct said {
	int status;
	struct str text, diagnostics;
};

static struct said said_by(struct law *l, struct scratch *s, struct str line)
{
	struct said out;

	edits_environment(&l->edits);
	out.status = scratch_run(s, line, &out.text);
	out.diagnostics = diagnostics(l, s, out.text);
	l->runs++;
	return out;
}

static bool said_equal(struct law *l, const char *which, const struct said *warm, const struct said *cold)
{
	if (warm->status == cold->status && str_eq(warm->diagnostics, cold->diagnostics))
		return true;
	buf_addf(&l->said, "%s: status %d, cold %d; what is said:\n%.*scold:\n%.*s", which, warm->status, cold->status,
	         STR_ARG(warm->text), STR_ARG(cold->text));
	return false;
}

static bool made_good(struct law *l, const struct reach *r, const struct map *before, const struct map *warm, const struct map *cold)
{
	if (!r->generates)
		return trees_equal(before, warm, &l->said);
	if (r->pipeline.n != 0)
		return partial_tree_good(l, r, before, warm, cold);
	return trees_equal(cold, warm, &l->said);
}

/* The parts of a tree that one run may make or leave apart from each other. */
static const char *const parts[][2] = { { "generated/dev", "monitoring/dev" }, { "generated/prod", "monitoring/prod" }, { NULL, NULL } };

static bool is_of_part(struct str path, size_t part)
{
	bool other = true;

	for (size_t i = 0; parts[i][0] != NULL; i++) {
		bool here = path_is_below(path, str_of(parts[i][0])) || path_is_below(path, str_of(parts[i][1]));

		if (i == part)
			return here;
		other = other && !here;
	}
	return other;
}

static struct map part_of(struct law *l, const struct map *tree, size_t part)
{
	struct map out = { 0 };

	for (size_t i = 0; i < tree->n; i++)
		if (is_of_part(tree->entry[i].key, part))
			map_put(&out, &l->arena, tree->entry[i].key, tree->entry[i].value);
	return out;
}

/* An environment that failed before it published left its part as it was; one that failed after, or strictly, as the cold one left it. */
static bool tree_good(struct law *l, const struct reach *r, int status, const struct map *before, const struct map *warm,
                      const struct map *cold)
{
	bool good = true;

	for (size_t i = 0; good && i < sizeof parts / sizeof *parts; i++) {
		struct map b = part_of(l, before, i), w = part_of(l, warm, i), c = part_of(l, cold, i);
		size_t said = l->said.n;

		good = made_good(l, r, &b, &w, &c);
		if (good || status == 0)
			continue;
		l->said.n = said;
		good = trees_equal(&b, &w, &l->said);
	}
	return good;
}

/* All environments are those that have a file. */
static struct reach reach_in(const struct edits *e, struct str line)
{
	struct reach r = reach_of(line);

	if (str_has(line, STR(" -e all "))) {
		r.dev = edits_has(e, STR("substitutions/dev.yaml"));
		r.prod = edits_has(e, STR("substitutions/prod.yaml"));
	}
	return r;
}

static bool step_check(struct law *l, struct str line)
{
	struct reach r = reach_in(&l->edits, line);
	struct scratch cold;
	struct map before = { 0 }, warm_out = { 0 }, cold_out = { 0 };
	struct said warm, want;
	bool good;

	outputs_of(&l->edits, &l->warm, &l->arena, &r, &before);
	warm = said_by(l, &l->warm, line);
	outputs_of(&l->edits, &l->warm, &l->arena, &r, &warm_out);
	scratch_make(&cold, NULL);
	edits_lay(&l->edits, &cold.fs);
	want = said_by(l, &cold, line);
	outputs_of(&l->edits, &cold, &l->arena, &r, &cold_out);
	buf_addf(&l->said, "$ lhp %.*s -> %d\n", STR_ARG(line), warm.status);
	good = said_equal(l, "warm", &warm, &want);
	good = tree_good(l, &r, warm.status, &before, &warm_out, &cold_out) && good;
	if (good && edits_random(&l->edits, 3) == 0) {
		struct said again = said_by(l, &l->warm, line);
		struct map still = { 0 };

		outputs_of(&l->edits, &l->warm, &l->arena, &r, &still);
		good = said_equal(l, "again", &again, &want) && trees_equal(&warm_out, &still, &l->said);
	}
	scratch_drop(&cold);
	return good;
}

/* The files that dag_command asks for; `between` makes others. */
static void dag_files(struct law *l, struct scratch *s, struct map *out)
{
	struct map tree = { 0 };

	scratch_tree(s, &l->arena, &tree);
	for (size_t i = 0; i < tree.n; i++) {
		struct str path = tree.entry[i].key, ext = path_ext(path);

		if (path_is_below(path, STR(".lhp/dependencies")) && (str_is(ext, ".dot") || str_is(ext, ".html")))
			map_put(out, &l->arena, path, tree.entry[i].value);
	}
}

/* lhp dag keeps facts of its own: it writes, and says word by word, what it would in a fresh copy. */
static bool dag_check(struct law *l, struct str line)
{
	struct scratch cold;
	struct map warm_out = { 0 }, cold_out = { 0 };
	struct said warm, want;
	bool good;

	scratch_make(&cold, NULL);
	edits_lay(&l->edits, &cold.fs);
	warm = said_by(l, &l->warm, line);
	want = said_by(l, &cold, line);
	warm.diagnostics = str_replace(&l->arena, warm.text, l->warm.root, STR("<ROOT>"));
	want.diagnostics = str_replace(&l->arena, want.text, cold.root, STR("<ROOT>"));
	buf_addf(&l->said, "$ lhp %.*s -> %d\n", STR_ARG(line), warm.status);
	good = said_equal(l, "dag", &warm, &want);
	dag_files(l, &l->warm, &warm_out);
	dag_files(l, &cold, &cold_out);
	good = (want.status != 0 || trees_equal(&cold_out, &warm_out, &l->said)) && good;
	scratch_drop(&cold);
	return good;
}

/* The words, once in so many times. */
static const char *sometimes(struct law *l, unsigned one_in, const char *words)
{
	return edits_random(&l->edits, one_in) == 0 ? words : "";
}

static struct str dag_command(struct law *l)
{
	struct str pipeline = edits_any_pipeline(&l->edits);
	bool one = pipeline.n != 0 && edits_random(&l->edits, 6) == 0;

	return str_fmt(&l->arena, "dag --format dot,html%s%s%s%.*s", sometimes(l, 4, " --env dev"),
	               sometimes(l, 6, " --trust-depends-on"), one ? " -p " : "", STR_ARG(one ? pipeline : STR("")));
}

static struct str command(struct law *l)
{
	static const char *const task[] = { "generate", "generate", "validate" };
	static const char *const env[] = { "dev", "dev", "dev", "dev", "prod", "dev,prod", "dev,prod", "all" };
	enum { ENVS = sizeof env / sizeof *env, ONE_ENV = 5 };
	static const char *const format[] = { "json", "json", "json", "text", "sarif", "github" };
	struct edits *e = &l->edits;
	struct str pipeline = edits_any_pipeline(e);
	bool sandbox = edits_has(e, STR(".lhp/profile.yaml")) && edits_random(e, 2) == 0;
	bool partial = edits_random(e, 8) == 0 && pipeline.n != 0 && !sandbox, generates;
	unsigned which = edits_random(e, ENVS);
	struct buf b = { 0 };
	struct str line;

	buf_adds(&b, task[edits_random(e, 3)]);
	generates = b.p[0] == 'g';
	buf_addf(&b, " -e %s --message-format %s%s%s%s%s%s", env[which], format[edits_random(e, 6)], sandbox ? " --sandbox" : "",
	         sometimes(l, 8, " --include-tests"), sometimes(l, 12, " --max-workers 1"), sometimes(l, 6, " --verify"),
	         sometimes(l, 16, " --strict"));
	if (edits_has(e, STR("config/wheels.yaml")) && edits_random(e, 2) == 0)
		buf_adds(&b, " -pc config/wheels.yaml");
	else if (edits_has(e, STR("config/pipeline_config.yaml")))
		buf_adds(&b, sometimes(l, 2, " -pc config/pipeline_config.yaml"));
	if (generates)
		buf_addf(&b, "%s%s", sometimes(l, 8, " --no-bundle"), edits_random(e, 4) != 0 ? " --no-format" : "");
	if (generates && which < ONE_ENV && !sandbox)
		buf_adds(&b, sometimes(l, 10, " -o out"));
	if (partial)
		buf_addf(&b, " -p %.*s", STR_ARG(pipeline));
	line = buf_take(&b, &l->arena);
	buf_release(&b);
	return line;
}

/* Commands that may change nothing of what follows, and what may happen to a store between two runs. */
static void between(struct law *l)
{
	static const char *const line[] = {
		"dag -e dev", "why pipelines -e dev", "cache stats", "cache verify", "cache clear", "diff -e dev", "list presets",
		"cache export .lhp/x.lhp", "cache export .lhp/x.lhp", "cache import .lhp/x.lhp", "cache import .lhp/x.lhp",
		"generate -e dev --no-cache --no-format", "validate -e dev --no-cache", "affected --since HEAD",
	};
	size_t i = edits_random(&l->edits, sizeof line / sizeof *line);

	if (edits_random(&l->edits, 5) != 0)
		return;
	buf_addf(&l->said, "; lhp %s", line[i]);
	said_by(l, &l->warm, str_of(line[i]));
}

/* Edits while a run is under way: whatever it makes of them, no later one may trust it. False: it did not come to its end. */
static bool edits_race(struct law *l)
{
	struct str line = command(l);
	pid_t pid;
	int ended;

	buf_addf(&l->said, "while lhp %.*s runs: ", STR_ARG(line));
	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		said_by(l, &l->warm, line);
		_exit(0);
	}
	for (unsigned n = 1 + edits_random(&l->edits, 4); n > 0; n--) {
		usleep(edits_random(&l->edits, 4000));
		edits_make(&l->edits, &l->warm.fs, &l->said);
		buf_adds(&l->said, "; ");
	}
	return waitpid(pid, &ended, 0) == pid && WIFEXITED(ended) && WEXITSTATUS(ended) == 0;
}

static bool step_run(void *ctx, int step)
{
	struct law *l = ctx;

	arena_reset(&l->arena);
	buf_addf(&l->said, "%d: ", step);
	if (step > 0 && edits_random(&l->edits, 5) == 0) {
		if (!edits_race(l))
			return false;
	} else if (step > 0)
		edits_make(&l->edits, &l->warm.fs, &l->said);
	between(l);
	buf_addc(&l->said, '\n');
	if (edits_random(&l->edits, 3) == 0 && !dag_check(l, dag_command(l)))
		return false;
	return step_check(l, command(l));
}

static bool law_run(struct session *s, const struct txtar *project)
{
	struct law l = { 0 };
	bool good;

	scratch_make(&l.warm, project);
	edits_init(&l.edits, project, s->seed);
	good = session_steps(s, step_run, &l, &l.said);
	s->runs += l.runs;
	edits_finish(&l.edits);
	scratch_drop(&l.warm);
	buf_release(&l.said);
	arena_release(&l.arena);
	return good;
}

int main(int argc, char **argv)
{
	return session_main(law_run, argc, argv);
}
