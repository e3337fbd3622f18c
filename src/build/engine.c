#include "build/engine.h"
#include "build/build_id.h"
#include "base/pack.h"
#include "build/steps.h"
#include "cache/seal.h"
#include "model/rules.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

static void lock_say(void *ctx, const struct lock_holder *h)
{
	struct engine *en = ctx;
	struct buf b = { 0 };

	buf_addf(&b, "Waiting for another run of lhp in this project (process %d: %s)\n", h->pid, h->command);
	say_log(en->run, &b);
	buf_release(&b);
}

static int lock_failed(struct engine *en, int rc, const struct lock_holder *h)
{
	struct run *r = en->run;
	bool held = rc == -EWOULDBLOCK;

	for (size_t i = 0; i < r->o->n_env; i++) {
		struct diags *ds = &r->results[i].fatal;

		if (held)
			diag_add(ds, &rule_run_locked, (struct mark){ 0 }, "Process %d holds the lock since %lds: %s", h->pid,
			         h->since != 0 ? (long)time(NULL) - h->since : 0L, h->command);
		else
			diag_add(ds, &rule_output_unwritable, (struct mark){ .file = ".lhp/cache" },
			         "The cache folder .lhp/cache cannot be used: %s", strerror(-rc));
		r->results[i].status = held ? 4 : 3;
	}
	return held ? 4 : 3;
}

static void head_read(struct engine *en)
{
	struct str bytes = store_get(en->store, en->arena, 'G', 0, STR(""));
	struct unpack u = unpack_of(bytes);

	if (bytes.p == NULL)
		return;
	en->generation = unpack_uint(&u);
	en->last_change = unpack_uint(&u);
	if (!unpack_done(&u))
		en->generation = en->last_change = 0;
}

static struct str cache_dir(const struct engine *en)
{
	return str_fmt(en->arena, "%.*s/.lhp/cache", STR_ARG(en->run->fs->root));
}

/* A store that was set aside is told of. */
static void locked_store_open(struct engine *en)
{
	struct buf notice = { 0 };
	struct str said;

	store_open(&en->store, cache_dir(en), build_id(en->arena), &said, en->arena);
	if (said.n != 0) {
		buf_addf(&notice, "%.*s\n", STR_ARG(said));
		say_log(en->run, &notice);
	}
	buf_release(&notice);
}

static bool is_read_only(int rc)
{
	return rc == -EROFS || rc == -EACCES || rc == -EPERM;
}

/* What cannot be written to is done without: outputs may be right, or elsewhere. */
static void without_say(struct engine *en, const char *what, int rc)
{
	struct buf b = { 0 };

	buf_addf(&b, ".lhp/cache cannot be written (%s): this run %s\n", strerror(-rc), what);
	say_log(en->run, &b);
	buf_release(&b);
}

/* 0: en->locked, or there is nothing to lock. */
static int run_lock(struct engine *en)
{
	struct lock_holder holder = { 0 };
	int rc = fs_mkdirs(en->run->fs, STR(".lhp/cache"));

	if (rc == 0)
		rc = lock_take(&en->lock, cache_dir(en), !en->run->o->no_wait, &holder, lock_say, en);
	en->locked = rc == 0;
	if (is_read_only(rc))
		without_say(en, "does without it", rc);
	return rc == 0 || is_read_only(rc) ? 0 : lock_failed(en, rc, &holder);
}

/* Where CI is set, every run verifies, whichever command it is of. */
static bool verifies(const struct run *r)
{
	const char *ci = getenv("CI");

	return r->o->verify || (ci != NULL && *ci != '\0' && strcmp(ci, "0") != 0 && strcmp(ci, "false") != 0);
}

const struct map *scan_where(const struct run *r)
{
	return r->verify ? NULL : r->o->where;
}

/* What the store knows of the inputs, and which of them are new. False: a record is damaged. */
static bool inputs_look(struct engine *en)
{
	struct run *r = en->run;

	leaves_init(&en->in, en->store, r->fs, en->arena, 'D', 0);
	source_memory_open(&en->sources, en->store, &en->in, en->arena);
	r->project.recall = &en->sources.recall;
	if (en->store == NULL)
		return true;
	head_read(en);
	/* An imported store: its hashes are right for the files of another machine. */
	en->imported = store_get(en->store, en->arena, 'I', 0, STR("")).p != NULL;
	r->verify = en->imported || verifies(r);
	return leaves_scan(&en->in, en->stamp, r->verify, scan_where(r), r->workers, &en->changed) == 0;
}

/* What its seal calls good is not: none of it is believed. */
static void store_distrust(struct engine *en)
{
	store_close(en->store);
	en->store = NULL;
	en->generation = en->last_change = 0;
	en->imported = false;
	en->changed.n = 0;
	if (en->locked && store_seal_break(cache_dir(en)) == 0)
		locked_store_open(en);
}

static void inputs_scan(struct engine *en)
{
	if (!inputs_look(en)) {
		store_distrust(en);
		inputs_look(en);
	}
	for (size_t i = 0; i < en->changed.n; i++)
		en->any_content = en->any_content || en->changed.p[i].content;
}

int engine_open(struct engine *en, struct run *r)
{
	bool stores = !r->o->no_cache && r->o->task != RUN_DIFF, writes = stores || r->o->task == RUN_GENERATE;
	int rc;

	*en = (struct engine){ .run = r, .arena = &r->own };
	rc = writes && !r->o->alone ? run_lock(en) : 0;
	if (rc != 0 || !stores || !en->locked)
		return rc;
	locked_store_open(en);
	en->stamp = fs_now(r->fs, STR(".lhp/cache"));
	if (r->o->task == RUN_GENERATE && !r->o->no_format)
		en->formatter = formatter_stat_hash(r->fs, en->arena, &(struct str){ 0 });
	inputs_scan(en);
	return 0;
}

void engine_open_reader(struct engine *en, struct run *r)
{
	*en = (struct engine){ .run = r, .arena = &r->own };
	if (r->o->no_cache || fs_mkdirs(r->fs, STR(".lhp/cache")) != 0)
		return;
	en->stamp = fs_now(r->fs, STR(".lhp/cache"));
	store_open_copy(&en->store, cache_dir(en), build_id(en->arena));
	inputs_scan(en);
}

bool engine_write(struct engine *en)
{
	uint64_t generation = en->generation;

	if (en->stamp == 0 || lock_take(&en->lock, cache_dir(en), false, &(struct lock_holder){ 0 }, NULL, NULL) != 0)
		return false;
	en->locked = true;
	en->copy = en->store;
	en->generation = 0;
	locked_store_open(en);
	en->in.store = en->sources.store = en->store;
	head_read(en);
	return en->generation == generation;
}

static void seen_note(void *ctx, const struct door_seen *seen)
{
	struct engine *en = ctx;
	const struct leaf *was = leaves_find(&en->in, seen->path, seen->is_dir);
	struct leaf leaf = { .path = seen->path, .is_dir = seen->is_dir, .absent = seen->absent, .hash = seen->hash };
	struct hash128 as_was = seen->hash;

	if (!leaf.absent)
		leaf.st = seen->st;
	if (seen->is_dir && !leaf.absent) {
		leaf.starts = was != NULL ? starts_both(en->arena, was->starts, seen->starts) : seen->starts;
		leaf.hash = listing_hash(seen->listing, leaf.starts);
		as_was = listing_hash(seen->listing, was != NULL ? was->starts : STR(""));
	}
	leaf.settled = !leaf.absent && stat_is_settled(&seen->st, en->stamp);
	/* Other content than the scan saw: records that rest on the scan must be looked at again. */
	if (was != NULL && (was->absent != leaf.absent || !hash_eq(was->hash, as_was)))
		en->raced = true;
	leaves_note(&en->in, &leaf);
}

/* Folders at the root that runs make; their coming must not look like an edit. */
static bool is_made_by_runs(const struct engine *en, struct str name)
{
	static const char *const made[] = { ".lhp", "generated", "resources", "monitoring" };
	struct str output = en->run->o->output, top;

	for (size_t i = 0; i < sizeof made / sizeof *made; i++)
		if (str_is(name, made[i]))
			return true;
	return str_cut(&output, '/', &top) && str_eq(name, top);
}

static struct hash128 inputs_hash(const struct engine *en, const struct fs_listing *l, struct str starts)
{
	struct fs_listing inputs = { ARENA_ARRAY(en->arena, struct fs_entry, l->n), 0 };

	for (size_t i = 0; i < l->n; i++)
		if (!is_made_by_runs(en, l->entry[i].name))
			inputs.entry[inputs.n++] = l->entry[i];
	return listing_hash(&inputs, starts);
}

/* The root was listed before this run made its folders in it: noted as it is now, when that is all that is new. */
static void root_note(struct engine *en)
{
	struct leaf leaf = { .path = STR(""), .is_dir = true };
	const struct leaf *was = leaves_find(&en->in, leaf.path, true);
	const struct fs_listing *before;
	struct fs_listing now;

	if (was == NULL || fs_stat(en->run->fs, leaf.path, &leaf.st) != 0 ||
	    fs_list(en->run->fs, leaf.path, en->arena, &now) != 0)
		return;
	leaf.starts = was->starts;
	before = door_list_some(en->run->door, NULL, leaf.path, leaf.starts);
	if (!hash_eq(inputs_hash(en, before, leaf.starts), inputs_hash(en, &now, leaf.starts)))
		return;
	leaf.hash = listing_hash(&now, leaf.starts);
	/* What comes within the same tick of the clock would not show in the stat. */
	leaf.settled = stat_is_settled(&leaf.st, fs_now(en->run->fs, STR(".lhp/cache")));
	leaves_note(&en->in, &leaf);
}

void engine_note_inputs(struct engine *en)
{
	if (en->store == NULL)
		return;
	door_each(en->run->door, seen_note, en);
	root_note(en);
}

/* How much of the run was reused, for `lhp cache stats`. */
static void hits_put(struct engine *en)
{
	const struct run_hits *units = &en->run->hits[HITS_UNITS];
	struct buf b = { 0 };

	pack_uint(&b, units->of);
	pack_uint(&b, units->of - units->known);
	store_put(en->store, 'R', 0, STR(""), buf_str(&b));
	buf_release(&b);
}

static bool has_written(const struct run *r)
{
	for (size_t i = 0; i < r->o->n_env; i++)
		if (r->results[i].written + r->results[i].removed != 0)
			return true;
	return false;
}

/* What was made stands, and the store as it was. */
static void store_failed(struct engine *en, int rc)
{
	if (is_read_only(rc) && !has_written(en->run)) {
		without_say(en, "is not remembered", rc);
		return;
	}
	for (size_t i = 0; i < en->run->o->n_env; i++) {
		struct run_result *res = &en->run->results[i];

		diag_add(&res->fatal, &rule_output_unwritable, (struct mark){ .file = ".lhp/cache" },
		         "The cache in .lhp/cache cannot be written: %s", strerror(-rc));
		res->status = 3;
		res->up_to_date = false;
	}
}

void engine_commit(struct engine *en)
{
	struct buf head = { 0 };
	uint64_t next = en->generation + 1;
	int rc;

	if (en->store == NULL)
		return;
	source_memory_save(&en->sources);
	leaves_save(&en->in, next);
	if (en->imported)
		store_drop(en->store, 'I', 0, STR(""));
	if (!store_is_dirty(en->store))
		return;
	if (en->run->o->n_env != 0)
		hits_put(en);
	pack_uint(&head, next);
	pack_uint(&head, en->any_content || en->raced || store_is_new(en->store) ? next : en->last_change);
	store_put(en->store, 'G', 0, STR(""), buf_str(&head));
	buf_release(&head);
	rc = store_commit(en->store);
	if (rc != 0)
		store_failed(en, rc);
}

void engine_close(struct engine *en)
{
	store_close(en->store);
	store_close(en->copy);
	if (en->locked)
		lock_give(&en->lock);
}
