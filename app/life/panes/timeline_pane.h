#pragma once

#include <optional>
#include <string>

#include "app/gui/layout.h"
#include "app/sketch/sketch.h"
#include "compute/engine/fractal_config.h"
#include "compute/engine/timeline.h"

namespace loom::app {

/// A pane that shows one launch of the scene's method: which thread block ran when, on which multiprocessor.
/// It is recorded when asked for, by an instrumented copy of the kernel; what the frames time stays as it is.
class TimelinePane {
 public:
  /// Whether the next job of the scene is to record; asked for once.
  bool wants() const { return wanted_; }
  /// A recording of the scene's method, or why there is none.
  void take(const FractalConfig& config, const std::optional<Timeline>& timeline, const std::string& problem);
  /// Draws it as a window at `area`. `config` runs now: a recording of another one is said to be.
  void show(const char* id, const Area& area, const FractalConfig& config);
  bool recorded() const { return recording_.has_value(); }
  const std::string& problem() const { return problem_; }
  const Area& button() const { return button_; }

 private:
  struct Recording {
    FractalConfig config;
    Timeline timeline;
  };
  bool wanted_ = true;  ///< at once, when the pane is opened
  std::optional<Recording> recording_;
  std::string problem_;
  sketch::Sketch sketch_;
  float width_ = 0;  ///< that the sketch was made for, in font sizes
  float height_ = 0;
  Area button_;
};

}  // namespace loom::app
