/* Any bytes may come as users' Python: parse, and ask everything that can be asked. */
#include "python/pysrc.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct str text = { (const char *)bytes, n };
	struct py_source *s = py_parse(text, NULL);
	struct arena a = { 0 };
	struct py_import *import;
	struct py_function f;
	struct str *name;
	size_t count;

	if (s != NULL) {
		py_imports(s, &a, &import, &count);
		py_find_function(s, &a, STR("f"), &f);
	}
	py_names_read(text, &a, &name, &count);
	py_free(s);
	arena_release(&a);
	return 0;
}
