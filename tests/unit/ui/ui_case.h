/* ui_case.h - what the tests of ui/ share. */
#ifndef TESTS_UI_CASE_H
#define TESTS_UI_CASE_H

#include "ui/pen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The pen's text is exactly `want`; the pen is emptied. */
static inline void assert_written(struct pen *p, const char *want)
{
	buf_addc(&p->buf, '\0');
	assert_string_equal(p->buf.p, want);
	buf_release(&p->buf);
}

#endif
