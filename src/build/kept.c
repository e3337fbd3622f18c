#include "build/kept.h"
#include "base/lz.h"
#include "base/pack.h"
#include "base/path.h"

/* The file of a number, or NULL: of 0, and with `bad` set of one that is not there. */
static const char *file_read(const struct kept *k, struct unpack *u)
{
	uint64_t number = unpack_uint(u);

	if (number > k->n_file)
		u->bad = true;
	return number == 0 || u->bad ? NULL : k->file[number - 1];
}

/* --- packing --- */

struct keeper {
	struct arena arena;
	struct map file;          /* path -> index + 1 */
	struct map dep;           /* kind, hash, key -> index + 1 */
	struct buf files, deps, units, bodies;
	const struct kept *from;  /* what units are copied from, and */
	uint64_t *dep_of;         /* the new indexes + 1 of its dependencies; 0: not known yet */
};

static uint64_t file_number(struct keeper *k, struct str path)
{
	void **slot;
	struct str before = k->file.n != 0 ? k->file.entry[k->file.n - 1].key : STR("");

	if (path.p == NULL || path.n == 0)
		return 0;
	slot = map_slot(&k->file, &k->arena, path);
	if (*slot == NULL) {
		*slot = (void *)(uintptr_t)k->file.n;
		pack_str_after(&k->files, before, path);
	}
	return (uintptr_t)*slot;
}

/* The part of a key that is the path of a file. */
static struct str key_path(const struct dep *d)
{
	ptrdiff_t hash = d->kind == DEP_NODE ? str_rfind_char(d->key, '#') : -1;

	if (d->kind == DEP_FILE || d->kind == DEP_DIR)
		return d->key;
	return hash > 0 ? str_sub(d->key, 0, (size_t)hash) : STR("");
}

static struct str dep_id(struct arena *a, const struct dep *d)
{
	char *id = arena_alloc(a, 1 + sizeof d->hash + d->key.n);

	id[0] = (char)d->kind;
	memcpy(id + 1, d->hash.b, sizeof d->hash);
	if (d->key.n != 0)
		memcpy(id + 1 + sizeof d->hash, d->key.p, d->key.n);
	return (struct str){ id, 1 + sizeof d->hash + d->key.n };
}

static uint64_t dep_number(struct keeper *k, const struct dep *d)
{
	void **slot = map_slot(&k->dep, &k->arena, dep_id(&k->arena, d));
	struct str path = key_path(d);

	if (*slot == NULL) {
		*slot = (void *)(uintptr_t)k->dep.n;
		pack_uint(&k->deps, d->kind);
		pack_uint(&k->deps, file_number(k, path));
		pack_str(&k->deps, str_skip(d->key, path.n));
		pack_hash(&k->deps, d->hash);
	}
	return (uintptr_t)*slot - 1;
}

enum { FOLD = 0xFE, FOLD_ITSELF = 0, FOLD_NAME = 1 };

static void body_fold(struct buf *b, struct str body, struct str name)
{
	for (size_t i = 0; i < body.n;) {
		bool is_name = name.n != 0 && body.p[i] == name.p[0] && str_starts(str_skip(body, i), name);

		if (is_name || (unsigned char)body.p[i] == FOLD) {
			buf_addc(b, (char)FOLD);
			buf_addc(b, is_name ? FOLD_NAME : FOLD_ITSELF);
		} else {
			buf_addc(b, body.p[i]);
		}
		i += is_name ? name.n : 1;
	}
}

static int body_unfold(struct buf *b, struct str folded, struct str name)
{
	const char *end = folded.p + folded.n;

	for (const char *at = folded.p; at < end;) {
		const char *fold = memchr(at, FOLD, (size_t)(end - at)), *stop = fold != NULL ? fold : end;

		buf_add(b, (struct str){ at, (size_t)(stop - at) });
		if (fold == NULL)
			return 0;
		if (end - fold < 2 || (fold[1] != FOLD_NAME && fold[1] != FOLD_ITSELF))
			return -1;
		buf_add(b, fold[1] == FOLD_NAME ? name : (struct str){ fold, 1 });
		at = fold + 2;
	}
	return 0;
}

static void unit_head_pack(struct keeper *k, const char *file, struct str name, unsigned flags, size_t n_dep)
{
	pack_uint(&k->units, file_number(k, str_of(file)));
	pack_str_after(&k->units, path_stem(str_of(file)), name);
	pack_uint(&k->units, flags);
	pack_uint(&k->units, n_dep);
}

static unsigned flags_of(enum work_depth depth, bool has_findings)
{
	return (unsigned)depth << 1 | has_findings;
}

enum { MARK_NOWHERE, MARK_OWN_FILE, MARK_OTHER_FILE };

/* Where dependencies were read, behind the files that are not the unit's own. */
static void marks_pack(struct buf *body, struct arena *a, const struct record *r)
{
	struct buf files = { 0 }, marks = { 0 };
	struct map other = { 0 };

	for (size_t i = 0; i < r->trace.n; i++) {
		struct mark at = r->trace.p[i].at;
		struct str file = str_of(at.file);
		uint64_t number = at.file == NULL ? MARK_NOWHERE : MARK_OWN_FILE;

		if (at.file != NULL && !str_eq(file, str_of(r->file))) {
			void **slot = map_slot(&other, a, file);

			if (*slot == NULL)
				pack_str(&files, file);
			*slot = *slot != NULL ? *slot : (void *)(uintptr_t)other.n;
			number = MARK_OTHER_FILE + (uintptr_t)*slot - 1;
		}
		pack_uint(&marks, number);
		pack_uint(&marks, at.line);
		pack_uint(&marks, at.col);
	}
	pack_uint(body, other.n);
	buf_add(body, buf_str(&files));
	buf_add(body, buf_str(&marks));
	buf_release(&files);
	buf_release(&marks);
}

static void unit_pack(struct keeper *k, const struct record *r, enum work_depth depth)
{
	struct buf body = { 0 }, folded = { 0 };

	unit_head_pack(k, r->file, r->flowgroup, flags_of(depth, r->diags.n != 0), r->trace.n);
	for (size_t i = 0; i < r->trace.n; i++)
		pack_uint(&k->units, dep_number(k, &r->trace.p[i]));
	marks_pack(&body, &k->arena, r);
	record_body_pack(&body, r);
	body_fold(&folded, buf_str(&body), r->flowgroup);
	pack_str(&k->bodies, buf_str(&folded));
	buf_release(&body);
	buf_release(&folded);
}

/* Its dependencies get other numbers; its body is as it was. */
static void unit_copy(struct keeper *k, const struct kept *from, const struct kept_unit *unit)
{
	if (k->from != from) {
		k->dep_of = ARENA_ARRAY(&k->arena, uint64_t, from->n_dep);
		map_reserve(&k->dep, &k->arena, k->dep.n + from->n_dep);
		map_reserve(&k->file, &k->arena, k->file.n + from->n_file);
	}
	k->from = from;
	unit_head_pack(k, unit->file, unit->name, flags_of(unit->depth, unit->has_findings), unit->n_dep);
	for (size_t i = 0; i < unit->n_dep; i++) {
		uint64_t *number = &k->dep_of[unit->dep[i]];

		if (*number == 0)
			*number = dep_number(k, &from->dep[unit->dep[i]]) + 1;
		pack_uint(&k->units, *number - 1);
	}
	pack_str(&k->bodies, from->body[unit - from->unit]);
}

void kept_pack(struct buf *p, struct buf *u, uint64_t generation, const struct kept_source *unit, size_t n)
{
	struct keeper k = { 0 };

	for (size_t i = 0; i < n; i++) {
		if (unit[i].record != NULL)
			unit_pack(&k, unit[i].record, unit[i].depth);
		else
			unit_copy(&k, unit[i].kept, unit[i].unit);
	}
	pack_uint(p, generation);
	pack_uint(p, k.file.n);
	buf_add(p, buf_str(&k.files));
	pack_uint(p, k.dep.n);
	buf_add(p, buf_str(&k.deps));
	pack_uint(p, n);
	buf_add(p, buf_str(&k.units));
	pack_uint(u, generation);
	lz_pack(u, buf_str(&k.bodies));
	buf_release(&k.files);
	buf_release(&k.deps);
	buf_release(&k.units);
	buf_release(&k.bodies);
	arena_release(&k.arena);
}

void kept_overlay_pack(struct buf *b, uint64_t base, uint64_t generation, const struct kept_source *unit, size_t n)
{
	struct buf index = { 0 };
	struct buf bodies = { 0 };

	kept_pack(&index, &bodies, generation, unit, n);
	pack_uint(b, base);
	pack_str(b, buf_str(&index));
	buf_add(b, buf_str(&bodies));
	buf_release(&index);
	buf_release(&bodies);
}

/* --- reading --- */

static void files_read(struct kept *k, struct unpack *u)
{
	struct str before = STR("");

	k->n_file = unpack_count(u, 2);
	k->file = ARENA_ARRAY(k->arena, const char *, k->n_file);
	for (size_t i = 0; i < k->n_file; i++) {
		before = unpack_str_after(u, k->arena, before);
		k->file[i] = before.p;
	}
}

static void deps_read(struct kept *k, struct unpack *u)
{
	k->n_dep = unpack_count(u, 19);
	k->dep = ARENA_ARRAY(k->arena, struct dep, k->n_dep);
	for (size_t i = 0; i < k->n_dep; i++) {
		struct dep *d = &k->dep[i];
		const char *file;
		struct str rest;

		d->kind = (enum dep_kind)unpack_uint(u);
		file = file_read(k, u);
		rest = unpack_str(u);
		d->key = file == NULL ? rest : rest.n == 0 ? str_of(file) : str_cat(k->arena, str_of(file), rest);
		d->hash = unpack_hash(u);
	}
}

static void unit_read(struct kept *k, struct unpack *u, struct kept_unit *unit)
{
	uint64_t flags;

	unit->file = file_read(k, u);
	unit->name = unpack_str_after(u, k->arena, path_stem(str_of(unit->file)));
	flags = unpack_uint(u);
	unit->depth = (enum work_depth)(flags >> 1);
	unit->has_findings = flags & 1;
	unit->n_dep = unpack_count(u, 1);
	unit->dep = ARENA_ARRAY(k->arena, uint32_t, unit->n_dep);
	for (size_t i = 0; i < unit->n_dep; i++) {
		uint64_t dep = unpack_uint(u);

		u->bad = u->bad || dep >= k->n_dep;
		unit->dep[i] = u->bad ? 0 : (uint32_t)dep;
	}
}

int kept_read(struct kept *k, struct arena *a, struct str pipeline, struct str bytes)
{
	struct unpack u = unpack_of(bytes);

	*k = (struct kept){ .arena = a, .pipeline = pipeline, .generation = unpack_uint(&u) };
	files_read(k, &u);
	deps_read(k, &u);
	k->n = unpack_count(&u, 5);
	k->unit = ARENA_ARRAY(a, struct kept_unit, k->n);
	for (size_t i = 0; i < k->n; i++)
		unit_read(k, &u, &k->unit[i]);
	return unpack_done(&u) ? 0 : -1;
}

struct overlay {
	uint64_t base;
	struct str index, bodies;
};

static bool overlay_read(struct str bytes, struct overlay *o)
{
	struct unpack u = unpack_of(bytes);

	o->base = unpack_uint(&u);
	o->index = unpack_str(&u);
	o->bodies = (struct str){ u.p, (size_t)(u.end - u.p) };
	return !u.bad;
}

struct str kept_overlay_index(struct str bytes)
{
	struct overlay o;

	return overlay_read(bytes, &o) ? o.index : STR_NONE;
}

/* Its dependencies come behind those that were there. */
static void deps_append(struct kept *k, const struct kept *from)
{
	struct dep *both = ARENA_ARRAY(k->arena, struct dep, k->n_dep + from->n_dep);

	for (size_t i = 0; i < k->n_dep + from->n_dep; i++)
		both[i] = i < k->n_dep ? k->dep[i] : from->dep[i - k->n_dep];
	for (size_t i = 0; i < from->n; i++)
		for (size_t d = 0; d < from->unit[i].n_dep; d++)
			from->unit[i].dep[d] += (uint32_t)k->n_dep;
	k->dep = both;
	k->n_dep += from->n_dep;
}

/* Both are in the same order. */
static bool units_replace(struct kept *k, const struct kept *from)
{
	size_t at = 0;

	k->over.unit = ARENA_ARRAY(k->arena, uint32_t, from->n);
	for (size_t i = 0; i < from->n; i++) {
		while (at < k->n && !str_eq(k->unit[at].name, from->unit[i].name))
			at++;
		if (at == k->n)
			return false;
		k->unit[at] = from->unit[i];
		k->over.unit[k->over.n++] = (uint32_t)at++;
	}
	return true;
}

int kept_overlay(struct kept *k, struct str bytes)
{
	struct overlay o;
	struct kept from;

	if (!overlay_read(bytes, &o) || o.base != k->generation || kept_read(&from, k->arena, k->pipeline, o.index) != 0)
		return -1;
	deps_append(k, &from);
	if (!units_replace(k, &from))
		return -1;
	k->over.base = o.base;
	k->over.bodies = o.bodies;
	k->generation = from.generation;
	return 0;
}

struct asking {
	struct unpack u;
	enum kept_answer (*ask)(void *ctx, const struct dep *d);
	void *ctx;
	enum kept_answer worst; /* so far */
};

static bool goes_on(const struct asking *a)
{
	return !a->u.bad && a->worst != KEPT_CHANGED;
}

static void dep_ask(struct asking *a, const struct dep *d)
{
	enum kept_answer is = a->ask(a->ctx, d);

	a->worst = is > a->worst ? is : a->worst;
}

static void files_ask(struct asking *a)
{
	struct buf path = { 0 };

	for (size_t n = unpack_count(&a->u, 2); n > 0 && goes_on(a); n--) {
		uint64_t same = unpack_uint(&a->u);

		a->u.bad = a->u.bad || same > path.n;
		path.n = a->u.bad ? 0 : (size_t)same;
		buf_add(&path, unpack_str(&a->u));
		dep_ask(a, &(struct dep){ .kind = DEP_FILE, .key = buf_str(&path) });
	}
	buf_release(&path);
}

/* Those that are of no file. */
static void deps_ask(struct asking *a)
{
	for (size_t n = unpack_count(&a->u, 19); n > 0 && goes_on(a); n--) {
		struct dep d = { .kind = (enum dep_kind)unpack_uint(&a->u) };
		bool of_file = unpack_uint(&a->u) != 0;

		d.key = unpack_str(&a->u);
		d.hash = unpack_hash(&a->u);
		if (!of_file)
			dep_ask(a, &d);
	}
}

static bool any_findings(struct unpack *u)
{
	bool any = false;

	for (size_t n = unpack_count(u, 5); n > 0 && !u->bad; n--) {
		unpack_uint(u); /* file */
		unpack_uint(u); /* name: as much of the one it is usually like, */
		unpack_str(u);  /* and the rest */
		any = (unpack_uint(u) & 1) != 0 || any;
		for (size_t deps = unpack_count(u, 1); deps > 0; deps--)
			unpack_uint(u);
	}
	return any;
}

int kept_ask(struct str bytes, enum kept_answer (*ask)(void *, const struct dep *), void *ctx, uint64_t *generation, bool *found)
{
	struct asking a = { unpack_of(bytes), ask, ctx, KEPT_STANDS };

	*generation = unpack_uint(&a.u);
	files_ask(&a);
	if (goes_on(&a))
		deps_ask(&a);
	*found = a.worst == KEPT_CHANGED || (a.worst == KEPT_MOVED && any_findings(&a.u));
	return a.u.bad ? -1 : 0;
}

/* 'U' of so many units, cut apart into `body`, by the indexes `at`, or in order. */
static int bodies_read(struct kept *k, struct str bytes, uint64_t generation, size_t n, const uint32_t *at, struct str *body)
{
	struct unpack u = unpack_of(bytes);
	struct buf b = { 0 };
	int rc = unpack_uint(&u) == generation && !u.bad ? 0 : -1;

	if (rc == 0)
		rc = lz_unpack(&b, (struct str){ u.p, (size_t)(u.end - u.p) });
	u = unpack_of(buf_take(&b, k->arena));
	buf_release(&b);
	for (size_t i = 0; rc == 0 && i < n; i++)
		body[at != NULL ? at[i] : i] = unpack_str(&u);
	return rc == 0 && unpack_done(&u) ? 0 : -1;
}

int kept_open(struct kept *k, struct str bytes)
{
	struct str *body = ARENA_ARRAY(k->arena, struct str, k->n);
	bool is_over = k->over.n != 0;
	int rc = bodies_read(k, bytes, is_over ? k->over.base : k->generation, k->n, NULL, body);

	if (rc == 0 && is_over)
		rc = bodies_read(k, k->over.bodies, k->generation, k->over.n, k->over.unit, body);
	k->body = rc == 0 ? body : NULL;
	return rc;
}

/* The places of a unit's dependencies. */
static void marks_read(const struct kept *k, const struct kept_unit *unit, struct unpack *u, struct trace *trace)
{
	size_t n = unpack_count(u, 1);
	const char **other = ARENA_ARRAY(k->arena, const char *, n);

	for (size_t i = 0; i < n; i++)
		other[i] = str_cstr(k->arena, unpack_str(u));
	for (size_t i = 0; i < trace->n; i++) {
		struct mark *at = &trace->p[i].at;
		uint64_t number = unpack_uint(u);

		u->bad = u->bad || number >= MARK_OTHER_FILE + n;
		if (u->bad)
			return;
		at->file = number == MARK_NOWHERE ? NULL : number == MARK_OWN_FILE ? unit->file : other[number - MARK_OTHER_FILE];
		at->line = (uint32_t)unpack_uint(u);
		at->col = (uint32_t)unpack_uint(u);
	}
}

int kept_record(const struct kept *k, size_t unit, struct record *out)
{
	const struct kept_unit *ku = &k->unit[unit];
	struct buf body = { 0 };
	struct unpack u;
	int rc;

	*out = (struct record){ .pipeline = k->pipeline, .flowgroup = ku->name, .file = ku->file, .trace.arena = k->arena };
	if (k->body == NULL)
		return -1;
	rc = body_unfold(&body, k->body[unit], ku->name);
	u = unpack_of(buf_take(&body, k->arena));
	buf_release(&body);
	out->trace.n = out->trace.cap = ku->n_dep;
	out->trace.p = ARENA_ARRAY(k->arena, struct dep, ku->n_dep);
	for (size_t i = 0; i < ku->n_dep; i++)
		out->trace.p[i] = k->dep[ku->dep[i]];
	marks_read(k, ku, &u, &out->trace);
	return rc == 0 ? record_body_unpack(k->arena, &u, out) : -1;
}
