/* cache.c - `lhp cache`: looking at the store, and moving it (spec/engine.md, "cache"). */
#include "base/pack.h"
#include "base/path.h"
#include "build/build_id.h"
#include "build/resources.h"
#include "build/why.h"
#include "cache/archive.h"
#include "cache/lock.h"
#include "cmd/call.h"
#include "cmd/store_look.h"

#include <errno.h>
#include <time.h>

/* Kinds of records (build/engine.h), in words. */
static const struct {
	char kind;
	const char *what;
} record_kind[] = {
	{ 'D', "folders of inputs" },
	{ 'S', "folders of flowgroup files" },
	{ 'P', "pipelines with what they depend on" },
	{ 'U', "pipelines with their flowgroups" },
	{ 'N', "pipelines with flowgroups redone since" },
	{ 'O', "folders of outputs" },
	{ 'Q', "places with outputs written since" },
	{ 'T', "transcripts of runs" },
	{ 'K', "environments with their tokens" },
	{ 'L', "analyses of lhp dag" },
};

/* "1.2 MB" */
static struct str bytes_text(struct arena *a, uint64_t n)
{
	static const char *const unit[] = { "kB", "MB", "GB" };
	double v = (double)n / 1000;
	size_t i = 0;

	if (n < 1000)
		return str_fmt(a, "%llu bytes", (unsigned long long)n);
	for (; v >= 1000 && i + 1 < sizeof unit / sizeof *unit; i++)
		v /= 1000;
	return str_fmt(a, "%.1f %s", v, unit[i]);
}

static struct str age_text(struct arena *a, int64_t seconds)
{
	if (seconds < 0)
		seconds = 0;
	if (seconds < 120)
		return str_fmt(a, "%lld s", (long long)seconds);
	if (seconds < 7200)
		return str_fmt(a, "%lld min", (long long)seconds / 60);
	return seconds < 172800 ? str_fmt(a, "%lld h", (long long)seconds / 3600)
	                        : str_fmt(a, "%lld days", (long long)seconds / 86400);
}

static void hits_print(struct call *c, struct store *s)
{
	struct str bytes = store_get(s, c->arena, 'R', 0, STR(""));
	struct unpack u = unpack_of(bytes);
	uint64_t units = unpack_uint(&u), rebuilt = unpack_uint(&u);

	if (bytes.p == NULL || u.bad || units == 0 || rebuilt > units)
		return;
	fprintf(c->io->out, "Last run with something to do: %llu of %llu flowgroups reused (%.1f %%)\n",
	        (unsigned long long)(units - rebuilt), (unsigned long long)units,
	        100.0 * (double)(units - rebuilt) / (double)units);
}

static void sizes_print(struct call *c, struct store *s)
{
	struct store_size size;
	struct fs_stat st;

	store_measure(s, &size);
	fprintf(c->io->out, "Store .lhp/cache: %.*s, %llu records with %.*s", STR_ARG(bytes_text(c->arena, size.file_bytes)),
	        (unsigned long long)size.records, STR_ARG(bytes_text(c->arena, size.record_bytes)));
	if (fs_stat(&c->fs, STR(".lhp/cache/data.mdb"), &st) == 0)
		fprintf(c->io->out, ", written %.*s ago", STR_ARG(age_text(c->arena, time(NULL) - st.mtime_ns / 1000000000)));
	fputc('\n', c->io->out);
	for (size_t i = 0; i < sizeof record_kind / sizeof *record_kind; i++)
		fprintf(c->io->out, "  %6llu  %s, %.*s\n", (unsigned long long)size.by_kind[(unsigned char)record_kind[i].kind],
		        record_kind[i].what, STR_ARG(bytes_text(c->arena, size.bytes_by_kind[(unsigned char)record_kind[i].kind])));
}

/* Opens the project and its store; NULL with *status set, a reason printed on `to`. */
static struct store *look(struct call *c, FILE *to, int *status)
{
	struct str why;
	struct store *s;

	*status = call_open(c);
	if (*status != 0)
		return NULL;
	s = store_look(c, &why);
	if (s == NULL)
		fprintf(to, "%.*s.\n", STR_ARG(why));
	return s;
}

int cmd_cache_stats(struct call *c)
{
	int status;
	struct store *s = look(c, c->io->out, &status);

	if (s == NULL)
		return status;
	sizes_print(c, s);
	hits_print(c, s);
	store_close(s);
	return 0;
}

/* --- verify --- */

struct env_names {
	struct arena *arena;
	struct map name;
};

static int env_take(void *ctx, struct str name, struct str bytes)
{
	struct env_names *e = ctx;
	ptrdiff_t end = str_find(name, STR(" sandbox="), 0);

	(void)bytes;
	if (str_starts(name, STR("env=")) && end > 0)
		map_add(&e->name, e->arena, str_dup(e->arena, str_sub(name, 4, (size_t)end)));
	return 0;
}

/* The traces of one environment against the files. 0, or a status when the project cannot be read. */
static int traces_verify(struct call *c, struct store *s, struct str env, size_t *damaged)
{
	struct resources around;
	struct snapshot now;
	struct stored st;
	size_t same = 0;
	int status = 0;

	stored_read(&st, s, env, c->arena);
	*damaged += st.damaged;
	if (snapshot_open(&now, &c->fs, env, false, c->io->getenv) != 0 || resources_open(&around, &now, STR("")) != 0) {
		panels_print(c->io, &c->fs, &now.diags);
		status = STATUS_FAILED;
	}
	for (size_t i = 0; status == 0 && i < now.n; i++) {
		const struct stored_unit *u = stored_find(&st, now.unit[i].pipeline, now.unit[i].name);
		struct differences d = { 0 };

		if (u == NULL)
			continue;
		differences_find(&now, &st, &u->record.trace, now.unit[i].src, &d);
		same += d.n == 0;
	}
	if (status == 0)
		fprintf(c->io->out, "%.*s: %zu of %zu traces fit the files; the others are looked at again by the next run\n",
		        STR_ARG(env), same, st.unit.n);
	snapshot_close(&now);
	return status;
}

int cmd_cache_verify(struct call *c)
{
	struct env_names envs = { .arena = c->arena };
	int status, worst = 0;
	struct store *s = look(c, c->io->err, &status);
	struct store_size size;
	size_t damaged;

	if (s == NULL)
		return status != 0 ? status : fs_is_file(&c->fs, STR(".lhp/cache/data.mdb")) ? STATUS_FAILED : 0;
	damaged = store_count_damaged(s);
	store_measure(s, &size);
	store_each_group(s, 'P', env_take, &envs);
	for (size_t i = 0; i < envs.name.n; i++) {
		status = traces_verify(c, s, envs.name.entry[i].key, &damaged);
		worst = status > worst ? status : worst;
	}
	fprintf(c->io->out, damaged == 0 ? "%llu records, every checksum is right\n" : "%llu records, %zu of them damaged\n",
	        (unsigned long long)size.records, damaged);
	store_close(s);
	return damaged != 0 ? STATUS_FAILED : worst;
}

/* --- what changes it --- */

static int failed(struct call *c, const char *what, int rc)
{
	fprintf(c->io->err, "lhp: %s: %s\n", what, strerror(-rc));
	return STATUS_MACHINE;
}

static void waiting_say(void *ctx, const struct lock_holder *h)
{
	struct call *c = ctx;

	fprintf(c->io->err, "Waiting for another run of lhp in this project (process %d: %s)\n", h->pid, h->command);
}

/* The project with its lock; 0 or a status. */
static int locked_open(struct call *c, struct lock *lock)
{
	struct lock_holder holder = { 0 };
	int status = call_open(c), rc;

	if (status != 0)
		return status;
	rc = fs_mkdirs(&c->fs, STR(".lhp/cache"));
	if (rc == 0)
		rc = lock_take(lock, store_dir(c), true, &holder, waiting_say, c);
	return rc != 0 ? failed(c, ".lhp/cache", rc) : 0;
}

/* Is this a damaged store that was set aside? */
static bool is_set_aside(struct str name)
{
	return str_starts(name, STR("cache.bad-"));
}

int cmd_cache_clear(struct call *c)
{
	struct fs_listing l = { 0 };
	struct lock lock;
	struct fs_stat st = { 0 };
	int status = locked_open(c, &lock), rc;

	if (status != 0)
		return status;
	if (fs_stat(&c->fs, STR(".lhp/cache/data.mdb"), &st) != 0)
		st.size = 0;
	rc = fs_remove_tree(&c->fs, STR(".lhp/cache/seal"));
	if (rc == 0)
		rc = fs_remove_tree(&c->fs, STR(".lhp/cache/data.mdb"));
	if (rc == 0 && fs_list(&c->fs, STR(".lhp"), c->arena, &l) != 0)
		l.n = 0;
	for (size_t i = 0; rc == 0 && i < l.n; i++)
		if (is_set_aside(l.entry[i].name))
			rc = fs_remove_tree(&c->fs, path_join(c->arena, STR(".lhp"), l.entry[i].name));
	lock_give(&lock);
	if (rc != 0)
		return failed(c, ".lhp/cache cannot be cleared", rc);
	fprintf(c->io->out, "Cleared: %.*s freed; the next run is a cold one.\n", STR_ARG(bytes_text(c->arena, st.size)));
	return 0;
}

/* FILE is relative to the current folder. */
static struct str file_named(struct call *c)
{
	return path_join(c->arena, c->io->cwd, c->args->word[0]);
}

static int archive_failed(struct call *c, int rc)
{
	struct str file = c->args->word[0];

	if (rc == -EBADMSG)
		fprintf(c->io->err, "lhp: %.*s is damaged or no export of lhp: the store is as it was\n", STR_ARG(file));
	else if (rc == -EILSEQ)
		fprintf(c->io->err, "lhp: %.*s was exported by another version of lhp: the store is as it was\n", STR_ARG(file));
	else
		return failed(c, str_cstr(c->arena, file), rc);
	return STATUS_FAILED;
}

int cmd_cache_export(struct call *c)
{
	struct lock lock;
	int status = locked_open(c, &lock), rc;
	struct str why;
	struct store *s;

	if (status != 0)
		return status;
	s = store_look(c, &why);
	if (s == NULL) {
		lock_give(&lock);
		fprintf(c->io->err, "lhp: nothing to export. %.*s.\n", STR_ARG(why));
		return STATUS_FAILED;
	}
	store_close(s);
	rc = archive_export(&c->fs, store_dir(c), build_id(c->arena), file_named(c), c->arena);
	lock_give(&lock);
	if (rc != 0)
		return failed(c, str_cstr(c->arena, c->args->word[0]), rc);
	fprintf(c->io->out, "Exported to %.*s\n", STR_ARG(c->args->word[0]));
	return 0;
}

int cmd_cache_import(struct call *c)
{
	struct lock lock;
	int status = locked_open(c, &lock), rc;

	if (status != 0)
		return status;
	rc = archive_import(&c->fs, store_dir(c), build_id(c->arena), file_named(c), c->arena);
	lock_give(&lock);
	if (rc != 0)
		return archive_failed(c, rc);
	fprintf(c->io->out, "Imported from %.*s; the next run compares it with the files.\n", STR_ARG(c->args->word[0]));
	return 0;
}
