#pragma once

#include <optional>

#include "app/mandelbrot/scene/landscape.h"
#include "app/mandelbrot/scene/mandelbrot_facts.h"
#include "app/mandelbrot/scene/model_fit.h"

namespace loom::app {

/// What the panels may know of the cost model: fitted to the run that stands, made anew where that is
/// another, beside the landscape where one was measured. What it adds refers to it.
class ModelFacts {
 public:
  /// `ran` is what now.report is of, `measured_at` the view of the landscape. Nothing is added before there
  /// is a run with levels.
  void add_to(MandelbrotFacts& now, const MandelbrotConfig& ran, const Landscape& landscape,
              const ComplexView& measured_at);

 private:
  std::optional<MeasuredRun> run_;
  ModelFit fit_;
  LandscapeValues model_;
  LandscapeValues measured_;
};

}  // namespace loom::app
