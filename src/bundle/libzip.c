#include "bundle/libzip.h"

#include <dlfcn.h>
#include <pthread.h>

const char LIBZIP_INSTALL[] = "Install the library libzip; on Debian: apt-get install " LHP_LIBZIP_PACKAGE;

static struct libzip functions;
static struct buf problem;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void)
{
	void *library = dlopen(LHP_LIBZIP, RTLD_NOW | RTLD_LOCAL);
	bool whole = library != NULL;

#define FIND(function) whole = whole && (functions.function = (__typeof__(function) *)dlsym(library, #function)) != NULL;
	LIBZIP_FUNCTIONS(FIND)
#undef FIND
	if (!whole)
		buf_adds(&problem, dlerror());
}

const struct libzip *libzip(void)
{
	pthread_once(&once, load);
	return problem.n == 0 ? &functions : NULL;
}

struct str libzip_problem(void)
{
	return buf_str(&problem);
}
