/* A text and the files it imports, one form feed between; "m0" is the first, so imports may go round in circles. */
#include "graph/pyreads.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool part_open(void *ctx, const char *from, struct str module, unsigned level, struct str *text, const char **file)
{
	static const char *const names[] = { "m0", "m1", "m2", "m3" };
	struct str rest = *(struct str *)ctx;
	(void)from, (void)level;
	for (size_t i = 0; i < sizeof names / sizeof *names && str_cut(&rest, '\f', text); i++)
		if (str_is(module, names[i])) {
			*file = names[i];
			return true;
		}
	return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };
	struct py_reads reads;
	struct str all = { (const char *)data, size }, rest = all, text = { 0 };
	struct py_opener opener = { &all, part_open };
	str_cut(&rest, '\f', &text);
	py_reads(&a, text, "m0", NULL, &opener, &reads);
	for (size_t i = 0; i < reads.site.n; i++)
		if (reads.site.p[i].at > reads.site.p[i].end || reads.site.p[i].end > text.n)
			__builtin_trap();
	arena_release(&a);
	return 0;
}
