#include "build/snapshot.h"

#include "base/pool.h"
#include "resolve/preset.h"
#include "resolve/resolve.h"
#include "resolve/token.h"

#include <stdlib.h>

static int project_read(struct snapshot *s, struct str env)
{
	struct buf log = { 0 };
	int rc = project_load(&s->project, s->door, &s->arena, &s->trace, &s->diags, &log);

	s->project.workers = s->workers;
	if (rc == 0)
		presets_read(&s->project, &s->trace, &log);
	if (rc == 0)
		rc = discover(&s->project, &s->trace, &s->arena, &s->diags, &log, &s->found);
	if (rc == 0)
		s->env.tokens = tokens_load(&s->project, &s->arena, env, false, &s->diags, &log);
	buf_release(&log);
	return rc == 0 && s->env.tokens != NULL ? 0 : -1;
}

int snapshot_open(struct snapshot *s, struct fs *fs, struct str env, bool include_tests, const char *(*fn)(const char *name))
{
	*s = (struct snapshot){ .workers = pool_default_workers(), .env = { .name = env, .include_tests = include_tests } };
	s->trace = (struct trace){ .arena = &s->arena };
	s->diags = (struct diags){ .arena = &s->arena };
	s->door = door_open(fs);
	door_set_getenv(s->door, fn);
	if (project_read(s, env) != 0)
		return -1;
	s->unit = ARENA_ARRAY(&s->arena, struct snapshot_unit, s->found.n + 1);
	for (size_t i = 0; i < s->found.n; i++)
		snapshot_add(s, &s->found.source[i]);
	return 0;
}

void snapshot_add(struct snapshot *s, const struct flowgroup_source *src)
{
	struct unit naming = { .project = &s->project, .env = &s->env, .arena = &s->arena, .trace = &s->trace };
	struct snapshot_unit *u = &s->unit[s->n++];

	u->src = src;
	flowgroup_names(&naming, src, &u->pipeline, &u->name);
}

struct job {
	struct snapshot *s;
	enum work_depth depth;
};

static void unit_job(void *ctx, size_t item, size_t worker)
{
	struct job *job = ctx;
	struct snapshot *s = job->s;
	struct snapshot_unit *u = &s->unit[item];
	struct work_result done;

	unit_work(&s->project, &s->env, u->src, job->depth, NULL, &s->memory[worker], &done);
	if (record_unpack(&s->memory[worker].file, done.record, &u->record) != 0)
		abort(); /* it was packed a moment ago */
	u->worked = true;
}

void snapshot_work(struct snapshot *s, enum work_depth depth)
{
	struct job job = { s, depth };

	s->memory = ARENA_ARRAY(&s->arena, struct work_memory, s->workers);
	for (size_t i = 0; i < s->workers; i++)
		work_memory_init(&s->memory[i]);
	pool_run(s->workers, s->n, unit_job, &job);
}

void snapshot_close(struct snapshot *s)
{
	for (size_t i = 0; s->memory != NULL && i < s->workers; i++)
		work_memory_release(&s->memory[i]);
	project_release(&s->project);
	door_close(s->door);
	arena_release(&s->arena);
}
