/*
 * wiring.h - the bundle file that says where wheels go: resources/lhp/_wheels.bundle.yml (spec/bundle.md, section 9).
 */
#ifndef LHP_BUNDLE_WIRING_H
#define LHP_BUNDLE_WIRING_H

#include "project/unit.h"

/* wheel.artifact_volume of lhp.yaml, its tokens replaced; or empty. */
struct str wiring_volume(struct unit *u);
/* LHP-CFG-061 when this is no volume. 0 or -1. */
int wiring_check(struct unit *u, struct str volume);
struct str wiring_text(struct unit *u, struct str volume);

#endif
