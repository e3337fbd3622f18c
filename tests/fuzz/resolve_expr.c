/*
 * resolve_expr.c - the template language over any text, with a fixed map of parameters.
 *
 * The first byte says whether undefined names are errors. Rendering ends, within
 * its bounds, in a text or in an error that names a place inside of the template.
 */
#include "resolve/expr.h"
#include "yaml/reader.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char parameters[] =
    "{n: 5, m: -3, f: 2.5, t: true, nn: null, s: Gas Meter, u: \"Stra\\xDFe\", xs: [id, name], ns: [3, 1, 2],"
    " conf: {site: north, depth: 2, items: 4}, rows: [{a: 1, b: x}, {a: 2, b: Y}], d: 2024-02-29,"
    " big: 99999999999999999999, 1: one}";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };
	struct yaml_file file = { 0 };
	struct expr_error error;
	struct str text, out;

	if (size == 0)
		return 0;
	if (yaml_read(&a, "p", (struct str){ parameters, sizeof parameters - 1 }, &file) != YAML_GOOD)
		abort();
	text = (struct str){ (const char *)data + 1, size - 1 };
	if (expr_render(&a, text, file.doc[0], data[0] & 1, &out, &error) == 0) {
		if (out.n > EXPR_MAX_OUTPUT || error.fault != EXPR_GOOD)
			abort();
	} else if (error.fault == EXPR_GOOD || error.line == 0 || error.col == 0 || error.problem.n == 0) {
		abort();
	}
	arena_release(&a);
	return 0;
}
