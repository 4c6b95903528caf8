#pragma once

#include <optional>

#include "app/workspaces/mandelbrot/scene/landscape.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_stats.h"
#include "app/workspaces/mandelbrot/scene/model_fit.h"

namespace loom::app {

/// Adds the cost model to the data of the panels: fitted to the current run, updated when that changes, with
/// the landscape if one was measured. The added data refers to this object.
class ModelStats {
 public:
  /// `ran` is the configuration of now.report, `measured_at` the view of the landscape. Adds nothing before
  /// there is a run with levels.
  void add_to(MandelbrotStats& now, const MandelbrotConfig& ran, const Landscape& landscape,
              const ComplexView& measured_at);

 private:
  std::optional<MeasuredRun> run_;
  ModelFit fit_;
  LandscapeValues model_;
  LandscapeValues measured_;
};

}  // namespace loom::app
