/* Wrapping, cutting and cleaning of any text end, and never make it wider. */
#include "base/arena.h"
#include "ui/text.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };
	struct str text = { (const char *)data, size }, rest = text, line;
	size_t width = size != 0 ? data[0] % 40 + 13 : 20, total = 0;

	while (text_wrap(&rest, width, &line)) {
		total += line.n;
		if (text_width(line) > width)
			abort();
	}
	if (total > size || text_width(text_cut(&a, text, width)) > width)
		abort();
	text_flat(&a, text);
	text_safe(&a, text);
	arena_release(&a);
	return 0;
}
