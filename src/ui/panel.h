/*
 * panel.h - a rounded box with a heading, as wide as the screen.
 *
 * The body is text with tones made by a pen; its lines are wrapped to the box, continued
 * lines keep the indent of their first one. Codes are never broken (ui/text.h).
 */
#ifndef LHP_UI_PANEL_H
#define LHP_UI_PANEL_H

#include "ui/pen.h"

/* Appends the box to `p`. `heading` is plain text; `border` tones the frame. */
void panel_draw(struct pen *p, enum tone border, struct str heading, struct str body, size_t columns);

#endif
