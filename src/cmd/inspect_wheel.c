/* inspect_wheel.c - `lhp inspect-wheel`: the modules of a built wheel (spec/bundle.md, section 9). */
#include "base/path.h"
#include "bundle/libzip.h"
#include "bundle/wheel.h"
#include "cmd/call.h"
#include "model/rules.h"

#include <errno.h>

struct inspection {
	struct call *call;
	struct fs fs;              /* at the working folder */
	struct str path;           /* of the wheel, relative to it or absolute */
	struct diags diags;
};

static int refused(struct inspection *in, int status)
{
	panels_print(in->call->io, NULL, &in->diags);
	return status;
}

static int unwritable(struct inspection *in, struct str path, int rc)
{
	struct mark at = { .file = str_cstr(in->call->arena, path) };

	diag_add(&in->diags, &rule_output_unwritable, at, "%.*s cannot be written: %s", STR_ARG(path), strerror(-rc));
	return refused(in, STATUS_MACHINE);
}

/* The only wheel of a pipeline. */
static int wheel_find(struct inspection *in, struct str pipeline, struct str env)
{
	struct call *c = in->call;
	struct str dir = str_fmt(c->arena, "generated/%.*s/_wheels/%.*s/dist", STR_ARG(env), STR_ARG(pipeline));
	struct fs_listing l = { 0 };
	size_t found = 0;
	struct diag *d;

	fs_list(&c->fs, dir, c->arena, &l);
	for (size_t i = 0; i < l.n; i++)
		if (str_ends(l.entry[i].name, STR(".whl"))) {
			in->path = str_fmt(c->arena, "%.*s/%.*s/%.*s", STR_ARG(c->fs.root), STR_ARG(dir), STR_ARG(l.entry[i].name));
			found++;
		}
	if (found == 1)
		return 0;
	d = diag_add(&in->diags, &rule_wheel_not_one, (struct mark){ 0 }, "%.*s holds %zu wheels; the pipeline %.*s must have one",
	             STR_ARG(dir), found, STR_ARG(pipeline));
	diag_hint(&in->diags, d, "Set `packaging: wheel` for the pipeline and run lhp generate -e %.*s -pc FILE", STR_ARG(env));
	return refused(in, STATUS_FAILED);
}

static int archive_refused(struct inspection *in, struct mark at, enum wheel_fault fault)
{
	struct diags *ds = &in->diags;
	const char *text = wheel_fault_text[fault];
	struct diag *d;

	if (fault != WHEEL_NO_LIBRARY) {
		diag_add(ds, &rule_wheel_archive, at, "%.*s %s", STR_ARG(in->path), text);
		return refused(in, STATUS_FAILED);
	}
	d = diag_add(ds, &rule_file_unreadable, at, "%.*s %s: %.*s", STR_ARG(in->path), text, STR_ARG(libzip_problem()));
	diag_hint(ds, d, "%s", LIBZIP_INSTALL);
	return refused(in, STATUS_MACHINE);
}

enum { MODULES_MOST = 256 << 20 };

/* `most`: bytes to read of what the modules hold. */
static int modules_read(struct inspection *in, size_t most, struct wheel_entries *modules)
{
	struct arena *a = in->call->arena;
	struct mark at = { .file = str_cstr(a, in->path) };
	enum wheel_fault fault = WHEEL_GOOD;
	struct str bytes;
	int rc = fs_read(&in->fs, in->path, a, &bytes, NULL);

	if (rc == -ENOENT)
		diag_add(&in->diags, &rule_wheel_missing, at, "There is no file %.*s", STR_ARG(in->path));
	else if (!str_ends(in->path, STR(".whl")))
		diag_add(&in->diags, &rule_wheel_name, at, "%.*s does not end in .whl", STR_ARG(in->path));
	else if (rc != 0)
		diag_add(&in->diags, &rule_wheel_archive, at, "%.*s cannot be read: %s", STR_ARG(in->path), strerror(-rc));
	else
		fault = wheel_read(a, bytes, most, modules);
	if (fault != WHEEL_GOOD)
		return archive_refused(in, at, fault);
	return in->diags.n == 0 ? 0 : refused(in, STATUS_FAILED);
}

static int modules_list(struct inspection *in, const struct wheel_entries *modules)
{
	FILE *out = in->call->io->out;

	fprintf(out, "Modules in %.*s\nModule\tSize (bytes)\n", STR_ARG(path_base(in->path)));
	for (size_t i = 0; i < modules->n; i++)
		fprintf(out, "%.*s\t%llu\n", STR_ARG(modules->p[i].path), (unsigned long long)modules->p[i].size);
	fprintf(out, "Total modules: %zu\n", modules->n);
	return 0;
}

static int module_write(struct inspection *in, struct str dir, const struct wheel_entry *m)
{
	struct arena *a = in->call->arena;
	struct str inside, path;
	int rc;

	if (!path_normal(a, m->path, &inside)) {
		warning_print(in->call->io, str_fmt(a, "%.*s leads out of the folder: left out", STR_ARG(m->path)));
		return 0;
	}
	path = path_join(a, dir, inside);
	rc = fs_mkdirs(&in->fs, path_parent(path));
	if (rc == 0)
		rc = fs_replace(&in->fs, path, m->text);
	if (rc != 0)
		return unwritable(in, path, rc);
	fprintf(in->call->io->out, "%.*s\n", STR_ARG(path));
	return 0;
}

static int modules_extract(struct inspection *in, struct str dir, const struct wheel_entries *modules)
{
	int status = 0;

	for (size_t i = 0; status == 0 && i < modules->n; i++)
		status = module_write(in, dir, &modules->p[i]);
	return status;
}

int cmd_inspect_wheel(struct call *c)
{
	struct inspection in = { .call = c, .diags = { .arena = c->arena } };
	struct str what = c->args->word[0], dir = opt_text(c->args, "--extract");
	bool is_path = str_ends(what, STR(".whl")) || str_find_char(what, '/', 0) >= 0;
	struct wheel_entries modules = { 0 };
	int status, rc = 0;

	if (!is_path && !opt_given(c->args, "--env")) {
		c->problem =
		    str_fmt(c->arena, "'%.*s' is the name of a pipeline: '-e' is required. A wheel's path ends in '.whl'.", STR_ARG(what));
		return STATUS_USAGE;
	}
	status = folder_open(c->io, c->arena, &in.fs, c->io->cwd);
	if (status != 0)
		return status;
	in.path = what;
	if (!is_path)
		status = wheel_find(&in, what, opt_text(c->args, "--env"));
	if (status == 0 && dir.n != 0)
		rc = fs_mkdirs(&in.fs, dir);
	if (rc != 0)
		status = unwritable(&in, dir, rc);
	if (status == 0)
		status = modules_read(&in, dir.n != 0 ? MODULES_MOST : 0, &modules);
	if (status == 0)
		status = dir.n != 0 ? modules_extract(&in, dir, &modules) : modules_list(&in, &modules);
	fs_close(&in.fs);
	return status;
}
