#include "build/build_id.h"

#include <elf.h>
#include <link.h>

#ifndef LHP_VERSION
#define LHP_VERSION "unknown"
#endif

struct found {
	const unsigned char *id;
	size_t n;
};

static size_t padded(size_t n)
{
	return (n + 3) & ~(size_t)3;
}

/* Looks through the notes of the main program, which comes first. */
static int note_find(struct dl_phdr_info *info, size_t size, void *ctx)
{
	struct found *f = ctx;

	(void)size;
	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		const char *p = (const char *)(info->dlpi_addr + ph->p_vaddr), *end = p + ph->p_memsz;

		while (ph->p_type == PT_NOTE && (size_t)(end - p) >= sizeof(ElfW(Nhdr))) {
			const ElfW(Nhdr) *note = (const void *)p;
			const char *name = p + sizeof *note, *desc = name + padded(note->n_namesz);

			if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp(name, "GNU", 4) == 0) {
				*f = (struct found){ (const unsigned char *)desc, note->n_descsz };
				return 1;
			}
			p = desc + padded(note->n_descsz);
		}
	}
	return 1;
}

struct str build_id(struct arena *a)
{
	struct found f = { 0 };
	struct buf b = { 0 };
	struct str out;

	dl_iterate_phdr(note_find, &f);
	if (f.n == 0)
		return STR(LHP_VERSION);
	for (size_t i = 0; i < f.n; i++)
		buf_addf(&b, "%02x", f.id[i]);
	out = buf_take(&b, a);
	buf_release(&b);
	return out;
}
