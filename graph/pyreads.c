#include "graph/pyreads.h"

#include "graph/py_program.h"
#include "graph/sql.h"

enum form { FORM_NONE, FORM_TABLE, FORM_SQL, FORM_EXISTS, FORM_DROP };

/* What a call turned out to be. */
struct found {
	enum form form;
	bool streaming;
	bool plain;
	size_t position; /* of the table among the positional arguments, from 0 */
	const char *keyword;
};

/* --- recognising a session and its readers --- */

static bool is_session(struct py_program *p, TSNode n, unsigned depth);

/* A name bound to SparkSession.builder…, SparkSession.active(), or to another session. */
static bool is_session_name(struct py_program *p, TSNode n, unsigned depth)
{
	size_t scope;
	struct py_bindings *b = py_name_find(py_module_of(p, n), ts_node_start_byte(n), py_node_text(p, n), &scope);
	for (size_t i = 0; b != NULL && i < b->n; i++) {
		if (b->p[i].kind != PY_BIND_VALUE)
			continue;
		TSNode value = b->p[i].node;
		if (is_session(p, value, depth + 1))
			return true;
		bool called = tree_is(value, "call");
		while (tree_is(value, "call") || tree_is(value, "attribute"))
			value = tree_field(value, tree_is(value, "call") ? "function" : "object");
		struct str root = tree_is(value, "identifier") ? py_node_text(p, value) : STR_NONE;
		if (called && (str_is(root, "SparkSession") || str_is(root, "DatabricksSession")))
			return true;
	}
	return false;
}

static bool is_session(struct py_program *p, TSNode n, unsigned depth)
{
	if (tree_is(n, "identifier"))
		return str_is(py_node_text(p, n), "spark") || (depth < 4 && is_session_name(p, n, depth));
	return tree_is(n, "attribute") && str_is(py_node_text(p, tree_field(n, "attribute")), "spark");
}

/* The plain forms of section 8.1 know no aliases. */
static bool is_plain_session(struct py_program *p, TSNode n)
{
	return is_session(p, n, 4);
}

static bool attribute_is(struct py_program *p, TSNode n, const char *name)
{
	return tree_is(n, "attribute") && str_is(py_node_text(p, tree_field(n, "attribute")), name);
}

/* A chain back to S.read or S.readStream. */
struct reader {
	bool streaming;
	bool other; /* calls besides format(), or a name for part of the chain */
	TSNode session;
	TSNode format; /* argument of format(), or a null node */
	size_t formats;
};

/* What a name was last bound to above its use; a null node when that is no expression. */
static TSNode bound_value(struct py_program *p, TSNode name)
{
	size_t scope;
	uint32_t at = ts_node_start_byte(name);
	struct py_bindings *b = py_name_find(py_module_of(p, name), at, py_node_text(p, name), &scope);
	TSNode value = { 0 };
	for (size_t i = 0; b != NULL && i < b->n; i++)
		if (b->p[i].kind == PY_BIND_VALUE && b->p[i].at <= at)
			value = b->p[i].node;
	return value;
}

static bool reader_of(struct py_program *p, TSNode n, struct reader *out)
{
	*out = (struct reader){ 0 };
	for (unsigned depth = 0; depth < 200 && !ts_node_is_null(n); depth++) {
		if (tree_is(n, "parenthesized_expression"))
			n = tree_first(n);
		if (tree_is(n, "identifier")) { /* reader = spark.read.format("delta") */
			out->other = true;
			n = bound_value(p, n);
			continue;
		}
		if (attribute_is(p, n, "read") || attribute_is(p, n, "readStream")) {
			out->streaming = attribute_is(p, n, "readStream");
			out->session = tree_field(n, "object");
			return is_session(p, out->session, 0);
		}
		if (!tree_is(n, "call"))
			return false;
		TSNode function = tree_field(n, "function");
		if (!tree_is(function, "attribute"))
			return false;
		if (attribute_is(p, function, "format")) {
			out->formats++;
			if (ts_node_is_null(out->format))
				out->format = py_argument(n, 0);
		} else if (attribute_is(p, function, "option") || attribute_is(p, function, "options") ||
		           attribute_is(p, function, "schema"))
			out->other = true;
		else
			return false;
		n = tree_field(function, "object");
	}
	return false;
}

/* Exactly one format, and one whose load() takes a table's name. */
static bool is_table_format(struct py_program *p, TSNode format)
{
	static const char *const formats[] = { "delta", "iceberg", "hive", "unity_catalog" };
	struct py_value *v = py_eval(p, format);
	if (v == NULL || v->kind != PY_TEXTS || v->text.n != 1)
		return false;
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		if (str_is_nocase(v->text.p[0], formats[i]))
			return true;
	return false;
}

static struct found reader_found(struct py_program *p, TSNode call, TSNode function)
{
	struct found none = { 0 };
	bool table = attribute_is(p, function, "table"), load = attribute_is(p, function, "load");
	struct reader r;
	if ((!table && !load) || !reader_of(p, tree_field(function, "object"), &r))
		return none;
	TSNode format = r.format, keyword = py_keyword(p, call, "format");
	if (load && ts_node_is_null(format) && !ts_node_is_null(keyword))
		format = keyword;
	bool named = r.formats > 0 || !ts_node_is_null(format);
	if (named ? !is_table_format(p, format) : load)
		return none;
	return (struct found){
		FORM_TABLE,
		r.streaming,
		!r.other && r.formats <= 1 && ts_node_is_null(keyword) && is_plain_session(p, r.session),
		0,
		table ? "tableName" : "path",
	};
}

static const struct {
	const char *method;
	enum form form;
	const char *keyword;
} session_methods[] = {
	{ "table", FORM_TABLE, "tableName" },
	{ "sql", FORM_SQL, "sqlQuery" },
};

/* Functions of modules: dlt.read(x), dp.read_stream(x), DeltaTable.forName(spark, x). */
static const struct {
	const char *object, *method;
	bool streaming;
	size_t position;
	const char *keyword;
} module_methods[] = {
	{ "dlt", "read", false, 0, "name" },
	{ "dlt", "read_stream", true, 0, "name" },
	{ "dp", "read", false, 0, "name" },
	{ "dp", "read_stream", true, 0, "name" },
	{ "DeltaTable", "forName", false, 1, "tableOrViewName" },
};

/* Is the result of DeltaTable.forName written to? */
static bool is_written(struct py_program *p, TSNode call)
{
	static const char *const writes[] = { "merge", "delete", "update", "updateAll", "optimize", "vacuum" };
	for (TSNode n = ts_node_parent(call); tree_is(n, "attribute") || tree_is(n, "call"); n = ts_node_parent(n))
		for (size_t i = 0; i < sizeof writes / sizeof *writes; i++)
			if (attribute_is(p, n, writes[i]))
				return true;
	return false;
}

static struct found module_found(struct py_program *p, TSNode call, TSNode function)
{
	TSNode object = tree_field(function, "object");
	for (size_t i = 0; i < sizeof module_methods / sizeof *module_methods && tree_is(object, "identifier"); i++)
		if (str_is(py_node_text(p, object), module_methods[i].object) &&
		    attribute_is(p, function, module_methods[i].method) && !is_written(p, call))
			return (struct found){ FORM_TABLE, module_methods[i].streaming, false,
				               module_methods[i].position, module_methods[i].keyword };
	return (struct found){ 0 };
}

static struct found attribute_found(struct py_program *p, TSNode call, TSNode function)
{
	TSNode object = tree_field(function, "object");
	for (size_t i = 0; i < sizeof session_methods / sizeof *session_methods; i++)
		if (attribute_is(p, function, session_methods[i].method) && is_session(p, object, 0))
			return (struct found){ session_methods[i].form, false, is_plain_session(p, object), 0,
				               session_methods[i].keyword };
	if (attribute_is(p, object, "catalog") && is_session(p, tree_field(object, "object"), 0)) {
		bool plain = is_plain_session(p, tree_field(object, "object"));
		if (attribute_is(p, function, "tableExists"))
			return (struct found){ FORM_EXISTS, false, plain, 0, "tableName" };
		if (attribute_is(p, function, "dropTempView"))
			return (struct found){ FORM_DROP, false, plain, 0, "viewName" };
	}
	struct found f = reader_found(p, call, function);
	return f.form != FORM_NONE ? f : module_found(p, call, function);
}

/* t = spark.table; t("c.s.t") */
static struct found alias_found(struct py_program *p, TSNode call, TSNode function)
{
	size_t scope;
	struct py_bindings *b =
	    py_name_find(py_module_of(p, function), ts_node_start_byte(function), py_node_text(p, function), &scope);
	for (size_t i = 0; b != NULL && i < b->n; i++)
		if (b->p[i].kind == PY_BIND_VALUE && tree_is(b->p[i].node, "attribute")) {
			struct found f = attribute_found(p, call, b->p[i].node);
			f.plain = false;
			return f;
		}
	return (struct found){ 0 };
}

static struct found call_found(struct py_program *p, TSNode call)
{
	TSNode function = tree_field(call, "function");
	if (tree_is(function, "attribute"))
		return attribute_found(p, call, function);
	return tree_is(function, "identifier") ? alias_found(p, call, function) : (struct found){ 0 };
}

/* --- reporting --- */

static void place_of(const struct py_module *m, TSNode n, uint32_t *line, uint32_t *col)
{
	TSPoint at = ts_node_start_point(n);
	*line = at.row + 1;
	*col = at.column + 1 + m->indent;
}

/*
 * The string that starts at s.p[i], to behind its closing quote. *plain: single quotes would hold it as well,
 * which is what Python's repr prefers; what stands in the fields of an f-string does not count.
 */
static size_t string_end(struct str s, size_t i, bool format, bool *plain)
{
	char quote = s.p[i];
	unsigned depth = 0;
	bool triple = i + 2 < s.n && s.p[i + 1] == quote && s.p[i + 2] == quote;
	*plain = !triple;
	for (i += triple ? 3 : 1; i < s.n; i++) {
		char c = s.p[i];
		if (depth == 0 && c == quote && !triple)
			return i + 1;
		if (depth == 0 && triple &&
		    str_starts(str_skip(s, i), (struct str){ (char[]){ quote, quote, quote }, 3 }))
			return i + 3;
		depth += format && c == '{';
		depth -= format && c == '}' && depth > 0;
		if (c == '\\' || (c == '\'' && depth == 0))
			*plain = false;
		i += c == '\\';
	}
	return s.n;
}

/* Source on one line, its strings as Python's repr writes them. */
static struct str source_text(struct py_program *p, TSNode n)
{
	struct buf b = { 0 };
	struct str s = py_node_text(p, n);
	for (size_t i = 0; i < s.n;) {
		char c = s.p[i];
		if (c == '"' || c == '\'') {
			bool plain, format = i > 0 && (s.p[i - 1] | 0x20) == 'f';
			size_t end = string_end(s, i, format, &plain), at = b.n;
			buf_add(&b, str_sub(s, i, end));
			if (plain && c == '"' && b.n > at + 1)
				b.p[at] = b.p[b.n - 1] = '\'';
			i = end;
			continue;
		}
		bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
		if (!blank || (b.n > 0 && b.p[b.n - 1] != ' '))
			buf_addc(&b, blank ? ' ' : c);
		i++;
	}
	struct str out = buf_take(&b, p->arena);
	buf_release(&b);
	return out;
}

static void doubt_add(struct py_program *p, const struct py_module *m, TSNode call, enum py_doubt_kind kind,
                      struct str message)
{
	struct py_doubt *d = VEC_PUSH(&p->out->doubt, p->arena);
	*d = (struct py_doubt){ .kind = kind, .message = message, .file = m->file };
	place_of(m, call, &d->line, &d->col);
}

static void unresolved_add(struct py_program *p, const struct py_module *m, TSNode call, TSNode argument)
{
	struct str function = source_text(p, tree_field(call, "function"));
	struct str why = ts_node_is_null(argument) ? STR("its value is only known at runtime.")
	                                           : str_fmt(p->arena, "the value of `%.*s` is only known at runtime.",
	                                                     STR_ARG(source_text(p, argument)));
	doubt_add(p, m, call, PY_UNRESOLVED,
	          str_fmt(p->arena, "Cannot statically resolve the table argument of `%.*s(...)` \xe2\x80\x94 %.*s",
	                  STR_ARG(function), STR_ARG(why)));
}

static void read_add(struct py_program *p, const struct py_module *m, TSNode call, struct str name, bool streaming)
{
	struct py_read *r = VEC_PUSH(&p->out->read, p->arena);
	*r = (struct py_read){ .name = name, .streaming = streaming, .file = m->file };
	place_of(m, call, &r->line, &r->col);
}

/* `{df}` of spark.sql("… {df}", df=df): a data frame, not a table. */
static bool is_frame_field(struct py_program *p, TSNode call, struct str name)
{
	if (name.n < 3 || name.p[0] != '{' || name.p[name.n - 1] != '}')
		return false;
	return !ts_node_is_null(py_keyword(p, call, str_cstr(p->arena, str_sub(name, 1, name.n - 1))));
}

static void sql_text_read(struct py_program *p, const struct py_module *m, TSNode call, struct str text)
{
	struct sql_reads reads;
	if (sql_reads(p->arena, text, &reads) < 0) {
		doubt_add(p, m, call, PY_BAD_SQL,
		          str_fmt(p->arena, "Could not parse SQL for table extraction: %.*s", STR_ARG(reads.problem)));
		return;
	}
	for (size_t i = 0; i < reads.n; i++)
		if (!is_frame_field(p, call, reads.p[i].name))
			read_add(p, m, call, reads.p[i].name, reads.p[i].streaming);
}

static TSNode found_argument(struct py_program *p, TSNode call, const struct found *f)
{
	TSNode argument = py_argument(call, f->position);
	return ts_node_is_null(argument) && f->keyword != NULL ? py_keyword(p, call, f->keyword) : argument;
}

static void call_read(struct py_program *p, const struct py_module *m, TSNode call, const struct found *f)
{
	TSNode argument = found_argument(p, call, f);
	struct py_value *v = py_eval(p, argument);
	size_t known = 0;
	for (size_t i = 0; v != NULL && v->kind == PY_TEXTS && i < v->text.n; i++) {
		if (str_blank(v->text.p[i]))
			continue;
		known++;
		if (f->form == FORM_SQL)
			sql_text_read(p, m, call, v->text.p[i]);
		else
			read_add(p, m, call, v->text.p[i], f->streaming);
	}
	if (known == 0)
		unresolved_add(p, m, call, argument);
}

static void site_add(struct py_program *p, const struct py_module *m, TSNode call, const struct found *f)
{
	TSNode argument = found_argument(p, call, f);
	while (tree_is(argument, "parenthesized_expression"))
		argument = tree_first(argument);
	struct py_site *s = VEC_PUSH(&p->out->site, p->arena);
	*s = (struct py_site){ .at = ts_node_start_byte(call),
		               .end = ts_node_end_byte(call),
		               .sql = f->form == FORM_SQL };
	s->plain = f->plain && !ts_node_is_null(py_argument(call, 0));
	place_of(m, call, &s->line, &s->col);
	if (ts_node_is_null(argument))
		return;
	struct str literal;
	struct py_value *v = py_eval(p, argument);
	bool string = tree_is(argument, "string") || tree_is(argument, "concatenated_string");
	bool texts = v != NULL && v->kind == PY_TEXTS && v->text.n > 0;
	s->arg_at = ts_node_start_byte(argument);
	s->arg_end = ts_node_end_byte(argument);
	s->argument = py_literal(p, argument, &literal) ? PY_ARG_LITERAL
	              : string                          ? PY_ARG_FSTRING
	              : texts                           ? PY_ARG_STATIC
	                                                : PY_ARG_RUNTIME;
	if (texts) {
		s->value = v->text.p;
		s->n = v->text.n;
	}
}

/* --- which functions count --- */

static void function_reach(struct py_program *p, struct py_routine *f, unsigned depth);

static void names_reach(struct py_program *p, TSNode root, bool skip_functions, unsigned depth)
{
	struct tree_walk walk;
	TSNode node;
	bool inside = true;
	tree_walk_init(&walk, root);
	while (tree_walk_next(&walk, inside, &node)) {
		inside = !(skip_functions && tree_is(node, "function_definition"));
		if (tree_is(node, "identifier") || tree_is(node, "attribute")) {
			struct py_routine *f = py_function_find(p, node);
			if (f != NULL)
				function_reach(p, f, depth);
		}
	}
	tree_walk_finish(&walk);
}

static void function_reach(struct py_program *p, struct py_routine *f, unsigned depth)
{
	if (f->reached || depth > PY_MAX_NESTING)
		return;
	f->reached = true;
	names_reach(p, f->node, false, depth + 1);
}

/* Marks the entry, and what module-level code, methods and the entry name; without an entry, the whole first file. */
static void reach(struct py_program *p)
{
	struct py_module *m = p->module.p[0];
	struct py_routine *entry = NULL;
	for (size_t i = 0; i < m->function.n && p->entry != NULL && entry == NULL; i++) {
		struct py_routine *f = m->function.p[i];
		bool async = tree_has_token(f->node, "async");
		if (str_eq(f->name, p->entry->function) && m->scope.p[f->scope].outer == 0 && !async)
			entry = f;
	}
	if (entry != NULL)
		entry->seeded = true;
	for (size_t i = 0; i < m->function.n; i++)
		if (entry == NULL || m->function.p[i] == entry || m->function.p[i]->method)
			function_reach(p, m->function.p[i], 0);
	for (size_t i = 0; i < p->module.n; i++)
		if (p->module.p[i]->source != NULL)
			names_reach(p, ts_tree_root_node(p->module.p[i]->source->tree), true, 0);
}

/* Does a call at `at` count? Its outermost function must be reached. */
static bool counts(const struct py_module *m, uint32_t at)
{
	const struct py_routine *outermost = NULL;
	for (size_t i = py_scope_at(m, at); i != 0; i = m->scope.p[i].outer)
		if (m->scope.p[i].function != NULL)
			outermost = m->scope.p[i].function;
	return outermost == NULL || outermost->reached;
}

/* --- temporary views --- */

static void temp_views_find(struct py_program *p, struct map *views)
{
	static const char *const makers[] = { "createOrReplaceTempView", "createTempView", "registerTempTable" };
	for (size_t m = 0; m < p->module.n; m++)
		for (size_t i = 0; i < p->module.p[m]->call.n; i++) {
			const struct py_call *c = &p->module.p[m]->call.p[i];
			for (size_t k = 0; k < sizeof makers / sizeof *makers; k++) {
				struct py_value *v =
				    str_is(c->name, makers[k]) ? py_eval(p, py_argument(c->node, 0)) : NULL;
				for (size_t j = 0; v != NULL && v->kind == PY_TEXTS && j < v->text.n; j++)
					map_add(views, p->arena, str_lower(p->arena, v->text.p[j]));
			}
		}
}

/* Drops reads of views that the text itself makes. */
static void temp_views_drop(struct py_program *p)
{
	struct map views = { 0 };
	size_t kept = 0;
	temp_views_find(p, &views);
	for (size_t i = 0; views.n > 0 && i < p->out->read.n; i++)
		if (map_find(&views, str_lower(p->arena, str_trim(p->out->read.p[i].name))) == NULL)
			p->out->read.p[kept++] = p->out->read.p[i];
	if (views.n > 0)
		p->out->read.n = kept;
}

void py_reads(struct arena *a, struct str text, const char *file, const struct py_entry *entry,
              const struct py_opener *opener, struct py_reads *out)
{
	struct py_program p = { .arena = a, .opener = opener, .out = out };
	*out = (struct py_reads){ 0 };
	p.entry = entry != NULL && entry->function.n > 0 ? entry : NULL;
	p.newer = entry != NULL && entry->newer;
	p.narrow = entry != NULL && entry->narrow;
	struct py_module *first = py_module_open(&p, file, text);
	if (first->source != NULL)
		reach(&p);
	for (size_t m = 0; m < p.module.n && first->source != NULL; m++)
		for (size_t i = 0; i < p.module.p[m]->call.n; i++) {
			TSNode call = p.module.p[m]->call.p[i].node;
			struct found f = call_found(&p, call);
			if (f.form == FORM_NONE)
				continue;
			if (m == 0 && first->indent == 0)
				site_add(&p, first, call, &f);
			if (f.form != FORM_DROP && counts(p.module.p[m], ts_node_start_byte(call)))
				call_read(&p, p.module.p[m], call, &f);
		}
	temp_views_drop(&p);
	for (size_t m = 0; m < p.module.n; m++)
		py_free(p.module.p[m]->source);
}
