#pragma once

#include <imgui.h>

#include <functional>
#include <optional>
#include <string>

#include "app/plot/landscape_figure.h"

namespace loom::app {

/// Draws a landscape at the cursor with this size in ImGui's units; a height of 0 puts all maps in a row. The
/// cell under the mouse has a frame and the tooltip that `describe` returns for its combination and value.
/// Returns a clicked combination, measured or not.
std::optional<CostCut> landscape_plot(
    const plot::LandscapeFigure& landscape, ImVec2 size,
    const std::function<std::string(const CostCut& cut, std::optional<double> value)>& describe);

}  // namespace loom::app
