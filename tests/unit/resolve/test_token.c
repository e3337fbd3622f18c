#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/resolve/setting.h"

/* `text` with the tokens of `file`; what becomes of it. */
static const char *apply(struct setting *s, const char *file, const char *text)
{
	struct str out;

	put(&s->f, "substitutions/dev.yaml", file);
	assert_int_equal(start(s), 0);
	if (tokens_apply(&s->unit, str_of(text), (struct mark){ 0 }, TOKENS_ALL, &out) < 0)
		return first_code(&s->f);
	return str_cstr(&s->f.arena, out);
}

static void texts_become_what_the_table_says(void **state)
{
	static const struct {
		const char *file, *text, *out;
	} rows[] = {
		{ "dev: {a: x}", "${a}-{a}-%{a}-$${a}", "x-x-%x-$x" },
		{ "dev: {a: x}", "${b} {b} ${ a } ${a.b}", "${b} {b} ${ a } ${a.b}" },
		{ "dev: {a: b, b: z}", "{${a}}", "z" },
		{ "dev: {a: true, b: 0010, c: 1.50, d: null, e: 2024-02-29}", "${a} ${b} ${c} ${d} ${e}",
		  "true 8 1.5 None 2024-02-29" },
		{ "dev: {a: '${b}', b: '{c}', c: '${d}', d: z}", "${a}", "z" },
		{ "dev: {d: z, c: '${d}', b: '{c}', a: '${b}'}", "${a}", "z" },
		{ "dev: {a: '${b}', b: '${a}', c: '${a}'}", "${a} ${b} ${c}", "${b} ${a} ${a}" },
		{ "dev: {a: 'x${a}'}", "${a}", "x${a}" },
		{ "dev: {a: own}\nglobal: {a: all, b: all}", "${a} ${b}", "own all" },
		{ "global: {workspace_env: no}", "${workspace_env}", "dev" },
		{ "dev: {logical_env: own}", "${logical_env}", "own" },
		{ "other: {a: x}\ndev: [a]", "${a}", "${a}" },
		{ "dev: {1: one, true: yes}", "${1} ${True}", "${1} ${True}" },
		{ "dev: {a: [1]}", "${a}", "LHP-CFG-010" },
		{ "dev: {a: {b: c}}", "{a}", "LHP-CFG-010" },
		{ "null", "${a}", "${a}" },
		{ "secrets: {default_scope: d}", "${secret:k}", "${secret:d/k}" },
		{ "secrets: {default_scope: d, scopes: {d: e, e: g}}", "${secret:k} ${secret:e/k} ${secret:x/a/b}",
		  "${secret:e/k} ${secret:g/k} ${secret:x/a/b}" },
		{ "dev: {s: vault, v: '${secret:${s}/k}'}", "${v}", "${secret:vault/k}" },
		{ "dev: {}", "${secret:k}", "LHP-CFG-008" },
		{ "dev: {}", "${secret:}", "LHP-CFG-008" },
		{ "secrets: {default_scope: d}", "${secret:}", "LHP-CFG-059" },
		{ "dev: {}", "${secret:/k}", "LHP-CFG-059" },
		{ "dev: {}", "${secret:s/}", "LHP-CFG-059" },
	};
	struct setting s;

	(void)state;
	setting_open(&s);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *out = apply(&s, rows[i].file, rows[i].text);

		if (strcmp(out, rows[i].out) != 0)
			fail_msg("%s in {%s} became \"%s\", not \"%s\"", rows[i].text, rows[i].file, out, rows[i].out);
	}
	setting_close(&s);
}

static void tokens_that_grow_without_bound_stay_as_written(void **state)
{
	struct buf file = { 0 };
	struct setting s;

	(void)state;
	setting_open(&s);
	buf_adds(&file, "dev:\n  t0: '0123456789'\n");
	for (int i = 1; i < 40; i++)
		buf_addf(&file, "  t%d: '${t%d}${t%d}'\n", i, i - 1, i - 1);
	assert_string_equal(apply(&s, str_cstr(&s.f.arena, buf_str(&file)), "${t39}"), "${t38}${t38}");
	assert_int_not_equal(s.f.log.n, 0);
	buf_release(&file);
	setting_close(&s);
}

static void flaws_of_the_file_have_their_codes(void **state)
{
	static const struct {
		const char *file, *code;
	} rows[] = {
		{ "", "LHP-IO-003" },        { "a: b\n---\nc: d\n", "LHP-IO-003" }, { "a: [\n", "LHP-CFG-009" },
		{ "- a\n", "LHP-CFG-020" }, { "text\n", "LHP-CFG-020" },           { "a: \xff\n", "LHP-IO-002" },
	};
	struct setting s;

	(void)state;
	setting_open(&s);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		put(&s.f, "substitutions/dev.yaml", rows[i].file);
		assert_int_equal(start(&s), -1);
		assert_string_equal(first_code(&s.f), rows[i].code);
	}
	setting_close(&s);
}

static void a_folder_in_place_of_the_file_is_told(void **state)
{
	struct setting s;

	(void)state;
	setting_open(&s);
	put(&s.f, "substitutions/dev.yaml/x", "");
	assert_int_equal(start(&s), -1);
	assert_string_equal(first_code(&s.f), "LHP-IO-002");
	setting_close(&s);
}

static struct hash128 recorded(const struct setting *s, const char *key)
{
	for (size_t i = 0; i < s->f.trace.n; i++)
		if (str_is(s->f.trace.p[i].key, key))
			return s->f.trace.p[i].hash;
	fail_msg("%s is not recorded", key);
	return HASH_NONE;
}

static void a_look_up_records_the_expanded_value(void **state)
{
	struct hash128 direct, through;
	struct setting s;

	(void)state;
	setting_open(&s);
	apply(&s, "dev: {a: '${b}', b: x, c: y}", "${a} ${none}");
	direct = recorded(&s, "dev/a");
	assert_true(hash_is_none(recorded(&s, "dev/none")));
	assert_int_equal(s.f.trace.n, 2);
	apply(&s, "dev: {a: '${b}', b: x, c: other}", "${a}");
	assert_true(hash_eq(recorded(&s, "dev/a"), direct));
	apply(&s, "dev: {a: '${b}', b: z, c: y}", "${a}");
	through = recorded(&s, "dev/a");
	assert_false(hash_eq(through, direct));
	setting_close(&s);
}

static void reserved_tokens_record_the_variable_behind_them(void **state)
{
	struct setting s;

	(void)state;
	setting_open(&s);
	apply(&s, "dev: {a: 'x_${workspace_env}', b: y}", "${a} ${b}");
	assert_true(depends_on(&s, DEP_ENV, "WORKSPACE_ENV"));
	assert_false(depends_on(&s, DEP_ENV, "LOGICAL_ENV"));
	setting_close(&s);
}

static void files_have_their_own_findings(void **state)
{
	struct str out;
	struct setting s;

	(void)state;
	setting_open(&s);
	put(&s.f, "sql/a.sql", "SELECT ${a}\r\nFROM {b}\r");
	put(&s.f, "sql/left.sql", "SELECT\n ${none}");
	put(&s.f, "sql/latin.sql", "\xe9");
	put(&s.f, "substitutions/dev.yaml", "dev: {a: 1}");
	assert_int_equal(start(&s), 0);
	assert_int_equal(file_text(&s.unit, STR("sql\\a.sql"), (struct mark){ 0 }, TOKENS_ALL, true, &out), 0);
	assert_string_equal(str_cstr(&s.f.arena, out), "SELECT 1\nFROM {b}\n");
	assert_int_equal(file_text(&s.unit, STR("sql/left.sql"), (struct mark){ 0 }, TOKENS_ALL, true, &out), -1);
	assert_int_equal(file_text(&s.unit, STR("sql/left.sql"), (struct mark){ 0 }, TOKENS_ALL, false, &out), 0);
	assert_int_equal(file_text(&s.unit, STR("sql/none.sql"), (struct mark){ 0 }, TOKENS_ALL, true, &out), -1);
	assert_int_equal(file_text(&s.unit, STR("sql/latin.sql"), (struct mark){ 0 }, TOKENS_ALL, true, &out), -1);
	assert_int_equal(file_text(&s.unit, STR("sql"), (struct mark){ 0 }, TOKENS_ALL, true, &out), -1);
	assert_string_equal(s.f.diags.p[0].rule->code, "LHP-CFG-010");
	assert_string_equal(s.f.diags.p[1].rule->code, "LHP-IO-001");
	assert_string_equal(s.f.diags.p[2].rule->code, "LHP-IO-004");
	assert_string_equal(s.f.diags.p[3].rule->code, "LHP-IO-004");
	setting_close(&s);
}

static void canonical_secrets_are_found_with_their_parts(void **state)
{
	struct secret_ref ref;

	(void)state;
	assert_true(secret_find(STR("x ${secret:k} ${secret:a/b/c}"), 0, &ref));
	assert_int_equal(ref.at, 14);
	assert_int_equal(ref.end, 29);
	assert_int_equal(ref.scope.n, 1);
	assert_memory_equal(ref.key.p, "b/c", 3);
	assert_false(secret_find(STR("${secret:k}"), 0, &ref));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_become_what_the_table_says),
		cmocka_unit_test(tokens_that_grow_without_bound_stay_as_written),
		cmocka_unit_test(flaws_of_the_file_have_their_codes),
		cmocka_unit_test(a_folder_in_place_of_the_file_is_told),
		cmocka_unit_test(a_look_up_records_the_expanded_value),
		cmocka_unit_test(reserved_tokens_record_the_variable_behind_them),
		cmocka_unit_test(files_have_their_own_findings),
		cmocka_unit_test(canonical_secrets_are_found_with_their_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
