#include "cmd/dag_take.h"

#include "base/path.h"
#include "graph/pyreads.h"
#include "graph/sql.h"
#include "resolve/token.h"

struct str dag_secrets_named(struct arena *a, struct str text)
{
	struct secret_ref ref;
	struct buf b = { 0 };
	size_t from = 0;
	while (secret_find(text, from, &ref)) {
		buf_add(&b, str_sub(text, from, ref.at));
		buf_addf(&b, "__SECRET_%.*s_%.*s__", STR_ARG(ref.scope), STR_ARG(ref.key));
		from = ref.end;
	}
	if (from == 0)
		return text;
	buf_add(&b, str_skip(text, from));
	text = buf_take(&b, a);
	buf_release(&b);
	return text;
}

void dag_source_add(struct dag_take *t, struct str text, struct dag_place at)
{
	struct lineage_source s = { text, at.at_run_time, at.file, at.line };
	if (!str_blank(text))
		lineage_source_add(t->action, t->unit->arena, &s);
}

static void doubt_add(struct dag_take *t, const struct rule *rule, struct str message, const char *file, uint32_t line)
{
	if (!t->quiet)
		*VEC_PUSH(&t->out->doubt, t->unit->arena) =
		    (struct dag_doubt_found){ rule, message, file, line, (uint32_t)(t->action - t->out->action.p) };
}

/* A text, the file that findings name for it, and where its first line stands. */
struct body {
	struct str text;
	const char *file;
	struct mark first;
};

static struct body body_of(const struct dag_take *t, const struct node *text)
{
	struct body b = { dag_secrets_named(t->unit->arena, text->text), t->unit->file, node_mark(text) };
	if (b.first.file == NULL)
		b.first.file = b.file;
	return b;
}

static void sql_take(struct dag_take *t, const struct body *b)
{
	struct sql_reads reads;
	if (sql_reads(t->unit->arena, b->text, &reads) < 0)
		doubt_add(t, &rule_body_unparsed,
		          str_fmt(t->unit->arena, "Could not parse SQL for table extraction: %.*s", STR_ARG(reads.problem)),
		          b->file, reads.line);
	for (size_t i = 0; i < reads.n; i++)
		dag_source_add(t, reads.p[i].name, (struct dag_place){ b->first.file, b->first.line + reads.p[i].line - 1, false });
}

void dag_sql_take(struct dag_take *t, const struct node *sql)
{
	struct body b = body_of(t, sql);
	sql_take(t, &b);
}

/* --- imports --- */

static bool module_open(struct unit *u, struct str folder, struct str path, struct str *text, const char **file)
{
	static const char *const endings[] = { ".py", "/__init__.py" };
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		struct str name, candidate = path_join(u->arena, folder, str_cat(u->arena, path, str_of(endings[i])));
		if (!path_normal(u->arena, candidate, &name) || !door_is_file(u->project->door, u->trace, name))
			continue;
		const struct door_file *f = door_read(u->project->door, u->trace, name, (struct mark){ 0 });
		*text = f->bytes;
		*file = str_cstr(u->arena, name);
		return f->error == 0;
	}
	return false;
}

static bool import_open(void *ctx, const char *from, struct str module, unsigned level, struct str *text, const char **file)
{
	struct unit *u = ctx;
	struct str folder = path_parent(str_of(from)), path = str_replace(u->arena, module, STR("."), STR("/"));
	for (unsigned i = 1; i < level; i++)
		folder = path_parent(folder);
	if (path.n == 0)
		return false;
	return module_open(u, folder, path, text, file) || (level == 0 && module_open(u, STR(""), path, text, file));
}

static void read_add(struct dag_take *t, const struct body *b, const struct py_read *read)
{
	bool here = strcmp(read->file, b->file) == 0; /* else in an import */
	dag_source_add(t, read->name,
	               (struct dag_place){ here ? b->first.file : read->file, read->line + (here ? b->first.line - 1 : 0), true });
}

static void python_take(struct dag_take *t, const struct body *b, const struct py_entry *entry)
{
	struct py_opener opener = { t->unit, import_open };
	struct py_reads reads;
	py_reads(t->unit->arena, b->text, b->file, entry, &opener, &reads);
	for (size_t i = 0; i < reads.read.n; i++)
		read_add(t, b, &reads.read.p[i]);
	for (size_t i = 0; i < reads.doubt.n; i++) {
		const struct py_doubt *d = &reads.doubt.p[i];
		doubt_add(t, d->kind == PY_UNRESOLVED ? &rule_read_unresolved : &rule_body_unparsed, d->message, d->file, d->line);
	}
}

void dag_python_take(struct dag_take *t, const struct node *text, const struct py_entry *entry)
{
	struct body b = body_of(t, text);
	python_take(t, &b, entry);
}

/* --- files --- */

/* The tokens that this run knows, put in; all others and secrets stay. */
static struct str tokens_put(struct unit *u, struct str text)
{
	struct buf b = { 0 };
	size_t from = 0;
	for (ptrdiff_t at; (at = str_find(text, STR("${"), from)) >= 0;) {
		ptrdiff_t close = str_find_char(text, '}', (size_t)at);
		if (close < 0)
			break;
		const struct node *value = token_get(u->env->tokens, u->trace, str_sub(text, (size_t)at + 2, (size_t)close));
		bool known = value != NULL && value->kind != NODE_MAP && value->kind != NODE_LIST;
		buf_add(&b, str_sub(text, from, (size_t)at));
		buf_add(&b, known ? node_text(u->arena, value) : str_sub(text, (size_t)at, (size_t)close + 1));
		from = (size_t)close + 1;
	}
	buf_add(&b, str_skip(text, from));
	text = buf_take(&b, u->arena);
	buf_release(&b);
	return text;
}

/* Looks beside the YAML file, then from the root. 0, or -1 with a finding. */
static int body_open(struct dag_take *t, const struct node *path, const struct rule *missing, struct body *out)
{
	struct unit *u = t->unit;
	struct str wanted = str_replace(u->arena, path->text, STR("\\"), STR("/")), name = STR_NONE;
	struct str folders[2] = { path_parent(str_of(u->file)), STR("") };
	bool found = false;
	for (size_t i = 0; i < 2 && !found; i++) {
		path_normal(u->arena, path_join(u->arena, folders[i], wanted), &name);
		found = door_is_file(u->project->door, u->trace, name);
	}
	const struct door_file *f = found ? door_read(u->project->door, u->trace, name, path->at) : NULL;
	if (f == NULL || f->error != 0) {
		struct diag *diag = unit_diag(u, missing, path->at, "%.*s is neither beside %s nor below the root of the project",
		                              STR_ARG(wanted), u->file);
		diag_hint(u->diags, diag, "correct the path, or create the file");
		diag->action = t->action->name;
		return -1;
	}
	*out = (struct body){ .text = tokens_put(u, str_replace(u->arena, f->bytes, STR("\r\n"), STR("\n"))),
		              .file = str_cstr(u->arena, name) };
	out->first = (struct mark){ .file = out->file, .line = 1 };
	return 0;
}

int dag_sql_file_take(struct dag_take *t, const struct node *path)
{
	struct body b;
	if (body_open(t, path, &rule_dag_sql_file_missing, &b) < 0)
		return -1;
	sql_take(t, &b);
	return 0;
}

int dag_python_file_take(struct dag_take *t, const struct node *path, const struct py_entry *entry)
{
	struct body b;
	if (body_open(t, path, &rule_dag_python_file_missing, &b) < 0)
		return -1;
	python_take(t, &b, entry);
	return 0;
}
