#pragma once

#include "app/gui/layout.h"
#include "app/sketch/sketch.h"

namespace loom::app {

/// Letters of a drawing are at least this much of the window's: smaller ones are not read from the back row.
inline constexpr float kLeastLetters = 0.72f;

/// Begins the window that a pane without cells is, at a place of its own; End() ends it. One that does not
/// scroll is as large as what is drawn in it.
void begin_pane_window(const char* id, const Area& area, bool scrolls = true);

/// The size of a drawing's letters that the present window has room for, from kLeastLetters of its own on.
float letters_of(const sketch::Sketch& sketch);

/// A drawing at the cursor with letters of that size. Returns what is hot under the mouse, or null.
const sketch::Hot* draw_at_cursor(const sketch::Sketch& sketch, float size);

/// Where a part of a drawing that has its corner at (x, y) is on the screen.
Area area_of(const sketch::Box& box, float x, float y, float size);

/// A drawing at the cursor, its letters between kLeastLetters and the window's, as the width has room, and
/// what it says of the place under the mouse. Returns that place, or null.
const sketch::Hot* show_sketch(const sketch::Sketch& sketch);

}  // namespace loom::app
