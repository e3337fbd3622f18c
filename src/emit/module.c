#include "emit/module.h"

#include "emit/imports.h"
#include "python/memory.h"
#include "python/pysrc.h"
#include "resolve/resolve.h"

#include <stdio.h>

/* Sections in the order of the file. */
enum section { SECTION_LOADS, SECTION_TRANSFORMS, SECTION_QUALITY, SECTION_WRITES, SECTION_TESTS, SECTIONS };

static const char *const SECTION_NAME[SECTIONS] = {
	"SOURCE VIEWS", "TRANSFORMATION VIEWS", "DATA QUALITY & QUARANTINE", "TARGET TABLES", "DATA QUALITY TESTS",
};

/* Where the code of an action begins in the text of all sections. */
struct piece {
	size_t at;
	const struct action *action;
};

struct pieces {
	VEC_OF(struct piece)
};

static void set_add(struct module *m, struct map *set, const char *fmt, va_list ap)
{
	void **owner = map_slot(set, m->unit->arena, str_vfmt(m->unit->arena, fmt, ap));

	if (*owner == NULL) /* m stands for nobody: a set has no NULL values */
		*owner = m->current != NULL ? (void *)(uintptr_t)m->current : (void *)m;
}

void module_import(struct module *m, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set_add(m, &m->import, fmt, ap);
	va_end(ap);
}

void module_statement(struct module *m, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set_add(m, &m->statement, fmt, ap);
	va_end(ap);
}

struct str module_variable(struct module *m, struct str name)
{
	struct arena *a = m->unit->arena;
	struct str free = name;

	for (unsigned k = 2; !map_add(&m->variable, a, free); k++)
		free = str_fmt(a, "%.*s_%u", STR_ARG(name), k);
	return free;
}

static struct diag *not_python_add(struct module *m, struct mark at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static struct diag *not_python_add(struct module *m, struct mark at, const char *fmt, ...)
{
	struct diag *d;
	va_list ap;

	va_start(ap, fmt);
	d = diag_vadd(&m->not_python, &rule_generated_not_python, at, fmt, ap);
	va_end(ap);
	if (m->current != NULL)
		d->action = m->current->name;
	return d;
}

void module_name(struct module *m, struct buf *b, struct str name, struct mark at)
{
	buf_add(b, name);
	if (!py_is_name(name)) {
		struct diag *d = not_python_add(m, at, "`%.*s` becomes a name in the generated code, but is no Python name.",
						STR_ARG(name));
		diag_hint(&m->not_python, d, "Use letters, digits and `_`, no digit in front, and no Python keyword");
	}
}

void module_expression(struct module *m, struct buf *b, struct str code, struct mark at)
{
	struct py_error err = { 0 };

	buf_add(b, code);
	if (!py_memory_is_expression(project_python(m->unit->project), code) && !py_is_expression(code, &err))
		not_python_add(m, at, "`%.*s` is no Python expression: %.*s.", STR_ARG(code), STR_ARG(err.problem));
}

int module_error(struct module *m, const struct action *a, const struct rule *rule, struct mark at, const char *fmt, ...)
{
	struct diag *d;
	va_list ap;

	va_start(ap, fmt);
	d = unit_vdiag(m->unit, rule, at, fmt, ap);
	va_end(ap);
	if (a != NULL)
		d->action = a->name;
	return -1;
}

int module_hint(struct module *m, const char *fmt, ...)
{
	struct diags *ds = m->unit->diags;
	va_list ap;

	va_start(ap, fmt);
	if (ds->n > 0)
		ds->p[ds->n - 1].hint = str_vfmt(ds->arena, fmt, ap);
	va_end(ap);
	return -1;
}

int module_fault(struct module *m, const struct action *a)
{
	const struct unit *u = m->unit;
	struct diag *d;

	if (u->diags->n == 0)
		return -1;
	d = &u->diags->p[u->diags->n - 1];
	d->pipeline = u->pipeline;
	d->flowgroup = u->flowgroup;
	d->file = u->file;
	if (a != NULL)
		d->action = a->name;
	return -1;
}

struct str module_description(struct module *m, const struct action *a, const char *fmt, ...)
{
	struct str s = node_get_text(a->map, "description");
	va_list ap;

	if (s.n > 0)
		return s;
	va_start(ap, fmt);
	s = str_vfmt(m->unit->arena, fmt, ap);
	va_end(ap);
	return s;
}

void module_meta_imports(struct module *m, const struct action *a)
{
	for (size_t i = 0; i < a->n_meta; i++)
		for (size_t k = 0; k < a->meta[i].n_imports; k++)
			module_import(m, "%.*s", STR_ARG(a->meta[i].imports[k]));
}

void module_metadata(struct module *m, struct buf *b, const struct action *a)
{
	module_meta_imports(m, a);
	for (size_t i = 0; i < a->n_meta; i++) {
		buf_adds(b, "    df = df.withColumn(");
		py_text_single(b, a->meta[i].name);
		buf_adds(b, ", ");
		module_expression(m, b, a->meta[i].expression, a->meta[i].at);
		buf_adds(b, ")\n");
	}
}

struct str module_read_mode(const struct action *a, const char *fallback)
{
	const struct node *mode = node_get(a->map, "readMode");

	if (!node_truthy(mode))
		mode = node_get(a->source, "readMode");
	return node_truthy(mode) ? mode->text : str_of(fallback);
}

int module_data(struct module *m, struct buf *b, const struct action *a, const struct node *value)
{
	const struct node *bad = py_data(b, value);

	if (bad == NULL)
		return 0;
	module_error(m, a, &rule_value_unwritable, bad->at, "`%.*s` is read as a date or time, which has no form here.",
		     STR_ARG(bad->text));
	return module_hint(m, "Put it in quotes to make it a text");
}

static bool is_quality(const struct action *a)
{
	return str_is(node_get_text(a->map, "transform_type"), "data_quality");
}

static enum section section_of(const struct action *a)
{
	switch (a->type) {
	case ACTION_LOAD: return SECTION_LOADS;
	case ACTION_TRANSFORM: return is_quality(a) ? SECTION_QUALITY : SECTION_TRANSFORMS;
	case ACTION_WRITE: return SECTION_WRITES;
	default: return SECTION_TESTS;
	}
}

static void banner_add(struct buf *b, const char *name)
{
	buf_adds(b, "\n# ");
	buf_add_repeat(b, '=', 76);
	buf_addf(b, "\n# %s\n# ", name);
	buf_add_repeat(b, '=', 76);
}

/* What writes are grouped by (write_test.md 1.3). */
static struct str write_group_key(struct arena *a, const struct action *act)
{
	struct str name = full_table_name(a, act->write_target);

	if (name.n == 0)
		name = node_get_text(act->write_target, "table");
	return name.n > 0 ? name : act->name;
}

static struct write_group *write_group_make(struct module *m, const struct action **order, size_t n, size_t first)
{
	struct arena *a = m->unit->arena;
	struct write_group *g = ARENA_NEW(a, struct write_group);
	struct str key = write_group_key(a, order[first]);

	g->action = ARENA_ARRAY(a, const struct action *, n);
	for (size_t i = first; i < n; i++) {
		if (order[i]->type != ACTION_WRITE || !str_eq(write_group_key(a, order[i]), key))
			continue;
		g->action[g->n++] = order[i];
		if (g->creator == NULL && creates_table(order[i]))
			g->creator = order[i];
	}
	if (g->creator == NULL)
		g->creator = order[first];
	return g;
}

static int action_emit(struct module *m, struct buf *b, const struct action **order, size_t n, size_t i)
{
	switch (order[i]->type) {
	case ACTION_LOAD: return emit_load(m, b, order[i]);
	case ACTION_TRANSFORM: return emit_transform(m, b, order[i]);
	case ACTION_WRITE: return emit_writes(m, b, write_group_make(m, order, n, i));
	default: return emit_test(m, b, order[i]);
	}
}

/* Is the action's code made by an earlier one of its group? */
static bool is_grouped(struct module *m, struct map *groups, const struct action *a)
{
	return a->type == ACTION_WRITE &&
	       !map_add(groups, m->unit->arena, write_group_key(m->unit->arena, a));
}

static int section_emit(struct module *m, struct buf *b, struct pieces *pieces, enum section section,
			const struct action **order)
{
	struct map groups = { 0 };
	bool any = false;

	for (size_t i = 0; i < m->fg->n; i++) {
		if (section_of(order[i]) != section || is_grouped(m, &groups, order[i]))
			continue;
		if (b->n > 0)
			buf_adds(b, "\n\n");
		if (!any) {
			banner_add(b, SECTION_NAME[section]);
			buf_adds(b, "\n\n");
			any = true;
		}
		m->current = order[i];
		*VEC_PUSH(pieces, m->unit->arena) = (struct piece){ b->n, order[i] };
		if (action_emit(m, b, order, m->fg->n, i) < 0)
			return -1;
	}
	m->current = NULL;
	return 0;
}

static void statements_write(struct module *m, struct buf *b)
{
	uint32_t *order = map_sorted(&m->statement, m->unit->arena);

	if (m->statement.n == 0)
		return;
	for (size_t i = 0; i < m->statement.n; i++) {
		buf_addc(b, '\n');
		buf_add(b, m->statement.entry[order[i]].key);
	}
	buf_addc(b, '\n');
}

/* `statements`: imports and what follows them. */
static int head_write(struct module *m, struct buf *b, struct buf *statements)
{
	struct arena *a = m->unit->arena;

	buf_adds(b, "# Generated by LakehousePlumber\n");
	py_comment(b, str_cat(a, STR("Pipeline: "), m->fg->pipeline));
	buf_addc(b, '\n');
	py_comment(b, str_cat(a, STR("FlowGroup: "), m->fg->name));
	buf_adds(b, "\n\n");
	if (imports_write(m, statements) < 0)
		return -1;
	statements_write(m, statements);
	buf_add(b, buf_str(statements));
	buf_adds(b, "\n# Pipeline Configuration\nPIPELINE_ID = ");
	py_text(b, m->fg->pipeline);
	buf_adds(b, "\nFLOWGROUP_ID = ");
	py_text(b, m->fg->name);
	buf_adds(b, "\n\n\n");
	return 0;
}

static const struct action *piece_at(const struct pieces *pieces, size_t at)
{
	const struct action *a = NULL;

	for (size_t i = 0; i < pieces->n && pieces->p[i].at <= at; i++)
		a = pieces->p[i].action;
	return a;
}

static size_t line_offset(struct str text, uint32_t line)
{
	size_t at = 0;

	for (uint32_t l = 1; l < line; l++) {
		ptrdiff_t end = str_find_char(text, '\n', at);
		if (end < 0)
			break;
		at = (size_t)end + 1;
	}
	return at;
}

/*
 * The text must parse. Names and expressions were looked at when they were written, and literals are made
 * whole: what is left are the statements in the head, much the same in all flowgroups, and bodies that users wrote. Only those
 * are parsed.
 */
static int text_check(struct module *m, struct str text, size_t head, struct str statements, const struct pieces *pieces)
{
	struct py_error err = { 0 };
	struct py_source *s;
	const struct action *a = NULL;
	size_t at;

	if (m->not_python.n > 0) {
		struct diag first = m->not_python.p[0];
		struct diag *d = unit_diag(m->unit, first.rule, first.at, "%.*s", STR_ARG(first.detail));
		d->action = first.action;
		d->hint = first.hint;
		return -1;
	}
	if (!m->user_body && py_memory_parses(project_python(m->unit->project), statements))
		return 0;
	s = py_parse_newer(m->user_body ? text : str_sub(text, 0, head), &err);
	if (s != NULL) {
		py_free(s);
		return 0;
	}
	at = line_offset(text, err.line);
	if (at >= head)
		a = piece_at(pieces, at - head);
	return module_error(m, a, &rule_generated_not_python, a != NULL ? a->map->at : m->fg->at,
			    "Line %u of the generated module: %.*s.", err.line, STR_ARG(err.problem));
}

static int module_make(struct module *m, struct buf *statements, struct buf *head, struct buf *body)
{
	struct pieces pieces = { 0 };
	const struct action **order = actions_ordered(m->unit, m->fg);
	struct out_file file = { .python = true, .at = m->fg->at };
	size_t head_n;

	if (order == NULL)
		return -1;
	for (enum section s = 0; s < SECTIONS; s++)
		if (section_emit(m, body, &pieces, s, order) < 0)
			return -1;
	if (body->n == 0)
		return 0;
	if (head_write(m, head, statements) < 0)
		return -1;
	head_n = head->n;
	buf_add(head, buf_str(body));
	if (text_check(m, buf_str(head), head_n, buf_str(statements), &pieces) < 0)
		return -1;
	file.path = str_fmt(m->unit->arena, "%.*s/%.*s.py", STR_ARG(m->fg->pipeline), STR_ARG(m->fg->name));
	file.raw = text_normalise(m->unit->arena, buf_str(head));
	*VEC_PUSH(m->out, m->unit->arena) = file;
	return 0;
}

int flowgroup_emit(struct unit *u, const struct flowgroup *fg, struct out_files *out)
{
	struct module m = { .unit = u, .fg = fg, .out = out, .not_python = { .arena = u->arena } };
	struct buf statements = { 0 }, head = { 0 }, body = { 0 };
	int rc;

	module_import(&m, "from pyspark import pipelines as dp");
	rc = module_make(&m, &statements, &head, &body);
	buf_release(&statements);
	buf_release(&head);
	buf_release(&body);
	return rc;
}
