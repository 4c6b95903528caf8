#pragma once

#include <optional>
#include <vector>

#include "app/widgets/landscape_plot.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_stats.h"

namespace loom::app {

/// The heat maps of the section between frames.
struct CostModelPanelState {
  struct HeatMaps {
    std::vector<std::optional<double>> values;  ///< as drawn
    CostCut marked;
    LandscapePlot plot;
  };
  HeatMaps predicted;
  HeatMaps measured;
};

/// A dock section with the cost model, the measurement, and the landscapes of both over g, r and B.
void cost_model_panel(CostModelPanelState& state, MandelbrotEdit& edit, const MandelbrotStats& now);

}  // namespace loom::app
