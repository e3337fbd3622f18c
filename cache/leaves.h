/*
 * leaves.h - files and folders that results depend on, with the stat and hash they had.
 *
 * Identity is content. A stat tuple (inode, size, mtime, ctime, type) equal to the
 * stored one lets the scan skip reading, unless the entry is unsettled: its
 * mtime or ctime was not older than the start of the scan that saw it, so that it could have changed since
 * without a trace. An unsettled entry is hashed again. What is absent is an entry too.
 *
 * Stored per folder: kind K, name the folder's path, files in order of name:
 *	flags [changed [starts] stat hash tag] n { name flags changed [stat hash tag] }
 * names without what they share with the one before, numbers of a stat as differences to it. `changed` is the
 * generation (number of the commit) that last saw other content.
 *
 * Tables of inputs and of each place's outputs are of the same form, under different kinds and groups. Few outputs that were written since
 * stand beside the tables of their folders, in one record, kind Q, name "": { folder, a table of these files }. So an edit that
 * has one reader in each of many folders does not write all of their tables again.
 */
#ifndef LHP_CACHE_LEAVES_H
#define LHP_CACHE_LEAVES_H

#include "base/fs.h"
#include "base/map.h"
#include "base/vec.h"
#include "cache/store.h"

struct leaf {
	struct str path;         /* what the table has of a file: its name in the folder */
	bool is_dir;             /* the listing of a folder; else the content of a file */
	bool absent, settled;
	bool beside;             /* the table: the folder's record has another of this name */
	struct fs_stat st;
	struct hash128 hash;     /* when absent: why it cannot be read (unreadable_hash) */
	struct str starts;       /* of a listing: only names that begin with one of these ("a/b": a or b) count; empty: all */
	struct hash128 tag;      /* of an output: hash of what it was made from, of a folder that must not be there too; else HASH_NONE */
	uint64_t changed;
};

struct leaf_change {
	struct leaf leaf;        /* as it is now */
	struct hash128 before;
	bool content;            /* else only the stat tuple (or its being settled) is new */
	bool was_absent;
};

struct leaves {
	struct store *store;
	struct fs *fs;
	struct arena *arena;
	char kind;
	uint32_t group;
	struct str top;          /* of outputs: a link on the way from here to a folder leads away from what is meant; p == NULL: or not */
	struct map folder;       /* folders read or changed: path -> struct leaf_folder */
	struct map beside;       /* of outputs: folder -> struct str, what stands beside its table, or NULL */
	int beside_rc;           /* of reading it: BESIDE_UNREAD, BESIDE_READ, or a negative errno */
	bool beside_changed;
	bool differs;            /* content was noted, or an entry forgotten, that the store has otherwise */
	size_t scanned, hashed;  /* of the last scan */
	uint64_t hashed_bytes;
};

struct leaf_changes {
	VEC_OF(struct leaf_change) /* sorted by path */
};

void leaves_init(struct leaves *l, struct store *s, struct fs *fs, struct arena *a, char kind, uint32_t group);
/*
 * Looks at every entry. `stamp`: fs_now() before the scan. `verify`: trust no stat
 * tuple. `where`: the folders that are looked at, or NULL for all. Changes found are noted in the table, to be saved by leaves_save.
 * 0, or a negative errno when the store is damaged.
 */
int leaves_scan(struct leaves *l, int64_t stamp, bool verify, const struct map *where, size_t workers, struct leaf_changes *out);
/* The entry as the table has it (after a scan: as it is), or NULL. */
const struct leaf *leaves_find(struct leaves *l, struct str path, bool is_dir);
/* Calls `each` for every entry whose content changed after generation `since`. */
void leaves_changed_since(struct leaves *l, uint64_t since, void (*each)(void *ctx, const struct leaf *leaf), void *ctx);
/* Notes an entry; its `changed` is set by leaves_save when its hash is new. */
void leaves_note(struct leaves *l, const struct leaf *leaf);
void leaves_forget(struct leaves *l, struct str path, bool is_dir);
/* Calls `each` for every entry in the folders that are wanted, and for those of them that are entries. */
void leaves_each(struct leaves *l, bool (*is_wanted)(void *ctx, struct str dir), void (*each)(void *ctx, struct str path, bool is_dir),
                 void *ctx);
/* Puts every changed folder into the store. */
void leaves_save(struct leaves *l, uint64_t generation);

/* What stands for the content of a file that reading gave this negative errno: HASH_NONE when it is not there. */
struct hash128 unreadable_hash(int error);
/* Hash of a folder's names and types, of those that count. */
struct hash128 listing_hash(const struct fs_listing *l, struct str starts);
/* What counts for one or the other. */
struct str starts_both(struct arena *a, struct str one, struct str other);

/* Is a thing with this stat safe to trust, seen at `stamp`? */
bool stat_is_settled(const struct fs_stat *st, int64_t stamp);

#endif
