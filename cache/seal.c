#include "cache/seal.h"
#include "base/arena.h"
#include "base/fs.h"
#include "base/hash.h"
#include "cache/store.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

enum { BAD_MAX = 99, SEAL_SIZE = 32, BLOCK = 64 * 1024 };

static int beside(struct str dir, const char *name, char out[PATH_MAX])
{
	int n = snprintf(out, PATH_MAX, "%.*s/%s", STR_ARG(dir), name);

	return n > 0 && n < PATH_MAX ? 0 : -ENAMETOOLONG;
}

/*
 * What the seal of a data file would be now. Read in blocks that stay near the processor: nothing is mapped before it is known to
 * be good.
 */
static int seal_of_file(const char *path, unsigned char seal[SEAL_SIZE])
{
	char *block;
	XXH3_state_t *state;
	XXH128_canonical_t sum;
	uint64_t size = 0;
	ssize_t got = 0;
	int rc, fd;

	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a fifo must not hang us */
	if (fd < 0)
		return -errno;
	block = xmalloc(BLOCK);
	state = XXH3_createState();
	if (state == NULL)
		abort();
	XXH3_128bits_reset(state);
	while ((got = read(fd, block, BLOCK)) > 0) {
		XXH3_128bits_update(state, block, (size_t)got);
		size += (uint64_t)got;
	}
	rc = got < 0 ? -errno : 0;
	XXH128_canonicalFromHash(&sum, XXH3_128bits_digest(state));
	XXH3_freeState(state);
	free(block);
	close(fd);
	memcpy(seal, "LHPSEAL1", 8);
	for (int i = 0; i < 8; i++)
		seal[8 + i] = (unsigned char)(size >> (8 * i));
	memcpy(seal + 16, sum.digest, 16);
	return rc;
}

static int seal_of(struct str dir, unsigned char seal[SEAL_SIZE])
{
	char path[PATH_MAX];
	int rc = beside(dir, "data.mdb", path);

	return rc != 0 ? rc : seal_of_file(path, seal);
}

bool store_seal_is_good(struct str dir)
{
	char data[PATH_MAX];

	return beside(dir, "data.mdb", data) == 0 && store_seal_fits(dir, data);
}

bool store_seal_fits(struct str dir, const char *data)
{
	unsigned char want[SEAL_SIZE], have[SEAL_SIZE + 1];
	char path[PATH_MAX];
	ssize_t n;
	int fd;

	if (beside(dir, "seal", path) != 0)
		return false;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return false;
	n = read(fd, have, sizeof have);
	close(fd);
	return n == SEAL_SIZE && seal_of_file(data, want) == 0 && memcmp(want, have, SEAL_SIZE) == 0;
}

static int seal_paths(struct str dir, char path[PATH_MAX], char broken[PATH_MAX])
{
	int rc = beside(dir, "seal", path);

	return rc == 0 ? beside(dir, ".seal.lhp-tmp", broken) : rc;
}

int store_rest_clear(struct str dir)
{
	static const char *const name[] = { "seal", ".seal.lhp-tmp", ".data.mdb.lhp-tmp" };
	struct arena a = { 0 };
	struct fs fs = { 0 };
	int rc = fs_open(&fs, &a, dir);

	for (size_t i = 0; rc == 0 && i < sizeof name / sizeof *name; i++)
		rc = fs_remove_tree(&fs, str_of(name[i]));
	fs_close(&fs);
	arena_release(&a);
	return rc;
}

int store_seal_break(struct str dir)
{
	char path[PATH_MAX], broken[PATH_MAX];
	int rc = seal_paths(dir, path, broken);

	if (rc != 0)
		return rc;
	return rename(path, broken) == 0 || errno == ENOENT ? 0 : store_rest_clear(dir);
}

int store_seal_make(struct str dir)
{
	unsigned char seal[SEAL_SIZE];
	char path[PATH_MAX], broken[PATH_MAX];
	int rc = seal_of(dir, seal), fd;

	if (rc == 0)
		rc = seal_paths(dir, path, broken);
	if (rc != 0)
		return rc;
	fd = open(broken, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		return -errno;
	errno = EIO; /* of a short write */
	if (ftruncate(fd, SEAL_SIZE) != 0 || write(fd, seal, SEAL_SIZE) != SEAL_SIZE)
		rc = -errno;
	if (close(fd) != 0 && rc == 0)
		rc = -errno;
	return rc == 0 && rename(broken, path) != 0 ? -errno : rc;
}

/* The newest damaged store is kept, for whoever wants to look: older ones go. Where the next one goes to. */
static int aside_path(struct str dir, struct arena *a, struct str *to)
{
	unsigned newest = 0;
	struct fs fs = { 0 };
	int rc = fs_open(&fs, a, dir);

	for (unsigned n = 1; rc == 0 && n <= BAD_MAX; n++) {
		struct str old = str_fmt(a, "%.*s.bad-%u", STR_ARG(dir), n);
		struct fs_stat st;

		if (fs_lstat(&fs, old, &st) != 0)
			continue;
		rc = fs_remove_tree(&fs, old);
		newest = n;
	}
	*to = str_fmt(a, "%.*s.bad-%u", STR_ARG(dir), newest % BAD_MAX + 1);
	fs_close(&fs);
	return rc;
}

int store_set_aside(struct str dir, struct str *moved_to, struct arena *a)
{
	char from[PATH_MAX];
	int rc = beside(dir, "data.mdb", from);

	if (rc == 0)
		rc = aside_path(dir, a, moved_to);
	if (rc == 0)
		rc = store_rest_clear(dir);
	return rc == 0 && rename(from, moved_to->p) != 0 ? -errno : rc;
}
