#include "check/streaming.h"

void views_init(struct views *v, struct arena *a, const struct facts *const *fg, size_t n)
{
	*v = (struct views){ .fg = fg, .n = n };
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < fg[i]->n_view; k++) {
			void **slot = map_slot(&v->first, a, fg[i]->view[k].view);
			struct view_place *place;

			if (*slot != NULL)
				continue;
			place = ARENA_NEW(a, struct view_place);
			*place = (struct view_place){ fg[i], &fg[i]->view[k] };
			*slot = place;
		}
}

static struct view_place place_find(const struct views *v, const struct facts *home, struct str view)
{
	const struct view_place *place;

	for (size_t i = 0; i < home->n_view; i++)
		if (str_eq(home->view[i].view, view))
			return (struct view_place){ home, &home->view[i] };
	place = map_get(&v->first, view);
	return place != NULL ? *place : (struct view_place){ NULL, NULL };
}

static bool chain_has(const struct chain *c, const struct view_made *view)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->p[i].view == view)
			return true;
	return false;
}

enum { CHAIN_MAX = 1000 };

void chain_of(const struct views *v, struct arena *a, const struct facts *home, struct str view, struct chain *out)
{
	struct view_place place = place_find(v, home, view);

	if (place.view != NULL)
		*VEC_PUSH(out, a) = place;
	for (size_t i = 0; i < out->n && out->n < CHAIN_MAX; i++) {
		struct view_place link = out->p[i];

		for (size_t k = 0; k < link.view->n_source; k++) {
			place = place_find(v, link.fg, link.view->source[k]);
			if (place.view != NULL && !chain_has(out, place.view))
				*VEC_PUSH(out, a) = place;
		}
	}
}

const struct view_place *chain_streaming(const struct chain *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->p[i].view->streaming)
			return &c->p[i];
	return NULL;
}

const struct view_place *chain_unstable(const struct chain *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->p[i].view->unstable_metadata)
			return &c->p[i];
	return NULL;
}
