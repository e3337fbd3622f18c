/*
 * door.h - the one way in: what a run reads from outside passes here and is recorded.
 *
 * Files, YAML documents, listings and environment variables are read once per
 * run, through the fs seam, and kept; every call adds a dependency to the trace
 * of whoever asks. Who else touches the disk or the environment is named in
 * tests/one_door, with the reason. Calls are safe from several threads; what
 * they return lives as long as the door.
 *
 * A path is root-relative (normalised here) or absolute; '\' is not touched.
 */
#ifndef LHP_PROJECT_DOOR_H
#define LHP_PROJECT_DOOR_H

#include "base/fs.h"
#include "cache/trace.h"
#include "yaml/reader.h"

struct door;

struct door_file {
	struct str path;
	int error;           /* 0, or the negative errno of the attempt: -ENOENT when it is not there */
	struct str bytes;
	struct hash128 hash; /* when it could not be read: HASH_NONE for what is not there, else of the error */
	struct fs_stat st;
};

struct door_yaml {
	const struct door_file *file;
	struct yaml_file yaml; /* only when file->error == 0 */
};

struct door *door_open(struct fs *fs);
void door_close(struct door *d);
struct fs *door_fs(struct door *d);
/* Puts a file of the program's own behind the door, at a path where the project has none. Before anybody asks for it. */
void door_put(struct door *d, struct str path, struct str bytes);
/* Where environment variables come from; the process's own when not called. */
void door_set_getenv(struct door *d, const char *(*fn)(const char *name));

const char *door_trouble(const struct door_file *f); /* "is not there", "is a folder, not a file" … */
const struct door_file *door_read(struct door *d, struct trace *t, struct str path, struct mark at);
/*
 * The file parsed. Records DEP_FILE; a caller that depends on one document only
 * records DEP_NODE itself through door_yaml_quiet, which records nothing.
 */
const struct door_yaml *door_yaml(struct door *d, struct trace *t, struct str path, struct mark at);
const struct door_yaml *door_yaml_quiet(struct door *d, struct str path);
/* Sorted listing; n is 0 when the folder is not there. Records DEP_DIR. */
const struct fs_listing *door_list(struct door *d, struct trace *t, struct str dir);
/* The same for one who looks at names that begin with one of `starts` only ("a/b": a or b): others come and go unseen. */
const struct fs_listing *door_list_some(struct door *d, struct trace *t, struct str dir, struct str starts);
bool door_is_file(struct door *d, struct trace *t, struct str path);
bool door_is_dir(struct door *d, struct trace *t, struct str path);
/* Value of an environment variable, or a text with p == NULL. Records DEP_ENV. */
struct str door_getenv(struct door *d, struct trace *t, const char *name);

/* What DEP_DIR and DEP_ENV hold now; nothing is recorded. HASH_NONE: no such folder, not set. */
struct hash128 door_list_hash(struct door *d, struct str dir);
struct hash128 door_getenv_hash(struct door *d, const char *name);

/* Everything that was read or listed so far, in no order: what a run depended on, for the store. Not while others read. */
struct door_seen {
	struct str path;
	bool is_dir;
	bool absent;         /* or not to be read */
	struct hash128 hash;
	struct fs_stat st;
	const struct fs_listing *listing; /* of a folder, */
	struct str starts;   /* of which somebody looked at these names (door_list_some); empty: at all */
};
void door_each(struct door *d, void (*each)(void *ctx, const struct door_seen *seen), void *ctx);

#endif
