#include "ui/excerpt.h"

#include "base/fs.h"
#include "base/utf8.h"
#include "model/secrecy.h"
#include "ui/text.h"

enum { EXCERPT_MAX_FILE = 4 << 20 };

bool excerpt_read(struct finding_view *v, const char *file, struct str *bytes)
{
	struct str path = str_of(file);
	struct str *kept = map_get(&v->files, path);
	struct fs_stat st;

	if (v->fs == NULL)
		return false;
	if (kept == NULL) {
		kept = ARENA_NEW(v->arena, struct str);
		*map_slot(&v->files, v->arena, path) = kept;
		if (fs_stat(v->fs, path, &st) != 0 || st.type != FS_FILE || st.size > EXCERPT_MAX_FILE ||
		    fs_read(v->fs, path, v->arena, kept, NULL) != 0 || utf8_invalid(*kept) >= 0)
			*kept = STR_NONE;
	}
	*bytes = *kept;
	return kept->p != NULL;
}

static bool line_find(struct str bytes, uint32_t number, struct str *line)
{
	for (uint32_t i = 1; str_cut(&bytes, '\n', line); i++)
		if (i == number)
			return true;
	return false;
}

/* Control characters as one blank each, so that columns stay columns. */
static struct str line_clean(struct arena *a, struct str line)
{
	struct str clean = str_dup(a, str_trim_end(line));
	char *p = (char *)(uintptr_t)clean.p;

	for (size_t i = 0; i < clean.n; i++)
		if ((unsigned char)p[i] < 0x20 || p[i] == 0x7F)
			p[i] = ' ';
	return clean;
}

/* Offset of the character in column `col` (from 1), at most the end. */
static size_t column_offset(struct str line, uint32_t col)
{
	size_t i = 0;

	for (uint32_t c = 1; c < col && i < line.n; c++)
		utf8_next(line, &i);
	return i;
}

/* Columns to underline: the word that starts at `from`. */
static size_t word_width(struct str line, size_t from)
{
	size_t to = from;

	while (to < line.n && strchr(" ,:", line.p[to]) == NULL)
		to++;
	size_t w = text_width(str_sub(line, from, to));
	return w > 0 ? w : 1;
}

void excerpt_draw(struct pen *p, struct arena *a, struct str bytes, struct mark at, size_t indent, size_t columns)
{
	struct str line, number = str_fmt(a, "%u", at.line);
	size_t room = columns > indent + number.n + 23 ? columns - indent - number.n - 3 : 20;

	if (!line_find(bytes, at.line, &line))
		return;
	line = line_concealed(a, line_clean(a, line));
	size_t from = column_offset(line, at.col);
	size_t start = 0;
	/* A place beyond the screen: show the line from a little before it. */
	if (text_width(str_sub(line, 0, from)) + 10 > room) {
		start = from;
		for (size_t back = room / 3; back > 0 && start > 0; start--)
			back -= ((unsigned char)line.p[start - 1] & 0xC0) != 0x80;
	}
	size_t lead = text_width(str_sub(line, start, from));
	struct str shown = text_cut(a, str_skip(line, start), room);

	buf_add_repeat(&p->buf, ' ', indent);
	pen_addf(p, TONE_DIM, "%.*s │ ", STR_ARG(number));
	buf_add(&p->buf, shown);
	buf_addc(&p->buf, '\n');
	if (at.col == 0)
		return;
	buf_add_repeat(&p->buf, ' ', indent + number.n + 1);
	pen_adds(p, TONE_DIM, "│ ");
	buf_add_repeat(&p->buf, ' ', lead);
	size_t under = word_width(line, from);
	if (lead + under > room)
		under = lead < room ? room - lead : 1;
	struct buf caret = { 0 };
	buf_addc(&caret, '^');
	buf_add_repeat(&caret, '~', under - 1);
	pen_add(p, TONE_RED, buf_str(&caret));
	buf_addc(&p->buf, '\n');
	buf_release(&caret);
}
