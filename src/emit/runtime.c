#include "emit/runtime.h"
#include "project/version.h"

struct str runtime_text(struct arena *a, const char *path)
{
	const struct embedded *e = runtime_files;

	while (e->path.n != 0 && !str_is(e->path, path))
		e++;
	return str_replace(a, e->bytes, STR("@VERSION@"), STR(LHP_LEVEL));
}
