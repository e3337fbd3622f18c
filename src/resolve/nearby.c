#include "resolve/nearby.h"

#include "base/path.h"
#include "model/suggest.h"
#include "project/project.h"
#include "resolve/token.h"

struct str file_question(struct unit *u, struct str path)
{
	struct str dir = path_parent(path);
	const struct fs_listing *l = door_list(u->project->door, u->trace, dir);
	struct str *name = ARENA_ARRAY(u->arena, struct str, l->n), near;
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++)
		if (l->entry[i].type != FS_DIR)
			name[n++] = l->entry[i].name;
	if (suggest_names(path_base(path), name, n, &near, 1) == 0)
		return STR("");
	return str_fmt(u->arena, "did you mean '%.*s'?", STR_ARG(path_join(u->arena, dir, near)));
}

static struct str environment_question(struct unit *u)
{
	const struct fs_listing *l = door_list(u->project->door, u->trace, STR("substitutions"));
	struct str *name = ARENA_ARRAY(u->arena, struct str, l->n), question;
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++)
		if (str_is(path_ext(l->entry[i].name), ".yaml"))
			name[n++] = path_stem(l->entry[i].name);
	question = suggest_question(u->arena, u->env->name, name, n, 1);
	return str_fmt(u->arena, "the environment %.*s has no tokens: there is no substitutions/%.*s.yaml%s%.*s", STR_ARG(u->env->name),
	               STR_ARG(u->env->name), question.n != 0 ? "; " : "", STR_ARG(question));
}

struct str token_question(struct unit *u, struct str name)
{
	struct str path = str_fmt(u->arena, "substitutions/%.*s.yaml", STR_ARG(u->env->name)), *known;
	const struct node **value;
	size_t n;

	if (door_read(u->project->door, u->trace, path, (struct mark){ 0 })->error != 0)
		return environment_question(u);
	n = tokens_list(u->env->tokens, u->arena, &known, &value);
	return suggest_question(u->arena, name, known, n, 1);
}
