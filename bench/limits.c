/*
 * limits.c - what no build tool can beat: bare walks over the same files, for ratios.
 *
 *	limits stat|hash|parse FOLDER    every file below FOLDER (hidden folders left out); prints seconds
 *	limits write FOLDER TO           the same files, read before, written below the new folder TO
 *
 * stat: open each folder, list it, stat each name. hash: read and hash each file with XXH3-128. parse: libyaml's
 * events of each *.yaml. write: each file as `.NAME.tmp`, then renamed. Time is of the walk alone, not of the process.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>
#include <yaml.h>

static unsigned long files, bytes, events;
static char *block;
static size_t block_size;

static size_t file_read(int dir, const char *name, size_t size)
{
	int fd = openat(dir, name, O_RDONLY);
	ssize_t got;

	if (fd < 0)
		return 0;
	if (size + 1 > block_size) {
		block_size = size * 2 + 4096;
		block = realloc(block, block_size);
		if (block == NULL)
			abort();
	}
	got = read(fd, block, size);
	close(fd);
	return got > 0 ? (size_t)got : 0;
}

static void file_parse(size_t size)
{
	yaml_parser_t parser;
	yaml_event_t event;
	int last = 0;

	yaml_parser_initialize(&parser);
	yaml_parser_set_input_string(&parser, (const unsigned char *)block, size);
	while (!last && yaml_parser_parse(&parser, &event)) {
		last = event.type == YAML_STREAM_END_EVENT;
		events++;
		yaml_event_delete(&event);
	}
	yaml_parser_delete(&parser);
}

/* --- write --- */

struct file {
	char *name, *bytes;
	size_t n;
};

struct folder {
	char *path;
	struct file *file;
	size_t n, cap;
};

static struct folder *folder;
static size_t n_folder, cap_folder;

static void *grown(void *p, size_t n, size_t *cap, size_t item)
{
	if (n < *cap)
		return p;
	*cap = *cap * 2 + 16;
	p = realloc(p, *cap * item);
	if (p == NULL)
		abort();
	return p;
}

static char *joined(const char *a, const char *b)
{
	char *out;

	if (asprintf(&out, "%s/%s", a, b) < 0)
		abort();
	return out;
}

static void file_take(struct folder *f, int dir, const char *name, size_t size)
{
	struct file *file;

	f->file = grown(f->file, f->n, &f->cap, sizeof *f->file);
	file = &f->file[f->n++];
	file->name = strdup(name);
	file->n = file_read(dir, name, size);
	file->bytes = malloc(file->n + 1);
	if (file->name == NULL || file->bytes == NULL)
		abort();
	memcpy(file->bytes, block, file->n);
}

static void tree_read(const char *from, const char *to)
{
	struct folder *f;
	struct dirent *e;
	size_t at = n_folder;
	DIR *d = opendir(from);

	if (d == NULL)
		return;
	folder = grown(folder, n_folder++, &cap_folder, sizeof *folder);
	folder[at] = (struct folder){ .path = strdup(to) };
	while ((e = readdir(d)) != NULL) {
		struct stat st;

		if (e->d_name[0] == '.' || fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
			continue;
		f = &folder[at];
		if (S_ISDIR(st.st_mode))
			tree_read(joined(from, e->d_name), joined(to, e->d_name));
		else
			file_take(f, dirfd(d), e->d_name, (size_t)st.st_size);
	}
	closedir(d);
}

static void file_write(int dir, const struct file *file)
{
	char tmp[300];
	int fd;

	snprintf(tmp, sizeof tmp, ".%s.tmp", file->name);
	fd = openat(dir, tmp, O_WRONLY | O_CREAT | O_EXCL, 0666);
	if (fd < 0 || write(fd, file->bytes, file->n) != (ssize_t)file->n || close(fd) != 0 || renameat(dir, tmp, dir, file->name) != 0)
		abort();
	files++;
	bytes += file->n;
}

static void tree_write(void)
{
	for (size_t i = 0; i < n_folder; i++) {
		int dir;

		if (mkdir(folder[i].path, 0777) != 0 || (dir = open(folder[i].path, O_RDONLY | O_DIRECTORY)) < 0)
			abort();
		for (size_t k = 0; k < folder[i].n; k++)
			file_write(dir, &folder[i].file[k]);
		close(dir);
	}
}

/* --- walks --- */

static void walk(int dir, const char *what)
{
	DIR *d = fdopendir(dir);
	struct dirent *e;

	if (d == NULL)
		return;
	while ((e = readdir(d)) != NULL) {
		size_t n = strlen(e->d_name), size;
		struct stat st;

		if (e->d_name[0] == '.' || fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
			continue;
		if (S_ISDIR(st.st_mode)) {
			int fd = openat(dirfd(d), e->d_name, O_RDONLY | O_DIRECTORY);

			if (fd >= 0)
				walk(fd, what);
			continue;
		}
		files++;
		bytes += (unsigned long)st.st_size;
		if (what[0] == 's' || (what[0] == 'p' && (n < 5 || strcmp(e->d_name + n - 5, ".yaml") != 0)))
			continue;
		size = file_read(dirfd(d), e->d_name, (size_t)st.st_size);
		if (what[0] == 'h')
			events += XXH3_128bits(block, size).low64 & 1;
		else
			file_parse(size);
	}
	closedir(d);
}

int main(int argc, char **argv)
{
	struct timespec a, b;
	int fd;

	if (argc < 3 || (argv[1][0] == 'w' && argc < 4) || (fd = open(argv[2], O_RDONLY | O_DIRECTORY)) < 0) {
		fprintf(stderr, "usage: limits stat|hash|parse FOLDER, limits write FOLDER TO\n");
		return 2;
	}
	if (argv[1][0] == 'w')
		tree_read(argv[2], argv[3]);
	clock_gettime(CLOCK_MONOTONIC, &a);
	if (argv[1][0] == 'w')
		tree_write();
	else
		walk(fd, argv[1]);
	clock_gettime(CLOCK_MONOTONIC, &b);
	printf("%.6f %lu %lu\n", (double)(b.tv_sec - a.tv_sec) + (double)(b.tv_nsec - a.tv_nsec) / 1e9, files, bytes);
	free(block);
	return 0;
}
