/*
 * sandbox_python.c - members of R in Python: the calls that read tables (spec/bundle.md, section 10, Sites in Python).
 *
 * Which calls these are and what their argument may be is the table graph's answer (graph/pyreads.h), asked without
 * the parameters of any caller: a copied file is one text for all that use it.
 */
#include "bundle/sandbox_internal.h"
#include "graph/pyreads.h"
#include "model/rules.h"
#include "python/pysrc.h"
#include "project/project.h"

#define WRAP "__lhp_sandbox_table("

enum { HEADER_LINES = 4 }; /* of a copied file */

struct missed {
	uint32_t line;
	struct str name; /* what it may read; empty: not known */
};

struct rewrite {
	struct unit *unit;
	const struct renames *r;
	struct arena *arena;
	struct str text;
	struct splices edits;
	struct { VEC_OF(struct missed) } missed, unknown;
	bool wrapped;
};

static void miss(struct rewrite *w, const struct py_site *s, struct str name)
{
	*VEC_PUSH(&w->missed, w->arena) = (struct missed){ s->line, name };
}

static void replace(struct rewrite *w, const struct py_site *s, struct str text)
{
	splices_add(&w->edits, w->arena, s->arg_at, s->arg_end, text);
}

static struct str argument_of(const struct rewrite *w, const struct py_site *s)
{
	return str_sub(w->text, s->arg_at, s->arg_end);
}

/* --- names of tables --- */

static void table_literal(struct rewrite *w, const struct py_site *s, const struct literal *l)
{
	struct str new = renames_reference(w->r, w->arena, s->value[0]);
	struct literal plain = { .quotes = 1, .quote = '\'' };

	if (new.p == s->value[0].p)
		return;
	if (l->parts == 1 && !l->prefixed && !l->escaped)
		splices_add(&w->edits, w->arena, s->arg_at + l->body, s->arg_at + l->body_end, new);
	else
		replace(w, s, literal_write(w->arena, &plain, new));
}

/* Known, but not written where it is read: its place is not ours to guess. */
static void table_static(struct rewrite *w, const struct py_site *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (renames_match(w->r, w->arena, s->value[i])) {
			miss(w, s, s->value[i]);
			return;
		}
}

static void table_wrap(struct rewrite *w, const struct py_site *s)
{
	if (str_starts(argument_of(w, s), STR(WRAP)))
		return;
	splices_add(&w->edits, w->arena, s->arg_at, s->arg_at, STR(WRAP));
	splices_add(&w->edits, w->arena, s->arg_end, s->arg_end, STR(")"));
	w->wrapped = true;
}

/* --- SQL --- */

static void sql_literal(struct rewrite *w, const struct py_site *s, const struct literal *l)
{
	bool as_written = l->parts == 1 && (l->raw || !l->escaped);
	size_t from = s->arg_at + l->body;
	struct splices found = { 0 };

	sql_renames(w->r, w->arena, as_written ? str_sub(w->text, from, s->arg_at + l->body_end) : s->value[0], &found);
	if (!as_written && found.n != 0)
		replace(w, s, literal_write(w->arena, l, splices_apply(&found, w->arena, s->value[0])));
	for (size_t i = 0; as_written && i < found.n; i++)
		splices_add(&w->edits, w->arena, from + found.p[i].at, from + found.p[i].end, found.p[i].text);
}

static void sql_static(struct rewrite *w, const struct py_site *s)
{
	for (size_t i = 0; i < s->n; i++) {
		struct splices found = { 0 };

		sql_renames(w->r, w->arena, s->value[i], &found);
		if (found.n != 0) {
			miss(w, s, found.p[0].name);
			return;
		}
	}
}

static void sql_fstring(struct rewrite *w, const struct py_site *s)
{
	struct splices found = { 0 };
	struct str name;

	switch (fstring_judge(w->r, w->arena, argument_of(w, s), &found, &name)) {
	case FSTRING_RENAMED:
		for (size_t i = 0; i < found.n; i++)
			splices_add(&w->edits, w->arena, s->arg_at + found.p[i].at, s->arg_at + found.p[i].end, found.p[i].text);
		break;
	case FSTRING_MISSED: miss(w, s, name); break;
	case FSTRING_UNKNOWN: *VEC_PUSH(&w->unknown, w->arena) = (struct missed){ s->line, STR("") }; break;
	case FSTRING_NOTHING: break;
	}
}

/* --- sites --- */

/* A name like {catalog} that the reader of Python leaves in a value: then the value is not known. */
static bool has_field(const struct py_site *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (str_find_char(s->value[i], '{', 0) >= 0)
			return true;
	return false;
}

/* The site with the parentheses around its argument taken off: "..." of spark.table(("...")). */
static struct py_site site_bare(const struct rewrite *w, const struct py_site *s)
{
	struct py_site out = *s;
	struct str text = argument_of(w, s);
	struct literal l;

	while (text.n > 2 && text.p[0] == '(' && text.p[text.n - 1] == ')')
		text = str_trim(str_sub(text, 1, text.n - 1));
	if (s->n != 1 || text.n == s->arg_end - s->arg_at || !literal_parts_read(text, &l))
		return out;
	out.argument = PY_ARG_LITERAL;
	out.arg_at = (size_t)(text.p - w->text.p);
	out.arg_end = out.arg_at + text.n;
	return out;
}

static void site_rewrite(struct rewrite *w, const struct py_site *found)
{
	struct py_site bare = site_bare(w, found);
	const struct py_site *s = &bare;
	struct literal l = { 0 };
	bool literal = s->argument == PY_ARG_LITERAL && literal_parts_read(argument_of(w, s), &l) && !l.format;
	bool known = s->n != 0 && (s->argument != PY_ARG_FSTRING || !has_field(s));

	if (!s->plain || str_starts(argument_of(w, s), STR("*")))
		return;
	if (literal)
		(s->sql ? sql_literal : table_literal)(w, s, &l);
	else if (known)
		(s->sql ? sql_static : table_static)(w, s);
	else if (!s->sql)
		table_wrap(w, s);
	else if (s->argument == PY_ARG_FSTRING)
		sql_fstring(w, s);
	else
		*VEC_PUSH(&w->unknown, w->arena) = (struct missed){ s->line, STR("") };
}

/* --- what is said --- */

/* The line of the project's file that line `line` of its copy came from; 0 when it was changed. */
static uint32_t source_line(struct rewrite *w, struct str source, uint32_t line)
{
	struct str text = door_read(w->unit->project->door, w->unit->trace, source, (struct mark){ 0 })->bytes;
	struct str copied = STR_NONE, rest = w->text, found;
	uint32_t at = 0;

	for (uint32_t i = 0; i < line && str_cut(&rest, '\n', &copied);)
		i++;
	while (str_cut(&text, '\n', &found))
		if (++at + HEADER_LINES >= line && str_eq(str_trim_end(found), copied)) /* imports may be shorter in the copy */
			return at;
	return 0;
}

static void missed_say(struct rewrite *w, const struct out_file *f, struct str path, const struct rule *rule,
                       const struct missed *m, size_t n, const char *hint)
{
	struct mark at = f->at;
	struct buf b = { 0 };
	struct diag *d;

	for (size_t i = 0; i < n; i++) {
		struct str file = f->source.n != 0 ? f->source : path;
		uint32_t line = f->source.n != 0 ? source_line(w, f->source, m[i].line) : m[i].line;

		buf_addf(&b, "%s%.*s", i != 0 ? "\n" : "", STR_ARG(file));
		if (line != 0)
			buf_addf(&b, ":%u", line);
		if (m[i].name.n != 0)
			buf_addf(&b, " reads %.*s", STR_ARG(m[i].name));
		if (i == 0 && f->source.n != 0)
			at = (struct mark){ str_cstr(w->arena, f->source), line, line != 0 };
	}
	d = unit_diag(w->unit, rule, at, "%.*s", STR_ARG(buf_str(&b)));
	d->file = str_cstr(w->arena, path);
	diag_hint(w->unit->diags, d, "%s", hint);
	buf_release(&b);
}

static int result_check(struct rewrite *w, const struct out_file *f, struct str path)
{
	struct py_error err = { 0 };
	struct py_source *s = py_parse_newer(f->raw, &err);

	if (s != NULL) {
		py_free(s);
		return 0;
	}
	unit_diag(w->unit, &rule_sandbox_not_python, f->at, "%.*s, line %u, with the sandbox's names: %.*s", STR_ARG(path),
	          err.line, STR_ARG(err.problem));
	return -1;
}

static int file_rewrite(struct rewrite *w, struct out_file *f)
{
	const struct py_entry whole = { .newer = true, .narrow = true };
	struct str path = f->path;
	struct py_reads reads;

	w->text = f->raw;
	py_reads(w->arena, f->raw, str_cstr(w->arena, path), &whole, NULL, &reads);
	for (size_t i = 0; i < reads.site.n; i++)
		site_rewrite(w, &reads.site.p[i]);
	if (w->missed.n != 0)
		missed_say(w, f, path, &rule_sandbox_missed, w->missed.p, w->missed.n,
		           "These still read the shared table; write the name out where it is read");
	if (w->unknown.n != 0)
		missed_say(w, f, path, &rule_sandbox_unknown_sql, w->unknown.p, w->unknown.n,
		           "SQL that is made at run time reads the shared tables; write it out to have them renamed");
	if (w->wrapped) {
		struct str shim = str_fmt(w->arena, "\n\n%.*s\n\n", STR_ARG(shim_text(w->r, w->arena)));
		size_t at = shim_place(w->arena, f->raw);

		splices_add(&w->edits, w->arena, at, at, shim);
	}
	if (w->edits.n == 0)
		return 0;
	f->raw = text_normalise(w->arena, splices_apply(&w->edits, w->arena, f->raw));
	return result_check(w, f, path);
}

int sandbox_files_rewrite(struct unit *u, struct out_files *files)
{
	int rc = 0;

	for (size_t i = 0; i < files->n && rc == 0; i++) {
		struct rewrite w = { .unit = u, .r = &u->env->sandbox->r, .arena = u->arena };

		if (files->p[i].python)
			rc = file_rewrite(&w, &files->p[i]);
	}
	return rc;
}
