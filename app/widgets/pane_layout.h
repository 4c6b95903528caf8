#pragma once

#include <cstddef>
#include <glm/vec4.hpp>
#include <optional>
#include <vector>

#include "app/gui/layout.h"

namespace loom::app {

/// The areas of a pane: its header, its picture and, below, its score in comparison with the other panes.
struct PaneArea {
  Area header;
  Area picture;
  Area score;  ///< empty without a comparison
};

/// Arranges panes in rows and columns so that the pictures are as large as possible. A single pane has
/// neither header nor score. `scores`: height of the scores in font sizes. `last`: the width that the
/// last pane wants, in font sizes, if all are in one row; it gets at least as much as the others.
void layout_panes(const Area& area, std::size_t count, float font_size, float scores,
                  std::vector<PaneArea>& areas, float last = 0);

/// Begins the window of a pane's header; End() ends it. `accent`: colour of the line at its top.
void begin_pane_header(const char* id, const Area& area, const std::optional<glm::vec4>& accent);

}  // namespace loom::app
