#pragma once

#include <imgui.h>

#include <cstddef>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/explain/diagram/diagram.h"
#include "app/gui/layout.h"

namespace loom::app {

/// Begins a window with a fixed area, without a frame and behind other windows; End() ends it. `more`:
/// additional flags.
void begin_fixed_window(const char* id, const Area& area, ImGuiWindowFlags more);

/// A fixed window for mouse input only, without scroll bars: captions, headers, the status line. It does not
/// close an open list.
void begin_bar(const char* id, const Area& area, ImGuiWindowFlags more = ImGuiWindowFlags_None);

/// Begins a caption at the lower edge of `area`, which keeps its height whatever its text is: room for
/// `longest` font sizes of text on up to three lines, or with `one_line` for one line. Returns the height; 0,
/// without a window, if the area is too small.
float begin_caption(const char* id, const Area& area, float longest, bool one_line);

/// Begins a modal dialog of `width` font sizes, or less if the window is narrower. `top`: position of its top
/// edge as a fraction of the window's height; it stays when the dialog grows. `begin` opens the dialog and is
/// reset. Returns false while the dialog is closed; otherwise call end_dialog().
bool begin_dialog(const char* title, bool& begin, float width, float top);
/// Whether Enter was pressed in this dialog and is used neither by a text field nor by a control with the
/// keyboard focus.
bool is_enter_available();
/// Ends the dialog. `areas`: areas of its items; cleared in the first frame, which determines its size.
void end_dialog(std::map<std::string, Area, std::less<>>& areas);

/// Smallest text of a diagram, as a fraction of the window's font size: smaller text cannot be read from the
/// back row.
inline constexpr float kMinTextSize = 0.72f;

/// Begins the window of a pane without cells; End() ends it. Use `scrolls` = false if the window is as large
/// as its content.
void begin_pane_window(const char* id, const Area& area, bool scrolls = true);

/// The width of the content of such a window beside its scroll bar, in whole font sizes: diagrams that fill
/// it are drawn anew less often while a window is dragged.
float content_width_in_fonts(const Area& area);

/// The font size at which the diagram fits the width of the current window, from `smallest` to 1 times the
/// window's.
float font_size_for(const diagram::Diagram& diagram, float smallest = kMinTextSize);

/// Draws a diagram at the cursor at this font size. Returns the hot spot under the mouse, or null.
const diagram::Hotspot* draw_at_cursor(const diagram::Diagram& diagram, float size);

/// The screen area of a part of a diagram whose corner is at `corner`.
Area area_of(const diagram::Box& box, glm::vec2 corner, float size);

/// Draws a diagram at the cursor at the font size that fits the width, between `smallest` and 1 times the
/// window's, and the tooltip of the hot spot under the mouse. Returns that hot spot, or null.
const diagram::Hotspot* show_diagram(const diagram::Diagram& diagram, float smallest = kMinTextSize);

/// The areas of a pane: its header, its picture and, below, its score in comparison with the other panes.
struct PaneArea {
  Area header;
  Area picture;
  Area score;  ///< empty without a comparison
};

/// Height of the line below the scores that says which one is the best, in font sizes.
inline constexpr float kVerdictHeight = 1.5f;

/// Arranges panes in rows and columns so that the pictures are as large as possible. A single pane has
/// neither header nor score. `scores`: height of the scores in font sizes; below them kVerdictHeight stays
/// free. `last`: the width that the last pane wants, in font sizes, if all are in one row; it gets at least
/// as much as the others.
void layout_panes(const Area& area, std::size_t count, float font_size, float scores,
                  std::vector<PaneArea>& areas, float last = 0);

/// Begins the window of a pane's header; End() ends it. `accent`: colour of the line at its top.
void begin_pane_header(const char* id, const Area& area, const std::optional<glm::vec4>& accent);

}  // namespace loom::app
