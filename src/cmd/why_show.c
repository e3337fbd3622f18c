#include "cmd/why_show.h"

#include "cmd/dag_json.h"

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
		if (str_starts(d->key, STR("lhp.yaml/*")))
			return str_fmt(w->arena, "names in lhp.yaml/%.*s", STR_ARG(str_skip(d->key, sizeof "lhp.yaml/*" - 1)));
		return str_starts(d->key, STR("preset/")) ? str_fmt(w->arena, "preset %.*s", STR_ARG(str_skip(d->key, 7)))
		                                          : str_fmt(w->arena, "setting %.*s", STR_ARG(d->key));
	case DEP_DIR: return str_fmt(w->arena, "folder %.*s", STR_ARG(d->key));
	case DEP_ENV: return str_fmt(w->arena, "%s %.*s", dep_is_option(d) ? "option" : "variable", STR_ARG(d->key));
	default: return str_fmt(w->arena, "%s %.*s", dep_kind_name(d->kind), STR_ARG(d->key));
	}
}

static struct str mark_text(struct arena *a, struct mark m)
{
	return m.file == NULL ? STR("") : m.line == 0 ? str_of(m.file) : str_fmt(a, "%s:%u", m.file, m.line);
}

static struct str value_text(struct arena *a, const struct dep *d, struct str text, struct hash128 h)
{
	if (dep_is_option(d))
		return hash_is_none(h) ? STR("not given") : STR("given");
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
	struct str before = value_text(ar, d->dep, d->before_text, d->dep->hash), now = value_text(ar, d->dep, d->now_text, d->now);

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

void why_output_text(struct why *w, const struct answer *a)
{
	struct buf *b = &w->out;

	if (a->why.n + a->bad_output.n == 0) {
		buf_addf(b, "%.*s is up to date: nothing that it was made from has changed.\n", STR_ARG(a->flowgroup));
		return;
	}
	buf_addf(b, "%.*s would be rebuilt:\n", STR_ARG(a->flowgroup));
	rows_add(w, a);
	for (size_t i = 0; i < a->bad_output.n; i++)
		buf_addf(b, "  output %.*s %s\n", STR_ARG(a->bad_output.p[i].path),
		         a->bad_output.p[i].edited ? "was edited by hand" : "is gone");
}

void why_answer_text(struct why *w, const struct answer *a)
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
	why_output_text(w, a);
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

void places_json(struct buf *b, const char *key, const struct places *list)
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

/* "changes", "dependencies" when there is a trace, "outputs". */
static void changes_json(struct why *w, const struct answer *a, const struct trace *t)
{
	struct buf *b = &w->out;

	buf_adds(b, ",\n    \"changes\": [");
	for (size_t i = 0; i < a->why.n; i++) {
		buf_adds(b, i != 0 ? ",\n      " : "\n      ");
		difference_json(w, a, &a->why.p[i]);
	}
	if (t != NULL)
		buf_adds(b, "],\n    \"dependencies\": [");
	for (size_t i = 0; t != NULL && i < t->n; i++) {
		buf_adds(b, i != 0 ? ",\n      {" : "\n      {");
		pair_add(b, "kind", str_of(dep_kind_name(t->p[i].kind)));
		text_json(b, "key", t->p[i].key);
		hash_json(b, "hash", t->p[i].hash);
		text_json(b, "read_at", mark_text(w->arena, t->p[i].at));
		buf_addc(b, '}');
	}
	buf_adds(b, "],\n    \"outputs\": [");
	for (size_t i = 0; i < a->bad_output.n; i++) {
		buf_adds(b, i != 0 ? ", {" : "{");
		pair_add(b, "path", a->bad_output.p[i].path);
		buf_addf(b, ", \"state\": \"%s\"}", a->bad_output.p[i].edited ? "edited" : "gone");
	}
	buf_addc(b, ']');
}

void why_output_json(struct why *w, const struct answer *a, const struct trace *t)
{
	why_json_open(w, "output");
	buf_addf(&w->out, ", \"rebuild\": %s", a->why.n + a->bad_output.n != 0 ? "true" : "false");
	changes_json(w, a, t);
	buf_adds(&w->out, "}\n");
}

void why_answer_json(struct why *w, const struct answer *a)
{
	struct buf *b = &w->out;

	buf_addc(b, '{');
	pair_add(b, "pipeline", a->pipeline);
	text_json(b, "flowgroup", a->flowgroup);
	text_json(b, "file", a->unit != NULL ? str_of(a->unit->src->file) : STR(""));
	buf_addf(b, ", \"stored\": %s, \"exists\": %s, \"rebuild\": %s", a->stored != NULL ? "true" : "false",
	         a->unit != NULL ? "true" : "false",
	         a->unit != NULL && (a->stored == NULL || a->why.n + a->bad_output.n != 0) ? "true" : "false");
	changes_json(w, a, a->stored != NULL ? &a->stored->record.trace : NULL);
	buf_adds(b, ",\n    \"new_tables\": [");
	for (size_t i = 0; i < a->new_table.n; i++) {
		buf_adds(b, i != 0 ? ", " : "");
		json_text(b, a->new_table.p[i]);
	}
	buf_adds(b, "],\n    ");
	places_json(b, "readers", &a->readers);
	buf_addc(b, '}');
}

void why_json_open(struct why *w, const char *kind)
{
	buf_adds(&w->out, "{\"what\": ");
	json_text(&w->out, w->what);
	buf_addf(&w->out, ", \"kind\": \"%s\", ", kind);
	pair_add(&w->out, "env", w->env);
}

void places_text(struct buf *b, const char *head, const struct places *list)
{
	if (list->n != 0)
		buf_adds(b, head);
	for (size_t i = 0; i < list->n; i++)
		buf_addf(b, "  %.*s.%.*s  %s\n", STR_ARG(list->p[i].pipeline), STR_ARG(list->p[i].flowgroup), list->p[i].file);
}
