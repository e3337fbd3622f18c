#include "python/memory.h"

#include "base/map.h"
#include "python/pysrc.h"

#include <pthread.h>
#include <stdlib.h>

enum question { PARSES, IS_EXPRESSION, NAMES, QUESTIONS };
enum { TEXTS_MOST = 1024 };

struct answer {
	struct str *name; /* of NAMES */
	size_t n;
};

struct py_memory {
	pthread_mutex_t lock;
	struct arena arena;
	struct map known[QUESTIONS]; /* text -> struct answer */
};

struct py_memory *py_memory_create(void)
{
	struct py_memory *m = xmalloc(sizeof *m);

	*m = (struct py_memory){ 0 };
	pthread_mutex_init(&m->lock, NULL);
	return m;
}

void py_memory_destroy(struct py_memory *m)
{
	if (m == NULL)
		return;
	pthread_mutex_destroy(&m->lock);
	arena_release(&m->arena);
	free(m);
}

static const struct answer *recall(struct py_memory *m, enum question q, struct str text)
{
	const struct answer *known;

	pthread_mutex_lock(&m->lock);
	known = map_get(&m->known[q], text);
	pthread_mutex_unlock(&m->lock);
	return known;
}

static void learn(struct py_memory *m, enum question q, struct str text, struct answer is)
{
	struct answer *own;

	pthread_mutex_lock(&m->lock);
	if (m->known[q].n < TEXTS_MOST && map_find(&m->known[q], text) == NULL) {
		own = ARENA_NEW(&m->arena, struct answer);
		*own = (struct answer){ ARENA_ARRAY(&m->arena, struct str, is.n), is.n };
		for (size_t i = 0; i < is.n; i++)
			own->name[i] = str_dup(&m->arena, is.name[i]);
		map_put(&m->known[q], &m->arena, str_dup(&m->arena, text), own);
	}
	pthread_mutex_unlock(&m->lock);
}

static bool text_parses(struct str text)
{
	struct py_source *s = py_parse_newer(text, NULL);

	py_free(s);
	return s != NULL;
}

static bool is_expression(struct str text)
{
	return py_is_expression(text, NULL);
}

static bool ask(struct py_memory *m, enum question q, struct str text, bool (*find_out)(struct str text))
{
	if (recall(m, q, text) != NULL)
		return true;
	if (!find_out(text))
		return false;
	learn(m, q, text, (struct answer){ 0 });
	return true;
}

bool py_memory_parses(struct py_memory *m, struct str text)
{
	return ask(m, PARSES, text, text_parses);
}

bool py_memory_is_expression(struct py_memory *m, struct str text)
{
	return ask(m, IS_EXPRESSION, text, is_expression);
}

bool py_memory_names(struct py_memory *m, struct arena *a, struct str expression, struct str **name, size_t *n)
{
	const struct answer *known = recall(m, NAMES, expression);

	if (known != NULL) {
		*name = known->name;
		*n = known->n;
		return true;
	}
	if (!py_names_read(expression, a, name, n))
		return false;
	learn(m, NAMES, expression, (struct answer){ *name, *n });
	return true;
}
