#include "ui/panel.h"

#include "ui/text.h"

enum { PANEL_MIN = 40 };

static void rule_draw(struct buf *b, size_t n)
{
	while (n-- > 0)
		buf_adds(b, "─");
}

static void row_draw(struct pen *p, enum tone border, struct str text, size_t indent, size_t inner)
{
	size_t used = indent + text_width(text);

	pen_adds(p, border, "│");
	buf_add_repeat(&p->buf, ' ', 2 + indent);
	buf_add(&p->buf, text);
	buf_add_repeat(&p->buf, ' ', 2 + (inner > used ? inner - used : 0));
	pen_adds(p, border, "│");
	buf_addc(&p->buf, '\n');
}

static void line_draw(struct pen *p, enum tone border, struct str line, size_t inner)
{
	size_t indent = 0;
	struct str part;

	while (indent < line.n && line.p[indent] == ' ' && indent + 20 < inner)
		indent++;
	line = str_skip(line, indent);
	if (line.n == 0)
		row_draw(p, border, STR(""), 0, inner);
	while (line.n != 0 && text_wrap(&line, inner - indent, &part))
		row_draw(p, border, part, indent, inner);
}

void panel_draw(struct pen *p, enum tone border, struct str heading, struct str body, size_t columns)
{
	size_t width = columns < PANEL_MIN ? PANEL_MIN : columns;
	size_t inner = width - 6, taken = text_width(heading) + 5;
	struct buf edge = { 0 };
	struct str line;

	buf_adds(&edge, "╭─ ");
	buf_add(&edge, heading);
	buf_addc(&edge, ' ');
	rule_draw(&edge, width > taken ? width - taken : 0);
	buf_adds(&edge, "╮");
	pen_add(p, border, buf_str(&edge));
	buf_addc(&p->buf, '\n');

	body = str_trim_end(body);
	row_draw(p, border, STR(""), 0, inner);
	while (str_cut(&body, '\n', &line))
		line_draw(p, border, line, inner);
	row_draw(p, border, STR(""), 0, inner);

	buf_reset(&edge);
	buf_adds(&edge, "╰");
	rule_draw(&edge, width - 2);
	buf_adds(&edge, "╯");
	pen_add(p, border, buf_str(&edge));
	buf_addc(&p->buf, '\n');
	buf_release(&edge);
}
