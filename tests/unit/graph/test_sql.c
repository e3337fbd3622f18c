#include "graph/sql.h"

#include "unit/graph/sql_cases.h"

#include <setjmp.h>
#include <stdio.h>
#include <cmocka.h>

static struct str reads_text(struct arena *a, const struct sql_reads *reads)
{
	struct buf b = { 0 };
	if (reads->line > 0)
		buf_addc(&b, '!');
	for (size_t i = 0; i < reads->n; i++)
		buf_addf(&b, "%s%s%.*s", i > 0 ? " " : "", reads->p[i].streaming ? "~" : "", STR_ARG(reads->p[i].name));
	struct str text = buf_take(&b, a);
	buf_release(&b);
	return text;
}

static void check(const struct sql_case *c, size_t n)
{
	struct arena a = { 0 };
	size_t failed = 0;
	for (size_t i = 0; i < n; i++) {
		struct sql_reads reads;
		int result = sql_reads(&a, str_of(c[i].sql), &reads);
		struct str found = reads_text(&a, &reads);
		if (str_is(found, c[i].reads) && (result == 0) == (reads.line == 0))
			continue;
		failed++;
		printf("%s\n  expected %s\n  found    %.*s %.*s\n", c[i].sql, c[i].reads, STR_ARG(found), STR_ARG(reads.problem));
	}
	arena_release(&a);
	assert_int_equal(failed, 0);
}

#define CHECKS(name, cases)                                   \
	static void name(void **state)                        \
	{                                                     \
		(void)state;                                  \
		check(cases, sizeof(cases) / sizeof *(cases)); \
	}

CHECKS(a_name_is_its_parts_without_quotes, name_cases)
CHECKS(every_relation_of_a_query_is_a_read, query_cases)
CHECKS(from_inside_expressions_is_no_read, expression_cases)
CHECKS(stream_forms_are_streaming_reads, stream_cases)
CHECKS(table_functions_read_only_the_tables_they_name, function_cases)
CHECKS(targets_of_statements_are_no_reads, statement_cases)
CHECKS(tokens_of_lhp_come_back_byte_for_byte, token_cases)
CHECKS(a_text_that_does_not_parse_reads_nothing, problem_cases)

static void streams_are_found_in_texts_that_do_not_parse_too(void **state)
{
	static const struct {
		const char *sql, *names;
	} row[] = {
		{ "SELECT * FROM stream(a.b.c)", "a.b.c" },
		{ "SELECT * FROM STREAM a.b.c", "a.b.c" },
		{ "SELECT * FROM STREAM(`a`.b . `c d`) x", "a.b.c d" },
		{ "SELECT * FROM x JOIN STREAM y ON x.a = y.a", "y" },
		{ "SELECT * FROM x, STREAM y", "y" },
		{ "SELECT * FROM stream(a) UNION ALL SELECT * FROM stream(b)", "a b" },
		{ "SELECT * FROM STREAM read_files('/x')", "read_files" },
		{ "SELECT * FROM /* stream(a) */ b -- stream(c)", "" },
		{ "SELECT 'stream(a)', \"stream(b)\", 'it''s stream(c)', 'a\\'stream(d)' FROM e", "" },
		{ "SELECT a AS stream FROM t", "" },
		{ "SELECT stream, b FROM t WHERE stream > 1", "" },
		{ "SELECT a, stream b FROM t", "" },
		{ "SELECT * FROM `stream` (a)", "" },
		{ "SELECT * FROM upstream(a)", "" },
		{ "FROM stream(", "" },
		{ "stream", "" },
		{ "/* /* stream(a) */ stream(b) */ stream(c)", "c" },
		{ "'", "" },
		{ "SELECT * FROM STREAM ${cat}.s.t WHERE (", "${cat}.s.t" },
	};
	struct arena a = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct sql_streams names;
		struct buf b = { 0 };

		sql_streams(&a, str_of(row[i].sql), &names);
		for (size_t k = 0; k < names.n; k++)
			buf_addf(&b, "%s%.*s", k != 0 ? " " : "", STR_ARG(names.p[k]));
		if (!str_is(buf_str(&b), row[i].names))
			fail_msg("%s: found '%.*s', expected '%s'", row[i].sql, STR_ARG(buf_str(&b)), row[i].names);
		buf_release(&b);
	}
	arena_release(&a);
}

static void a_read_knows_its_line_and_column(void **state)
{
	(void)state;
	struct arena a = { 0 };
	struct sql_reads reads;
	struct str text = STR("SELECT '\xc3\xa4' FROM a\n  JOIN `c`.`t` ON true");
	assert_int_equal(sql_reads(&a, text, &reads), 0);
	assert_int_equal(reads.n, 2);
	assert_int_equal(reads.p[0].line, 1);
	assert_int_equal(reads.p[0].col, 17);
	assert_int_equal(reads.p[1].line, 2);
	assert_int_equal(reads.p[1].col, 8);
	assert_true(str_is(str_sub(text, reads.p[1].at, reads.p[1].end), "`c`.`t`"));
	arena_release(&a);
}

static void a_problem_knows_what_was_expected_and_where(void **state)
{
	(void)state;
	struct arena a = { 0 };
	struct sql_reads reads;
	assert_int_equal(sql_reads(&a, STR("SELECT *\nFROM c.s.t JOIN"), &reads), -1);
	assert_int_equal(reads.line, 2);
	assert_int_equal(reads.col, 16);
	assert_true(str_is(reads.problem, "Expected a table name, found the end of the text"));
	arena_release(&a);
}

static void nesting_without_end_is_a_problem_not_a_crash(void **state)
{
	(void)state;
	static const char *const openings[] = { "(", "SELECT (", "SELECT * FROM (", "WITH q AS (", "SELECT x[", "BEGIN ", "IF a THEN " };
	struct arena a = { 0 };
	for (size_t k = 0; k < sizeof openings / sizeof *openings; k++) {
		struct buf b = { 0 };
		for (size_t i = 0; i < 20000; i++)
			buf_adds(&b, openings[k]);
		struct sql_reads reads;
		assert_int_equal(sql_reads(&a, buf_str(&b), &reads), -1);
		buf_release(&b);
	}
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_is_its_parts_without_quotes),
		cmocka_unit_test(every_relation_of_a_query_is_a_read),
		cmocka_unit_test(from_inside_expressions_is_no_read),
		cmocka_unit_test(stream_forms_are_streaming_reads),
		cmocka_unit_test(table_functions_read_only_the_tables_they_name),
		cmocka_unit_test(targets_of_statements_are_no_reads),
		cmocka_unit_test(tokens_of_lhp_come_back_byte_for_byte),
		cmocka_unit_test(a_text_that_does_not_parse_reads_nothing),
		cmocka_unit_test(streams_are_found_in_texts_that_do_not_parse_too),
		cmocka_unit_test(a_read_knows_its_line_and_column),
		cmocka_unit_test(a_problem_knows_what_was_expected_and_where),
		cmocka_unit_test(nesting_without_end_is_a_problem_not_a_crash),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
