#pragma once

#include <imgui.h>

#include <cstddef>
#include <optional>
#include <string>

#include "app/plot/figure.h"

namespace loom::app {

/// A point of a figure and its screen position.
struct PlotPoint {
  std::size_t panel = 0;
  std::size_t series = 0;
  std::size_t point = 0;
  ImVec2 at = {0, 0};
};

struct PlotState {
  std::optional<PlotPoint> hovered;  ///< under the cursor, and marked
  std::optional<PlotPoint> last;     ///< the last point of the figure
  bool clicked = false;              ///< the hovered point was clicked
};

/// Draws a figure with axes and legend into the current window, at `size` or the minimum height that its
/// panels need.
PlotState figure_plot(const plot::Figure& figure, ImVec2 size);

/// A value of the figure's y axis as text: "5.3×", "0.042 ms".
std::string value_text(plot::Quantity kind, double value);

}  // namespace loom::app
