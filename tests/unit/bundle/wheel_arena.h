/* wheel_arena.h - set-up of the wheel tests: `arena` is there for the time of one test. */
#ifndef TESTS_BUNDLE_WHEEL_ARENA_H
#define TESTS_BUNDLE_WHEEL_ARENA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bundle/wheel.h"

static struct arena *arena;

static int arena_open(void **state)
{
	(void)state;
	arena = calloc(1, sizeof *arena);
	return arena == NULL ? -1 : 0;
}

static int arena_close(void **state)
{
	(void)state;
	arena_release(arena);
	free(arena);
	return 0;
}

#define ARENA_TEST(name) cmocka_unit_test_setup_teardown(name, arena_open, arena_close)

#endif
