#include "emit_case.h"

#define TEST(keys) "actions:\n- {name: q, type: test, " keys "}\n"
#define CODE(expectation, type, query)                                                          \
	expectation "@dp.table(name=\"tmp_test_q\", comment=\"Test: " type "\", temporary=True)\n" \
	            "def tmp_test_q():\n"                                                          \
	            "    \"\"\"Test: " type "\"\"\"\n"                                             \
	            "    return spark.sql(\"\"\"\n"                                                \
	            "        " query "\n"                                                          \
	            "    \"\"\")\n"

static const struct {
	const char *yaml, *text;
} KINDS[] = {
	{ TEST("test_type: row_count, source: [a, b], tolerance: 2, on_violation: warn"),
	  CODE("@dp.expect_all({\"row_count_match\": \"abs(source_count - target_count) <= 2\"})\n", "row_count",
	       "SELECT * FROM\n"
	       "                      (SELECT COUNT(*) AS source_count FROM a),\n"
	       "                      (SELECT COUNT(*) AS target_count FROM b)") },
	{ TEST("test_type: uniqueness, source: a, columns: [x, y], filter: \" z > 1 \""),
	  CODE("@dp.expect_all_or_fail({\"no_duplicates\": \"duplicate_count == 0\"})\n", "uniqueness",
	       "SELECT x, y, COUNT(*) as duplicate_count\n"
	       "                    FROM a\n"
	       "                    WHERE z > 1\n"
	       "                    GROUP BY x, y\n"
	       "                    HAVING COUNT(*) > 1") },
	{ TEST("test_type: referential_integrity, source: a, reference: r.r.r, source_columns: [x, y], reference_columns: [m, n]"),
	  CODE("@dp.expect_all_or_fail({\"referential_integrity\": \"ref_m IS NOT NULL\"})\n", "referential_integrity",
	       "SELECT\n"
	       "                      s.*,\n"
	       "                      r.m as ref_m\n"
	       "                    FROM a s\n"
	       "                    LEFT JOIN r.r.r r ON s.x = r.m AND s.y = r.n") },
	{ TEST("test_type: all_lookups_found, source: [a], lookup_table: l.l.l, lookup_columns: [x, y], lookup_result_columns: [k, j]"),
	  CODE("@dp.expect_all_or_fail({\"all_lookups_found\": \"lookup_k IS NOT NULL\"})\n", "all_lookups_found",
	       "SELECT\n"
	       "                      s.*,\n"
	       "                      l.k as lookup_k\n"
	       "                    FROM a s\n"
	       "                    LEFT JOIN l.l.l l ON s.x = l.x AND s.y = l.y") },
	{ TEST("test_type: completeness, source: a, required_columns: [x, y], on_violation: drop"),
	  CODE("@dp.expect_all_or_drop({\"required_fields_complete\": \"x IS NOT NULL AND y IS NOT NULL\"})\n", "completeness",
	       "SELECT x, y\n"
	       "                    FROM a") },
	{ TEST("test_type: range, source: a, column: x, min_value: 0, max_value: 2024-01-02 03:04:05"),
	  CODE("@dp.expect_all_or_fail({\"value_in_range\": \"x >= '0' AND x <= '2024-01-02T03:04:05'\"})\n", "range",
	       "SELECT x\n"
	       "                    FROM a") },
	{ TEST("test_type: custom_sql, on_violation: warn, sql: \"\\n SELECT 1\\n\\n   WHERE x\\n\", expectations: "
	       "[{name: a, expression: b}, {name: c, expression: d, on_violation: warn}, {name: e, expression: f, on_violation: odd}]"),
	  CODE("@dp.expect_all_or_fail({\"a\": \"b\"})\n@dp.expect_all({\"c\": \"d\"})\n", "custom_sql",
	       "SELECT 1\n"
	       "\n"
	       "           WHERE x") },
	{ TEST("test_type: custom_expectations, source: a, expectations: [{name: a, expression: b, on_violation: drop}]"),
	  CODE("@dp.expect_all_or_drop({\"a\": \"b\"})\n", "custom_expectations", "SELECT * FROM a") },
};

static void every_kind_of_test_has_its_text(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++) {
		struct emit_case c;

		case_open(&c);
		assert_string_equal(case_section(&c, KINDS[i].yaml, "DATA QUALITY TESTS"), KINDS[i].text);
		assert_non_null(strstr(case_text(&c, "p/f.py"), "from pyspark.sql.functions import *\n"));
		case_close(&c);
	}
}

static void schemas_are_compared_in_their_catalogs(void **state)
{
	struct emit_case c;
	const char *text;

	(void)state;
	case_open(&c);
	text = case_section(&c, TEST("test_type: schema_match, source: a.b.c, reference: d.e.f, target: ok"), "DATA QUALITY TESTS");
	assert_non_null(strstr(text, "@dp.expect_all_or_fail({\"schemas_match\": \"false\"})\n@dp.table(name=\"ok\""));
	assert_non_null(strstr(text, "                      FROM a.information_schema.columns\n"
	                             "                      WHERE table_catalog = 'a'\n"
	                             "                        AND table_schema = 'b'\n"
	                             "                        AND table_name = 'c'\n"
	                             "                    ),\n"));
	assert_non_null(strstr(text, "                        AND table_name = 'f'\n"));
	case_close(&c);
}

static const struct {
	const char *keys, *code;
} REFUSED[] = {
	{ TEST("test_type: schema_match, source: a.b, reference: d.e.f"), "LHP-VAL-022" },
	{ TEST("test_type: schema_match, source: a..c, reference: d.e.f"), "LHP-VAL-022" },
	{ TEST("test_type: schema_match, source: a.b.c, reference: \"d.e.`f`\""), "LHP-VAL-022" },
	{ TEST("test_type: custom_sql, sql: s, expectations: [{name: a}]"), "LHP-ACT-002" },
	{ TEST("test_type: custom_sql, sql: s, expectations: [{name: a, expression: 2024-01-01}]"), "LHP-ACT-002" },
	{ TEST("test_type: completeness, source: a, required_columns: [x], target: class"), "LHP-CFG-031" },
};

static void what_cannot_be_written_is_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++) {
		struct emit_case c;

		case_open(&c);
		assert_string_equal(case_emit(&c, REFUSED[i].keys), REFUSED[i].code);
		case_close(&c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_of_test_has_its_text),
		cmocka_unit_test(schemas_are_compared_in_their_catalogs),
		cmocka_unit_test(what_cannot_be_written_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
