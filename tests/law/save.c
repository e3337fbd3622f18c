#include "law/save.h"
#include "base/path.h"

#include <fcntl.h>
#include <unistd.h>

struct save {
	struct fs *fs;
	struct arena *arena;
	struct str path, bytes;
};

/* The file's name with something around it, in the same folder. */
static struct str beside(const struct save *s, const char *before, const char *after)
{
	struct str name = str_fmt(s->arena, "%s%.*s%s", before, STR_ARG(path_base(s->path)), after);

	return path_join(s->arena, path_parent(s->path), name);
}

static const char *full(const struct save *s, struct str path)
{
	return str_cstr(s->arena, path_join(s->arena, s->fs->root, path));
}

static bool made(const struct save *s, struct str path, struct str bytes)
{
	return s->fs->ops->create(s->fs, path, bytes, 0666) == 0;
}

static bool moved(const struct save *s, struct str from, struct str to)
{
	return s->fs->ops->rename(s->fs, from, to) == 0;
}

static bool dropped(const struct save *s, struct str path)
{
	return s->fs->ops->unlink(s->fs, path) == 0;
}

static bool anew(const struct save *s)
{
	s->fs->ops->unlink(s->fs, s->path);
	return made(s, s->path, s->bytes);
}

/* Truncated and written again, in two pieces: what Visual Studio Code does, and a shell's `>`. */
static bool in_place(const struct save *s)
{
	int fd = open(full(s, s->path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	size_t half = s->bytes.n / 2;
	bool good = fd >= 0 && write(fd, s->bytes.p, half) == (ssize_t)half &&
	            write(fd, s->bytes.p + half, s->bytes.n - half) == (ssize_t)(s->bytes.n - half);

	if (fd >= 0)
		close(fd);
	return good;
}

static bool atomic(const struct save *s)
{
	struct str temporary = beside(s, ".", ".tmp1234");

	return made(s, temporary, s->bytes) && moved(s, temporary, s->path);
}

/* vim: a swap file, a probe whether the folder can be written, the old text moved to a backup, the new one written. */
static bool vim_renames(const struct save *s)
{
	struct str swap = beside(s, ".", ".swp"), probe = path_join(s->arena, path_parent(s->path), STR("4913")), backup = beside(s, "", "~");
	bool good = made(s, swap, STR("x")) && made(s, probe, STR("")) && dropped(s, probe);
	bool old = moved(s, s->path, backup);

	good = good && made(s, s->path, s->bytes);
	return (!old || dropped(s, backup)) && dropped(s, swap) && good;
}

/* vim with `backupcopy`: the old text is copied away, and the file itself is written. */
static bool vim_copies(const struct save *s)
{
	struct str swap = beside(s, ".", ".swx"), backup = beside(s, "", "~");
	bool good = made(s, swap, STR("x")) && made(s, backup, STR("old")) && in_place(s);

	return dropped(s, backup) && dropped(s, swap) && good;
}

/* emacs: a link that is a lock, a file of its own for each few keys, the old text moved away. */
static bool emacs(const struct save *s)
{
	struct str lock = beside(s, ".#", ""), keys = beside(s, "#", "#"), backup = beside(s, "", "~");
	bool good = symlink("somebody@host.123:456", full(s, lock)) == 0 && made(s, keys, s->bytes);
	bool old = moved(s, s->path, backup);

	good = good && made(s, s->path, s->bytes) && dropped(s, keys) && dropped(s, lock);
	return (!old || dropped(s, backup)) && good;
}

static bool (*const styles[SAVES])(const struct save *s) = { anew, in_place, atomic, vim_renames, vim_copies, emacs };

static bool way_clear(struct fs *fs, struct str path)
{
	struct fs_stat st;

	if (fs_lstat(fs, path, &st) == 0 && st.type != FS_FILE && fs_remove_tree(fs, path) != 0)
		return false;
	return fs_mkdirs(fs, path_parent(path)) == 0;
}

bool file_save(struct fs *fs, struct arena *a, struct str path, struct str bytes, unsigned style)
{
	return way_clear(fs, path) && styles[style](&(struct save){ fs, a, path, bytes });
}

bool link_save(struct fs *fs, struct arena *a, struct str path, struct str target)
{
	struct save s = { fs, a, path, target };

	return way_clear(fs, path) && (fs->ops->unlink(fs, path), symlink(str_cstr(a, target), full(&s, path)) == 0);
}
