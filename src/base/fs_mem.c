#include "base/fs_mem.h"
#include "base/path.h"
#include "base/vec.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>

#define ROOT STR("/mem")

enum { MAX_LINKS = 40 };

struct mem_entry {
	struct str path; /* normal; the root is "" */
	struct str bytes; /* of a file; target of a link */
	struct fs_stat st;
};

struct mem {
	struct arena *arena;
	pthread_mutex_t lock;
	struct {
		VEC_OF(struct mem_entry)
	} entries;
	int64_t clock;
	uint64_t next_ino;
	unsigned calls[N_FS_CALLS], fail_at[N_FS_CALLS]; /* fail_at 0: never */
	int fail_with[N_FS_CALLS];
};

static struct mem *mem_of(struct fs *fs)
{
	return fs->state;
}

static struct mem_entry *entry_find(struct mem *m, struct str path)
{
	for (size_t i = 0; i < m->entries.n; i++)
		if (str_eq(m->entries.p[i].path, path))
			return &m->entries.p[i];
	return NULL;
}

/* Something changed in the folder that holds `path`. */
static void parent_touch(struct mem *m, struct str path)
{
	struct mem_entry *e = entry_find(m, path_parent(path));

	if (e != NULL)
		e->st.mtime_ns = e->st.ctime_ns = m->clock;
}

static struct mem_entry *entry_add(struct mem *m, struct str path, enum fs_type type, uint32_t mode)
{
	struct mem_entry *e = VEC_PUSH(&m->entries, m->arena);

	e->path = str_dup(m->arena, path);
	e->st = (struct fs_stat){ .ino = m->next_ino++, .mtime_ns = m->clock, .ctime_ns = m->clock, .mode = mode, .type = type };
	if (path.n != 0)
		parent_touch(m, path);
	return &m->entries.p[m->entries.n - 1];
}

static void entry_fill(struct mem *m, struct mem_entry *e, struct str bytes)
{
	e->bytes = str_dup(m->arena, bytes);
	e->st.size = bytes.n;
	e->st.mtime_ns = e->st.ctime_ns = m->clock;
}

static void entry_remove(struct mem *m, struct mem_entry *e)
{
	struct str path = e->path;

	*e = m->entries.p[--m->entries.n];
	parent_touch(m, path);
}

/*
 * The path behind all links but, unless `follow`, a last one. Its folder exists
 * then; it itself need not.
 */
static int path_resolve(struct mem *m, struct str path, bool follow, struct str *out)
{
	struct str rest = path, part, at = STR("");

	if (path_is_absolute(path)) {
		if (!path_is_below(path, ROOT))
			return -ENOENT;
		rest = str_skip(path, ROOT.n);
	}
	for (unsigned links = 0; str_cut(&rest, '/', &part);) {
		struct mem_entry *dir = entry_find(m, at), *e;

		if (part.n == 0 || str_is(part, "."))
			continue;
		if (dir == NULL)
			return -ENOENT;
		if (dir->st.type != FS_DIR)
			return -ENOTDIR;
		if (str_is(part, "..")) {
			at = path_parent(at);
			continue;
		}
		e = entry_find(m, path_join(m->arena, at, part));
		if (e == NULL || e->st.type != FS_LINK || (rest.p == NULL && !follow)) {
			at = path_join(m->arena, at, part);
			continue;
		}
		if (++links > MAX_LINKS)
			return -ELOOP;
		if (path_is_absolute(e->bytes) && !path_is_below(e->bytes, ROOT))
			return -ENOENT;
		rest = str_fmt(m->arena, "%.*s/%.*s", STR_ARG(e->bytes), STR_ARG(rest));
		if (path_is_absolute(e->bytes)) {
			rest = str_skip(rest, ROOT.n);
			at = STR("");
		}
	}
	*out = at;
	return 0;
}

/* Enters a call: counts it and takes the lock. What it returns is the call's fate so far. */
static int call_begin(struct mem *m, enum fs_call call)
{
	pthread_mutex_lock(&m->lock);
	m->calls[call]++;
	if (m->calls[call] != m->fail_at[call])
		return 0;
	m->fail_at[call] = 0;
	return -m->fail_with[call];
}

static int call_end(struct mem *m, int rc)
{
	pthread_mutex_unlock(&m->lock);
	return rc;
}

static int entry_open(struct mem *m, struct str path, bool follow, struct mem_entry **e)
{
	struct str at;
	int rc = path_resolve(m, path, follow, &at);

	*e = rc == 0 ? entry_find(m, at) : NULL;
	return rc == -ENOTDIR ? -ENOENT : rc != 0 ? rc : *e == NULL ? -ENOENT : 0;
}

static int mem_stat(struct fs *fs, struct str path, bool follow, struct fs_stat *st)
{
	struct mem *m = mem_of(fs);
	struct mem_entry *e;
	int rc = call_begin(m, FS_CALL_STAT);

	if (rc == 0)
		rc = entry_open(m, path, follow, &e);
	if (rc == 0)
		*st = e->st;
	return call_end(m, rc);
}

static int mem_read(struct fs *fs, struct str path, struct arena *a, struct str *bytes, struct fs_stat *st)
{
	struct mem *m = mem_of(fs);
	struct mem_entry *e;
	int rc = call_begin(m, FS_CALL_READ);

	if (rc == 0)
		rc = entry_open(m, path, true, &e);
	if (rc == 0 && e->st.type == FS_DIR)
		rc = -EISDIR;
	if (rc == 0) {
		*bytes = str_dup(a, e->bytes);
		*st = e->st;
	}
	return call_end(m, rc);
}

static int name_cmp(const void *x, const void *y)
{
	return str_cmp(((const struct fs_entry *)x)->name, ((const struct fs_entry *)y)->name);
}

static bool is_child(const struct mem_entry *e, struct str dir)
{
	return e->path.n != 0 && str_eq(path_parent(e->path), dir);
}

static void children_list(struct mem *m, struct str dir, struct arena *a, struct fs_listing *l)
{
	struct {
		VEC_OF(struct fs_entry)
	} v = { 0 };

	for (size_t i = 0; i < m->entries.n; i++)
		if (is_child(&m->entries.p[i], dir))
			*VEC_PUSH(&v, a) = (struct fs_entry){ str_dup(a, path_base(m->entries.p[i].path)), m->entries.p[i].st.type };
	if (v.n > 1)
		qsort(v.p, v.n, sizeof *v.p, name_cmp);
	*l = (struct fs_listing){ v.p, v.n };
}

static int mem_list(struct fs *fs, struct str dir, struct arena *a, struct fs_listing *l)
{
	struct mem *m = mem_of(fs);
	struct mem_entry *e;
	int rc = call_begin(m, FS_CALL_LIST);

	if (rc == 0)
		rc = entry_open(m, dir, true, &e);
	if (rc == 0 && e->st.type != FS_DIR)
		rc = -ENOTDIR;
	if (rc == 0)
		children_list(m, e->path, a, l);
	return call_end(m, rc);
}

/* A place where nothing is yet, in a folder that is there. */
static int place_new(struct mem *m, struct str path, struct str *at)
{
	struct mem_entry *dir;
	int rc = path_resolve(m, path, false, at);

	if (rc != 0)
		return rc;
	if (entry_find(m, *at) != NULL)
		return -EEXIST;
	dir = entry_find(m, path_parent(*at));
	return dir == NULL ? -ENOENT : dir->st.type != FS_DIR ? -ENOTDIR : 0;
}

static int mem_create(struct fs *fs, struct str path, struct str bytes, uint32_t mode)
{
	struct mem *m = mem_of(fs);
	struct str at;
	int rc = call_begin(m, FS_CALL_CREATE);

	if (rc == 0)
		rc = place_new(m, path, &at);
	if (rc == 0)
		entry_fill(m, entry_add(m, at, FS_FILE, S_IFREG | (mode & 0755)), bytes);
	return call_end(m, rc);
}

static int mem_mkdir(struct fs *fs, struct str path)
{
	struct mem *m = mem_of(fs);
	struct str at;
	int rc = call_begin(m, FS_CALL_MKDIR);

	if (rc == 0)
		rc = place_new(m, path, &at);
	if (rc == 0)
		entry_add(m, at, FS_DIR, S_IFDIR | 0755);
	return call_end(m, rc);
}

static bool has_children(struct mem *m, struct str dir)
{
	for (size_t i = 0; i < m->entries.n; i++)
		if (is_child(&m->entries.p[i], dir))
			return true;
	return false;
}

static int remove_type(struct fs *fs, struct str path, bool dir)
{
	struct mem *m = mem_of(fs);
	struct mem_entry *e;
	int rc = call_begin(m, dir ? FS_CALL_RMDIR : FS_CALL_UNLINK);

	if (rc == 0)
		rc = entry_open(m, path, false, &e);
	if (rc == 0 && (e->st.type == FS_DIR) != dir)
		rc = dir ? -ENOTDIR : -EISDIR;
	if (rc == 0 && dir && has_children(m, e->path))
		rc = -ENOTEMPTY;
	if (rc == 0)
		entry_remove(m, e);
	return call_end(m, rc);
}

static int mem_unlink(struct fs *fs, struct str path)
{
	return remove_type(fs, path, false);
}

static int mem_rmdir(struct fs *fs, struct str path)
{
	return remove_type(fs, path, true);
}

/* What is at `to` gives way to `from`, when their types allow that. */
static int way_make(struct mem *m, const struct mem_entry *from, struct str to)
{
	struct mem_entry *there = entry_find(m, to);
	bool dir = from->st.type == FS_DIR;

	if (dir && path_is_below(to, from->path))
		return -EINVAL;
	if (there == NULL)
		return entry_find(m, path_parent(to)) != NULL ? 0 : -ENOENT;
	if ((there->st.type == FS_DIR) != dir)
		return dir ? -ENOTDIR : -EISDIR;
	if (dir && has_children(m, to))
		return -ENOTEMPTY;
	entry_remove(m, there);
	return 0;
}

static void tree_move(struct mem *m, struct str from, struct str to)
{
	for (size_t i = 0; i < m->entries.n; i++) {
		struct mem_entry *e = &m->entries.p[i];

		if (path_is_below(e->path, from))
			e->path = str_cat(m->arena, to, str_skip(e->path, from.n));
	}
	entry_find(m, to)->st.ctime_ns = m->clock;
	parent_touch(m, from);
	parent_touch(m, to);
}

static int mem_rename(struct fs *fs, struct str from, struct str to)
{
	struct mem *m = mem_of(fs);
	struct str p, q;
	int rc = call_begin(m, FS_CALL_RENAME);

	if (rc == 0)
		rc = path_resolve(m, from, false, &p);
	if (rc == 0)
		rc = path_resolve(m, to, false, &q);
	if (rc == 0 && entry_find(m, p) == NULL)
		rc = -ENOENT;
	if (rc != 0 || str_eq(p, q))
		return call_end(m, rc);
	rc = way_make(m, entry_find(m, p), q);
	if (rc == 0)
		tree_move(m, p, q);
	return call_end(m, rc);
}

static int64_t mem_now(struct fs *fs, struct str dir)
{
	(void)dir;
	return mem_of(fs)->clock;
}

static const struct fs_ops mem_ops = {
	.stat = mem_stat,
	.read = mem_read,
	.list = mem_list,
	.create = mem_create,
	.rename = mem_rename,
	.unlink = mem_unlink,
	.mkdir = mem_mkdir,
	.rmdir = mem_rmdir,
	.now = mem_now,
};

void fs_mem_open(struct fs *fs, struct arena *a)
{
	struct mem *m = ARENA_NEW(a, struct mem);

	m->arena = a;
	pthread_mutex_init(&m->lock, NULL);
	m->clock = FS_MEM_START;
	m->next_ino = 1;
	entry_add(m, STR(""), FS_DIR, S_IFDIR | 0755);
	*fs = (struct fs){ &mem_ops, m, ROOT };
}

/* --- what tests do --- */

static void folders_make(struct mem *m, struct str dir)
{
	struct mem_entry *e = entry_find(m, dir);

	if (e != NULL && e->st.type != FS_DIR)
		abort();
	if (e != NULL)
		return;
	folders_make(m, path_parent(dir));
	entry_add(m, dir, FS_DIR, S_IFDIR | 0755);
}

static struct mem_entry *entry_make(struct mem *m, const char *path, enum fs_type type, uint32_t mode)
{
	struct mem_entry *e = entry_find(m, str_of(path));

	if (e != NULL && e->st.type != type)
		abort();
	folders_make(m, path_parent(str_of(path)));
	return e != NULL ? e : entry_add(m, str_of(path), type, mode);
}

void fs_mem_write(struct fs *fs, const char *path, const char *text)
{
	entry_fill(mem_of(fs), entry_make(mem_of(fs), path, FS_FILE, S_IFREG | 0644), str_of(text));
}

void fs_mem_mkdirs(struct fs *fs, const char *dir)
{
	folders_make(mem_of(fs), str_of(dir));
}

void fs_mem_link(struct fs *fs, const char *path, const char *target)
{
	entry_fill(mem_of(fs), entry_make(mem_of(fs), path, FS_LINK, S_IFLNK | 0777), str_of(target));
}

struct str fs_mem_text(struct fs *fs, const char *path)
{
	const struct mem_entry *e = entry_find(mem_of(fs), str_of(path));

	return e != NULL && e->st.type == FS_FILE ? e->bytes : STR_NONE;
}

void fs_mem_stamp(struct fs *fs, const char *path, uint64_t ino, int64_t mtime_ns, int64_t ctime_ns)
{
	struct mem_entry *e = entry_find(mem_of(fs), str_of(path));

	if (e == NULL)
		abort();
	e->st.ino = ino != 0 ? ino : e->st.ino;
	e->st.mtime_ns = mtime_ns != 0 ? mtime_ns : e->st.mtime_ns;
	e->st.ctime_ns = ctime_ns != 0 ? ctime_ns : e->st.ctime_ns;
}

void fs_mem_clock_set(struct fs *fs, int64_t ns)
{
	mem_of(fs)->clock = ns;
}

void fs_mem_clock_add(struct fs *fs, int64_t ns)
{
	mem_of(fs)->clock += ns;
}

void fs_mem_fail(struct fs *fs, enum fs_call call, unsigned k, int error)
{
	struct mem *m = mem_of(fs);

	m->fail_at[call] = m->calls[call] + k;
	m->fail_with[call] = error;
}

unsigned fs_mem_calls(struct fs *fs, enum fs_call call)
{
	return mem_of(fs)->calls[call];
}
