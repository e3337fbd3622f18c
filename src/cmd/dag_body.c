#include "cmd/dag_analysis.h"

#include "base/path.h"
#include "graph/pyreads.h"
#include "graph/sql.h"
#include "model/rules.h"
#include "resolve/token.h"

void dag_source_add(struct dag *d, struct lineage_action *a, struct str text, bool at_run_time)
{
	text = dag_secrets_named(d, text);
	if (str_blank(text))
		return;
	for (size_t i = 0; i < a->source.n; i++)
		if (str_eq(a->source.p[i].text, text)) {
			a->source.p[i].at_run_time &= at_run_time;
			return;
		}
	*VEC_PUSH(&a->source, d->arena) = (struct lineage_source){ text, at_run_time };
}

struct str dag_secrets_named(struct dag *d, struct str text)
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
	text = buf_take(&b, d->arena);
	buf_release(&b);
	return text;
}

void dag_sql_read(struct dag *d, const struct dag_body *b, struct str text, const char *file)
{
	struct sql_reads reads;
	if (sql_reads(d->arena, text, &reads) < 0 && !b->quiet)
		dag_doubt_add(
		    d, b->at, &rule_body_unparsed,
		    str_fmt(d->arena, "Could not parse SQL for table extraction: %.*s", STR_ARG(reads.problem)), file,
		    reads.line);
	for (size_t i = 0; i < reads.n; i++)
		dag_source_add(d, b->out, reads.p[i].name, false);
}

/* --- imports --- */

static bool module_open(struct dag *d, struct str folder, struct str path, struct str *text, const char **file)
{
	static const char *const endings[] = { ".py", "/__init__.py" };
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		struct str name, candidate = path_join(d->arena, folder, str_cat(d->arena, path, str_of(endings[i])));
		if (!path_normal(d->arena, candidate, &name) || !door_is_file(d->project->door, &d->trace, name))
			continue;
		const struct door_file *f = door_read(d->project->door, &d->trace, name, (struct mark){ 0 });
		*text = f->bytes;
		*file = str_cstr(d->arena, name);
		return f->error == 0;
	}
	return false;
}

static bool import_open(void *ctx, const char *from, struct str module, unsigned level, struct str *text,
                        const char **file)
{
	struct dag *d = ctx;
	struct str folder = path_parent(str_of(from)), path = str_replace(d->arena, module, STR("."), STR("/"));
	for (unsigned i = 1; i < level; i++)
		folder = path_parent(folder);
	if (path.n == 0)
		return false;
	return module_open(d, folder, path, text, file) || (level == 0 && module_open(d, STR(""), path, text, file));
}

void dag_python_read(struct dag *d, const struct dag_body *b, struct str text, const char *file,
                     const struct py_entry *entry)
{
	struct py_opener opener = { d, import_open };
	struct py_reads reads;
	py_reads(d->arena, text, file, entry, &opener, &reads);
	for (size_t i = 0; i < reads.read.n; i++)
		dag_source_add(d, b->out, reads.read.p[i].name, true);
	for (size_t i = 0; i < reads.doubt.n && !b->quiet; i++) {
		const struct py_doubt *doubt = &reads.doubt.p[i];
		dag_doubt_add(d, b->at, doubt->kind == PY_UNRESOLVED ? &rule_read_unresolved : &rule_body_unparsed,
		              doubt->message, doubt->file, doubt->line);
	}
}

/* --- files --- */

/* The tokens that this run knows, put in; all others and secrets stay. */
static struct str tokens_put(struct dag *d, struct str text)
{
	struct str *name;
	const struct node **value;
	size_t n = tokens_list(d->env.tokens, d->arena, &name, &value);
	for (size_t i = 0; i < n; i++)
		if (value[i] != NULL && value[i]->kind != NODE_MAP && value[i]->kind != NODE_LIST)
			text = str_replace(d->arena, text, str_fmt(d->arena, "${%.*s}", STR_ARG(name[i])),
			                   node_text(d->arena, value[i]));
	return text;
}

/* Looks beside the YAML file, then from the root. 0 with the text, or -1 with d->fatal set. */
static int body_open(struct dag *d, const struct dag_body *b, const struct node *path, const struct rule *missing,
                     struct str *text, const char **file)
{
	struct str wanted = str_replace(d->arena, path->text, STR("\\"), STR("/")), name = STR_NONE;
	struct str folders[2] = { path_parent(str_of(b->at->file)), STR("") };
	bool found = false;
	for (size_t i = 0; i < 2 && !found; i++) {
		path_normal(d->arena, path_join(d->arena, folders[i], wanted), &name);
		found = door_is_file(d->project->door, &d->trace, name);
	}
	const struct door_file *f = found ? door_read(d->project->door, &d->trace, name, path->at) : NULL;
	if (f == NULL || f->error != 0) {
		struct diag *diag = diag_add(&d->fatal, missing, path->at,
		                             "%.*s is neither beside %s nor below the root of the project",
		                             STR_ARG(wanted), b->at->file);
		diag_hint(&d->fatal, diag, "correct the path, or create the file");
		diag->flowgroup = b->at->flowgroup;
		diag->action = b->at->action;
		diag->file = b->at->file;
		return -1;
	}
	*text = tokens_put(d, str_replace(d->arena, f->bytes, STR("\r\n"), STR("\n")));
	*file = str_cstr(d->arena, name);
	return 0;
}

int dag_sql_file_read(struct dag *d, const struct dag_body *b, const struct node *path)
{
	struct str text;
	const char *file;
	if (body_open(d, b, path, &rule_dag_sql_file_missing, &text, &file) < 0)
		return -1;
	dag_sql_read(d, b, text, file);
	return 0;
}

int dag_python_file_read(struct dag *d, const struct dag_body *b, const struct node *path, const struct py_entry *entry)
{
	struct str text;
	const char *file;
	if (body_open(d, b, path, &rule_dag_python_file_missing, &text, &file) < 0)
		return -1;
	dag_python_read(d, b, text, file, entry);
	return 0;
}
