#pragma once

#include "app/gui/layout.h"
#include "app/sketch/sketch.h"

namespace loom::app {

/// Letters of a drawing are at least this much of the window's: smaller ones are not read from the back row.
inline constexpr float kLeastLetters = 0.72f;

/// Begins the window of a pane without cells; End() ends it. A window that does not scroll is as large as its
/// content.
void begin_pane_window(const char* id, const Area& area, bool scrolls = true);

/// The size of a drawing's letters that the present window has room for, from kLeastLetters of its own on.
float letters_of(const sketch::Sketch& sketch);

/// Draws a diagram at the cursor at this font size. Returns the hot spot under the mouse, or null.
const sketch::Hot* draw_at_cursor(const sketch::Sketch& sketch, float size);

/// The screen area of a part of a diagram whose corner is at (x, y).
Area area_of(const sketch::Box& box, float x, float y, float size);

/// Draws a diagram at the cursor at the font size that fits the width, between kLeastLetters and the
/// window's, and the tooltip of the hot spot under the mouse. Returns that hot spot, or null.
const sketch::Hot* show_sketch(const sketch::Sketch& sketch);

}  // namespace loom::app
