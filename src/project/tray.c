#include "project/tray.h"
#include "project/project.h"

struct tray *tray_for(struct tray **list, struct arena *a, size_t size)
{
	struct tray *t = *list;

	if (t == NULL || (t->filled != 0 && t->filled + size > TRAY_FILL)) {
		t = ARENA_NEW(a, struct tray);
		t->next = *list;
		*list = t;
	}
	t->filled += size;
	return t;
}

void tray_drop(struct tray *t)
{
	if (atomic_fetch_sub(&t->held, 1) == 1)
		arena_release(&t->arena);
}

void trays_keep(struct project *p, struct tray *list)
{
	while (list != NULL) {
		struct tray *next = list->next;

		if (list->held == 0)
			arena_release(&list->arena);
		list->next = p->trays;
		p->trays = list;
		list = next;
	}
}

void trays_release(struct project *p)
{
	for (struct tray *t = p->trays; t != NULL; t = t->next)
		arena_release(&t->arena);
	p->trays = NULL;
}
