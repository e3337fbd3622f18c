/* why.c - `lhp why`: what would be rebuilt and because of what; who makes and reads a table; who uses a file. */
#include "build/why.h"

#include "base/path.h"
#include "build/engine.h"
#include "cmd/call.h"
#include "cmd/dag_json.h"
#include "cmd/readers.h"
#include "cmd/store_look.h"

struct place {
	struct str pipeline, flowgroup;
	const char *file;
};

struct places {
	struct arena *arena;
	VEC_OF(struct place)
};

/* One flowgroup that was asked for. */
struct answer {
	struct str pipeline, flowgroup;
	const struct snapshot_unit *unit;  /* NULL: it is gone */
	const struct stored_unit *stored;  /* NULL: no trace */
	struct differences why;
	struct { VEC_OF(struct str) } bad_output; /* deleted or edited by hand */
	struct { VEC_OF(struct str) } new_table;
	struct places readers;             /* of the new tables, in other pipelines */
};

struct why {
	struct call *call;
	struct arena *arena;
	struct str what, env, no_store;
	struct store *store;
	struct stored stored;
	struct snapshot now;
	struct readers lineage;
	bool has_lineage, json;
	struct buf out;
};

static void place_add(void *ctx, struct str pipeline, struct str flowgroup, const char *file)
{
	struct places *list = ctx;

	for (size_t i = 0; i < list->n; i++)
		if (str_eq(list->p[i].pipeline, pipeline) && str_eq(list->p[i].flowgroup, flowgroup))
			return;
	*VEC_PUSH(list, list->arena) = (struct place){ pipeline, flowgroup, file };
}

static struct readers *lineage_of(struct why *w)
{
	if (!w->has_lineage)
		w->has_lineage = readers_open(&w->lineage, &w->now, w->arena, w->call->io) == 0;
	return w->has_lineage ? &w->lineage : NULL;
}

/* --- finding out --- */

/* The file as the latest run left it? */
static bool output_stands(struct why *w, struct str path)
{
	struct str bytes;

	return fs_read(&w->call->fs, path, w->arena, &bytes, NULL) == 0;
}

static struct str output_path(struct why *w, const struct record_file *f)
{
	return str_fmt(w->arena, "generated/%.*s/%.*s", STR_ARG(w->env), STR_ARG(f->path));
}

static bool wrote(const struct facts *f, struct str table)
{
	for (size_t i = 0; i < f->n_write; i++)
		if (str_eq_nocase(f->write[i].table, table))
			return true;
	return false;
}

/* Tables that it writes now and did not when its trace was stored. */
static void tables_compare(struct why *w, struct answer *a)
{
	const struct facts *now = &a->unit->record.facts;
	struct places all = { .arena = w->arena };

	for (size_t i = 0; i < now->n_write; i++) {
		struct str table = now->write[i].table;

		if (wrote(&a->stored->record.facts, table))
			continue;
		*VEC_PUSH(&a->new_table, w->arena) = table;
		if (lineage_of(w) != NULL)
			readers_of(&w->lineage, table, place_add, &all);
	}
	for (size_t i = 0; i < all.n; i++)
		if (!str_eq(all.p[i].pipeline, a->pipeline))
			place_add(&a->readers, all.p[i].pipeline, all.p[i].flowgroup, all.p[i].file);
}

static void answer_find(struct why *w, struct answer *a)
{
	const struct record *rec;

	a->readers.arena = w->arena;
	a->stored = stored_find(&w->stored, a->pipeline, a->flowgroup);
	if (a->stored == NULL)
		return;
	rec = &a->stored->record;
	differences_find(&w->now, &w->stored, a->stored, a->unit != NULL ? a->unit->src : NULL, &a->why);
	for (size_t i = 0; i < rec->n_out; i++)
		if (!output_stands(w, output_path(w, &rec->out[i])))
			*VEC_PUSH(&a->bad_output, w->arena) = output_path(w, &rec->out[i]);
	if (a->why.n != 0 && a->unit != NULL && !rec->failed_check)
		tables_compare(w, a);
}

/* --- texts --- */

static struct str short_hash(struct arena *a, struct hash128 h)
{
	char hex[33];

	if (hash_is_none(h))
		return STR("absent");
	hash_hex(h, hex);
	return str_fmt(a, "%.6s", hex);
}

/* "token schema_silver", "file sql/recent.sql". */
static struct str dep_text(struct why *w, const struct answer *a, const struct dep *d)
{
	ptrdiff_t slash = str_find_char(d->key, '/', 0), number = str_rfind_char(d->key, '#');

	switch (d->kind) {
	case DEP_NODE:
		if (str_starts(d->key, STR("templates/")))
			return str_fmt(w->arena, "template %.*s", (int)(number < 0 ? (ptrdiff_t)d->key.n : number), d->key.p);
		if (a->unit != NULL && str_eq(d->key, a->unit->src->key))
			return str_fmt(w->arena, "flowgroup %.*s", STR_ARG(a->flowgroup));
		return str_fmt(w->arena, "document %.*s", STR_ARG(d->key));
	case DEP_TOKEN: return str_fmt(w->arena, "token %.*s", STR_ARG(str_skip(d->key, (size_t)(slash + 1))));
	case DEP_KEY:
		return str_starts(d->key, STR("preset/")) ? str_fmt(w->arena, "preset %.*s", STR_ARG(str_skip(d->key, 7)))
		                                          : str_fmt(w->arena, "setting %.*s", STR_ARG(d->key));
	case DEP_DIR: return str_fmt(w->arena, "folder %.*s", STR_ARG(d->key));
	case DEP_ENV: return str_fmt(w->arena, "variable %.*s", STR_ARG(d->key));
	default: return str_fmt(w->arena, "%s %.*s", dep_kind_name(d->kind), STR_ARG(d->key));
	}
}

static struct str mark_text(struct arena *a, struct mark m)
{
	return m.file == NULL ? STR("") : m.line == 0 ? str_of(m.file) : str_fmt(a, "%s:%u", m.file, m.line);
}

static struct str value_text(struct arena *a, struct str text, struct hash128 h)
{
	return text.p != NULL && !hash_is_none(h) ? text : short_hash(a, h);
}

/* Where its value stands now: of files, the file itself says it. */
static struct mark where_of(const struct answer *a, const struct difference *d)
{
	if (d->where.file == NULL && d->dep->kind == DEP_NODE && a->unit != NULL && str_eq(d->dep->key, a->unit->src->key))
		return a->unit->src->at;
	return d->where;
}

struct row {
	struct str what, change, where, read;
};

static struct row row_of(struct why *w, const struct answer *a, const struct difference *d)
{
	struct arena *ar = w->arena;
	struct str before = value_text(ar, d->before_text, d->dep->hash), now = value_text(ar, d->now_text, d->now);

	/* Values of long texts say little: their hashes do not wrap. */
	if (before.n > 60 || now.n > 60 || (d->before_text.p == NULL) != (d->now_text.p == NULL)) {
		before = d->before_text.p != NULL && before.n <= 60 ? before : short_hash(ar, d->dep->hash);
		now = d->now_text.p != NULL && now.n <= 60 ? now : short_hash(ar, d->now);
	}
	return (struct row){ dep_text(w, a, d->dep), str_fmt(ar, "%.*s -> %.*s", STR_ARG(before), STR_ARG(now)),
		             mark_text(ar, where_of(a, d)), mark_text(ar, d->dep->at) };
}

static size_t wider(size_t a, size_t b)
{
	return a > b ? a : b;
}

static void cell_add(struct buf *b, struct str s, size_t width)
{
	buf_add(b, s);
	buf_add_repeat(b, ' ', width - s.n + 2);
}

static void rows_add(struct why *w, const struct answer *a)
{
	struct row *row = ARENA_ARRAY(w->arena, struct row, a->why.n + 1);
	size_t what = 0, change = 0, where = 0;

	for (size_t i = 0; i < a->why.n; i++) {
		row[i] = row_of(w, a, &a->why.p[i]);
		what = wider(what, row[i].what.n);
		change = wider(change, row[i].change.n);
		where = wider(where, row[i].where.n);
	}
	for (size_t i = 0; i < a->why.n; i++) {
		size_t start = w->out.n;

		buf_adds(&w->out, "  ");
		cell_add(&w->out, row[i].what, what);
		cell_add(&w->out, row[i].change, change);
		if (where != 0)
			cell_add(&w->out, row[i].where, where);
		if (row[i].read.n != 0)
			buf_addf(&w->out, "read at %.*s", STR_ARG(row[i].read));
		while (w->out.n > start && w->out.p[w->out.n - 1] == ' ')
			w->out.n--;
		buf_addc(&w->out, '\n');
	}
}

static void answer_text(struct why *w, const struct answer *a)
{
	struct buf *b = &w->out;

	if (a->stored == NULL) {
		buf_addf(b, "%.*s.%.*s has no stored trace in %.*s: the next run builds it.\n", STR_ARG(a->pipeline),
		         STR_ARG(a->flowgroup), STR_ARG(w->env));
		return;
	}
	if (a->unit == NULL) {
		buf_addf(b, "%.*s.%.*s is no flowgroup of the project any more: what it made would be removed.\n", STR_ARG(a->pipeline),
		         STR_ARG(a->flowgroup));
		return;
	}
	if (a->why.n + a->bad_output.n == 0) {
		buf_addf(b, "%.*s is up to date: nothing that it was made from has changed.\n", STR_ARG(a->flowgroup));
		return;
	}
	buf_addf(b, "%.*s would be rebuilt:\n", STR_ARG(a->flowgroup));
	rows_add(w, a);
	for (size_t i = 0; i < a->bad_output.n; i++)
		buf_addf(b, "  output %.*s is gone\n", STR_ARG(a->bad_output.p[i]));
	if (a->readers.n == 0)
		return;
	buf_addf(b, "Then also, because the table%s", a->new_table.n > 1 ? "s" : "");
	for (size_t i = 0; i < a->new_table.n; i++)
		buf_addf(b, "%s %.*s", i != 0 ? "," : "", STR_ARG(a->new_table.p[i]));
	buf_addf(b, " %s new to them:\n", a->new_table.n > 1 ? "are" : "is");
	for (size_t i = 0; i < a->readers.n; i++)
		buf_addf(b, "  %.*s.%.*s\n", STR_ARG(a->readers.p[i].pipeline), STR_ARG(a->readers.p[i].flowgroup));
}

static void pair_add(struct buf *b, const char *key, struct str value)
{
	buf_addf(b, "\"%s\": ", key);
	json_text(b, value);
}

static void places_json(struct buf *b, const char *key, const struct places *list)
{
	buf_addf(b, "\"%s\": [", key);
	for (size_t i = 0; i < list->n; i++) {
		buf_adds(b, i != 0 ? ", {" : "{");
		pair_add(b, "pipeline", list->p[i].pipeline);
		buf_adds(b, ", ");
		pair_add(b, "flowgroup", list->p[i].flowgroup);
		buf_adds(b, ", ");
		pair_add(b, "file", str_of(list->p[i].file));
		buf_addc(b, '}');
	}
	buf_addc(b, ']');
}

static void hash_json(struct buf *b, const char *key, struct hash128 h)
{
	char hex[33];

	hash_hex(h, hex);
	buf_addf(b, hash_is_none(h) ? ", \"%s\": null" : ", \"%s\": \"%s\"", key, hex);
}

static void text_json(struct buf *b, const char *key, struct str s)
{
	if (s.p == NULL || s.n == 0)
		return;
	buf_adds(b, ", ");
	pair_add(b, key, s);
}

static void difference_json(struct why *w, const struct answer *a, const struct difference *d)
{
	struct buf *b = &w->out;

	buf_adds(b, "{");
	pair_add(b, "kind", str_of(dep_kind_name(d->dep->kind)));
	text_json(b, "key", d->dep->key);
	hash_json(b, "before", d->dep->hash);
	hash_json(b, "now", d->now);
	text_json(b, "before_value", d->before_text);
	text_json(b, "now_value", d->now_text);
	text_json(b, "where", mark_text(w->arena, where_of(a, d)));
	text_json(b, "read_at", mark_text(w->arena, d->dep->at));
	buf_addc(b, '}');
}

static void dependencies_json(struct why *w, const struct trace *t)
{
	struct buf *b = &w->out;

	buf_adds(b, "],\n    \"dependencies\": [");
	for (size_t i = 0; i < t->n; i++) {
		buf_adds(b, i != 0 ? ",\n      {" : "\n      {");
		pair_add(b, "kind", str_of(dep_kind_name(t->p[i].kind)));
		text_json(b, "key", t->p[i].key);
		hash_json(b, "hash", t->p[i].hash);
		text_json(b, "read_at", mark_text(w->arena, t->p[i].at));
		buf_addc(b, '}');
	}
}

static void answer_json(struct why *w, const struct answer *a)
{
	struct buf *b = &w->out;

	buf_addc(b, '{');
	pair_add(b, "pipeline", a->pipeline);
	text_json(b, "flowgroup", a->flowgroup);
	text_json(b, "file", a->unit != NULL ? str_of(a->unit->src->file) : STR(""));
	buf_addf(b, ", \"stored\": %s, \"exists\": %s, \"rebuild\": %s,\n    \"changes\": [", a->stored != NULL ? "true" : "false",
	         a->unit != NULL ? "true" : "false",
	         a->unit != NULL && (a->stored == NULL || a->why.n + a->bad_output.n != 0) ? "true" : "false");
	for (size_t i = 0; i < a->why.n; i++) {
		buf_adds(b, i != 0 ? ",\n      " : "\n      ");
		difference_json(w, a, &a->why.p[i]);
	}
	if (a->stored != NULL)
		dependencies_json(w, &a->stored->record.trace);
	buf_adds(b, "],\n    \"missing_outputs\": [");
	for (size_t i = 0; i < a->bad_output.n; i++) {
		buf_adds(b, i != 0 ? ", " : "");
		json_text(b, a->bad_output.p[i]);
	}
	buf_adds(b, "],\n    \"new_tables\": [");
	for (size_t i = 0; i < a->new_table.n; i++) {
		buf_adds(b, i != 0 ? ", " : "");
		json_text(b, a->new_table.p[i]);
	}
	buf_adds(b, "],\n    ");
	places_json(b, "readers", &a->readers);
	buf_addc(b, '}');
}

/* --- WHAT --- */

static void json_open(struct why *w, const char *kind)
{
	buf_adds(&w->out, "{\"what\": ");
	json_text(&w->out, w->what);
	buf_addf(&w->out, ", \"kind\": \"%s\", ", kind);
	pair_add(&w->out, "env", w->env);
}

/* The flowgroups that `is` accepts, now or in the store. False: none. */
struct chosen {
	VEC_OF(struct answer)
	struct map seen;
};

static void choose(struct why *w, struct chosen *c, struct str pipeline, struct str flowgroup, const struct snapshot_unit *unit)
{
	if (!map_add(&c->seen, w->arena, str_fmt(w->arena, "%.*s\n%.*s", STR_ARG(pipeline), STR_ARG(flowgroup))))
		return;
	*VEC_PUSH(c, w->arena) = (struct answer){ .pipeline = pipeline, .flowgroup = flowgroup, .unit = unit };
}

static bool is_named(struct why *w, struct str pipeline, struct str flowgroup)
{
	return str_eq(w->what, flowgroup) ||
	       str_eq(w->what, str_fmt(w->arena, "%.*s.%.*s", STR_ARG(pipeline), STR_ARG(flowgroup)));
}

static bool makes(struct why *w, const struct record *r)
{
	for (size_t i = 0; i < r->n_out; i++)
		if (str_eq(w->what, output_path(w, &r->out[i])) || str_eq(w->what, r->out[i].path))
			return true;
	return false;
}

static void flowgroups_choose(struct why *w, struct chosen *c)
{
	for (size_t i = 0; i < w->now.n; i++) {
		const struct snapshot_unit *u = &w->now.unit[i];

		if (is_named(w, u->pipeline, u->name) || makes(w, &u->record))
			choose(w, c, u->pipeline, u->name, u);
	}
	for (size_t i = 0; i < w->stored.unit.n; i++) {
		const struct stored_unit *u = w->stored.unit.entry[i].value;
		const struct snapshot_unit *unit = NULL;

		if (u == NULL || (!is_named(w, u->record.pipeline, u->record.flowgroup) && !makes(w, &u->record)))
			continue;
		for (size_t k = 0; k < w->now.n && unit == NULL; k++)
			if (str_eq(w->now.unit[k].pipeline, u->record.pipeline) && str_eq(w->now.unit[k].name, u->record.flowgroup))
				unit = &w->now.unit[k];
		choose(w, c, u->record.pipeline, u->record.flowgroup, unit);
	}
}

static bool flowgroups_answer(struct why *w)
{
	struct chosen c = { 0 };

	flowgroups_choose(w, &c);
	if (c.n == 0)
		return false;
	if (w->json) {
		json_open(w, "flowgroup");
		buf_adds(&w->out, ",\n  \"flowgroups\": [");
	} else if (w->store == NULL) {
		buf_addf(&w->out, "%.*s.\n", STR_ARG(w->no_store));
	}
	for (size_t i = 0; i < c.n; i++) {
		answer_find(w, &c.p[i]);
		if (!w->json) {
			answer_text(w, &c.p[i]);
			continue;
		}
		buf_adds(&w->out, i != 0 ? ",\n   " : "\n   ");
		answer_json(w, &c.p[i]);
	}
	if (w->json)
		buf_adds(&w->out, "\n  ]}\n");
	return true;
}

static void places_text(struct buf *b, const char *head, const struct places *list)
{
	if (list->n != 0)
		buf_adds(b, head);
	for (size_t i = 0; i < list->n; i++)
		buf_addf(b, "  %.*s.%.*s  %s\n", STR_ARG(list->p[i].pipeline), STR_ARG(list->p[i].flowgroup), list->p[i].file);
}

static bool trace_uses(struct why *w, const struct trace *t, struct str path)
{
	for (size_t i = 0; i < t->n; i++) {
		enum dep_kind kind = t->p[i].kind;

		if (kind != DEP_ENV && kind != DEP_TABLE && kind != DEP_DIR && str_eq(dep_base(w->arena, &t->p[i]), path))
			return true;
	}
	return false;
}

static bool file_answer(struct why *w)
{
	struct places users = { .arena = w->arena };

	for (size_t i = 0; i < w->now.n; i++) {
		const struct snapshot_unit *u = &w->now.unit[i];

		if (str_eq(str_of(u->src->file), w->what) || trace_uses(w, &u->record.trace, w->what))
			place_add(&users, u->pipeline, u->name, u->src->file);
	}
	if (users.n == 0 && !fs_is_file(&w->call->fs, w->what))
		return false;
	if (w->json) {
		json_open(w, "file");
		buf_adds(&w->out, ",\n  ");
		places_json(&w->out, "flowgroups", &users);
		buf_adds(&w->out, "}\n");
	} else if (users.n == 0) {
		buf_addf(&w->out, "No flowgroup depends on %.*s in %.*s.\n", STR_ARG(w->what), STR_ARG(w->env));
	} else {
		places_text(&w->out, str_fmt(w->arena, "These depend on %.*s:\n", STR_ARG(w->what)).p, &users);
	}
	return true;
}

static bool table_answer(struct why *w)
{
	struct places makers = { .arena = w->arena }, readers = { .arena = w->arena };

	if (lineage_of(w) == NULL)
		return false;
	writers_of(&w->lineage, w->what, place_add, &makers);
	readers_of(&w->lineage, w->what, place_add, &readers);
	if (makers.n + readers.n == 0)
		return false;
	if (w->json) {
		json_open(w, "table");
		buf_adds(&w->out, ",\n  ");
		places_json(&w->out, "producers", &makers);
		buf_adds(&w->out, ",\n  ");
		places_json(&w->out, "readers", &readers);
		buf_adds(&w->out, "}\n");
		return true;
	}
	if (makers.n == 0)
		buf_addf(&w->out, "%.*s is made by no flowgroup of this project.\n", STR_ARG(w->what));
	places_text(&w->out, str_fmt(w->arena, "%.*s is made by:\n", STR_ARG(w->what)).p, &makers);
	places_text(&w->out, str_fmt(w->arena, "Their code reads %.*s:\n", STR_ARG(w->what)).p, &readers);
	if (readers.n == 0)
		buf_adds(&w->out, "Nothing in this project reads it.\n");
	return true;
}

/* A path is relative to the current folder, when that lies in the project; names stay as they are. */
static struct str what_read(struct call *c)
{
	struct str what = c->args->word[0], path = path_join(c->arena, c->io->cwd, what), normal;

	if (str_find_char(what, '/', 0) < 0 && !fs_is_file(&c->fs, path))
		return what;
	if (path_normal(c->arena, str_skip(path, 1), &normal) && path_is_below(normal, str_skip(c->fs.root, 1)) &&
	    normal.n > c->fs.root.n)
		return str_skip(normal, c->fs.root.n);
	return what;
}

static int answer(struct why *w)
{
	struct call *c = w->call;

	if (snapshot_open(&w->now, &c->fs, w->env, false, c->io->getenv) != 0) {
		panels_print(c->io, &c->fs, &w->now.diags);
		return 1;
	}
	snapshot_work(&w->now, WORK_EMIT);
	if (flowgroups_answer(w) || file_answer(w) || table_answer(w)) {
		fwrite(w->out.p, 1, w->out.n, c->io->out);
		return 0;
	}
	fprintf(c->io->err, "lhp: %.*s is no flowgroup, table, input or output of this project in %.*s\n", STR_ARG(w->what),
	        STR_ARG(w->env));
	return 1;
}

int cmd_why(struct call *c)
{
	struct why w = { .call = c, .arena = c->arena, .env = opt_text(c->args, "--env") };
	int status = call_open(c);

	if (status != 0)
		return status;
	w.what = what_read(c);
	w.json = str_is_nocase(opt_text(c->args, "--format"), "json");
	w.store = store_look(c, &w.no_store);
	stored_read(&w.stored, w.store, w.env, c->arena);
	status = answer(&w);
	snapshot_close(&w.now);
	store_close(w.store);
	buf_release(&w.out);
	return status;
}
