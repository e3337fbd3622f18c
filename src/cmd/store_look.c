#include "cmd/store_look.h"

#include "build/build_id.h"

#include <errno.h>

struct str store_dir(struct call *c)
{
	return str_fmt(c->arena, "%.*s/.lhp/cache", STR_ARG(c->fs.root));
}

struct store *store_look(struct call *c, struct str *why)
{
	struct store *s;
	int rc = store_open_copy(&s, store_dir(c), build_id(c->arena));

	if (rc == 0)
		return s;
	if (rc == -ENOENT)
		*why = STR("There is no store yet: the first `lhp generate` or `lhp validate` makes it");
	else if (rc == -EILSEQ)
		*why = STR("The store is of another version of lhp");
	else if (rc == -EBADMSG)
		*why = STR("The store is damaged, or being written at this moment");
	else
		*why = str_fmt(c->arena, "The store cannot be read: %s", strerror(-rc));
	return NULL;
}
