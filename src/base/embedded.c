#include "base/embedded.h"

struct str embedded_find(const struct embedded *table, const char *path)
{
	while (table->path.n != 0 && !str_is(table->path, path))
		table++;
	return table->bytes;
}
