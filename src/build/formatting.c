/* formatting.c - which formatter a run has, and the texts that it lays out. */
#include "base/pack.h"
#include "build/steps.h"
#include "model/rules.h"

#include <errno.h>

static int formatter_missing(struct env_run *e)
{
	struct diags *ds = &e->result->fatal;
	struct diag *d = diag_add(ds, &rule_format_missing, (struct mark){ 0 },
	                          "The formatter ruff %s was not found: neither LHP_RUFF nor PATH nor the tool folder has it",
	                          FORMATTER_PINNED);

	diag_hint(ds, d, "%s\nor run with --no-format", FORMATTER_INSTALL);
	return -1;
}

static int formatter_failed(struct env_run *e, struct str problem)
{
	diag_add(&e->result->fatal, &rule_format_failed, (struct mark){ 0 }, "%.*s", STR_ARG(problem));
	return -1;
}

struct hash128 formatter_stat_hash(struct fs *fs, struct arena *a, struct str *program)
{
	struct formatter f;
	struct fs_stat st;
	struct hasher h;

	if (formatter_find(&f, a) != 0 || fs_stat(fs, f.program, &st) != 0)
		return HASH_NONE;
	*program = f.program;
	hasher_init(&h);
	hasher_u64(&h, st.ino);
	hasher_u64(&h, st.size);
	hasher_u64(&h, (uint64_t)st.mtime_ns);
	hasher_u64(&h, (uint64_t)st.ctime_ns);
	return hasher_finish(&h);
}

/* What an earlier run found out about this very file: whether it is the pinned version. */
static bool version_recall(struct env_run *e, struct hash128 stat, struct str *notice)
{
	struct engine *en = e->view.en;
	struct str bytes = en->store != NULL ? store_get(en->store, &e->run->own, 'F', 0, STR("")) : STR_NONE;
	struct unpack u = unpack_of(bytes);

	if (bytes.p == NULL || !hash_eq(unpack_hash(&u), stat))
		return false;
	*notice = unpack_str(&u);
	return unpack_done(&u);
}

/* What it said when it was asked for the pinned version: nothing, or that it is another one. */
static void version_set(struct env_run *e, struct str notice)
{
	e->formatter.notice = notice;
	e->formatter.identity = notice.n != 0 ? e->formatter.stat : hash_bytes(str_of(FORMATTER_PINNED));
	e->formatter.is_known = true;
}

static void version_learn(struct env_run *e, struct str notice)
{
	struct store *store = e->view.en->store;
	struct buf b = { 0 };

	version_set(e, notice);
	pack_hash(&b, e->formatter.stat);
	pack_str(&b, notice);
	if (store != NULL)
		store_put(store, 'F', 0, STR(""), buf_str(&b));
	buf_release(&b);
}

/* Lays out one line, to be told the version. Where that fails, so will the texts: it is said of them, when the flowgroups are judged. */
static void version_ask(struct env_run *e)
{
	struct format_item item = { .name = STR("probe.py"), .raw = STR("x = 1\n") };
	struct str notice;

	if (format_batch(&e->formatter.program, &e->run->own, &item, 1, &notice) == 0)
		version_learn(e, notice);
}

/* Does the store know of no output? Then all are laid out, and tell the version. */
static bool nothing_is_stored(const struct env_run *e)
{
	const struct store *store = e->view.en->store;

	return store == NULL || store_is_new(store);
}

int formatter_open(struct env_run *e)
{
	struct formatter *f = &e->formatter.program;
	struct str notice;

	*f = (struct formatter){ .live = e->run->o->live, .workers = e->run->workers };
	e->formatter.stat = e->formatter.identity = formatter_stat_hash(e->run->fs, &e->run->own, &f->program);
	if (hash_is_none(e->formatter.stat))
		return formatter_missing(e);
	if (nothing_is_stored(e))
		return 0;
	if (version_recall(e, e->formatter.stat, &notice))
		version_set(e, notice);
	else
		version_ask(e);
	return 0;
}

/* The place to mend is the flowgroup or module that the text comes from. */
static void layout_failed(struct env_run *e, const struct output *out, struct str problem)
{
	struct mark made = { .file = str_cstr(&e->run->own, out->path) };

	diag_add(&e->result->fatal, &rule_format_failed, out->at.file != NULL ? out->at : made, "The code made from it does not parse: %.*s",
	         STR_ARG(problem));
}

void laid_out_drop(struct env_run *e)
{
	format_end(e->layout.batch);
	e->layout.batch = NULL;
}

void formatter_say(struct env_run *e)
{
	bool any = false;

	for (size_t i = 0; e->formatter.notice.n != 0 && i < e->out.n; i++)
		any = any || output_is_laid_out(e, e->out.p[i].path);
	if (!any)
		return;
	buf_addf(&e->log, "%.*s\n", STR_ARG(e->formatter.notice));
	say_log(e->run, &e->log);
}

bool output_is_laid_out(const struct env_run *e, struct str path)
{
	return e->format && str_ends(path, STR(".py"));
}

static void item_take(struct env_run *e, struct output *out, const struct format_item *item, size_t number)
{
	if (item->failed) {
		layout_failed(e, out, item->problem);
		return;
	}
	out->text = item->text;
	out->waits = e->layout.batch != NULL ? number + 1 : 0;
	if (out->waits == 0)
		out->hash = hash_bytes(item->text);
}

static void item_add(struct layout *l, size_t output, const struct output *out)
{
	l->output[l->n] = output;
	l->item[l->n++] = (struct format_item){ .name = out->path, .raw = out->text };
}

int layout_start(struct env_run *e)
{
	struct arena *a = &e->run->own;
	struct outputs *out = &e->out;
	struct layout *l = &e->layout;
	double started = now_seconds();
	struct str problem;

	if (!e->format)
		return 0;
	laid_out_drop(e);
	*l = (struct layout){ .item = ARENA_ARRAY(a, struct format_item, out->n), .output = ARENA_ARRAY(a, size_t, out->n) };
	for (size_t i = 0; i < out->n; i++)
		if (out->p[i].text.p != NULL && output_is_laid_out(e, out->p[i].path))
			item_add(l, i, &out->p[i]);
	if (format_start(&e->formatter.program, a, l->item, l->n, &l->batch, &problem) != 0)
		return formatter_failed(e, problem);
	for (size_t i = 0; i < e->run->workers; i++)
		arena_release(&e->memory[i].raw);
	stat_add(e->run, "format", out->n, started);
	return 0;
}

/* Texts that are compared are all wanted at once; those that are written can wait for it. */
static bool is_compared(const struct env_run *e)
{
	return e->run->o->task == RUN_DIFF;
}

int layout_finish(struct env_run *e)
{
	struct layout *l = &e->layout;
	double started = now_seconds();
	struct str problem;

	if (!e->format)
		return 0;
	if (format_wait(&l->batch, &problem) != 0 || (is_compared(e) && format_take(&l->batch, &problem) != 0))
		return formatter_failed(e, problem);
	if (!e->formatter.is_known && l->n != 0)
		version_learn(e, problem);
	for (size_t i = 0; i < l->n; i++)
		item_take(e, &e->out.p[l->output[i]], &l->item[i], i);
	stat_add(e->run, "format", 0, started);
	return diags_failed(&e->result->fatal) ? -1 : 0;
}
