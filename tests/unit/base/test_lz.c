/* Packed texts come back, repeat for little, and are refused when they are damaged. */
#include "base/lz.h"
#include "base/arena.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void comes_back(struct str s)
{
	struct buf packed = { 0 }, back = { 0 };

	lz_pack(&packed, s);
	assert_int_equal(lz_unpack(&back, buf_str(&packed)), 0);
	assert_true(str_eq(buf_str(&back), s));
	buf_release(&packed);
	buf_release(&back);
}

static void every_text_comes_back(void **state)
{
	char noise[3000];
	uint32_t seed = 7;

	(void)state;
	for (size_t i = 0; i < sizeof noise; i++) {
		seed = seed * 1664525 + 1013904223;
		noise[i] = (char)(seed >> (i < 1500 ? 24 : 31));
	}
	comes_back(STR(""));
	comes_back(STR("abc"));
	comes_back(STR("aaaaaaaaaaaaaaaaaaaaaaaaaaaa"));
	comes_back(STR("v_orders v_orders_clean v_orders_clean_2 v_orders"));
	for (size_t n = 0; n <= sizeof noise; n += 250)
		comes_back((struct str){ noise, n });
}

static void what_repeats_is_small(void **state)
{
	struct buf text = { 0 }, packed = { 0 };

	(void)state;
	for (int i = 0; i < 100; i++)
		buf_adds(&text, "name: load_orders\n  type: load\n");
	lz_pack(&packed, buf_str(&text));
	assert_true(packed.n < 80);
	buf_release(&text);
	buf_release(&packed);
}

static void damage_is_refused(void **state)
{
	static const struct str bad[] = {
		STR_INIT(""),                                   /* nothing */
		STR_INIT("\x05\x50" "abcd"),                    /* literals are cut */
		STR_INIT("\x03\x40" "abcd"),                    /* more than the length says */
		STR_INIT("\x06\x22" "ab" "\x03\x00"),           /* a match from before the beginning */
		STR_INIT("\x80\x80\x80\x40\x40" "abcd"),         /* of a length that the bytes cannot make */
		STR_INIT("\xFF\xFF\xFF\xFF\xFF\xFF\x7F\x10" "a"), /* longer than can be */
	};
	struct buf back = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_int_equal(lz_unpack(&back, bad[i]), -1);
	assert_int_equal(back.n, 0);
	buf_release(&back);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_text_comes_back),
		cmocka_unit_test(what_repeats_is_small),
		cmocka_unit_test(damage_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
