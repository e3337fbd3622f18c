/*
 * emit_case.h - a flowgroup as YAML text in, the texts made of it out.
 *
 * A case has a project folder of its own, below the temporary folder. Nothing is resolved: texts are
 * written with secrets in canonical form. Tokens come from substitutions/dev.yaml, if the case writes one.
 */
#ifndef LHP_TESTS_EMIT_CASE_H
#define LHP_TESTS_EMIT_CASE_H

#include "base/path.h"
#include "emit/emit.h"
#include "emit/module.h"
#include "project/project.h"
#include "resolve/resolve.h"
#include "resolve/token.h"
#include "yaml/node_build.h"
#include "yaml/reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

struct emit_case {
	char root[64];
	struct arena arena;
	struct fs fs;
	struct project project;
	struct trace trace;
	struct diags diags;
	struct out_files out;
};

static inline void case_open(struct emit_case *c)
{
	*c = (struct emit_case){ .root = "/tmp/lhp-emit-XXXXXX" };
	assert_non_null(mkdtemp(c->root));
	assert_int_equal(fs_open(&c->fs, &c->arena, str_of(c->root)), 0);
	c->project.arena = c->trace.arena = c->diags.arena = &c->arena;
	c->project.root = node_new(&c->arena, NODE_MAP, (struct mark){ 0 });
	c->project.door = door_open(&c->fs);
}

static inline void case_close(struct emit_case *c)
{
	project_release(&c->project);
	door_close(c->project.door);
	fs_remove_tree(&c->fs, str_of(c->root));
	fs_close(&c->fs);
	arena_release(&c->arena);
}

static inline void case_file(struct emit_case *c, const char *path, const char *text)
{
	assert_int_equal(fs_mkdirs(&c->fs, path_parent(str_of(path))), 0);
	assert_int_equal(fs_replace(&c->fs, str_of(path), str_of(text)), 0);
}

static inline enum action_type case_type(const struct node *map)
{
	struct str type = node_get_text(map, "type");

	return str_is(type, "load")        ? ACTION_LOAD
	       : str_is(type, "transform") ? ACTION_TRANSFORM
	       : str_is(type, "write")     ? ACTION_WRITE
	                                   : ACTION_TEST;
}

static inline struct flowgroup case_flowgroup(struct emit_case *c, const char *yaml)
{
	struct flowgroup fg = { .pipeline = STR("p"), .name = STR("f"), .file = "f.yaml" };
	struct yaml_file file;
	const struct node *actions;

	assert_int_equal(yaml_read(&c->arena, "f.yaml", str_dup(&c->arena, str_of(yaml)), &file), YAML_GOOD);
	fg.map = file.doc[0];
	actions = node_get(fg.map, "actions");
	fg.n = node_len(actions);
	fg.action = ARENA_ARRAY(&c->arena, struct action, fg.n);
	for (size_t i = 0; i < fg.n; i++) {
		const struct node *map = actions->list.item[i];

		fg.action[i] = (struct action){ case_type(map), node_get_text(map, "name"), node_get_text(map, "target"), map,
			                        node_get(map, "source"), node_get(map, "write_target") };
	}
	return fg;
}

/* The code of the first finding, or "" when there is none. */
static inline const char *case_emit_with(struct emit_case *c, const char *yaml, struct meta_column *meta, size_t n_meta)
{
	struct flowgroup fg = case_flowgroup(c, yaml);
	struct env env = { .name = STR("dev") };
	struct unit u = { .project = &c->project, .env = &env, .arena = &c->arena, .trace = &c->trace, .diags = &c->diags };

	for (size_t i = 0; i < fg.n; i++) {
		fg.action[i].meta = meta;
		fg.action[i].n_meta = n_meta;
	}
	env.tokens = tokens_load(&c->project, &c->arena, env.name, false, &c->diags, &(struct buf){ 0 });
	assert_non_null(env.tokens);
	return flowgroup_emit(&u, &fg, &c->out) == 0 ? "" : c->diags.p[0].rule->code;
}

static inline const char *case_emit(struct emit_case *c, const char *yaml)
{
	return case_emit_with(c, yaml, NULL, 0);
}

/* The text of an output, or NULL. */
static inline const char *case_text(struct emit_case *c, const char *path)
{
	for (size_t i = 0; i < c->out.n; i++)
		if (str_is(c->out.p[i].path, path))
			return str_cstr(&c->arena, c->out.p[i].raw);
	return NULL;
}

/* The module from the head of a section on; fails with the finding when there is none. */
static inline const char *case_section(struct emit_case *c, const char *yaml, const char *section)
{
	const char *code = case_emit(c, yaml), *at;

	if (code[0] != '\0')
		fail_msg("%s: %.*s", code, STR_ARG(c->diags.p[0].detail));
	at = strstr(case_text(c, "p/f.py"), section);
	assert_non_null(at);
	return strstr(at, "=\n\n") + 3;
}

#endif
