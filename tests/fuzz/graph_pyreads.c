#include "graph/pyreads.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };
	struct py_reads reads;
	py_reads(&a, (struct str){ (const char *)data, size }, "f.py", NULL, NULL, &reads);
	for (size_t i = 0; i < reads.site.n; i++)
		if (reads.site.p[i].at > reads.site.p[i].end || reads.site.p[i].end > size)
			__builtin_trap();
	arena_release(&a);
	return 0;
}
