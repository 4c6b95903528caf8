#pragma once

#include <optional>
#include <string>

#include "app/gui/layout.h"
#include "app/widgets/timeline_view.h"
#include "compute/engine/fractal_config.h"

namespace loom::app {

/// A pane that shows one launch of the scene's method: which thread block ran when, on which multiprocessor.
/// It is recorded when asked for, by an instrumented copy of the kernel; what the frames time stays as it is.
class TimelinePane {
 public:
  /// What was recorded, or what would be now.
  struct Subject {
    FractalConfig config;
    std::string backend_name;
    friend bool operator==(const Subject&, const Subject&) = default;
  };
  /// Whether the next job of the scene is to record; asked for once.
  bool wants() const { return wanted_; }
  /// A recording of the scene's method, or why there is none.
  void take(const Subject& subject, std::shared_ptr<const Timeline> timeline, const std::string& problem);
  /// Draws it as a window at `area`. `now` runs now: a recording of something else is said to be.
  void show(const char* id, const Area& area, const Subject& now);
  bool recorded() const { return view_.recorded(); }
  const std::string& problem() const { return view_.problem(); }
  const Area& button() const { return view_.button(); }
  const Area& lanes() const { return view_.lanes(); }
  /// The recording, where it is of `now`; else null.
  std::shared_ptr<const Timeline> of(const Subject& now) const;

 private:
  bool wanted_ = true;  ///< at once, when the pane is opened
  std::optional<Subject> subject_;
  TimelineView view_;
};

}  // namespace loom::app
