/* Settings of a job that the reference writes as broken YAML: spec/dag.md, section 12, rows 26 and 27. */
#include "bundle/job.h"
#include "yaml/reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void check(const char *config, const char *want)
{
	struct arena a = { 0 };
	struct yaml_file f;
	struct buf b = { 0 };

	assert_int_equal(yaml_read(&a, "job.yaml", str_of(config), &f), YAML_GOOD);
	job_settings_write(&a, &b, f.doc[0], JOB_OF_PIPELINES);
	buf_addc(&b, '\0');
	assert_string_equal(b.p, want);
	buf_release(&b);
	arena_release(&a);
}

static void what_is_null_is_left_out(void **state)
{
	(void)state;
	check("{performance_target: , tags: {a: , b: x}}", "      tags:\n        b: \"x\"\n");
	check("permissions: [{group_name: g}, {level: , user_name: u}]",
	      "      permissions:\n        - group_name: g\n        - user_name: u\n");
	check("webhook_notifications: {on_start: [{id: , url: x}, {id: y, z: 1}]}",
	      "      webhook_notifications:\n        on_start:\n          - url: x\n          - id: y\n            z: 1\n");
}

static void one_address_is_a_list_of_one(void **state)
{
	(void)state;
	check("email_notifications: {on_start: a@b.c}",
	      "      email_notifications:\n        on_start:\n          - a@b.c\n");
}

static void a_value_of_another_kind_is_passed_through(void **state)
{
	(void)state;
	check("{tags: [a], permissions: all, schedule: daily, email_notifications: a@b.c}",
	      "      tags:\n      - a\n      permissions: all\n      schedule: daily\n      email_notifications: a@b.c\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_null_is_left_out),
		cmocka_unit_test(one_address_is_a_list_of_one),
		cmocka_unit_test(a_value_of_another_kind_is_passed_through),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
