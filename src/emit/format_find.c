/* Where the formatter is. */
#include "emit/format.h"

#include "base/path.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

const char FORMATTER_PINNED[] = "0.13.3";
const char FORMATTER_INSTALL[] = "pip install ruff==0.13.3";

/* Below a folder of the checkout, or beside an installed program. */
static const char *const TOOL[] = { ".tools/venv/bin/ruff", ".tools/bin/ruff", ".tools/ruff" };

static bool is_program(struct arena *a, struct str path)
{
	return access(str_cstr(a, path), X_OK) == 0;
}

static bool find_in_path(struct arena *a, struct str *program)
{
	struct str rest = str_of(getenv("PATH")), dir;

	while (str_cut(&rest, ':', &dir)) {
		struct str path = path_join(a, dir, STR("ruff"));
		if (!path_is_absolute(path) || !is_program(a, path))
			continue;
		*program = path;
		return true;
	}
	return false;
}

/* In the folder of this program, or in one above it. */
static bool find_in_tools(struct arena *a, struct str *program)
{
	char self[4096];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self));
	struct str dir = { self, n > 0 ? (size_t)n : 0 };

	while (dir.n > 0) {
		dir = path_parent(dir);
		for (size_t i = 0; i < sizeof(TOOL) / sizeof(TOOL[0]); i++) {
			struct str path = path_join(a, dir, str_of(TOOL[i]));
			if (!path_is_absolute(path) || !is_program(a, path))
				continue;
			*program = path;
			return true;
		}
	}
	return false;
}

int formatter_find(struct formatter *f, struct arena *a)
{
	struct str named = str_of(getenv("LHP_RUFF"));

	*f = (struct formatter){ .program = STR("") };
	if (named.n > 0) {
		if (!is_program(a, named))
			return -ENOENT;
		f->program = str_dup(a, named);
		return 0;
	}
	return find_in_path(a, &f->program) || find_in_tools(a, &f->program) ? 0 : -ENOENT;
}
