#include "emit/modules_user.h"

#include "base/path.h"
#include "emit/user_text.h"
#include "project/project.h"
#include "resolve/token.h"

#define PACKAGE "custom_python_functions"

enum { MAX_FOLDER_DEPTH = 64 };

/* One module with all local modules that it reaches. Paths are relative to `root`. */
struct closure {
	struct module *m;
	const struct action *action;
	bool stumbles;     /* the reference stumbles over a module that is not UTF-8 (ACT-002), but for custom classes (IO-004) */
	struct mark at;    /* where the flowgroup names the entry */
	struct str root;   /* folder of the entry */
	struct str entry;  /* base name of the entry */
	struct map taken;  /* paths; entry first */
	struct str text;   /* of the entry, as copied */
};

static bool has_custom_class(const struct action *a)
{
	return str_is(kind_of(a->source), "custom_datasource") || str_is(node_get_text(a->write_target, "sink_type"), "custom");
}

static struct str in_root(struct closure *c, struct str relative)
{
	return path_join(c->m->unit->arena, c->root, relative);
}

static bool is_file(struct closure *c, struct str relative)
{
	return door_is_file(c->m->unit->project->door, c->m->unit->trace, in_root(c, relative));
}

static void file_take(struct closure *c, struct str relative)
{
	map_add(&c->taken, c->m->unit->arena, relative);
}

/* Every module below a folder of a package, used or not. */
static void folder_take(struct closure *c, struct str folder, int depth)
{
	struct unit *u = c->m->unit;
	const struct fs_listing *l = door_list(u->project->door, u->trace, in_root(c, folder));

	for (size_t i = 0; i < l->n && depth < MAX_FOLDER_DEPTH; i++) {
		struct str path = path_join(u->arena, folder, l->entry[i].name);

		if (l->entry[i].type == FS_DIR)
			folder_take(c, path, depth + 1);
		else if (str_ends(path, STR(".py")) && is_file(c, path))
			file_take(c, path);
	}
}

/* A helper: the whole of its top-level package when it has one, else itself with the packages that it lies in. */
static void helper_take(struct closure *c, struct str relative)
{
	struct arena *a = c->m->unit->arena;
	ptrdiff_t slash = str_find_char(relative, '/', 0);
	struct str top = slash >= 0 ? str_sub(relative, 0, (size_t)slash) : STR_NONE;

	if (top.n != 0 && is_file(c, path_join(a, top, STR("__init__.py")))) {
		folder_take(c, top, 0);
		return;
	}
	file_take(c, relative);
	for (struct str dir = path_parent(relative); dir.n != 0; dir = path_parent(dir)) {
		struct str init = path_join(a, dir, STR("__init__.py"));

		if (is_file(c, init))
			file_take(c, init);
	}
}

/* The file of dotted `module` below `folder`: M.py, else M/__init__.py. */
static bool module_find(struct closure *c, struct str folder, struct str module, struct str *found)
{
	struct arena *a = c->m->unit->arena;
	struct str path = path_join(a, folder, str_replace(a, module, STR("."), STR("/")));

	*found = str_cat(a, path, STR(".py"));
	if (is_file(c, *found))
		return true;
	*found = path_join(a, path, STR("__init__.py"));
	return is_file(c, *found);
}

static struct mark import_mark(struct closure *c, struct str relative, const struct py_import *i)
{
	return (struct mark){ str_cstr(c->m->unit->arena, in_root(c, relative)), i->line, i->col };
}

/* LHP-VAL-025 when the first part of an import that leads nowhere is local. */
static int missing_check(struct closure *c, struct str relative, const struct py_import *i, struct str module)
{
	struct str rest = module, top = STR_NONE, ignored;

	str_cut(&rest, '.', &top);
	if (!module_find(c, STR_NONE, top, &ignored))
		return 0;
	module_error(c->m, c->action, &rule_user_module_missing, import_mark(c, relative, i),
	             "`%.*s` is imported, and `%.*s` is a local module, but there is no such file below %.*s.", STR_ARG(module),
	             STR_ARG(top), STR_ARG(c->root.n != 0 ? c->root : STR("the project")));
	return module_hint(c->m, "Add the module, or correct the import");
}

/* import a, b.c: fine for foreign modules only. */
static int plain_import_check(struct closure *c, struct str relative, const struct py_import *i)
{
	for (size_t k = 0; k < i->n_name; k++) {
		struct str module = i->name[k].name, ignored;

		if (!module_find(c, STR_NONE, module, &ignored)) {
			if (missing_check(c, relative, i, module) < 0)
				return -1;
			continue;
		}
		module_error(c->m, c->action, &rule_user_import_plain, import_mark(c, relative, i),
		             "The local module `%.*s` is imported with `import %.*s`, which cannot be re-pointed to its copy.",
		             STR_ARG(module), STR_ARG(module));
		return module_hint(c->m, "Write `from %.*s import …`", STR_ARG(module));
	}
	return 0;
}

/* from ..a import b: resolved from the importing file's folder; what leaves the root is left alone. */
static void relative_import_take(struct closure *c, struct str relative, const struct py_import *i)
{
	struct str folder = path_parent(relative), found;

	if (i->module.n == 0)
		return;
	for (unsigned up = 1; up < i->level; up++) {
		if (folder.n == 0)
			return;
		folder = path_parent(folder);
	}
	if (module_find(c, folder, i->module, &found))
		helper_take(c, found);
}

static int imports_take(struct closure *c, struct str relative, const struct py_import *import, size_t n)
{
	struct str found;

	for (size_t i = 0; i < n; i++)
		if (!import[i].from && plain_import_check(c, relative, &import[i]) < 0)
			return -1;
	for (size_t i = 0; i < n; i++) {
		if (!import[i].from)
			continue;
		if (import[i].level > 0)
			relative_import_take(c, relative, &import[i]);
		else if (module_find(c, STR_NONE, import[i].module, &found))
			helper_take(c, found);
		else if (missing_check(c, relative, &import[i], import[i].module) < 0)
			return -1;
	}
	return 0;
}

static int secret_refuse(struct closure *c, struct str text, struct mark at)
{
	struct secret_ref secret;

	if (!secret_find(text, 0, &secret))
		return 0;
	module_error(c->m, c->action, &rule_user_secret, at, "The secret %.*s/%.*s stands in a copied Python module.",
	             STR_ARG(secret.scope), STR_ARG(secret.key));
	return module_hint(c->m, "Call dbutils.secrets.get there, or hand it over as a parameter");
}

/* The text as it goes into the copy: local imports re-pointed, tokens replaced. */
static int text_make(struct closure *c, struct str relative, const struct py_source *s, struct str text,
                     const struct py_import *import, size_t n_import, struct buf *b)
{
	struct mark at = { str_cstr(c->m->unit->arena, in_root(c, relative)), 1, 1 };
	struct user_text user = { c->m, c->action, text, at };
	size_t from = 0;
	struct str found;

	py_plain_texts(s, c->m->unit->arena, &user.plain, &user.n_plain);
	for (size_t i = 0; i < n_import; i++) {
		if (!import[i].from || import[i].level > 0 || !module_find(c, STR_NONE, import[i].module, &found))
			continue;
		if (user_range_add(&user, b, from, import[i].at) < 0)
			return -1;
		buf_addf(b, "from " PACKAGE ".%.*s import %.*s", STR_ARG(import[i].module), STR_ARG(import[i].names));
		from = import[i].end;
	}
	return user_range_add(&user, b, from, text.n) < 0 ? -1 : secret_refuse(c, buf_str(b), at);
}

static void out_add(struct closure *c, struct str relative, struct str source, struct str text)
{
	struct unit *u = c->m->unit;
	struct out_files *out = c->m->out;
	struct str path = str_fmt(u->arena, "%.*s/" PACKAGE "/%.*s", STR_ARG(c->m->fg->pipeline), STR_ARG(relative));

	for (size_t i = 0; i < out->n; i++)
		if (str_eq(out->p[i].path, path) && str_eq(out->p[i].source, source))
			return;
	*VEC_PUSH(out, u->arena) = (struct out_file){ .path = path, .raw = text_normalise(u->arena, text), .python = true,
		                                      .source = source, .at = c->at };
}

static void header_add(struct arena *a, struct buf *b, struct str source)
{
	py_comment(b, str_cat(a, STR("LHP-SOURCE: "), source));
	buf_adds(b, "\n# Generated by LakehousePlumber - DO NOT EDIT\n# Changes will be overwritten on next generation\n\n");
}

static int parse_fault(struct closure *c, struct str relative, const struct py_error *err)
{
	struct mark at = { str_cstr(c->m->unit->arena, in_root(c, relative)), err->line, err->col };

	module_error(c->m, c->action, &rule_user_syntax, at, "%s is no Python: %.*s.", at.file, STR_ARG(err->problem));
	return module_hint(c->m, "`python3 -m py_compile %s` says the same", at.file);
}

static struct str target_of(struct closure *c, struct str relative)
{
	bool entry = str_eq(relative, c->entry);

	return entry ? str_cat(c->m->unit->arena, path_stem(relative), STR(".py")) : relative;
}

static int file_make(struct closure *c, struct str relative, const struct py_source *s, struct str text)
{
	struct arena *a = c->m->unit->arena;
	struct buf b = { 0 };
	struct py_import *import;
	struct str source = in_root(c, relative), whole;
	size_t n, body;
	int rc;

	py_imports(s, a, &import, &n);
	header_add(a, &b, source);
	body = b.n;
	rc = imports_take(c, relative, import, n);
	if (rc == 0)
		rc = text_make(c, relative, s, text, import, n, &b);
	whole = buf_take(&b, a);
	buf_release(&b);
	if (rc < 0)
		return -1;
	if (str_eq(relative, c->entry))
		c->text = str_skip(whole, body);
	out_add(c, target_of(c, relative), source, whole);
	return 0;
}

static int file_read(struct closure *c, struct str path, struct str *text)
{
	if (file_text_raw(c->m->unit, path, c->at, text) == 0)
		return 0;
	file_fault_as(c->m->unit, c->stumbles ? &rule_user_not_utf8 : NULL, &rule_user_is_folder);
	return module_fault(c->m, c->action);
}

static int file_copy(struct closure *c, struct str relative)
{
	struct py_error err = { 1, 1, STR("it starts with a byte order mark") };
	struct py_source *s = NULL;
	struct str text;
	int rc;

	if (file_read(c, in_root(c, relative), &text) < 0)
		return -1;
	/* Behind the header it would be a stray character. */
	if (!str_starts(text, STR("\xef\xbb\xbf")))
		s = py_parse(text, &err);
	if (s == NULL)
		return parse_fault(c, relative, &err);
	rc = file_make(c, relative, s, text);
	py_free(s);
	return rc;
}

/* Folders of helpers become packages. */
static void inits_add(struct closure *c)
{
	struct arena *a = c->m->unit->arena;
	struct map done = { 0 };

	for (size_t i = 0; i < c->taken.n; i++)
		for (struct str dir = path_parent(c->taken.entry[i].key); dir.n != 0; dir = path_parent(dir)) {
			struct str init = path_join(a, dir, STR("__init__.py"));
			struct buf b = { 0 };

			if (map_find(&c->taken, init) != NULL || !map_add(&done, a, init))
				continue;
			header_add(a, &b, in_root(c, init));
			out_add(c, init, in_root(c, init), buf_take(&b, a));
			buf_release(&b);
		}
}

/* `slashed` and what it reaches. */
static int closure_copy(struct module *m, const struct action *a, struct str slashed, struct mark at, struct user_module *out)
{
	struct closure c = { .m = m, .action = a, .stumbles = !has_custom_class(a), .at = at, .root = path_parent(slashed),
	                     .entry = path_base(slashed) };

	*out = (struct user_module){ .stem = path_stem(slashed) };
	file_take(&c, c.entry);
	if (file_read(&c, slashed, &c.text) < 0)
		return -1;
	if (is_file(&c, STR("__init__.py"))) {
		module_error(m, a, &rule_user_root_package, at, "%.*s holds an __init__.py; the folder of `%.*s` must be none.",
		             STR_ARG(c.root.n != 0 ? c.root : STR("The project's folder")), STR_ARG(slashed));
		return module_hint(m, "Remove the __init__.py, or move the helpers into a folder of their own below it");
	}
	for (size_t i = 0; i < c.taken.n; i++)
		if (file_copy(&c, c.taken.entry[i].key) < 0)
			return -1;
	inits_add(&c);
	out_add(&c, STR("__init__.py"), STR_NONE, STR("# Generated package for custom Python functions\n"));
	out->text = c.text;
	return 0;
}

int user_module_copy(struct module *m, const struct action *a, struct str path, struct mark at, struct user_module *out)
{
	struct arena *arena = m->unit->arena;
	struct str slashed = str_replace(arena, path, STR("\\"), STR("/"));
	const struct user_module *known = map_get(&m->user, slashed);
	struct user_module *made;

	if (known != NULL) {
		*out = *known;
		return 0;
	}
	if (closure_copy(m, a, slashed, at, out) < 0)
		return -1;
	made = ARENA_NEW(arena, struct user_module);
	*made = *out;
	map_put(&m->user, arena, slashed, made);
	return 0;
}

void user_module_ship(struct module *m)
{
	module_import(m, "import " PACKAGE);
	module_import(m, "from pyspark import cloudpickle as _lhp_cloudpickle");
	module_statement(m, "_lhp_cloudpickle.register_pickle_by_value(" PACKAGE ")");
}
