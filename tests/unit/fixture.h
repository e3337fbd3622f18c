/*
 * fixture.h - a small project in a temporary folder, for unit tests.
 *
 *	struct fixture f;
 *	fixture_open(&f);
 *	put(&f, "pipelines/a.yaml", "pipeline: p\nflowgroup: f\n");
 *	assert_int_equal(load(&f), 0);
 *	...
 *	fixture_close(&f);
 *
 * A wrong step of the fixture itself fails the test. Include after cmocka.h.
 */
#ifndef LHP_TESTS_FIXTURE_H
#define LHP_TESTS_FIXTURE_H

#include "base/fs.h"
#include "base/path.h"
#include "project/project.h"
#include "project/recall.h"
#include "project/tray.h"

#include <stdlib.h>
#include <unistd.h>

struct fixture {
	char folder[64];
	struct arena arena;
	struct fs fs;
	struct door *door;
	struct project project;
	struct trace trace;
	struct diags diags;
	struct buf log;
};

static inline void fixture_open(struct fixture *f)
{
	memset(f, 0, sizeof *f);
	strcpy(f->folder, "/tmp/lhp-unit-XXXXXX");
	assert_non_null(mkdtemp(f->folder));
	assert_int_equal(fs_open(&f->fs, &f->arena, str_of(f->folder)), 0);
	f->trace.arena = &f->arena;
	f->diags.arena = &f->arena;
}

static inline void put(struct fixture *f, const char *path, const char *text)
{
	assert_int_equal(fs_mkdirs(&f->fs, path_parent(str_of(path))), 0);
	assert_int_equal(fs_replace(&f->fs, str_of(path), str_of(text)), 0);
}

/* Opens the door anew, as a new run does, and loads lhp.yaml (made when absent). */
static inline int load(struct fixture *f)
{
	if (!fs_is_file(&f->fs, STR("lhp.yaml")))
		put(f, "lhp.yaml", "name: unit\n");
	trays_release(&f->project);
	reread_release(&f->project);
	door_close(f->door);
	f->door = door_open(&f->fs);
	memset(&f->project, 0, sizeof f->project);
	f->trace = (struct trace){ .arena = &f->arena };
	f->diags = (struct diags){ .arena = &f->arena };
	return project_load(&f->project, f->door, &f->arena, &f->trace, &f->diags, &f->log);
}

/* Code of the first finding, or "". */
static inline const char *first_code(const struct fixture *f)
{
	return f->diags.n != 0 ? f->diags.p[0].rule->code : "";
}

static inline void fixture_close(struct fixture *f)
{
	trays_release(&f->project);
	reread_release(&f->project);
	door_close(f->door);
	buf_release(&f->log);
	fs_remove_tree(&f->fs, STR(""));
	rmdir(f->folder);
	fs_close(&f->fs);
	arena_release(&f->arena);
}

#define assert_text(s, literal)                                                  \
	do {                                                                     \
		struct str text_ = (s);                                          \
		assert_string_equal(text_.n != 0 ? str_cstr(&f.arena, text_) : "", literal); \
	} while (0)

#endif
