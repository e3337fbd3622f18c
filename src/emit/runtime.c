#include "emit/runtime.h"
#include "project/version.h"

struct str runtime_text(struct arena *a, const char *path)
{
	return str_replace(a, embedded_find(runtime_files, path), STR("@VERSION@"), STR(LHP_LEVEL));
}
