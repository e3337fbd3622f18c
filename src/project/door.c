#include "project/door.h"

#include "base/path.h"
#include "cache/leaves.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

/*
 * Entries are spread over shards by their path, each with its own lock and
 * arena: a file is read and parsed under the lock of its shard, so that two
 * threads that ask for it get one reading, and others rarely wait.
 */
enum { SHARDS = 32 };

struct entry {
	struct door_file file;
	struct door_yaml *yaml; /* NULL: not parsed */
	bool read;
	bool own; /* the program's, not the disk's */
};

struct folder {
	struct str path;
	struct fs_listing listing;
	struct hash128 hash; /* HASH_NONE when it is not there */
	struct fs_stat st;   /* taken before the listing */
	struct str starts;   /* what was looked at; empty: all */
};

struct shard {
	pthread_mutex_t lock;
	struct arena arena;
	struct map file;   /* path -> struct entry */
	struct map folder; /* path -> struct folder */
};

struct door {
	struct fs *fs;
	const char *(*getenv)(const char *name);
	struct shard shard[SHARDS];
};

static const char *process_getenv(const char *name)
{
	return getenv(name);
}

struct door *door_open(struct fs *fs)
{
	struct door *d = xmalloc(sizeof *d);

	memset(d, 0, sizeof *d);
	d->fs = fs;
	d->getenv = process_getenv;
	for (size_t i = 0; i < SHARDS; i++)
		pthread_mutex_init(&d->shard[i].lock, NULL);
	return d;
}

void door_close(struct door *d)
{
	if (d == NULL)
		return;
	for (size_t i = 0; i < SHARDS; i++) {
		arena_release(&d->shard[i].arena);
		pthread_mutex_destroy(&d->shard[i].lock);
	}
	free(d);
}

struct fs *door_fs(struct door *d)
{
	return d->fs;
}

void door_set_getenv(struct door *d, const char *(*fn)(const char *name))
{
	d->getenv = fn;
}

static void note(struct trace *t, enum dep_kind kind, struct str key, struct hash128 hash, struct mark at)
{
	if (t != NULL)
		trace_add(t, kind, key, hash, at);
}

/* The shard of a path, locked. The path is normalised into *key, which lives as long as the door only when it is kept. */
static struct shard *shard_lock(struct door *d, struct str path, struct arena *scratch, struct str *key)
{
	struct shard *s;

	path_normal(scratch, path, key);
	s = &d->shard[hash64(*key) % SHARDS];
	pthread_mutex_lock(&s->lock);
	return s;
}

static struct entry *entry_get(struct shard *s, struct str key)
{
	struct entry *e = map_get(&s->file, key);

	if (e == NULL) {
		e = ARENA_NEW(&s->arena, struct entry);
		e->file.path = str_dup(&s->arena, key);
		map_put(&s->file, &s->arena, e->file.path, e);
	}
	return e;
}

static void entry_read(struct door *d, struct shard *s, struct entry *e)
{
	struct door_file *f = &e->file;

	if (e->read)
		return;
	e->read = true;
	f->error = fs_read(d->fs, f->path, &s->arena, &f->bytes, &f->st);
	if (f->error == -ENOTDIR || f->error == -ENAMETOOLONG)
		f->error = -ENOENT;
	f->hash = f->error == 0 ? hash_bytes(f->bytes) : unreadable_hash(f->error);
}

static void entry_parse(struct shard *s, struct entry *e)
{
	e->yaml = ARENA_NEW(&s->arena, struct door_yaml);
	e->yaml->file = &e->file;
	if (e->file.error == 0)
		yaml_read(&s->arena, e->file.path.p, e->file.bytes, &e->yaml->yaml);
}

static const struct entry *entry_of(struct door *d, struct str path, bool parse)
{
	struct arena scratch = { 0 };
	struct str key;
	struct shard *s = shard_lock(d, path, &scratch, &key);
	struct entry *e = entry_get(s, key);

	entry_read(d, s, e);
	if (parse && e->yaml == NULL)
		entry_parse(s, e);
	pthread_mutex_unlock(&s->lock);
	arena_release(&scratch);
	return e;
}

void door_put(struct door *d, struct str path, struct str bytes)
{
	struct arena scratch = { 0 };
	struct str key;
	struct shard *s = shard_lock(d, path, &scratch, &key);
	struct entry *e = entry_get(s, key);

	e->read = e->own = true;
	e->file.error = 0;
	e->file.bytes = bytes;
	e->file.hash = hash_bytes(bytes);
	pthread_mutex_unlock(&s->lock);
	arena_release(&scratch);
}

const struct door_file *door_read(struct door *d, struct trace *t, struct str path, struct mark at)
{
	const struct entry *e = entry_of(d, path, false);

	note(t, DEP_FILE, e->file.path, e->file.hash, at);
	return &e->file;
}

const struct door_yaml *door_yaml(struct door *d, struct trace *t, struct str path, struct mark at)
{
	const struct entry *e = entry_of(d, path, true);

	note(t, DEP_FILE, e->file.path, e->file.hash, at);
	return e->yaml;
}

const struct door_yaml *door_yaml_quiet(struct door *d, struct str path)
{
	return entry_of(d, path, true)->yaml;
}

static const struct folder *folder_of(struct door *d, struct str path, struct str starts)
{
	struct arena scratch = { 0 };
	struct str key;
	struct shard *s = shard_lock(d, path, &scratch, &key);
	struct folder *f = map_get(&s->folder, key);

	if (f == NULL) {
		f = ARENA_NEW(&s->arena, struct folder);
		f->path = str_dup(&s->arena, key);
		if (fs_stat(d->fs, f->path, &f->st) == 0 && fs_list(d->fs, f->path, &s->arena, &f->listing) == 0)
			f->hash = fs_listing_hash(&f->listing);
		else
			f->listing = (struct fs_listing){ 0 };
		f->starts = str_dup(&s->arena, starts);
		map_put(&s->folder, &s->arena, f->path, f);
	}
	f->starts = starts_both(&s->arena, f->starts, starts);
	pthread_mutex_unlock(&s->lock);
	arena_release(&scratch);
	return f;
}

const struct fs_listing *door_list(struct door *d, struct trace *t, struct str dir)
{
	return door_list_some(d, t, dir, STR(""));
}

const struct fs_listing *door_list_some(struct door *d, struct trace *t, struct str dir, struct str starts)
{
	const struct folder *f = folder_of(d, dir, starts);

	note(t, DEP_DIR, f->path, f->hash, (struct mark){ 0 });
	return &f->listing;
}

struct hash128 door_list_hash(struct door *d, struct str dir)
{
	return folder_of(d, dir, STR(""))->hash;
}

const char *door_trouble(const struct door_file *f)
{
	switch (f->error) {
	case -ENOENT: return "is not there";
	case -EISDIR: return "is a folder, not a file";
	case -EINVAL: return "is no regular file";
	case -ELOOP: return "is a symbolic link that leads back to itself";
	case -EFBIG: return "is too large";
	case -EACCES: return "may not be read";
	default: return strerror(-f->error);
	}
}

bool door_is_file(struct door *d, struct trace *t, struct str path)
{
	const struct door_file *f = door_read(d, t, path, (struct mark){ 0 });

	return f->error != -ENOENT && f->error != -ELOOP && f->error != -EISDIR;
}

bool door_is_dir(struct door *d, struct trace *t, struct str path)
{
	const struct folder *f = folder_of(d, path, STR(""));

	note(t, DEP_DIR, f->path, f->hash, (struct mark){ 0 });
	return !hash_is_none(f->hash);
}

static struct hash128 env_hash(const char *value)
{
	return value != NULL ? hash_bytes(str_of(value)) : HASH_NONE;
}

struct str door_getenv(struct door *d, struct trace *t, const char *name)
{
	const char *value = d->getenv(name);

	note(t, DEP_ENV, str_of(name), env_hash(value), (struct mark){ 0 });
	return (struct str){ value, value != NULL ? strlen(value) : 0 };
}

struct hash128 door_getenv_hash(struct door *d, const char *name)
{
	return env_hash(d->getenv(name));
}

void door_each(struct door *d, void (*each)(void *ctx, const struct door_seen *seen), void *ctx)
{
	for (size_t i = 0; i < SHARDS; i++) {
		const struct shard *s = &d->shard[i];

		for (size_t k = 0; k < s->file.n; k++) {
			const struct entry *e = s->file.entry[k].value;

			if (e->read && !e->own)
				each(ctx, &(struct door_seen){ .path = e->file.path, .absent = e->file.error != 0, .hash = e->file.hash, .st = e->file.st });
		}
		for (size_t k = 0; k < s->folder.n; k++) {
			const struct folder *f = s->folder.entry[k].value;

			each(ctx, &(struct door_seen){ f->path, true, hash_is_none(f->hash), f->hash, f->st, &f->listing, f->starts });
		}
	}
}
