#include "build/record.h"
#include "base/pack.h"
#include "model/rules.h"

static void mark_pack(struct buf *b, struct mark m)
{
	pack_str(b, str_of(m.file));
	if (m.file != NULL) {
		pack_uint(b, m.line);
		pack_uint(b, m.col);
	}
}

static struct mark mark_unpack(struct intern *in, struct unpack *u)
{
	struct str file = unpack_str(u);
	struct mark m = { 0 };

	if (file.n == 0)
		return m;
	m.file = intern_cstr(in, file);
	m.line = (uint32_t)unpack_uint(u);
	m.col = (uint32_t)unpack_uint(u);
	return m;
}

static void via_pack(struct buf *b, const struct origin *o)
{
	size_t n = 0;

	for (const struct origin *s = o; s != NULL; s = s->next)
		n++;
	pack_uint(b, n);
	for (; o != NULL; o = o->next) {
		pack_str(b, str_of(o->what));
		pack_str(b, o->name);
		mark_pack(b, o->at);
	}
}

static const struct origin *via_unpack(struct intern *in, struct unpack *u)
{
	size_t n = unpack_count(u, 3);
	const struct origin *first = NULL, **link = &first;

	for (size_t i = 0; i < n; i++) {
		struct origin *o = ARENA_NEW(in->arena, struct origin);

		o->what = intern_cstr(in, unpack_str(u));
		o->name = unpack_str(u);
		o->at = mark_unpack(in, u);
		*link = o;
		link = &o->next;
	}
	return first;
}

void diags_pack(struct buf *b, const struct diags *ds)
{
	pack_uint(b, ds->n);
	for (size_t i = 0; i < ds->n; i++) {
		const struct diag *d = &ds->p[i];

		pack_str(b, str_of(d->rule->name));
		pack_str(b, d->title);
		pack_str(b, d->detail);
		pack_str(b, d->hint);
		mark_pack(b, d->at);
		via_pack(b, d->via);
		pack_str(b, d->pipeline);
		pack_str(b, d->flowgroup);
		pack_str(b, d->action);
		pack_str(b, str_of(d->file));
		pack_uint(b, d->parts != NULL);
		if (d->parts != NULL)
			diags_pack(b, d->parts);
	}
}

static const struct rule *rule_named(struct str name)
{
	for (const struct rule *const *r = all_rules; *r != NULL; r++)
		if (str_is(name, (*r)->name))
			return *r;
	return NULL;
}

static int list_unpack(struct intern *in, struct unpack *u, struct diags *out);

static int diag_unpack(struct intern *in, struct unpack *u, struct diag *d)
{
	struct str file;

	d->rule = rule_named(unpack_str(u));
	if (d->rule == NULL)
		return -1;
	d->title = unpack_str(u);
	d->detail = unpack_str(u);
	d->hint = unpack_str(u);
	d->at = mark_unpack(in, u);
	d->via = via_unpack(in, u);
	d->pipeline = unpack_str(u);
	d->flowgroup = unpack_str(u);
	d->action = unpack_str(u);
	file = unpack_str(u);
	d->file = file.n != 0 ? intern_cstr(in, file) : NULL;
	if (unpack_uint(u) == 0)
		return 0;
	d->parts = ARENA_NEW(in->arena, struct diags);
	return list_unpack(in, u, d->parts);
}

static int list_unpack(struct intern *in, struct unpack *u, struct diags *out)
{
	size_t n = unpack_count(u, 10);

	*out = (struct diags){ .arena = in->arena };
	for (size_t i = 0; i < n && !u->bad; i++)
		if (diag_unpack(in, u, VEC_PUSH(out, in->arena)) != 0)
			return -1;
	return u->bad ? -1 : 0;
}

int diags_unpack(struct arena *a, struct unpack *u, struct diags *out)
{
	return list_unpack(&(struct intern){ .arena = a }, u, out);
}

static void trace_pack(struct buf *b, const struct trace *t)
{
	pack_uint(b, t->n);
	for (size_t i = 0; i < t->n; i++) {
		pack_uint(b, t->p[i].kind);
		pack_str(b, t->p[i].key);
		pack_hash(b, t->p[i].hash);
		mark_pack(b, t->p[i].at);
	}
}

static void trace_unpack(struct intern *in, struct unpack *u, struct trace *out)
{
	size_t n = unpack_count(u, 19);

	*out = (struct trace){ .arena = in->arena, .p = ARENA_ARRAY(in->arena, struct dep, n), .cap = n };
	while (out->n < n && !u->bad) {
		struct dep *d = &out->p[out->n++];

		d->kind = (enum dep_kind)unpack_uint(u);
		d->key = unpack_str(u);
		d->hash = unpack_hash(u);
		d->at = mark_unpack(in, u);
	}
}

static void files_pack(struct buf *b, const struct record *r)
{
	pack_uint(b, r->n_out);
	for (size_t i = 0; i < r->n_out; i++) {
		const struct record_file *f = &r->out[i];

		pack_str(b, f->path);
		pack_hash(b, f->raw_hash);
		pack_uint(b, f->python);
		pack_str(b, f->source);
		mark_pack(b, f->at);
	}
}

static void files_unpack(struct intern *in, struct unpack *u, struct record *out)
{
	out->n_out = unpack_count(u, 20);
	out->out = ARENA_ARRAY(in->arena, struct record_file, out->n_out);
	for (size_t i = 0; i < out->n_out && !u->bad; i++) {
		struct record_file *f = &out->out[i];

		f->path = unpack_str(u);
		f->raw_hash = unpack_hash(u);
		f->python = unpack_uint(u) != 0;
		f->source = unpack_str(u);
		f->at = mark_unpack(in, u);
	}
}

void record_body_pack(struct buf *b, const struct record *r)
{
	pack_uint(b, r->failed);
	pack_uint(b, r->failed_check);
	pack_uint(b, r->n_check);
	diags_pack(b, &r->diags);
	pack_str(b, r->facts_bytes);
	files_pack(b, r);
}

static int body_unpack(struct intern *in, struct unpack *u, struct record *out)
{
	out->failed = unpack_uint(u) != 0;
	out->failed_check = unpack_uint(u) != 0;
	out->n_check = (size_t)unpack_uint(u);
	if (list_unpack(in, u, &out->diags) != 0)
		return -1;
	out->facts_bytes = unpack_str(u);
	files_unpack(in, u, out);
	if (!unpack_done(u) || out->n_check > out->diags.n)
		return -1;
	return out->failed_check ? 0 : facts_unpack(in->arena, out->facts_bytes, &out->facts);
}

int record_body_unpack(struct arena *a, struct unpack *u, struct record *out)
{
	return body_unpack(&(struct intern){ .arena = a }, u, out);
}

static void files_take(struct arena *a, const struct out_files *files, struct record *r)
{
	r->n_out = files->n;
	r->out = ARENA_ARRAY(a, struct record_file, files->n);
	for (size_t i = 0; i < files->n; i++) {
		const struct out_file *f = &files->p[i];

		r->out[i] = (struct record_file){ f->path, hash_bytes(f->raw), f->python, f->source, f->at, STR_NONE };
	}
}

struct str record_pack(struct arena *a, const struct unit *u, const struct facts *facts, size_t n_check,
                       const struct out_files *files)
{
	struct record r = { .failed = diags_failed(u->diags), .failed_check = facts == NULL, .n_check = n_check, .diags = *u->diags };
	struct buf b = { 0 };
	struct str out;

	if (facts != NULL)
		r.facts_bytes = facts_pack(u->arena, facts);
	files_take(u->arena, files, &r);
	pack_str(&b, u->pipeline);
	pack_str(&b, u->flowgroup);
	pack_str(&b, str_of(u->file));
	trace_pack(&b, u->trace);
	record_body_pack(&b, &r);
	out = buf_take(&b, a);
	buf_release(&b);
	return out;
}

int record_unpack(struct intern *in, struct str bytes, struct record *out)
{
	struct unpack u = unpack_of(bytes);
	struct str file;

	*out = (struct record){ 0 };
	out->pipeline = unpack_str(&u);
	out->flowgroup = unpack_str(&u);
	file = unpack_str(&u);
	out->file = file.n != 0 ? intern_cstr(in, file) : NULL;
	trace_unpack(in, &u, &out->trace);
	return body_unpack(in, &u, out);
}

void record_without_emission(struct record *r)
{
	r->failed = r->failed_check;
	r->diags.n = r->n_check;
	r->n_out = 0;
}
