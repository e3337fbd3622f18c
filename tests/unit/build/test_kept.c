/* The units of a pipeline as the store keeps them: all of a record comes back, and damage is seen. */
#include "build/kept.h"
#include "model/rules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static const struct dep deps[] = {
	{ DEP_NODE, STR_INIT("pipelines/a.yaml#0"), { { 1 } }, { "pipelines/a.yaml", 1, 2 } },
	{ DEP_FILE, STR_INIT("sql/a.sql"), { { 2 } }, { "pipelines/a.yaml", 9, 4 } },
	{ DEP_DIR, STR_INIT(""), { { 3 } }, { NULL, 0, 0 } },
	{ DEP_TOKEN, STR_INIT("dev/catalog"), { { 4 } }, { "sql/a.sql", 3, 1 } },
	{ DEP_FILE, STR_INIT("sql/gone.sql"), { { 0 } }, { NULL, 0, 0 } },
};

/* The name holds the byte that stands for names in a body, and is in other names. */
#define NAME "o\xFE" "rders"

static struct record record_make(struct arena *a, const char *name)
{
	struct facts f = { .pipeline = STR("p"), .flowgroup = str_of(name), .file = "pipelines/a.yaml" };
	struct record r = { .pipeline = STR("p"), .flowgroup = str_of(name), .file = "pipelines/a.yaml", .n_out = 1 };

	r.trace.n = sizeof deps / sizeof *deps;
	r.trace.p = (struct dep *)(uintptr_t)deps;
	r.facts_bytes = facts_pack(a, &f);
	r.out = ARENA_NEW(a, struct record_file);
	*r.out = (struct record_file){ .path = str_fmt(a, "p/%s.py", name), .raw_hash = { { 0xFE, 1, 0xFE } }, .python = true };
	return r;
}

static void same(const struct record *x, const struct record *y)
{
	assert_true(str_eq(x->pipeline, y->pipeline) && str_eq(x->flowgroup, y->flowgroup));
	assert_string_equal(x->file, y->file);
	assert_int_equal(x->trace.n, y->trace.n);
	for (size_t i = 0; i < x->trace.n; i++) {
		const struct dep *d = &x->trace.p[i], *e = &y->trace.p[i];

		assert_int_equal(d->kind, e->kind);
		assert_true(str_eq(d->key, e->key) && hash_eq(d->hash, e->hash));
		assert_int_equal(d->at.line, e->at.line);
		assert_int_equal(d->at.col, e->at.col);
		assert_true(str_eq(str_of(d->at.file), str_of(e->at.file)));
	}
	assert_true(str_eq(x->facts_bytes, y->facts_bytes));
	assert_int_equal(x->n_out, y->n_out);
	assert_true(str_eq(x->out[0].path, y->out[0].path) && hash_eq(x->out[0].raw_hash, y->out[0].raw_hash));
}

struct place {
	struct arena a;
	struct record record[2];
	struct buf p, u;
	struct kept kept;
};

static void place_pack(struct place *at)
{
	struct kept_source unit[2];

	buf_reset(&at->p);
	buf_reset(&at->u);
	for (size_t i = 0; i < 2; i++)
		unit[i] = (struct kept_source){ .record = &at->record[i], .depth = WORK_EMIT };
	kept_pack(&at->p, &at->u, 7, unit, 2);
}

static int place_make(void **state)
{
	struct place *at = *state = xmalloc(sizeof *at);

	*at = (struct place){ 0 };
	at->record[0] = record_make(&at->a, NAME);
	at->record[1] = record_make(&at->a, "customers");
	place_pack(at);
	return kept_read(&at->kept, &at->a, STR("p"), buf_str(&at->p));
}

static int place_drop(void **state)
{
	struct place *at = *state;

	buf_release(&at->p);
	buf_release(&at->u);
	arena_release(&at->a);
	free(at);
	return 0;
}

static void units_come_back(void **state)
{
	struct place *at = *state;
	struct record back;

	assert_int_equal(at->kept.generation, 7);
	assert_int_equal(at->kept.n_dep, 5); /* each once */
	assert_int_equal(kept_record(&at->kept, 0, &back), -1); /* not opened */
	assert_int_equal(kept_open(&at->kept, buf_str(&at->u)), 0);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(kept_record(&at->kept, i, &back), 0);
		same(&at->record[i], &back);
	}
}

static void a_copied_unit_is_the_same(void **state)
{
	struct place *at = *state;
	struct buf p = { 0 }, u = { 0 };
	struct kept again;
	struct record back;

	assert_int_equal(kept_open(&at->kept, buf_str(&at->u)), 0);
	kept_pack(&p, &u, 8, &(struct kept_source){ .kept = &at->kept, .unit = &at->kept.unit[0] }, 1);
	assert_int_equal(kept_read(&again, &at->a, STR("p"), buf_str(&p)), 0);
	assert_int_equal(kept_open(&again, buf_str(&u)), 0);
	assert_int_equal(again.n, 1);
	assert_int_equal(again.unit[0].depth, WORK_EMIT);
	assert_int_equal(kept_record(&again, 0, &back), 0);
	same(&at->record[0], &back);
	buf_release(&p);
	buf_release(&u);
}

/* Numbers of files and dependencies are other ones then. */
static void a_copied_unit_fits_beside_a_new_one(void **state)
{
	static const struct dep other = { DEP_FILE, STR_INIT("sql/b.sql"), { { 5 } }, { "templates/t.yaml", 7, 1 } };
	struct place *at = *state;
	struct kept_source unit[2];
	struct buf p = { 0 }, u = { 0 };
	struct kept again;
	struct record back;

	assert_int_equal(kept_open(&at->kept, buf_str(&at->u)), 0);
	at->record[0].trace.p = (struct dep *)(uintptr_t)&other;
	at->record[0].trace.n = 1;
	unit[0] = (struct kept_source){ .record = &at->record[0], .depth = WORK_EMIT };
	unit[1] = (struct kept_source){ .kept = &at->kept, .unit = &at->kept.unit[1] };
	kept_pack(&p, &u, 8, unit, 2);
	assert_int_equal(kept_read(&again, &at->a, STR("p"), buf_str(&p)), 0);
	assert_int_equal(kept_open(&again, buf_str(&u)), 0);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(kept_record(&again, i, &back), 0);
		same(&at->record[i], &back);
	}
	buf_release(&p);
	buf_release(&u);
}

static void records_of_different_commits_do_not_fit(void **state)
{
	struct place *at = *state;
	struct buf p = { 0 }, u = { 0 };

	kept_pack(&p, &u, 8, &(struct kept_source){ .record = &at->record[0], .depth = WORK_EMIT }, 1);
	assert_int_equal(kept_open(&at->kept, buf_str(&u)), -1);
	buf_release(&p);
	buf_release(&u);
}

struct answer {
	const char *key; /* of the dependency that is not as it was */
	enum kept_answer is;
};

static enum kept_answer answer(void *ctx, const struct dep *d)
{
	const struct answer *a = ctx;

	return str_is(d->key, a->key) ? a->is : KEPT_STANDS;
}

static bool is_found(struct place *at, const char *key, enum kept_answer is)
{
	uint64_t generation;
	bool found;

	assert_int_equal(kept_ask(buf_str(&at->p), answer, &(struct answer){ key, is }, &generation, &found), 0);
	assert_int_equal(generation, 7);
	return found;
}

static void what_units_depend_on_is_found_without_reading_them(void **state)
{
	struct place *at = *state;

	assert_true(is_found(at, "pipelines/a.yaml", KEPT_CHANGED));
	assert_true(is_found(at, "sql/gone.sql", KEPT_CHANGED));
	assert_true(is_found(at, "dev/catalog", KEPT_CHANGED));
	assert_true(is_found(at, "", KEPT_CHANGED));
	assert_false(is_found(at, "sql/b.sql", KEPT_CHANGED));
	assert_false(is_found(at, "dev/schema", KEPT_CHANGED));
}

static void what_only_moved_matters_to_units_with_findings(void **state)
{
	struct diag found = { .rule = &rule_no_flowgroups };
	struct place *at = *state;

	assert_false(is_found(at, "dev/catalog", KEPT_MOVED));
	at->record[1].diags.p = &found;
	at->record[1].diags.n = 1;
	place_pack(at);
	assert_true(is_found(at, "dev/catalog", KEPT_MOVED));
	assert_true(is_found(at, "sql/a.sql", KEPT_MOVED));
	assert_false(is_found(at, "dev/schema", KEPT_MOVED));
}

/* The second unit, redone, over both: with one dependency that was there, and one that is new. */
static struct str overlay_make(struct place *at, struct record *redone, struct buf *b)
{
	static const struct dep now[] = {
		{ DEP_NODE, STR_INIT("pipelines/a.yaml#0"), { { 1 } }, { "pipelines/a.yaml", 1, 2 } },
		{ DEP_TOKEN, STR_INIT("dev/catalog"), { { 14 } }, { "sql/b.sql", 3, 1 } },
	};

	*redone = record_make(&at->a, "customers");
	redone->trace.p = (struct dep *)(uintptr_t)now;
	redone->trace.n = sizeof now / sizeof *now;
	redone->out->raw_hash = (struct hash128){ { 9 } };
	kept_overlay_pack(b, 7, 8, &(struct kept_source){ .record = redone, .depth = WORK_CHECK }, 1);
	return buf_str(b);
}

static void units_laid_over_others_take_their_place(void **state)
{
	struct place *at = *state;
	struct record redone, back;
	struct buf b = { 0 };

	assert_int_equal(kept_overlay(&at->kept, overlay_make(at, &redone, &b)), 0);
	assert_int_equal(at->kept.generation, 8);
	assert_int_equal(at->kept.n, 2);
	assert_int_equal(at->kept.unit[0].depth, WORK_EMIT);
	assert_int_equal(at->kept.unit[1].depth, WORK_CHECK);
	assert_int_equal(kept_open(&at->kept, buf_str(&at->u)), 0);
	assert_int_equal(kept_record(&at->kept, 0, &back), 0);
	same(&at->record[0], &back);
	assert_int_equal(kept_record(&at->kept, 1, &back), 0);
	same(&redone, &back);
	buf_release(&b);
}

static void units_laid_over_another_commits_are_refused(void **state)
{
	struct place *at = *state;
	struct record redone;
	struct buf b = { 0 };
	struct str good;

	good = overlay_make(at, &redone, &b);
	for (size_t n = 0; n < good.n; n++) {
		struct kept k;
		int rc;

		assert_int_equal(kept_read(&k, &at->a, STR("p"), buf_str(&at->p)), 0);
		rc = kept_overlay(&k, str_sub(good, 0, n));
		assert_int_equal(rc == 0 ? kept_open(&k, buf_str(&at->u)) : rc, -1);
	}
	at->kept.generation = 6;
	assert_int_equal(kept_overlay(&at->kept, good), -1);
	buf_reset(&b);
	kept_overlay_pack(&b, 7, 8, &(struct kept_source){ .record = &(struct record){ .flowgroup = STR("nobody") } }, 1);
	assert_int_equal(kept_read(&at->kept, &at->a, STR("p"), buf_str(&at->p)), 0);
	assert_int_equal(kept_overlay(&at->kept, buf_str(&b)), -1);
	buf_release(&b);
}

static void whatever_is_cut_is_refused(void **state)
{
	struct place *at = *state;

	for (size_t n = 0; n < at->p.n; n++) {
		struct kept k;

		assert_int_equal(kept_read(&k, &at->a, STR("p"), str_sub(buf_str(&at->p), 0, n)), -1);
	}
	for (size_t n = 0; n < at->u.n; n++)
		assert_int_equal(kept_open(&at->kept, str_sub(buf_str(&at->u), 0, n)), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(units_come_back, place_make, place_drop),
		cmocka_unit_test_setup_teardown(a_copied_unit_is_the_same, place_make, place_drop),
		cmocka_unit_test_setup_teardown(a_copied_unit_fits_beside_a_new_one, place_make, place_drop),
		cmocka_unit_test_setup_teardown(records_of_different_commits_do_not_fit, place_make, place_drop),
		cmocka_unit_test_setup_teardown(what_units_depend_on_is_found_without_reading_them, place_make, place_drop),
		cmocka_unit_test_setup_teardown(what_only_moved_matters_to_units_with_findings, place_make, place_drop),
		cmocka_unit_test_setup_teardown(units_laid_over_others_take_their_place, place_make, place_drop),
		cmocka_unit_test_setup_teardown(units_laid_over_another_commits_are_refused, place_make, place_drop),
		cmocka_unit_test_setup_teardown(whatever_is_cut_is_refused, place_make, place_drop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
