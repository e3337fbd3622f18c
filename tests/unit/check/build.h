/*
 * build.h - for tests: a resolved flowgroup and a unit, made from YAML text.
 *
 * What resolve/ would do with a flowgroup that uses nothing but plain values: no
 * template, preset or token. The project lies in a folder of its own below /tmp, with an lhp.yaml.
 */
#ifndef TEST_CHECK_BUILD_H
#define TEST_CHECK_BUILD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/path.h"
#include "check/check.h"
#include "model/rules.h"
#include "project/project.h"
#include "yaml/reader.h"

struct rig {
	char root[32];
	struct arena arena;
	struct fs fs;
	struct project project;
	struct env env;
	struct trace trace;
	struct diags diags;
	struct unit unit;
};

static inline void rig_file(struct rig *r, const char *path, const char *text)
{
	assert_int_equal(fs_mkdirs(&r->fs, path_parent(str_of(path))), 0);
	assert_int_equal(fs_replace(&r->fs, str_of(path), str_of(text)), 0);
}

static inline const struct node *rig_yaml(struct rig *r, const char *text)
{
	struct yaml_file *yaml = ARENA_NEW(&r->arena, struct yaml_file);

	assert_int_equal(yaml_read(&r->arena, "pipelines/x.yaml", str_dup(&r->arena, str_of(text)), yaml), YAML_GOOD);
	assert_int_equal(yaml->n_doc, 1);
	return yaml->doc[0];
}

static inline void rig_init(struct rig *r, const char *settings)
{
	memset(r, 0, sizeof *r);
	strcpy(r->root, "/tmp/lhp-check-XXXXXX");
	assert_non_null(mkdtemp(r->root));
	assert_int_equal(fs_open(&r->fs, &r->arena, str_of(r->root)), 0);
	r->project = (struct project){ .door = door_open(&r->fs), .arena = &r->arena, .name = STR("t") };
	r->project.root = rig_yaml(r, settings);
	r->env = (struct env){ .name = STR("dev"), .include_tests = true };
	r->trace.arena = r->diags.arena = &r->arena;
	r->unit = (struct unit){ .project = &r->project, .env = &r->env, .arena = &r->arena, .trace = &r->trace,
		                 .diags = &r->diags, .file = "pipelines/x.yaml" };
}

static inline void rig_finish(struct rig *r)
{
	assert_int_equal(fs_remove_tree(&r->fs, str_of(r->root)), 0);
	door_close(r->project.door);
	fs_close(&r->fs);
	arena_release(&r->arena);
}

static inline struct str rig_action_text(const struct node *map, const char *key)
{
	struct str s = node_get_text(map, key);

	return s.n != 0 ? s : STR("");
}

static inline struct flowgroup *rig_flowgroup(struct rig *r, const char *text)
{
	static const char *const types[] = { "load", "transform", "write", "test" };
	struct flowgroup *fg = ARENA_NEW(&r->arena, struct flowgroup);
	const struct node *map = rig_yaml(r, text), *actions = node_get(map, "actions");

	*fg = (struct flowgroup){ .pipeline = node_get_text(map, "pipeline"), .name = node_get_text(map, "flowgroup"), .job_name = node_get_text(map, "job_name"),
		                  .file = "pipelines/x.yaml", .at = map->at, .map = map, .n = node_len(actions) };
	fg->action = ARENA_ARRAY(&r->arena, struct action, fg->n + 1);
	for (size_t i = 0; i < fg->n; i++) {
		const struct node *n = actions->list.item[i];
		struct action *a = &fg->action[i];

		*a = (struct action){ .name = rig_action_text(n, "name"), .target = rig_action_text(n, "target"), .map = n,
			              .source = node_get(n, "source"), .write_target = node_get(n, "write_target") };
		for (size_t t = 0; t < 4; t++)
			if (str_is(node_get_text(n, "type"), types[t]))
				a->type = (enum action_type)t;
	}
	r->unit.pipeline = fg->pipeline;
	r->unit.flowgroup = fg->name;
	return fg;
}

/* Rule names of findings, of the parts of those that fold others, in order, separated by blanks. */
static inline const char *rig_rules(struct rig *r, const struct diags *ds)
{
	struct buf b = { 0 };
	struct str s;

	for (size_t i = 0; i < ds->n; i++) {
		const struct diags *parts = ds->p[i].parts;

		for (size_t k = 0; parts != NULL && k < parts->n; k++)
			buf_addf(&b, "%s%s", b.n != 0 ? " " : "", parts->p[k].rule->name);
		if (parts == NULL)
			buf_addf(&b, "%s%s", b.n != 0 ? " " : "", ds->p[i].rule->name);
	}
	s = buf_take(&b, &r->arena);
	buf_release(&b);
	return str_cstr(&r->arena, s);
}

#endif
