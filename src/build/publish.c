#include "build/publish.h"
#include "base/path.h"
#include "base/pool.h"
#include "cache/leaves.h"
#include "model/rules.h"

#include <errno.h>
#include <stdatomic.h>

struct output *outputs_find(const struct outputs *o, struct str path)
{
	uintptr_t at = (uintptr_t)map_get(&o->by_path, path);

	return at != 0 ? &o->p[at - 1] : NULL;
}

void outputs_room(struct outputs *o, struct arena *a, size_t more)
{
	VEC_ROOM(o, a, more);
	map_reserve(&o->by_path, a, o->n + more);
}

struct output *outputs_add(struct outputs *o, struct arena *a, struct str path, struct str text)
{
	struct output *out = VEC_PUSH(o, a);

	*out = (struct output){ .path = path, .text = text, .hash = hash_bytes(text) };
	map_put(&o->by_path, a, path, (void *)(uintptr_t)o->n);
	return out;
}

static int failed(struct publish *p, struct str path, int rc, const char *what)
{
	struct diag *d = diag_add(p->diags, &rule_output_unwritable, (struct mark){ .file = str_cstr(p->arena, path) },
	                          "%.*s cannot be %s: %s", STR_ARG(path), what, strerror(-rc));

	diag_hint(p->diags, d, "Check that the folder can be written, that no file stands where a folder must be, and that the disk is not full");
	return -1;
}

/* Is the file there and the same? A link never is: it must go. */
static bool is_right(struct publish *p, struct output *out, struct str text)
{
	struct fs_stat st;
	struct arena a = { 0 };
	struct str bytes;
	bool same;

	if (fs_lstat(p->fs, out->path, &st) != 0 || st.type != FS_FILE || st.size != text.n)
		return false;
	same = fs_read(p->fs, out->path, &a, &bytes, &out->st) == 0 && str_eq(bytes, text);
	out->settled = same && stat_is_settled(&out->st, p->stamp);
	arena_release(&a);
	return same;
}

static bool is_inside(const struct publish *p, struct str dir)
{
	return p->n_keep_dir != 0 && dir.n > p->keep_dir[0].n && path_is_below(dir, p->keep_dir[0]);
}

/* Makes the folder of a path; a link in its place goes, and so does a file inside the output folder. */
static int folder_make(struct publish *p, struct map *made, struct str dir)
{
	struct fs_stat st;
	int rc;

	if (dir.n == 0 || map_find(made, dir) != NULL)
		return 0;
	rc = folder_make(p, made, path_parent(dir));
	if (rc != 0)
		return rc;
	rc = fs_lstat(p->fs, dir, &st);
	if (rc == 0 && (st.type == FS_LINK ? path_parent(dir).n != 0 : st.type != FS_DIR && is_inside(p, dir))) {
		rc = surplus_remove(p, dir, st.type);
		rc = rc == 0 ? -ENOENT : rc;
	} else if (rc == 0 && st.type != FS_DIR && st.type != FS_LINK)
		rc = -ENOTDIR;
	if (rc == -ENOENT)
		rc = p->fs->ops->mkdir(p->fs, dir);
	if (rc == 0 || rc == -EEXIST)
		map_add(made, p->arena, dir);
	return rc == -EEXIST ? 0 : rc;
}

/* Files to be written, by several threads. */
struct writing {
	struct publish *p;
	struct outputs *o;
	size_t writers;
	int *rc;             /* of each */
	atomic_size_t until; /* the first that was not written: none after it is begun */
};

static bool is_known(const struct output *out)
{
	return out->text.p == NULL && out->waits == 0;
}

static int text_write(struct publish *p, struct output *out, struct str text)
{
	int rc;

	out->right = is_right(p, out, text);
	if (out->right)
		return 0;
	rc = fs_replace(p->fs, out->path, text);
	out->written = out->right = rc == 0;
	return rc;
}

static int file_write(struct publish *p, struct output *out)
{
	struct arena a = { 0 };
	struct str text;
	int rc;

	if (out->waits == 0)
		return text_write(p, out, out->text);
	rc = p->waiting(p->ctx, out->waits, &a, &text);
	if (rc == 0) {
		out->hash = hash_bytes(text);
		rc = text_write(p, out, text);
	}
	arena_release(&a);
	return rc;
}

static bool is_in_the_way(int rc)
{
	return rc == -EISDIR || rc == -ENOTEMPTY || rc == -EEXIST;
}

/* Neighbours stand in one folder, into which one at a time can write: the writers begin far from each other. */
static size_t turn_item(const struct writing *w, size_t turn)
{
	size_t writer = turn % w->writers, more = w->o->n % w->writers;

	return writer * (w->o->n / w->writers) + (writer < more ? writer : more) + turn / w->writers;
}

static void until_lower(struct writing *w, size_t item)
{
	size_t until = w->until;

	while (item < until && !atomic_compare_exchange_weak(&w->until, &until, item))
		;
}

static void writing_job(void *ctx, size_t turn, size_t worker)
{
	struct writing *w = ctx;
	size_t item = turn_item(w, turn);

	(void)worker;
	if (is_known(&w->o->p[item]) || item > w->until)
		return;
	w->rc[item] = file_write(w->p, &w->o->p[item]);
	if (w->rc[item] != 0 && !is_in_the_way(w->rc[item]))
		until_lower(w, item);
}

static int folders_make(struct publish *p, const struct outputs *o)
{
	struct map made = { 0 };
	int rc;

	for (size_t i = 0; i < p->n_keep_dir; i++) {
		rc = folder_make(p, &made, p->keep_dir[i]);
		if (rc != 0)
			return failed(p, p->keep_dir[i], rc, "made");
	}
	for (size_t i = 0; i < o->n; i++) {
		struct str dir = path_parent(o->p[i].path);

		rc = !is_known(&o->p[i]) ? folder_make(p, &made, dir) : 0;
		if (rc != 0)
			return failed(p, dir, rc, "made");
	}
	return 0;
}

/* A folder stands in the place of a file: one after the other, since there is one trash. */
static int place_clear(struct publish *p, struct output *out)
{
	int rc = surplus_remove(p, out->path, FS_DIR);

	return rc == 0 ? file_write(p, out) : rc;
}

enum { WRITERS_EACH = 4, FILES_EACH = 8 };

/* Whoever writes waits for the disk more than for a processor: a thread more for every few files. One thread stays one. */
static size_t writers(const struct publish *p, size_t files)
{
	size_t most = p->workers * WRITERS_EACH, useful = files / FILES_EACH;

	if (p->workers <= 1)
		return 1;
	if (useful <= p->workers)
		return p->workers;
	return useful < most ? useful : most;
}

int publish_write(struct publish *p, struct outputs *o)
{
	struct writing w = { .p = p, .o = o, .writers = writers(p, o->n), .rc = ARENA_ARRAY(p->arena, int, o->n), .until = o->n };

	if (folders_make(p, o) != 0)
		return -1;
	pool_run(w.writers, o->n, writing_job, &w);
	for (size_t i = 0; i < o->n && w.until == o->n; i++)
		if (is_in_the_way(w.rc[i]))
			w.rc[i] = place_clear(p, &o->p[i]);
	for (size_t i = 0; i < o->n; i++)
		p->written += o->p[i].written;
	for (size_t i = 0; i < o->n; i++)
		if (w.rc[i] != 0)
			return failed(p, o->p[i].path, w.rc[i], "written");
	return 0;
}
