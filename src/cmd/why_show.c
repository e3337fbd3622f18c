#include "cmd/why_show.h"

#include "ui/json.h"
#include "ui/text.h"

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
	ptrdiff_t number = str_rfind_char(d->key, '#');
	struct str env, name;

	switch (d->kind) {
	case DEP_NODE:
		if (str_starts(d->key, STR("templates/")))
			return str_fmt(w->arena, "template %.*s", (int)(number < 0 ? (ptrdiff_t)d->key.n : number), d->key.p);
		if (a->unit != NULL && str_eq(d->key, a->unit->src->key))
			return str_fmt(w->arena, "flowgroup %.*s", STR_ARG(a->flowgroup));
		return str_fmt(w->arena, "document %.*s", STR_ARG(d->key));
	case DEP_TOKEN:
		token_key_cut(d->key, &env, &name);
		return str_fmt(w->arena, "token %.*s", STR_ARG(name));
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

static struct str value_text(struct arena *a, struct str text, struct hash128 h)
{
	return text.p != NULL && !hash_is_none(h) ? text : short_hash(a, h);
}

static struct str change_text(struct arena *a, const struct change *c)
{
	struct str before = value_text(a, c->before_text, c->before), now = value_text(a, c->now_text, c->now);

	/* Values of long texts say little: their hashes do not wrap. */
	if (before.n > 60 || now.n > 60 || (c->before_text.p == NULL) != (c->now_text.p == NULL)) {
		before = c->before_text.p != NULL && before.n <= 60 ? before : short_hash(a, c->before);
		now = c->now_text.p != NULL && now.n <= 60 ? now : short_hash(a, c->now);
	}
	return str_fmt(a, "%.*s -> %.*s", STR_ARG(before), STR_ARG(now));
}

/* "by env_prefix a -> b at substitutions/dev.yaml:2" */
static struct str causes_text(struct arena *a, const struct difference *d)
{
	struct str out = { 0 };

	for (size_t i = 0; i < d->by.n; i++) {
		const struct cause *c = &d->by.p[i];
		struct str where = mark_text(a, c->change.where);

		out = str_fmt(a, "%.*s%s %.*s %.*s%s%.*s", STR_ARG(out), i == 0 ? "by" : ",", STR_ARG(c->token),
		              STR_ARG(change_text(a, &c->change)), where.n != 0 ? " at " : "", STR_ARG(where));
	}
	return out;
}

/* Where its value stands now: of files, the file itself says it. */
static struct mark where_of(const struct answer *a, const struct difference *d)
{
	if (d->change.where.file == NULL && d->dep->kind == DEP_NODE && a->unit != NULL && source_has_key(a->unit->src, d->dep->key))
		return a->unit->src->at;
	return d->change.where;
}

enum { CELLS = 5 };

/* What; its change; what that comes from; where it stands now; where it is read. */
struct row {
	struct str cell[CELLS];
};

static struct row row_of(struct why *w, const struct answer *a, const struct difference *d)
{
	struct arena *ar = w->arena;
	const char *is = hash_is_none(d->change.now) ? "given -> not given" : "not given -> given";

	return (struct row){ { dep_text(w, a, d->dep), dep_is_option(d->dep) ? str_of(is) : change_text(ar, &d->change), causes_text(ar, d),
		               mark_text(ar, where_of(a, d)),
		               d->dep->at.file != NULL ? str_fmt(ar, "read at %.*s", STR_ARG(mark_text(ar, d->dep->at))) : STR("") } };
}

static size_t wider(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* A column that is empty takes no room. */
static void row_add(struct buf *b, const struct row *row, const size_t *width)
{
	size_t start = b->n;

	buf_adds(b, " ");
	for (size_t k = 0; k < CELLS; k++) {
		if (width[k] == 0)
			continue;
		buf_addc(b, ' ');
		buf_add(b, row->cell[k]);
		buf_add_repeat(b, ' ', width[k] - text_width(row->cell[k]) + 1);
	}
	while (b->n > start && b->p[b->n - 1] == ' ')
		b->n--;
	buf_addc(b, '\n');
}

static void rows_add(struct why *w, const struct answer *a)
{
	struct row *row = ARENA_ARRAY(w->arena, struct row, a->why.n + 1);
	size_t width[CELLS] = { 0 };

	for (size_t i = 0; i < a->why.n; i++) {
		row[i] = row_of(w, a, &a->why.p[i]);
		for (size_t k = 0; k < CELLS; k++)
			width[k] = wider(width[k], text_width(row[i].cell[k]));
	}
	for (size_t i = 0; i < a->why.n; i++)
		row_add(&w->out, &row[i], width);
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

static void change_json(struct buf *b, const struct change *c, struct str where)
{
	hash_json(b, "before", c->before);
	hash_json(b, "now", c->now);
	text_json(b, "before_value", c->before_text);
	text_json(b, "now_value", c->now_text);
	text_json(b, "where", where);
}

static void causes_json(struct why *w, const struct difference *d)
{
	struct buf *b = &w->out;

	buf_adds(b, ", \"by\": [");
	for (size_t i = 0; i < d->by.n; i++) {
		buf_adds(b, i != 0 ? ", {" : "{");
		pair_add(b, "key", str_cat_sep(w->arena, w->env, '/', d->by.p[i].token));
		change_json(b, &d->by.p[i].change, mark_text(w->arena, d->by.p[i].change.where));
		buf_addc(b, '}');
	}
	buf_addc(b, ']');
}

static void difference_json(struct why *w, const struct answer *a, const struct difference *d)
{
	struct buf *b = &w->out;

	buf_adds(b, "{");
	pair_add(b, "kind", str_of(dep_kind_name(d->dep->kind)));
	text_json(b, "key", d->dep->key);
	change_json(b, &d->change, mark_text(w->arena, where_of(a, d)));
	text_json(b, "read_at", mark_text(w->arena, d->dep->at));
	if (d->by.n != 0)
		causes_json(w, d);
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
