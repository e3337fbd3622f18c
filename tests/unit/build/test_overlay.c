/* Units that were redone, kept apart from the others of their pipeline (build/kept.h): when, for how long, and that nobody can tell. */
#include "shop.h"

#include "base/pack.h"
#include "build/build_id.h"
#include "build/view.h"
#include "cache/seal.h"
#include "cache/store.h"

enum { CROWD = 32 };

static void crowd_put(struct shop *s, int i, const char *value)
{
	shop_put(s, str_fmt(&s->arena, "pipelines/crowd/f%02d.yaml", i).p,
	         str_fmt(&s->arena, "pipeline: crowd\n"
	                            "flowgroup: f%02d\n"
	                            "actions:\n"
	                            "  - {name: l, type: load, source: {type: sql, sql: 'SELECT %s AS a'}, target: v}\n"
	                            "  - {name: w, type: write, source: v, write_target: {type: materialized_view, catalog: c, schema: crowd,"
	                            " table: t%02d}}\n", i, value, i).p);
}

/* A pipeline that so many flowgroups are in that two are few of them, and three are not. */
static int crowd(void **state)
{
	shop_setup(state);
	for (int i = 0; i < CROWD; i++)
		crowd_put(*state, i, "0");
	return shop_run(*state);
}

/* --- the store --- */

static struct str store_folder(struct shop *s)
{
	return path_join(&s->arena, s->fs.root, STR(".lhp/cache"));
}

/* Records of units that are laid over others. */
static uint64_t overlays(struct shop *s)
{
	struct store *store;
	struct store_size size;

	assert_int_equal(store_open_copy(&store, store_folder(s), build_id(&s->arena)), 0);
	store_measure(store, &size);
	store_close(store);
	return size.by_kind['N'];
}

struct found {
	struct shop *s;
	struct str name, bytes;
};

static int record_take(void *ctx, struct str name, struct str bytes)
{
	struct found *f = ctx;

	f->name = str_dup(&f->s->arena, name);
	f->bytes = str_dup(&f->s->arena, bytes);
	return 0;
}

/* Puts in the place of the only record of units that are laid over others what `other` makes of it. */
static void overlay_change(struct shop *s, struct str (*other)(struct shop *s, struct str bytes))
{
	struct found f = { .s = s };
	struct store *store;
	struct str view, notice;

	assert_int_equal(store_open(&store, store_folder(s), build_id(&s->arena), &notice, &s->arena), 0);
	assert_int_equal(store_each_group(store, 'N', record_take, &f), 0);
	assert_non_null(f.name.p);
	view = str_sub(f.name, 0, (size_t)str_rfind_char(f.name, '\n'));
	store_put(store, 'N', view_group(view), f.name, other(s, f.bytes));
	assert_int_equal(store_commit(store), 0);
	store_close(store);
}

/* Damages it where it lies; the file's seal says that it is good. */
static void overlay_damage(struct shop *s)
{
	struct str file = shop_read(s, ".lhp/cache/data.mdb");
	struct found f = { .s = s };
	struct store *store;
	char *copy = arena_alloc(&s->arena, file.n);
	ptrdiff_t at;

	assert_int_equal(store_open_copy(&store, store_folder(s), build_id(&s->arena)), 0);
	assert_int_equal(store_each_group(store, 'N', record_take, &f), 0);
	store_close(store);
	at = str_find(file, f.bytes, 0);
	assert_true(at >= 0);
	memcpy(copy, file.p, file.n);
	copy[(size_t)at + f.bytes.n / 2] ^= 1;
	assert_int_equal(fs_replace(&s->fs, STR(".lhp/cache/data.mdb"), (struct str){ copy, file.n }), 0);
	assert_int_equal(store_seal_make(store_folder(s)), 0);
}

static struct str nothing(struct shop *s, struct str bytes)
{
	(void)s;
	return str_sub(bytes, 0, 0);
}

static struct str half(struct shop *s, struct str bytes)
{
	(void)s;
	return str_sub(bytes, 0, bytes.n / 2);
}

static struct str over_another_commit(struct shop *s, struct str bytes)
{
	struct unpack u = unpack_of(bytes);
	struct buf b = { 0 };
	struct str out;

	pack_uint(&b, unpack_uint(&u) + 1);
	buf_add(&b, (struct str){ u.p, (size_t)(u.end - u.p) });
	out = buf_take(&b, &s->arena);
	buf_release(&b);
	return out;
}

/* --- */

static void few_that_were_redone_are_kept_apart_until_they_are_many(void **state)
{
	struct shop *s = *state;

	assert_int_equal(overlays(s), 0);
	crowd_put(s, 30, "1");
	assert_run(s, 1, GEN "crowd/f30.py", "");
	assert_int_equal(overlays(s), 1);
	crowd_put(s, 3, "1");
	assert_run(s, 1, GEN "crowd/f03.py", "");
	crowd_put(s, 30, "2");
	assert_run(s, 1, GEN "crowd/f30.py", "");
	assert_int_equal(overlays(s), 1);
	assert_like_cold(s);
	crowd_put(s, 4, "1");
	assert_run(s, 1, GEN "crowd/f04.py", "");
	assert_int_equal(overlays(s), 0);
	assert_like_cold(s);
}

/* Both ways of looking for what changed: through what lies above alone, and through the others with it. */
static void what_is_kept_apart_is_redone_for_what_it_depends_on_now(void **state)
{
	struct shop *s = *state;

	crowd_put(s, 7, "${days}");
	assert_run(s, 1, GEN "crowd/f07.py", "");
	assert_int_equal(overlays(s), 1);
	shop_edit(s, "substitutions/dev.yaml", "'10'", "'20'");
	assert_run(s, 2, GEN "crowd/f07.py " GEN "silver/recent.py", "");
	crowd_put(s, 7, "1");
	assert_run(s, 1, GEN "crowd/f07.py", "");
	shop_edit(s, "substitutions/dev.yaml", "'20'", "'30'");
	assert_run(s, 1, GEN "silver/recent.py", "");
	assert_like_cold(s);
}

static void whoever_saves_the_whole_pipeline_leaves_none_apart(void **state)
{
	struct shop *s = *state;

	crowd_put(s, 7, "1");
	assert_run(s, 1, GEN "crowd/f07.py", "");
	assert_int_equal(s->fs.ops->unlink(&s->fs, STR("pipelines/crowd/f09.yaml")), 0);
	crowd_put(s, 11, "1");
	s->options.pipeline = STR("crowd");
	assert_run(s, 1, GEN "crowd/f11.py", GEN "crowd/f09.py");
	s->options.pipeline = STR_NONE;
	assert_int_equal(overlays(s), 0);
	assert_run(s, 0, "", "");
	assert_like_cold(s);
}

/* Checksums keep such records from us; if one came by them, it would cost work. */
static void a_record_that_fits_nothing_costs_its_pipeline(void **state)
{
	static struct str (*const other[])(struct shop *, struct str) = { nothing, half, over_another_commit };
	struct shop *s = *state;

	for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
		crowd_put(s, 7, "1");
		assert_run(s, 1, GEN "crowd/f07.py", "");
		overlay_change(s, other[i]);
		crowd_put(s, 7, "2");
		assert_run(s, CROWD, GEN "crowd/f07.py", "");
		assert_int_equal(overlays(s), 0);
		assert_like_cold(s);
	}
}

/* Below it lies what the flowgroup was before. */
static void one_that_is_damaged_under_a_good_seal_is_not_taken_for_gone(void **state)
{
	struct shop *s = *state;

	crowd_put(s, 7, "1");
	assert_run(s, 1, GEN "crowd/f07.py", "");
	assert_int_equal(overlays(s), 1);
	overlay_damage(s);
	crowd_put(s, 9, "1");
	assert_int_equal(shop_run(s), 0);
	assert_string_equal(str_cstr(&s->arena, s->written), GEN "crowd/f09.py");
	assert_int_equal(s->result->rebuilt, s->result->units);
	assert_like_cold(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		shop_test(few_that_were_redone_are_kept_apart_until_they_are_many, crowd),
		shop_test(what_is_kept_apart_is_redone_for_what_it_depends_on_now, crowd),
		shop_test(whoever_saves_the_whole_pipeline_leaves_none_apart, crowd),
		shop_test(a_record_that_fits_nothing_costs_its_pipeline, crowd),
		shop_test(one_that_is_damaged_under_a_good_seal_is_not_taken_for_gone, crowd),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
