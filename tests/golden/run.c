/*
 * run.c - golden cases, in this process, so that the sanitizers see everything.
 *
 *	golden_run [-v] [-a LIST] FILE.txtar|FOLDER …
 *
 * What is compared: exit status, codes printed (all of them for a status of 0, at least them otherwise),
 * every file made or changed, files removed, and findings with their places where a case announces any.
 * With -a every rule must be announced and found by some case, or stand in LIST with the test that triggers it.
 */
#include "base/glob.h"
#include "base/path.h"
#include "golden/case.h"
#include "golden/findings.h"
#include "model/rules.h"

#include <stdio.h>
#include <stdlib.h>

struct runner {
	struct arena a;
	struct fs cwd;
	bool verbose;
	const char *elsewhere; /* with -a: the list of rules that other tests trigger */
	int passed, failed;
	struct rules_seen seen;
};

struct checking {
	struct arena *a;
	struct buf problems;
	struct scratch s;
	const struct txtar *t;
	struct map before, after;
	struct runner *of;
};

/* LHP-XXX-NNN, each once. */
static void codes_find(struct arena *a, struct str text, struct map *codes)
{
	for (ptrdiff_t at = str_find(text, STR("LHP-"), 0); at >= 0; at = str_find(text, STR("LHP-"), (size_t)at + 4)) {
		size_t i = (size_t)at + 4, digits;

		while (i < text.n && text.p[i] >= 'A' && text.p[i] <= 'Z')
			i++;
		if (i == (size_t)at + 4 || i >= text.n || text.p[i] != '-')
			continue;
		digits = ++i;
		while (i < text.n && i - digits < 3 && text.p[i] >= '0' && text.p[i] <= '9')
			i++;
		if (i - digits == 3)
			map_add(codes, a, str_sub(text, (size_t)at, i));
	}
}

static void codes_compare(struct checking *c, int k, struct str line, struct str out, int want)
{
	struct map found = { 0 };
	struct str rest = txtar_get(c->t, str_fmt(c->a, "codes %d", k)), code;
	size_t expected = 0;

	codes_find(c->a, out, &found);
	while (str_cut(&rest, '\n', &code)) {
		if (code.n == 0)
			continue;
		expected++;
		if (map_find(&found, code) == NULL)
			buf_addf(&c->problems, "command %d (%.*s): code %.*s is missing\n%.*s\n", k, STR_ARG(line), STR_ARG(code),
			         STR_ARG(out));
	}
	if (want == 0 && found.n != expected)
		buf_addf(&c->problems, "command %d (%.*s): %zu codes, expected %zu\n%.*s\n", k, STR_ARG(line), found.n, expected,
		         STR_ARG(out));
}

static void commands_run(struct checking *c)
{
	struct str rest = txtar_get(c->t, STR("run")), line, out;

	for (int k = 1; str_cut(&rest, '\n', &line); k++) {
		int want = atoi(str_cstr(c->a, txtar_get(c->t, str_fmt(c->a, "exit %d", k)))), got;

		if (line.n == 0)
			break;
		got = scratch_run(&c->s, line, &out);
		if (got != want)
			buf_addf(&c->problems, "command %d (%.*s): exit %d, expected %d\n%.*s\n", k, STR_ARG(line), got, want,
			         STR_ARG(out));
		codes_compare(c, k, line, out, want);
		findings_compare(&c->problems, c->a, c->t, out, &c->of->seen);
	}
}

static bool is_skipped(struct checking *c, struct str path)
{
	struct str rest = txtar_get(c->t, STR("skip")), pattern;

	while (str_cut(&rest, '\n', &pattern))
		if (pattern.n != 0 && glob_match(path, pattern))
			return true;
	return false;
}

static struct str filled_in(struct checking *c, struct str want)
{
	want = str_replace(c->a, want, STR("<ROOT>"), c->s.root);
	return str_replace(c->a, want, STR("<HOME>"), c->s.home);
}

static void first_difference(struct buf *b, struct str path, struct str want, struct str got)
{
	struct str w, g;
	bool more_w, more_g;
	int line = 0;

	do {
		more_w = str_cut(&want, '\n', &w);
		more_g = str_cut(&got, '\n', &g);
		line++;
	} while (more_w && more_g && str_eq(w, g));
	buf_addf(b, "%.*s:%d:\n  expected %.*s\n  got      %.*s\n", STR_ARG(path), line, STR_ARG(more_w ? w : STR("(end)")),
	         STR_ARG(more_g ? g : STR("(end)")));
}

static void made_compare(struct checking *c)
{
	struct str path, want, *got;
	size_t i = 0;

	while (txtar_next(c->t, &i, STR("tree/"), &path, &want)) {
		if (is_skipped(c, path))
			continue;
		got = map_get(&c->after, path);
		want = filled_in(c, want);
		if (got == NULL)
			buf_addf(&c->problems, "%.*s: missing\n", STR_ARG(path));
		else if (!str_eq(*got, want))
			first_difference(&c->problems, path, want, *got);
	}
	for (i = 0; i < c->after.n; i++) {
		const struct map_entry *e = &c->after.entry[i];
		struct str *before = map_get(&c->before, e->key);

		if (before != NULL && str_eq(*before, *(struct str *)e->value))
			continue;
		if (txtar_get(c->t, str_fmt(c->a, "tree/%.*s", STR_ARG(e->key))).p == NULL && !is_skipped(c, e->key))
			buf_addf(&c->problems, "%.*s: not expected\n", STR_ARG(e->key));
	}
}

static void skips_compare(struct checking *c)
{
	struct str rest = txtar_get(c->t, STR("skip")), pattern;

	while (str_cut(&rest, '\n', &pattern)) {
		bool hit = pattern.n == 0;

		for (size_t i = 0; i < c->after.n; i++)
			hit = hit || glob_match(c->after.entry[i].key, pattern);
		if (!hit)
			buf_addf(&c->problems, "%.*s: missing\n", STR_ARG(pattern));
	}
}

static void gone_compare(struct checking *c)
{
	struct str rest = txtar_get(c->t, STR("gone")), path;
	struct map want = { 0 };

	while (str_cut(&rest, '\n', &path))
		if (path.n != 0)
			map_add(&want, c->a, path);
	for (size_t i = 0; i < c->before.n; i++) {
		bool gone = map_find(&c->after, c->before.entry[i].key) == NULL;

		path = c->before.entry[i].key;
		if (gone != (map_find(&want, path) != NULL))
			buf_addf(&c->problems, "%.*s: %s\n", STR_ARG(path), gone ? "removed, but should stay" : "should be gone");
	}
}

/* The text without the lines that hold a time. */
static struct str timeless(struct arena *a, struct str text)
{
	struct buf b = { 0 };
	struct str line, out;

	while (str_cut(&text, '\n', &line))
		if (!str_has(line, STR("generated_at")) && !str_has(line, STR("Generated at:")))
			buf_addf(&b, "%.*s\n", STR_ARG(line));
	out = buf_take(&b, a);
	buf_release(&b);
	return out;
}

static void masked_compare(struct checking *c)
{
	struct str path, want, got;
	size_t i = 0;

	while (txtar_next(c->t, &i, STR("masked/"), &path, &want)) {
		if (fs_read(&c->s.fs, path, c->a, &got, NULL) != 0) {
			buf_addf(&c->problems, "%.*s: missing\n", STR_ARG(path));
			continue;
		}
		got = timeless(c->a, str_replace(c->a, got, c->s.root, STR("<ROOT>")));
		want = timeless(c->a, want);
		if (!str_eq(got, want))
			first_difference(&c->problems, path, want, got);
	}
}

static void case_run(struct runner *r, struct str name, const struct txtar *t)
{
	struct arena a = { 0 };
	struct checking c = { .a = &a, .t = t, .of = r };
	struct str first, rest;
	bool good;

	scratch_make(&c.s, t);
	scratch_tree(&c.s, &a, &c.before);
	commands_run(&c);
	scratch_tree(&c.s, &a, &c.after);
	made_compare(&c);
	skips_compare(&c);
	gone_compare(&c);
	masked_compare(&c);
	good = c.problems.n == 0;
	rest = buf_str(&c.problems);
	if (!good && !r->verbose && str_cut(&rest, '\n', &first))
		printf("FAIL %.*s: %.*s\n", STR_ARG(name), STR_ARG(first));
	else if (!good)
		printf("FAIL %.*s\n%.*s\n", STR_ARG(name), STR_ARG(buf_str(&c.problems)));
	fflush(stdout);
	buf_release(&c.problems);
	scratch_drop(&c.s);
	arena_release(&a);
	++*(good ? &r->passed : &r->failed);
}

static void file_run(struct runner *r, struct str file)
{
	struct txtar_cases cases = { 0 };
	struct txtar all = { 0 };
	struct str text;

	if (fs_read(&r->cwd, file, &r->a, &text, NULL) != 0) {
		fprintf(stderr, "%.*s: cannot be read\n", STR_ARG(file));
		r->failed++;
		return;
	}
	txtar_parse(&all, &r->a, text);
	txtar_split(&cases, &r->a, &all);
	for (size_t i = 0; i < cases.n; i++) {
		const struct txtar_case *c = &cases.p[i];

		case_run(r, c->name.n == 0 ? file : str_fmt(&r->a, "%.*s: %.*s", STR_ARG(file), STR_ARG(c->name)),
		         &c->sections);
	}
}

static void path_run(struct runner *r, struct str path)
{
	struct fs_listing l;

	if (!fs_is_dir(&r->cwd, path)) {
		file_run(r, path);
		return;
	}
	if (fs_list(&r->cwd, path, &r->a, &l) != 0)
		return;
	for (size_t i = 0; i < l.n; i++)
		if (l.entry[i].type == FS_DIR || str_ends(l.entry[i].name, STR(".txtar")))
			path_run(r, path_join(&r->a, path, l.entry[i].name));
}

/* "RULE FILE" lines: rules that no project can bring about, and the test that does. True when the test names the rule or its code. */
static bool tested_elsewhere(struct runner *r, const struct rule *rule)
{
	struct str rest, line, name, bytes;

	if (fs_read(&r->cwd, str_of(r->elsewhere), &r->a, &rest, NULL) != 0)
		return false;
	while (str_cut(&rest, '\n', &line)) {
		if (!str_cut(&line, ' ', &name) || !str_is(name, rule->name))
			continue;
		return fs_read(&r->cwd, path_join(&r->a, path_parent(str_of(r->elsewhere)), line), &r->a, &bytes, NULL) == 0 &&
		       (str_has(bytes, name) || str_has(bytes, str_of(rule->code)));
	}
	return false;
}

static void rules_check(struct runner *r)
{
	for (size_t i = 0; all_rules[i] != NULL; i++) {
		/* It has no finding of its own: the parts that it folds are announced. */
		bool seen = all_rules[i] == &rule_flowgroup_invalid ||
		            map_find(&r->seen.rules, str_of(all_rules[i]->name)) != NULL;

		if (seen != tested_elsewhere(r, all_rules[i]))
			continue;
		printf("FAIL %s (%s) is triggered by %s\n", all_rules[i]->name, all_rules[i]->code,
		       seen ? "a case and elsewhere" : "no test");
		r->failed++;
	}
}

int main(int argc, char **argv)
{
	struct runner r = { 0 };
	int i = 1;

	for (; i < argc && argv[i][0] == '-'; i++) {
		if (strcmp(argv[i], "-a") == 0 && i + 1 < argc)
			r.elsewhere = argv[++i];
		else
			r.verbose = true;
	}
	if (i == argc || fs_open(&r.cwd, &r.a, STR(".")) != 0) {
		fprintf(stderr, "usage: golden_run [-v] [-a LIST] FILE.txtar|FOLDER …\n");
		return 2;
	}
	for (; i < argc; i++)
		path_run(&r, str_of(argv[i]));
	if (r.elsewhere != NULL)
		rules_check(&r);
	printf("%d passed, %d failed\n", r.passed, r.failed);
	fs_close(&r.cwd);
	arena_release(&r.seen.arena);
	arena_release(&r.a);
	return r.failed != 0 || r.passed == 0;
}
