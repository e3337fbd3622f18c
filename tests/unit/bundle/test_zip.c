#include "unit/bundle/wheel_arena.h"

#include <zlib.h>

/* An archive of one entry, a.py. */
static struct str archive_of(struct str text)
{
	struct zip_out z = { 0 };

	assert_int_equal(zip_add(&z, STR("a.py"), text), 0);
	return zip_end(&z, arena);
}

static struct str joined(struct str x, struct str y, struct str z)
{
	return str_cat(arena, str_cat(arena, x, y), z);
}

/* Writes a number of four bytes into both headers of the only entry, at `at` behind the mark of the first. */
static void header_put(struct str archive, size_t at, uint32_t v)
{
	size_t central = (size_t)str_find(archive, STR("PK\1\2"), 0) + at + 2;
	char *p = (char *)(uintptr_t)archive.p;

	for (size_t i = 0; i < 4; i++)
		p[at + i] = p[central + i] = (char)(v >> 8 * i);
}

/* The same with its text deflated, of which the last `cut` bytes are left out. */
static struct str deflated_of(struct str text, size_t cut)
{
	struct buf b = { 0 };
	z_stream s = { .next_in = (Bytef *)(uintptr_t)text.p, .avail_in = (uInt)text.n };
	struct str out;

	assert_int_equal(deflateInit2(&s, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
	s.avail_out = (uInt)deflateBound(&s, text.n);
	s.next_out = (Bytef *)buf_grow(&b, s.avail_out);
	assert_int_equal(deflate(&s, Z_FINISH), Z_STREAM_END);
	b.n = s.total_out - cut;
	deflateEnd(&s);
	out = archive_of(buf_str(&b));
	buf_release(&b);
	header_put(out, 8, 8); /* method; the time above it becomes 0, as it was */
	header_put(out, 14, (uint32_t)crc32_z(0, (const Bytef *)text.p, text.n));
	header_put(out, 22, (uint32_t)text.n);
	return out;
}

static enum zip_fault text_of(struct str archive, size_t most, struct buf *b)
{
	struct zip_entry e;
	struct zip z;

	assert_int_equal(zip_open(&z, archive), ZIP_GOOD);
	assert_true(zip_next(&z, &e));
	return zip_text(&z, &e, most, b);
}

static void assert_fault(struct str archive, size_t most, enum zip_fault want)
{
	struct buf b = { 0 };

	assert_int_equal(text_of(archive, most, &b), want);
	buf_release(&b);
}

static void assert_no_archive(struct str bytes)
{
	struct zip z;

	assert_int_equal(zip_open(&z, bytes), ZIP_NO_ARCHIVE);
}

/* As libzip writes it. */
static void an_archive_is_these_bytes(void **state)
{
	struct str want = STR("PK\3\4" "\x0A\0" "\0\0" "\0\0" "\0\0" "\x21\0" "\x3B\x89\xF6\x8B" "\6\0\0\0" "\6\0\0\0" "\4\0" "\0\0" "a.py" "x = 1\n"
	                      "PK\1\2" "\x3F\3" "\x0A\0" "\0\0" "\0\0" "\0\0" "\x21\0" "\x3B\x89\xF6\x8B" "\6\0\0\0" "\6\0\0\0" "\4\0" "\0\0"
	                      "\0\0" "\0\0" "\0\0" "\0\0\xA4\1" "\0\0\0\0" "a.py"
	                      "PK\5\6" "\0\0" "\0\0" "\1\0" "\1\0" "\x32\0\0\0" "\x28\0\0\0" "\0\0");

	(void)state;
	assert_true(str_eq(archive_of(STR("x = 1\n")), want));
}

static void a_deflated_text_is_read(void **state)
{
	struct buf b = { 0 };

	(void)state;
	assert_int_equal(text_of(deflated_of(STR("x = 1\ny = 1\nz = 1\n"), 0), 18, &b), ZIP_GOOD);
	assert_true(str_is(buf_str(&b), "x = 1\ny = 1\nz = 1\n"));
	buf_release(&b);
}

static void a_deflated_text_that_ends_early_is_damaged(void **state)
{
	(void)state;
	assert_fault(deflated_of(STR("x = 1\ny = 1\nz = 1\n"), 1), SIZE_MAX, ZIP_DAMAGED);
	assert_fault(deflated_of(STR("x = 1\n"), 0), 5, ZIP_TOO_BIG);
}

static void a_bomb_is_unpacked_no_further_than_allowed(void **state)
{
	struct buf zeros = { 0 }, b = { 0 };

	(void)state;
	buf_add_repeat(&zeros, '\0', 16 << 20);
	assert_int_equal(text_of(deflated_of(buf_str(&zeros), 0), 1000, &b), ZIP_TOO_BIG);
	assert_true(b.cap <= 1 << 18);
	buf_release(&b);
	buf_release(&zeros);
}

static void a_text_of_another_size_or_checksum_is_damaged(void **state)
{
	static const size_t field[] = { 14, 22 };

	(void)state;
	for (size_t i = 0; i < sizeof field / sizeof *field; i++) {
		struct str stored = archive_of(STR("x = 1\n")), deflated = deflated_of(STR("x = 1\n"), 0);

		header_put(stored, field[i], 7);
		header_put(deflated, field[i], 7);
		assert_fault(stored, SIZE_MAX, ZIP_DAMAGED);
		assert_fault(deflated, SIZE_MAX, ZIP_DAMAGED);
	}
}

static void bytes_outside_of_the_archive_are_not_read(void **state)
{
	static const uint32_t size[] = { 1000, 0x7FFFFFFF, 0xFFFFFFFE };

	(void)state;
	for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
		struct str a = archive_of(STR("x = 1\n"));

		header_put(a, 18, size[i]);
		assert_fault(a, SIZE_MAX, ZIP_DAMAGED);
	}
}

/* A size that says it is elsewhere, where nothing is. */
static void a_wide_size_must_be_there(void **state)
{
	struct str a = archive_of(STR("x = 1\n"));

	(void)state;
	header_put(a, 18, UINT32_MAX);
	assert_no_archive(a);
}

static void a_wide_end_that_is_not_there_is_no_archive(void **state)
{
	struct str a = archive_of(STR("x = 1\n"));
	size_t end = (size_t)str_find(a, STR("PK\5\6"), 0);

	(void)state;
	assert_no_archive(joined(str_sub(a, 0, end), STR("PK\6\7\0\0\0\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\1\0\0\0"), str_skip(a, end)));
}

static void a_comment_may_follow_and_must_be_whole(void **state)
{
	struct str a = archive_of(STR("x = 1\n")), end = str_sub(a, 0, a.n - 2);
	struct zip z;

	(void)state;
	assert_int_equal(zip_open(&z, joined(end, STR("\5\0"), STR("hello"))), ZIP_GOOD);
	assert_no_archive(joined(end, STR("\6\0"), STR("hello")));
}

static void an_archive_in_an_archive_is_not_taken_for_it(void **state)
{
	struct zip_out none = { 0 };
	struct zip_entry e;
	struct zip z;

	(void)state;
	assert_int_equal(zip_open(&z, archive_of(zip_end(&none, arena))), ZIP_GOOD);
	assert_true(zip_next(&z, &e));
	assert_true(str_is(e.name, "a.py"));
	assert_false(zip_next(&z, &e));
}

/* The numbers of the end, in bytes behind its mark. */
static void a_directory_holds_its_entries_and_nothing_else(void **state)
{
	enum { DISK = 4, HERE = 8, ENTRIES = 10, SIZE = 12, AT = 16 };
	static const struct {
		size_t at[2];
		int by;
	} row[] = { { { DISK }, 1 }, { { HERE }, 1 }, { { ENTRIES }, 1 }, { { HERE, ENTRIES }, 1 }, { { SIZE }, 1 }, { { SIZE }, -1 }, { { AT }, 1 } };

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct str a = archive_of(STR("x = 1\n"));
		char *end = (char *)(uintptr_t)a.p + str_find(a, STR("PK\5\6"), 0);

		for (size_t k = 0; k < 2 && row[i].at[k] != 0; k++)
			end[row[i].at[k]] = (char)(end[row[i].at[k]] + row[i].by);
		assert_no_archive(a);
	}
}

static void nothing_stands_behind_the_entries_of_a_directory(void **state)
{
	struct str a = archive_of(STR("x = 1\n"));
	size_t end = (size_t)str_find(a, STR("PK\5\6"), 0);
	struct zip z;

	(void)state;
	a = joined(str_sub(a, 0, end), STR("?"), str_skip(a, end));
	assert_int_equal(zip_open(&z, a), ZIP_GOOD);
	((char *)(uintptr_t)a.p)[end + 1 + 12]++;
	assert_no_archive(a);
}

/* The name of the entry becomes an extra field that is longer than there is. */
static void an_extra_field_must_be_whole(void **state)
{
	struct str a = archive_of(STR("x = 1\n"));

	(void)state;
	header_put(a, 26, 4 << 16);
	assert_no_archive(a);
}

static void an_entry_begins_with_its_mark(void **state)
{
	(void)state;
	assert_fault(str_replace(arena, archive_of(STR("x = 1\n")), STR("PK\3\4"), STR("PK\3\5")), SIZE_MAX, ZIP_DAMAGED);
}

static void nothing_is_nothing_however_it_is_packed(void **state)
{
	struct str a = archive_of(STR(""));

	(void)state;
	header_put(a, 8, 8);
	assert_fault(a, SIZE_MAX, ZIP_GOOD);
}

static void a_name_is_utf8_and_not_too_long(void **state)
{
	struct zip_out z = { 0 };
	struct buf name = { 0 };

	(void)state;
	buf_add_repeat(&name, 'a', UINT16_MAX);
	assert_int_equal(zip_add(&z, buf_str(&name), STR("")), 0);
	buf_addc(&name, 'a');
	assert_int_equal(zip_add(&z, buf_str(&name), STR("")), -1);
	assert_int_equal(zip_add(&z, STR("\xE4.py"), STR("")), -1);
	assert_non_null(zip_end(&z, arena).p);
	buf_release(&name);
}

static void a_name_said_to_be_utf8_is_believed_only_if_it_is(void **state)
{
	struct zip_out z = { 0 };
	struct str a;

	(void)state;
	assert_int_equal(zip_add(&z, STR("\xC3\xA4.py"), STR("")), 0);
	a = zip_end(&z, arena);
	assert_no_archive(str_replace(arena, a, STR("\xC3\xA4.py"), STR("\xC3\x41.py")));
}

static void more_entries_than_can_be_counted_are_refused(void **state)
{
	(void)state;
	for (size_t n = UINT16_MAX; n <= UINT16_MAX + 1; n++) {
		struct zip_out out = { 0 };
		struct zip z;
		struct str a;

		for (size_t i = 0; i < n; i++)
			assert_int_equal(zip_add(&out, STR("a"), STR("")), 0);
		a = zip_end(&out, arena);
		assert_int_equal(a.p != NULL, n == UINT16_MAX);
		assert_int_equal(zip_open(&z, a), n == UINT16_MAX ? ZIP_GOOD : ZIP_NO_ARCHIVE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ARENA_TEST(an_archive_is_these_bytes),
		ARENA_TEST(a_deflated_text_is_read),
		ARENA_TEST(a_deflated_text_that_ends_early_is_damaged),
		ARENA_TEST(a_bomb_is_unpacked_no_further_than_allowed),
		ARENA_TEST(a_text_of_another_size_or_checksum_is_damaged),
		ARENA_TEST(bytes_outside_of_the_archive_are_not_read),
		ARENA_TEST(a_wide_size_must_be_there),
		ARENA_TEST(a_wide_end_that_is_not_there_is_no_archive),
		ARENA_TEST(a_comment_may_follow_and_must_be_whole),
		ARENA_TEST(an_archive_in_an_archive_is_not_taken_for_it),
		ARENA_TEST(a_directory_holds_its_entries_and_nothing_else),
		ARENA_TEST(nothing_stands_behind_the_entries_of_a_directory),
		ARENA_TEST(an_extra_field_must_be_whole),
		ARENA_TEST(an_entry_begins_with_its_mark),
		ARENA_TEST(nothing_is_nothing_however_it_is_packed),
		ARENA_TEST(a_name_is_utf8_and_not_too_long),
		ARENA_TEST(a_name_said_to_be_utf8_is_believed_only_if_it_is),
		ARENA_TEST(more_entries_than_can_be_counted_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
