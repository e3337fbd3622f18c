#include "yaml/node.h"

#include <math.h>
#include <stdio.h>

/* An integer equals a float only when the float is that integer exactly. */
static bool int_equals_float(const struct node *i, const struct node *f)
{
	char digits[400]; /* the largest double has 309 */
	int n;

	if (!isfinite(f->number) || f->number != trunc(f->number))
		return false;
	n = snprintf(digits, sizeof digits, "%.0f", f->number);
	return str_eq(i->text, f->number == 0 ? STR("0") : (struct str){ digits, (size_t)n });
}

static bool numbers_equal(const struct node *a, const struct node *b)
{
	if (a->kind == NODE_INT && b->kind == NODE_INT)
		return str_eq(a->text, b->text);
	if (a->kind == NODE_FLOAT && b->kind == NODE_FLOAT)
		return a->number == b->number;
	return a->kind == NODE_INT ? int_equals_float(a, b) : int_equals_float(b, a);
}

static bool lists_equal(const struct node *a, const struct node *b)
{
	if (a->list.n != b->list.n)
		return false;
	for (size_t i = 0; i < a->list.n; i++)
		if (!node_equal(a->list.item[i], b->list.item[i]))
			return false;
	return true;
}

/* Python's dictionaries: the order does not count. */
static bool maps_equal(const struct node *a, const struct node *b)
{
	if (a->map.n != b->map.n)
		return false;
	for (size_t i = 0; i < a->map.n; i++) {
		const struct node_pair *p = &a->map.pair[i], *q = NULL;

		if (node_equal(p->key, b->map.pair[i].key)) /* nearly always */
			q = &b->map.pair[i];
		for (size_t j = 0; q == NULL && j < b->map.n; j++)
			if (node_equal(p->key, b->map.pair[j].key))
				q = &b->map.pair[j];
		if (q == NULL || !node_equal(p->value, q->value))
			return false;
	}
	return true;
}

bool node_equal(const struct node *a, const struct node *b)
{
	if (a == b && !node_is(a, NODE_FLOAT))
		return true;
	if (node_is_number(a) && node_is_number(b))
		return numbers_equal(a, b);
	if (a == NULL || b == NULL || a->kind != b->kind)
		return false;
	switch (a->kind) {
	case NODE_NULL: return true;
	case NODE_LIST: return lists_equal(a, b);
	case NODE_MAP: return maps_equal(a, b);
	default: return str_eq(a->text, b->text);
	}
}

static void hash_mark(struct hasher *h, struct mark at)
{
	hasher_str(h, str_of(at.file));
	hasher_u64(h, (uint64_t)at.line << 32 | at.col);
}

static void hash_place(struct hasher *h, const struct node *n)
{
	hash_mark(h, n->at);
	for (const struct origin *o = n->via; o != NULL; o = o->next) {
		hasher_str(h, str_of(o->what));
		hasher_str(h, o->name);
		hash_mark(h, o->at);
	}
	hasher_u64(h, UINT64_MAX); /* ends the chain: no mark begins so */
}

/* What of a node its hash is of. */
struct hash_of {
	bool placed;
	unsigned unordered; /* levels of maps, from the top, in which the order of keys does not count */
};

static void hash_add(struct hasher *h, const struct node *n, struct hash_of of);

static struct hash128 pair_hash(const struct node_pair *p, struct hash_of of)
{
	struct hasher h;

	hasher_init(&h);
	hash_add(&h, p->key, of);
	hash_add(&h, p->value, of);
	return hasher_finish(&h);
}

/* The sum of the hashes of the pairs: any order gives the same. */
static void pairs_add(struct hasher *h, const struct node *n, struct hash_of of)
{
	uint64_t sum[2] = { 0 };

	for (size_t i = 0; i < n->map.n; i++) {
		struct hash128 one = pair_hash(&n->map.pair[i], of);
		uint64_t part[2];

		memcpy(part, one.b, sizeof part);
		sum[0] += part[0];
		sum[1] += part[1];
	}
	hasher_u64(h, sum[0]);
	hasher_u64(h, sum[1]);
}

static void hash_add(struct hasher *h, const struct node *n, struct hash_of of)
{
	hasher_u64(h, (uint64_t)n->kind << 32 | node_len(n));
	if (of.placed)
		hash_place(h, n);
	if (n->kind == NODE_LIST) {
		for (size_t i = 0; i < n->list.n; i++)
			hash_add(h, n->list.item[i], of);
	} else if (n->kind == NODE_MAP && of.unordered > 0) {
		of.unordered--;
		pairs_add(h, n, of);
	} else if (n->kind == NODE_MAP) {
		for (size_t i = 0; i < n->map.n; i++) {
			hash_add(h, n->map.pair[i].key, of);
			hash_add(h, n->map.pair[i].value, of);
		}
	} else {
		hasher_str(h, n->text);
	}
}

static struct hash128 hash_make(const struct node *n, struct hash_of of)
{
	struct hasher h;

	if (n == NULL)
		return HASH_NONE;
	hasher_init(&h);
	hash_add(&h, n, of);
	return hasher_finish(&h);
}

struct hash128 node_hash(const struct node *n)
{
	return hash_make(n, (struct hash_of){ 0 });
}

struct hash128 node_hash_placed(const struct node *n)
{
	return hash_make(n, (struct hash_of){ .placed = true });
}

struct hash128 node_hash_unordered(const struct node *n, unsigned levels)
{
	return hash_make(n, (struct hash_of){ .unordered = levels });
}
