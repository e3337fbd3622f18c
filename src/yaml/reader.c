#include "yaml/binary.h"
#include "yaml/events.h"
#include "yaml/node_build.h"
#include "yaml/scalar.h"

struct reader {
	struct events events;
	struct tree tree;
	struct map anchor; /* of this document: name -> struct anchor */
	unsigned depth;
	const struct node *bad_value; /* first scalar of this document without a value: 2024-02-31 */
	enum scalar_type bad_type;
};

struct anchor {
	const struct node *node; /* NULL while it is being read */
	struct mark at;
	size_t n_node; /* it and all below it */
};

/* What a node is to the collection around it. */
enum place { PLACE_VALUE, PLACE_KEY };

#define TAG_PREFIX "tag:yaml.org,2002:"

enum tag { TAG_NONE, TAG_SEQ, TAG_OMAP, TAG_PAIRS, TAG_MAP, TAG_SET, TAG_BINARY, TAG_SCALAR };

/* The tags that are known; `shape` is what may carry it, in words. */
static const struct tag_row {
	struct str name; /* behind TAG_PREFIX */
	enum tag tag;
	enum scalar_type type; /* of a TAG_SCALAR */
	const char *shape;
} tags[] = {
	{ STR_INIT("str"), TAG_SCALAR, SCALAR_STR, "a scalar" },
	{ STR_INIT("int"), TAG_SCALAR, SCALAR_INT, "a scalar" },
	{ STR_INIT("float"), TAG_SCALAR, SCALAR_FLOAT, "a scalar" },
	{ STR_INIT("bool"), TAG_SCALAR, SCALAR_BOOL, "a scalar" },
	{ STR_INIT("null"), TAG_SCALAR, SCALAR_NULL, "a scalar" },
	{ STR_INIT("timestamp"), TAG_SCALAR, SCALAR_TIMESTAMP, "a scalar" },
	{ STR_INIT("binary"), TAG_BINARY, SCALAR_STR, "a scalar" },
	{ STR_INIT("seq"), TAG_SEQ, SCALAR_STR, "a list" },
	{ STR_INIT("omap"), TAG_OMAP, SCALAR_STR, "a list" },
	{ STR_INIT("pairs"), TAG_PAIRS, SCALAR_STR, "a list" },
	{ STR_INIT("map"), TAG_MAP, SCALAR_STR, "a mapping" },
	{ STR_INIT("set"), TAG_SET, SCALAR_STR, "a mapping" },
};

#define FAULT(r, at, ...) tree_fault(&(r)->tree, YAML_SYNTAX, at, __VA_ARGS__)

/* For a message: in quotes, in one line, not too long. */
static struct str quoted(struct arena *scratch, struct str s)
{
	struct buf b = { 0 };
	struct str out;

	buf_add_str_repr(&b, str_sub(s, 0, 80));
	if (s.n > 80)
		buf_adds(&b, "...");
	out = buf_take(&b, scratch);
	buf_release(&b);
	return out;
}

/* The row of an explicit tag that `shape` may carry. *row is NULL for no tag and "!". False: faulted. */
static bool tag_read(struct reader *r, const yaml_char_t *tag, struct mark at, const char *shape, const struct tag_row **row)
{
	struct str s = str_of((const char *)tag), name = str_skip(s, sizeof TAG_PREFIX - 1);

	*row = NULL;
	if (s.n == 0 || str_is(s, "!"))
		return true;
	for (size_t i = 0; str_starts(s, STR(TAG_PREFIX)) && i < sizeof tags / sizeof *tags; i++)
		if (str_eq(tags[i].name, name))
			*row = &tags[i];
	if (*row == NULL)
		FAULT(r, at, "found the unknown tag %.*s", STR_ARG(quoted(&r->tree.scratch, s)));
	else if (strcmp((*row)->shape, shape) != 0)
		FAULT(r, at, "the tag '!!%.*s' expects %s, but found %s", STR_ARG(name), (*row)->shape, shape);
	return r->tree.out->fault == YAML_GOOD;
}

/* --- anchors --- */

static struct anchor *anchor_begin(struct reader *r, const yaml_char_t *name, struct mark at)
{
	struct str s = str_of((const char *)name);
	struct anchor *an;

	if (name == NULL)
		return NULL;
	an = map_get(&r->anchor, s);
	if (an != NULL) {
		FAULT(r, at, "the anchor '&%.*s' is used a second time; first on line %u", STR_ARG(s), an->at.line);
		return NULL;
	}
	an = ARENA_NEW(&r->tree.scratch, struct anchor);
	*an = (struct anchor){ NULL, at, r->tree.n_node };
	map_put(&r->anchor, &r->tree.scratch, str_dup(&r->tree.scratch, s), an);
	return an;
}

static void anchor_end(struct reader *r, struct anchor *an, const struct node *n)
{
	if (an == NULL)
		return;
	an->node = n;
	an->n_node = r->tree.n_node - an->n_node;
}

static bool nodes_count(struct reader *r, size_t more, struct mark at)
{
	r->tree.n_node += more;
	if (r->tree.n_node > YAML_MAX_NODES)
		FAULT(r, at, "more than %d values, those behind aliases counted each time", YAML_MAX_NODES);
	return r->tree.n_node <= YAML_MAX_NODES;
}

static const struct node *alias_read(struct reader *r, const yaml_event_t *e)
{
	struct str name = str_of((const char *)e->data.alias.anchor);
	struct mark at = events_mark(&r->events, e->start_mark);
	const struct anchor *an = map_get(&r->anchor, name);

	if (an == NULL)
		FAULT(r, at, "the alias '*%.*s' has no anchor '&%.*s' before it", STR_ARG(name), STR_ARG(name));
	else if (an->node == NULL)
		FAULT(r, at, "the alias '*%.*s' stands inside of what it names", STR_ARG(name));
	else if (nodes_count(r, an->n_node, at))
		return an->node;
	return NULL;
}

/* --- values --- */

static const struct node *node_read(struct reader *r, yaml_event_t *e, enum place place);

/* Type of a scalar by its tag, else by its looks. A tag "!" counts as none, quotes or not. */
static enum scalar_type scalar_type(const yaml_event_t *e, const struct tag_row *row)
{
	if (row != NULL)
		return row->type;
	if (!e->data.scalar.plain_implicit && (e->data.scalar.tag == NULL || e->data.scalar.tag[0] != '!'))
		return SCALAR_STR;
	return scalar_resolve((struct str){ (const char *)e->data.scalar.value, e->data.scalar.length });
}

/* Found only once the whole document is known to be YAML: until its end it waits. */
static void value_fault(struct reader *r, const struct node *n, enum scalar_type type)
{
	if (r->bad_value == NULL) {
		r->bad_value = n;
		r->bad_type = type;
	}
}

static bool bad_value_report(struct reader *r)
{
	static const char *const what[] = {
		[SCALAR_BOOL] = "a boolean",
		[SCALAR_INT] = "an integer",
		[SCALAR_FLOAT] = "a number",
		[SCALAR_TIMESTAMP] = "a date or time",
	};
	struct arena *scratch = &r->tree.scratch;

	if (r->bad_value == NULL)
		return true;
	tree_fault(&r->tree, YAML_BAD_VALUE, r->bad_value->at, "expected %s that exists, but found %.*s", what[r->bad_type],
	           STR_ARG(quoted(scratch, r->bad_value->text)));
	return false;
}

static bool scalar_fill(struct reader *r, struct node *n, const struct tag_row *row, enum scalar_type type, struct str text)
{
	if (row != NULL && row->tag == TAG_BINARY) {
		n->kind = NODE_STR;
		if (binary_text(r->tree.arena, text, &n->text))
			return true;
		FAULT(r, n->at, "the tag '!!binary' expects base64");
		return false;
	}
	if (type == SCALAR_MERGE || type == SCALAR_VALUE) {
		FAULT(r, n->at, "a lone '%.*s' is no value; put it in quotes", STR_ARG(text));
		return false;
	}
	if (!scalar_set(r->tree.arena, n, type, text))
		value_fault(r, n, type);
	return true;
}

static const struct node *scalar_read(struct reader *r, const yaml_event_t *e, enum place place)
{
	struct mark at = events_mark(&r->events, e->start_mark);
	const struct tag_row *row;
	enum scalar_type type;
	struct anchor *an;
	struct node *n;
	struct str text;

	an = anchor_begin(r, e->data.scalar.anchor, at);
	if (!tag_read(r, e->data.scalar.tag, at, "a scalar", &row))
		return NULL;
	type = scalar_type(e, row);
	if (place == PLACE_KEY && type == SCALAR_MERGE)
		return &merge_key;
	if (place == PLACE_KEY && type == SCALAR_VALUE)
		type = SCALAR_STR;
	text = events_literal(&r->events, e);
	if (text.p == NULL)
		text = str_dup(r->tree.arena, (struct str){ (const char *)e->data.scalar.value, e->data.scalar.length });
	n = node_new(r->tree.arena, NODE_STR, at);
	n->quoted = e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
	if (!scalar_fill(r, n, row, type, text))
		return NULL;
	anchor_end(r, an, n);
	return n;
}

/* Reads nodes onto the stack up to the event `end`. */
static bool children_read(struct reader *r, yaml_event_type_t end, bool map)
{
	for (size_t i = 0;; i++) {
		enum place place = map && i % 2 == 0 ? PLACE_KEY : PLACE_VALUE;
		const struct node *n;
		yaml_event_t e;

		if (!events_next(&r->events, &e))
			return false;
		if (e.type == end) {
			yaml_event_delete(&e);
			return true;
		}
		n = node_read(r, &e, place);
		if (n == NULL)
			return false;
		if (place == PLACE_KEY && (n->kind == NODE_LIST || n->kind == NODE_MAP)) {
			FAULT(r, n->at, "found %s as a key; a key is a single value", node_kind_name(n));
			return false;
		}
		*VEC_PUSH(&r->tree.stack, &r->tree.scratch) = n;
	}
}

/* !!omap and !!pairs: a list of mappings of one pair becomes one of [key, value]. */
static bool pairs_unfold(struct reader *r, struct node *list)
{
	for (size_t i = 0; i < list->list.n; i++) {
		const struct node *item = list->list.item[i];
		struct node *pair = node_new(r->tree.arena, NODE_LIST, item->at);

		if (item->kind != NODE_MAP || item->map.n != 1) {
			FAULT(r, item->at, "expected a mapping of one pair, but found %s", node_kind_name(item));
			return false;
		}
		node_push(r->tree.arena, pair, item->map.pair[0].key);
		node_push(r->tree.arena, pair, item->map.pair[0].value);
		list->list.item[i] = pair;
	}
	return true;
}

static const struct node *list_read(struct reader *r, const yaml_event_t *e)
{
	struct mark at = events_mark(&r->events, e->start_mark);
	size_t base = r->tree.stack.n;
	const struct tag_row *row;
	struct anchor *an = anchor_begin(r, e->data.sequence_start.anchor, at);
	struct node *n = node_new(r->tree.arena, NODE_LIST, at);

	if (!tag_read(r, e->data.sequence_start.tag, at, "a list", &row) ||
	    !children_read(r, YAML_SEQUENCE_END_EVENT, false))
		return NULL;
	tree_list(&r->tree, n, base);
	if (row != NULL && row->tag != TAG_SEQ && !pairs_unfold(r, n))
		return NULL;
	anchor_end(r, an, n);
	return n;
}

static const struct node *map_read(struct reader *r, const yaml_event_t *e)
{
	struct mark at = events_mark(&r->events, e->start_mark);
	size_t base = r->tree.stack.n;
	const struct tag_row *row;
	struct anchor *an = anchor_begin(r, e->data.mapping_start.anchor, at);
	struct node *n = node_new(r->tree.arena, NODE_MAP, at);

	if (!tag_read(r, e->data.mapping_start.tag, at, "a mapping", &row) ||
	    !children_read(r, YAML_MAPPING_END_EVENT, true) || !tree_map(&r->tree, n, base))
		return NULL;
	for (size_t i = 0; row != NULL && row->tag == TAG_SET && i < n->map.n; i++)
		n->map.pair[i].value = node_new(r->tree.arena, NODE_NULL, n->map.pair[i].key->at);
	anchor_end(r, an, n);
	return n;
}

static const struct node *collection_read(struct reader *r, const yaml_event_t *e)
{
	const struct node *n;

	if (r->depth == YAML_MAX_DEPTH) {
		FAULT(r, events_mark(&r->events, e->start_mark), "nested deeper than %d levels", YAML_MAX_DEPTH);
		return NULL;
	}
	r->depth++;
	n = e->type == YAML_SEQUENCE_START_EVENT ? list_read(r, e) : map_read(r, e);
	r->depth--;
	return n;
}

/* The value that `e` begins; NULL: faulted. Deletes `e`. */
static const struct node *node_read(struct reader *r, yaml_event_t *e, enum place place)
{
	const struct node *n = NULL;

	if (!nodes_count(r, 1, events_mark(&r->events, e->start_mark)))
		; /* faulted */
	else if (e->type == YAML_ALIAS_EVENT)
		n = alias_read(r, e);
	else if (e->type == YAML_SCALAR_EVENT)
		n = scalar_read(r, e, place);
	else
		n = collection_read(r, e);
	yaml_event_delete(e);
	return r->tree.out->fault == YAML_GOOD ? n : NULL;
}

/* --- documents --- */

static bool document_read(struct reader *r)
{
	const struct node *n;
	yaml_event_t e;

	r->anchor = (struct map){ 0 };
	memset(&r->tree.stack, 0, sizeof r->tree.stack);
	arena_reset(&r->tree.scratch);
	if (!events_next(&r->events, &e))
		return false;
	n = node_read(r, &e, PLACE_VALUE);
	if (n == NULL)
		return false;
	*VEC_PUSH(&r->tree.docs, r->tree.arena) = n;
	return true;
}


static void documents_read(struct reader *r)
{
	r->depth = 0;
	r->bad_value = NULL;
	r->tree.n_node = r->tree.docs.n = r->tree.duplicates.n = 0;
	for (yaml_event_type_t type = YAML_NO_EVENT; type != YAML_STREAM_END_EVENT;) {
		yaml_event_t e;

		if (!events_next(&r->events, &e))
			return;
		type = e.type;
		yaml_event_delete(&e);
		if (type == YAML_DOCUMENT_START_EVENT && !document_read(r))
			return;
		if (type == YAML_DOCUMENT_END_EVENT && !bad_value_report(r))
			return;
	}
}

enum yaml_fault yaml_read(struct arena *a, const char *file, struct str bytes, struct yaml_file *out)
{
	struct reader r = { .tree = { .arena = a, .out = out } };

	*out = (struct yaml_file){ 0 };
	events_open(&r.events, &r.tree, file, bytes);
	if (events_check_encoding(&r.events))
		do
			documents_read(&r);
		while (events_restart(&r.events));
	events_close(&r.events);
	arena_release(&r.tree.scratch);
	if (out->fault != YAML_GOOD)
		return out->fault;
	out->doc = r.tree.docs.p;
	out->n_doc = r.tree.docs.n;
	out->duplicate = r.tree.duplicates.p;
	out->n_duplicate = r.tree.duplicates.n;
	return YAML_GOOD;
}
