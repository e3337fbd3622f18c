#include "build/sources.h"
#include "base/pack.h"
#include "base/path.h"
#include "build/record.h"

#include <stdio.h>

struct source_file {
	struct str path;
	struct hash128 hash;
	struct str packed;    /* as the store has it */
	struct recalled what; /* of that, when it was asked for; or */
	bool unpacked;
	bool learned;         /* in this run */
};

struct source_folder {
	struct str path;
	struct map file;      /* path -> struct source_file */
	bool changed;
};

/* What is usual costs nothing: the pipeline is named like the folder, the flowgroup like the file. */
static struct str usual_pipeline(struct str folder)
{
	return path_base(folder);
}

static void source_unpack(struct arena *a, struct unpack *u, const char *file, struct flowgroup_source *out)
{
	char number[24];

	out->pipeline = unpack_str_after(u, a, usual_pipeline(path_parent(str_of(file))));
	out->name = unpack_str_after(u, a, path_stem(str_of(file)));
	out->file = file;
	out->index = (size_t)unpack_uint(u);
	out->hash = unpack_hash(u);
	out->at = (struct mark){ file, (uint32_t)unpack_uint(u), (uint32_t)unpack_uint(u) };
	snprintf(number, sizeof number, "#%zu", out->index);
	out->key = str_cat(a, str_of(file), str_of(number));
}

static struct source_file *file_unpack(struct arena *a, struct unpack *u, struct str folder, struct str before)
{
	struct source_file *f = ARENA_NEW(a, struct source_file);

	f->path = path_join(a, folder, unpack_str_after(u, a, before));
	f->hash = unpack_hash(u);
	f->packed = unpack_str(u);
	return f;
}

/* What is known of a file. NULL when it is damaged. */
static const struct recalled *file_what(struct source_memory *m, struct source_file *f)
{
	struct unpack u = unpack_of(f->packed);
	struct flowgroup_source *source;

	if (f->learned || f->unpacked)
		return &f->what;
	f->what.instance = unpack_uint(&u) != 0;
	f->what.n = unpack_count(&u, 21);
	f->what.source = source = ARENA_ARRAY(m->arena, struct flowgroup_source, f->what.n);
	for (size_t i = 0; i < f->what.n && !u.bad; i++)
		source_unpack(m->arena, &u, f->path.p, &source[i]);
	f->unpacked = diags_unpack(m->arena, &u, &f->what.warnings) == 0 && unpack_done(&u);
	return f->unpacked ? &f->what : NULL;
}

static struct source_folder *folder_get(struct source_memory *m, struct str path)
{
	void **slot = map_slot(&m->folder, m->arena, path);
	struct source_folder *f = *slot;
	struct str bytes, before = STR("");
	struct unpack u;
	size_t n;

	if (f != NULL)
		return f;
	path = str_dup(m->arena, path);
	m->folder.entry[m->folder.n - 1].key = path;
	f = *slot = ARENA_NEW(m->arena, struct source_folder);
	f->path = path;
	bytes = m->store != NULL ? store_get(m->store, m->arena, 'S', 0, path) : STR_NONE;
	u = unpack_of(bytes);
	n = bytes.p != NULL ? unpack_count(&u, 19) : 0;
	map_reserve(&f->file, m->arena, n);
	for (; n > 0 && !u.bad; n--) {
		struct source_file *file = file_unpack(m->arena, &u, path, before);

		before = path_base(file->path);
		if (!u.bad)
			map_put(&f->file, m->arena, file->path, file);
	}
	return f;
}

const struct recalled *source_memory_find(struct source_memory *m, struct str path)
{
	struct source_file *f = map_get(&folder_get(m, path_parent(path))->file, path);

	return f != NULL ? file_what(m, f) : NULL;
}

/* Names that local variables make cannot be told without the map. */
static bool needs_variables(const struct flowgroup_source *s)
{
	return str_has(s->pipeline, STR("%{")) || str_has(s->name, STR("%{"));
}

static bool known(void *ctx, struct str path, struct recalled *out)
{
	struct source_memory *m = ctx;
	struct source_file *f = map_get(&folder_get(m, path_parent(path))->file, path);
	const struct leaf *leaf = f != NULL && !f->learned ? leaves_find(m->in, path, false) : NULL;
	const struct recalled *what = leaf != NULL && !leaf->absent && hash_eq(leaf->hash, f->hash) ? file_what(m, f) : NULL;

	if (what == NULL)
		return false;
	for (size_t i = 0; i < what->n; i++)
		if (needs_variables(&what->source[i]))
			return false;
	*out = *what;
	m->known++;
	return true;
}

static void learn(void *ctx, const struct door_file *file, const struct recalled *what)
{
	struct source_memory *m = ctx;
	struct source_folder *folder = folder_get(m, path_parent(file->path));
	struct source_file *f = ARENA_NEW(m->arena, struct source_file);
	struct flowgroup_source *source = ARENA_ARRAY(m->arena, struct flowgroup_source, what->n);

	for (size_t i = 0; i < what->n; i++) {
		source[i] = what->source[i];
		source[i].node = NULL; /* which may be dropped */
		source[i].tray = NULL;
	}
	*f = (struct source_file){ .path = file->path, .hash = file->hash, .what = *what, .learned = true };
	f->what.source = source;
	map_put(&folder->file, m->arena, f->path, f);
	folder->changed = true;
	m->learned++;
}

void source_memory_open(struct source_memory *m, struct store *s, struct leaves *in, struct arena *a)
{
	*m = (struct source_memory){ .store = s, .in = in, .arena = a };
	m->recall = (struct recall){ m, known, learn };
}

static void what_pack(struct buf *b, const struct source_file *f)
{
	pack_uint(b, f->what.instance);
	pack_uint(b, f->what.n);
	for (size_t i = 0; i < f->what.n; i++) {
		const struct flowgroup_source *s = &f->what.source[i];

		pack_str_after(b, usual_pipeline(path_parent(f->path)), s->pipeline);
		pack_str_after(b, path_stem(f->path), s->name);
		pack_uint(b, s->index);
		pack_hash(b, s->hash);
		pack_uint(b, s->at.line);
		pack_uint(b, s->at.col);
	}
	diags_pack(b, &f->what.warnings);
}

static void file_pack(struct buf *b, const struct source_file *f, struct str before)
{
	struct buf what = { 0 };

	pack_str_after(b, before, path_base(f->path));
	pack_hash(b, f->hash);
	if (f->learned)
		what_pack(&what, f);
	pack_str(b, f->learned ? buf_str(&what) : f->packed);
	buf_release(&what);
}

/* Files that are gone are left out: whoever is not on disk any more has no leaf that says so. */
static bool is_there(struct source_memory *m, const struct source_file *f)
{
	const struct leaf *leaf = leaves_find(m->in, f->path, false);

	return f->learned || (leaf != NULL && !leaf->absent);
}

void source_memory_save(struct source_memory *m)
{
	for (size_t i = 0; i < m->folder.n; i++) {
		struct source_folder *folder = m->folder.entry[i].value;
		struct buf b = { 0 }, files = { 0 };
		struct str before = STR("");
		size_t n = 0;

		if (!folder->changed)
			continue;
		for (size_t k = 0; k < folder->file.n; k++) {
			const struct source_file *f = folder->file.entry[k].value;

			if (!is_there(m, f))
				continue;
			file_pack(&files, f, before);
			before = path_base(f->path);
			n++;
		}
		pack_uint(&b, n);
		buf_add(&b, buf_str(&files));
		store_put(m->store, 'S', 0, folder->path, buf_str(&b));
		buf_release(&b);
		buf_release(&files);
	}
}
