#include "unit/bundle/wheel_arena.h"

/* A wheel with a/one.py, a/two.py and a/__init__.py, to be damaged. */
static struct str wheel_bytes(void)
{
	struct wheel w;

	wheel_init(&w, arena, STR("a"), STR("dev"));
	wheel_add(&w, STR("one.py"), STR("x = 1"));
	wheel_add(&w, STR("two.py"), STR("y = 22"));
	assert_int_equal(wheel_build(&w), 0);
	return w.bytes;
}

static struct str changed(const char *from, const char *to)
{
	return str_replace(arena, wheel_bytes(), str_of(from), str_of(to));
}

/* Changes one byte of every header: `local` bytes behind the mark of entries, `central` behind that of the directory. */
static struct str flipped(size_t local, size_t central, unsigned char value)
{
	struct str bytes = str_dup(arena, wheel_bytes());
	char *p = (char *)(uintptr_t)bytes.p;

	for (size_t i = 0; i + 46 < bytes.n; i++) {
		if (memcmp(p + i, "PK\3\4", 4) == 0)
			p[i + local] = (char)value;
		if (memcmp(p + i, "PK\1\2", 4) == 0)
			p[i + central] = (char)value;
	}
	return bytes;
}

static void assert_fault(struct str bytes, size_t most, enum wheel_fault want)
{
	struct wheel_entries m = { 0 };

	assert_int_equal(wheel_read(arena, bytes, most, &m), want);
}

static void bytes_that_are_no_archive_are_refused(void **state)
{
	static const char *const bytes[] = { "", "PK", "no archive at all", "PK\005\006 but cut short" };

	(void)state;
	for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++)
		assert_fault(str_of(bytes[i]), SIZE_MAX, WHEEL_NO_ARCHIVE);
}

static void any_zip_archive_will_do_a_record_is_not_needed(void **state)
{
	struct wheel_entries m = { 0 };

	(void)state;
	assert_int_equal(wheel_read(arena, changed("/RECORD", "/NOTHING"), SIZE_MAX, &m), WHEEL_NO_ARCHIVE); /* lengths are wrong */
	assert_int_equal(wheel_read(arena, changed("/RECORD", "/RECALL"), SIZE_MAX, &m), WHEEL_GOOD);
	assert_int_equal(m.n, 3);
}

static void a_changed_module_is_damaged(void **state)
{
	(void)state;
	assert_fault(changed("y = 22", "y = 23"), SIZE_MAX, WHEEL_DAMAGED);
}

static void damage_is_no_matter_to_a_list_of_names(void **state)
{
	struct wheel_entries m = { 0 };

	(void)state;
	assert_int_equal(wheel_read(arena, changed("y = 22", "y = 23"), 0, &m), WHEEL_GOOD);
	assert_int_equal(m.n, 3);
	assert_int_equal(m.p[2].size, 7);
	assert_null(m.p[2].text.p);
}

static void an_encrypted_module_cannot_be_read(void **state)
{
	struct str bytes = flipped(6, 8, 1);

	(void)state;
	assert_fault(bytes, SIZE_MAX, WHEEL_DAMAGED);
	assert_fault(bytes, 0, WHEEL_GOOD);
}

static void an_unknown_way_to_compress_cannot_be_read(void **state)
{
	(void)state;
	assert_fault(flipped(8, 10, 98), SIZE_MAX, WHEEL_DAMAGED);
}

/* The highest byte of the sizes: each module claims a gigabyte and more. */
static void a_size_that_is_a_lie_costs_no_memory(void **state)
{
	struct str bytes = flipped(25, 27, 0x40);
	size_t before = arena->total;

	(void)state;
	assert_fault(bytes, SIZE_MAX, WHEEL_DAMAGED);
	assert_true(arena->total - before < 1 << 20);
}

static void all_modules_together_are_bounded(void **state)
{
	struct str bytes = wheel_bytes();

	(void)state;
	assert_fault(bytes, strlen("# Modules of one pipeline, packed by lhp\nx = 1\ny = 22\n"), WHEEL_GOOD);
	assert_fault(bytes, strlen("# Modules of one pipeline, packed by lhp\nx = 1\ny = 22\n") - 1, WHEEL_TOO_BIG);
}

static void of_two_modules_with_one_path_the_later_comes_last(void **state)
{
	struct wheel_entries m = { 0 };

	(void)state;
	assert_int_equal(wheel_read(arena, changed("a/two.py", "a/one.py"), SIZE_MAX, &m), WHEEL_GOOD);
	assert_int_equal(m.n, 3);
	assert_true(str_is(m.p[1].text, "x = 1\n") && str_is(m.p[1].path, "a/one.py"));
	assert_true(str_is(m.p[2].text, "y = 22\n") && str_is(m.p[2].path, "a/one.py"));
}

/* Names of eight bytes, in place of a/one.py. */
static void names_that_are_not_utf8_are_of_code_page_437(void **state)
{
	static const struct {
		const char *name, *path;
	} row[] = {
		{ "z/\x1B[m.py", "z/\xE2\x86\x90[m.py" },
		{ "z/\xE4\xF6\xFC.py", "z/\xCE\xA3\xC3\xB7\xE2\x81\xBF.py" },
		{ "z/\xC3\xA4" "b.py", "z/\xC3\xA4" "b.py" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct wheel_entries m = { 0 };

		assert_int_equal(wheel_read(arena, changed("a/one.py", row[i].name), 0, &m), WHEEL_GOOD);
		assert_string_equal(str_cstr(arena, m.p[m.n - 1].path), row[i].path);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ARENA_TEST(bytes_that_are_no_archive_are_refused),
		ARENA_TEST(any_zip_archive_will_do_a_record_is_not_needed),
		ARENA_TEST(a_changed_module_is_damaged),
		ARENA_TEST(damage_is_no_matter_to_a_list_of_names),
		ARENA_TEST(an_encrypted_module_cannot_be_read),
		ARENA_TEST(an_unknown_way_to_compress_cannot_be_read),
		ARENA_TEST(a_size_that_is_a_lie_costs_no_memory),
		ARENA_TEST(all_modules_together_are_bounded),
		ARENA_TEST(of_two_modules_with_one_path_the_later_comes_last),
		ARENA_TEST(names_that_are_not_utf8_are_of_code_page_437),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
