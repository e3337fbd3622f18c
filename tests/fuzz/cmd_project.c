/*
 * The whole front end: a project from bytes is validated and generated without harm, and what is wrong with it can be
 * shown in every form. The bytes are a golden case (golden/txtar.h); tests/fuzz/run makes a corpus of those there are.
 */
#include "base/fs_mem.h"
#include "base/path.h"
#include "build/run.h"
#include "golden/txtar.h"
#include "ui/finding.h"
#include "ui/machine.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

/* Paths that cannot be, or that are in each other's way, are left out. */
static void project_make(struct fs *fs, struct arena *a, const struct txtar *t)
{
	struct str path, bytes;
	size_t i = 0;

	fs_mem_open(fs, a);
	while (txtar_next(t, &i, STR("project/"), &path, &bytes)) {
		struct str clean;

		if (path.n > 200 || memchr(path.p, '\0', path.n) != NULL || !path_normal(a, path, &clean) || clean.n == 0)
			continue;
		if (fs_mkdirs(fs, path_parent(clean)) == 0)
			fs->ops->create(fs, clean, bytes, 0666);
	}
}

/* The word behind `flag` in the commands of the case. */
static struct str word_after(struct str run, struct str flag)
{
	ptrdiff_t at = str_find(run, flag, 0);
	struct str rest = at < 0 ? STR("") : str_skip(run, (size_t)at + flag.n), line = STR(""), word = STR("");

	str_cut(&rest, '\n', &line);
	str_cut(&line, ' ', &word);
	return word;
}

static void panels_make(struct fs *fs, struct arena *a, const struct diags *ds)
{
	struct finding_view v = { .arena = a, .fs = fs, .rule_names = true, .columns = 80 };
	struct pen p = { 0 };

	for (size_t i = 0; i < ds->n; i++)
		finding_panel(&p, &v, &ds->p[i]);
	buf_release(&p.buf);
}

static void result_show(struct fs *fs, struct arena *a, const struct run_result *r)
{
	static const enum message_format form[] = { MESSAGES_JSON, MESSAGES_SARIF, MESSAGES_GITHUB };
	struct messages m = { .command = "validate",
		              .env = STR("dev"),
		              .list = { &r->fatal, &r->findings, &r->warnings },
		              .status = r->status };

	for (size_t i = 0; i < 3; i++) {
		struct buf b = { 0 };

		messages_write(&b, form[i], &m, 1);
		buf_release(&b);
		panels_make(fs, a, m.list[i]);
	}
}

static void project_run(const struct txtar *t, enum run_task task)
{
	const struct run_listener quiet = { 0 };
	struct str env = STR("dev"), run = txtar_get(t, STR("run"));
	struct arena a = { 0 };
	struct run_result result;
	struct fs fs;
	struct run_options o = { .task = task,
		                 .env = &env,
		                 .n_env = 1,
		                 .include_tests = str_has(run, STR("--include-tests")),
		                 .sandbox = str_has(run, STR("--sandbox")),
		                 .pipeline_config = word_after(run, STR("-pc ")),
		                 .no_format = true,
		                 .no_cache = true,
		                 .alone = true,
		                 .workers = 1,
		                 .unified = true };

	project_make(&fs, &a, t);
	run_project(&fs, &o, &quiet, &a, &result);
	result_show(&fs, &a, &result);
	arena_release(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	static const enum run_task task[] = { RUN_VALIDATE, RUN_GENERATE, RUN_DIFF };
	struct arena a = { 0 };
	struct txtar t = { 0 };

	txtar_parse(&t, &a, (struct str){ (const char *)bytes, n });
	for (size_t i = 0; i < 3; i++)
		project_run(&t, task[i]);
	arena_release(&a);
	return 0;
}
