#include "bundle/runtime.h"

struct str runtime_file(const char *path)
{
	const struct embedded *e = runtime_files;

	while (e->path.n != 0 && !str_is(e->path, path))
		e++;
	return e->bytes;
}
