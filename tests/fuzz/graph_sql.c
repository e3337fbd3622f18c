#include "graph/sql.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };
	struct sql_reads reads;
	struct str text = { (const char *)data, size };
	struct sql_streams streams;
	sql_streams(&a, text, &streams);
	sql_reads(&a, text, &reads);
	for (size_t i = 0; i < reads.n; i++)
		if (reads.p[i].at > reads.p[i].end || reads.p[i].end > size || reads.p[i].line == 0)
			__builtin_trap();
	arena_release(&a);
	return 0;
}
