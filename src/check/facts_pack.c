/*
 * Facts as bytes (base/pack.h): pipeline, flowgroup, job_name, file, then each list
 * as a count and its items, fields in the order of facts.h. A mark is 0 (no file),
 * 1 (the flowgroup's file) or 2 and a file, then line and column. Flags are a bit set.
 */
#include "base/pack.h"
#include "check/facts.h"

enum { MARK_NONE, MARK_HOME, MARK_FILE };

/* `f` is NULL: places are left out. */
static void mark_pack(struct buf *b, const struct facts *f, struct mark at)
{
	bool home;

	if (f == NULL)
		return;
	home = at.file != NULL && f->file != NULL && strcmp(at.file, f->file) == 0;
	pack_uint(b, at.file == NULL ? MARK_NONE : home ? MARK_HOME : MARK_FILE);
	if (at.file != NULL && !home)
		pack_str(b, str_of(at.file));
	pack_uint(b, at.line);
	pack_uint(b, at.col);
}

static struct mark mark_unpack(struct unpack *u, struct arena *a, const struct facts *f)
{
	struct mark at = { 0 };
	uint64_t kind = unpack_uint(u);

	if (kind == MARK_FILE)
		at.file = str_cstr(a, unpack_str(u));
	else if (kind == MARK_HOME)
		at.file = f->file;
	else if (kind != MARK_NONE)
		u->bad = true;
	at.line = (uint32_t)unpack_uint(u);
	at.col = (uint32_t)unpack_uint(u);
	return at;
}

static void write_pack(struct buf *b, const struct facts *f, const struct table_write *w)
{
	pack_str(b, w->table);
	pack_str(b, w->action);
	pack_str(b, w->mode);
	pack_uint(b, w->creates);
	pack_str(b, w->fan_in);
	mark_pack(b, f, w->at);
}

static void write_unpack(struct unpack *u, struct arena *a, const struct facts *f, struct table_write *w)
{
	w->table = unpack_str(u);
	w->action = unpack_str(u);
	w->mode = unpack_str(u);
	w->creates = unpack_uint(u) != 0;
	w->fan_in = unpack_str(u);
	w->at = mark_unpack(u, a, f);
}

static void read_pack(struct buf *b, const struct facts *f, const struct table_read *r)
{
	pack_str(b, r->table);
	pack_str(b, r->action);
	pack_uint(b, (uint64_t)r->streaming | (uint64_t)r->change_feed << 1);
	mark_pack(b, f, r->at);
}

static void read_unpack(struct unpack *u, struct arena *a, const struct facts *f, struct table_read *r)
{
	uint64_t flags;

	r->table = unpack_str(u);
	r->action = unpack_str(u);
	flags = unpack_uint(u);
	r->streaming = (flags & 1) != 0;
	r->change_feed = (flags & 2) != 0;
	r->at = mark_unpack(u, a, f);
}

static void view_pack(struct buf *b, const struct facts *f, const struct view_made *v)
{
	pack_str(b, v->view);
	pack_str(b, v->action);
	pack_uint(b, (uint64_t)v->streaming | (uint64_t)v->unstable_metadata << 1);
	pack_uint(b, v->n_source);
	for (size_t i = 0; i < v->n_source; i++)
		pack_str(b, v->source[i]);
	mark_pack(b, f, v->at);
}

static void view_unpack(struct unpack *u, struct arena *a, const struct facts *f, struct view_made *v)
{
	uint64_t flags;

	v->view = unpack_str(u);
	v->action = unpack_str(u);
	flags = unpack_uint(u);
	v->streaming = (flags & 1) != 0;
	v->unstable_metadata = (flags & 2) != 0;
	v->n_source = unpack_count(u, 1);
	v->source = ARENA_ARRAY(a, struct str, v->n_source);
	for (size_t i = 0; i < v->n_source; i++)
		v->source[i] = unpack_str(u);
	v->at = mark_unpack(u, a, f);
}

static void quarantine_pack(struct buf *b, const struct facts *f, const struct quarantine_made *q)
{
	pack_str(b, q->dlq_table);
	pack_str(b, q->source_table);
	pack_str(b, q->action);
	mark_pack(b, f, q->at);
}

static void quarantine_unpack(struct unpack *u, struct arena *a, const struct facts *f, struct quarantine_made *q)
{
	q->dlq_table = unpack_str(u);
	q->source_table = unpack_str(u);
	q->action = unpack_str(u);
	q->at = mark_unpack(u, a, f);
}

static void test_pack(struct buf *b, const struct facts *f, const struct test_reported *t)
{
	pack_str(b, t->table);
	pack_str(b, t->test_id);
	pack_str(b, t->action);
	mark_pack(b, f, t->at);
}

static void test_unpack(struct unpack *u, struct arena *a, const struct facts *f, struct test_reported *t)
{
	t->table = unpack_str(u);
	t->test_id = unpack_str(u);
	t->action = unpack_str(u);
	t->at = mark_unpack(u, a, f);
}

static void replace_where_pack(struct buf *b, const struct facts *f, const struct replace_where_write *w)
{
	pack_str(b, w->action);
	pack_str(b, w->view);
	mark_pack(b, f, w->at);
}

static void replace_where_unpack(struct unpack *u, struct arena *a, const struct facts *f, struct replace_where_write *w)
{
	w->action = unpack_str(u);
	w->view = unpack_str(u);
	w->at = mark_unpack(u, a, f);
}

static void tag_pack(struct buf *b, const struct facts *f, const struct tagged *t)
{
	(void)f;
	pack_str(b, t->table);
	pack_str(b, t->column);
	pack_str(b, t->named);
	pack_str(b, t->pairs);
}

static void tag_unpack(struct unpack *u, struct arena *a, const struct facts *f, struct tagged *t)
{
	(void)a;
	(void)f;
	t->table = unpack_str(u);
	t->column = unpack_str(u);
	t->named = unpack_str(u);
	t->pairs = unpack_str(u);
}

/* The lists of facts, in the order of the bytes: LIST(field, pack and unpack functions, fewest bytes of an item). */
#define LISTS(LIST)                                     \
	LIST(write, 8)                                  \
	LIST(read, 6)                                   \
	LIST(view, 7)                                   \
	LIST(quarantine, 6)                             \
	LIST(test, 6)                                   \
	LIST(replace_where, 5)                          \
	LIST(tag, 4)

static struct str lists_pack(struct arena *a, const struct facts *f, const struct facts *home)
{
	struct buf b = { 0 };
	struct str bytes;

	pack_str(&b, f->pipeline);
	pack_str(&b, f->flowgroup);
	pack_str(&b, f->job_name);
	pack_str(&b, str_of(f->file));
#define PACK(list, least)                               \
	pack_uint(&b, f->n_##list);                     \
	for (size_t i = 0; i < f->n_##list; i++)        \
		list##_pack(&b, home, &f->list[i]);
	LISTS(PACK)
#undef PACK
	bytes = buf_take(&b, a);
	buf_release(&b);
	return bytes;
}

struct str facts_pack(struct arena *a, const struct facts *f)
{
	return lists_pack(a, f, f);
}

struct str facts_signature(struct arena *a, const struct facts *f)
{
	return lists_pack(a, f, NULL);
}

int facts_unpack(struct arena *a, struct str bytes, struct facts *out)
{
	struct unpack u = unpack_of(bytes);
	struct str file;

	*out = (struct facts){ 0 };
	out->pipeline = unpack_str(&u);
	out->flowgroup = unpack_str(&u);
	out->job_name = unpack_str(&u);
	file = unpack_str(&u);
	out->file = file.n != 0 ? str_cstr(a, file) : NULL;
#define UNPACK(list, least)                                             \
	out->n_##list = unpack_count(&u, least);                        \
	out->list = arena_calloc(a, out->n_##list, sizeof *out->list);  \
	for (size_t i = 0; i < out->n_##list; i++)                      \
		list##_unpack(&u, a, out, &out->list[i]);
	LISTS(UNPACK)
#undef UNPACK
	return unpack_done(&u) ? 0 : -1;
}
