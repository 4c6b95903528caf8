#pragma once

#include <imgui.h>

#include <functional>
#include <glm/vec2.hpp>
#include <optional>
#include <string>

#include "app/explain/diagram/diagram.h"
#include "app/plot/landscape_figure.h"

namespace loom::app {

/// A landscape in the window. Frames in which nothing changes do not lay it out again.
class LandscapePlot {
 public:
  void set(plot::LandscapeFigure landscape);
  /// Draws it at the cursor with this size in ImGui's units; a height of 0 puts all maps in a row. The cell
  /// under the mouse has a frame and the tooltip that `describe` returns for its combination and value.
  /// Returns a clicked combination, measured or not.
  using Describe = std::function<std::string(const CostCut& cut, std::optional<double> value)>;
  std::optional<CostCut> show(glm::vec2 size, const Describe& describe);

 private:
  plot::LandscapeFigure landscape_;
  std::optional<diagram::Diagram> drawing_;
  glm::vec2 size_{0};  ///< of drawing_
  float font_ = 0;
};

}  // namespace loom::app
