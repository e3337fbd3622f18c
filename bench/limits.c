/*
 * limits.c - what no build tool can beat: bare walks over the same files, for ratios.
 *
 *	limits stat|hash|parse FOLDER [-]    every file below FOLDER (hidden folders left out); prints seconds
 *
 * stat: open each folder, list it, stat each name. hash: read and hash each file with XXH3-128. parse: libyaml's
 * events of each *.yaml. Time is of the walk alone, not of the process.
 */
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

	if (argc < 3 || (fd = open(argv[2], O_RDONLY | O_DIRECTORY)) < 0) {
		fprintf(stderr, "usage: limits stat|hash|parse FOLDER\n");
		return 2;
	}
	clock_gettime(CLOCK_MONOTONIC, &a);
	walk(fd, argv[1]);
	clock_gettime(CLOCK_MONOTONIC, &b);
	printf("%.6f %lu %lu\n", (double)(b.tv_sec - a.tv_sec) + (double)(b.tv_nsec - a.tv_nsec) / 1e9, files, bytes);
	free(block);
	return 0;
}
