/*
 * Any bytes are read without harm, and what was read can be written, hashed and
 * spelled; a document written and read again is the same one.
 */
#include "yaml/reader.h"
#include "yaml/writer.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void document_check(struct arena *a, const struct node *doc)
{
	struct buf dump = { 0 };
	struct yaml_file again;

	yaml_dump(&dump, doc);
	node_hash(doc);
	node_hash_placed(doc);
	node_repr(a, doc);
	/* Depth, keys past the 1024 characters of a simple key: what cannot be read again is no harm. */
	if (yaml_read(a, "again.yaml", buf_str(&dump), &again) == YAML_GOOD && again.n_doc == 1) {
		struct hash128 before = node_hash(doc), after = node_hash(again.doc[0]);

		if (!hash_eq(before, after))
			abort();
	}
	buf_release(&dump);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct arena a = { 0 };
	struct yaml_file f;

	yaml_read(&a, "in.yaml", (struct str){ (const char *)bytes, n }, &f);
	for (size_t i = 0; i < f.n_doc; i++)
		document_check(&a, f.doc[i]);
	arena_release(&a);
	return 0;
}
