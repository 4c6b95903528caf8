#pragma once

#include <optional>
#include <string>

#include "app/gui/layout.h"
#include "app/mandelbrot/scene/dwell_runner.h"
#include "app/mandelbrot/scene/mandelbrot_settings.h"
#include "app/widgets/timeline_view.h"

namespace loom::app {

/// One computation of the picture, recorded: which thread block ran when on which multiprocessor, and which
/// grid launched which. It stands beside or below the picture that it is of.
class TimelineStrip {
 public:
  TimelineStrip() { view_.colour = sketch::SpanColour::kLevel; }

  /// Takes its place from the picture's area, which keeps the rest. Draws nothing where there is no room.
  Area split(Area& picture) const;
  /// What there is to show now.
  struct Subject {
    DwellWish wish;  ///< of the picture that stands
    const std::string& backend_name;
    bool recording = false;
  };
  /// Draws it as a window at `area`. Sets commands of `edit` where its buttons are pressed.
  void show(const Area& area, MandelbrotEdit& edit, const Subject& now);
  /// Takes what came of recording, once.
  void follow(const std::optional<RecordedDwells>& recorded);

  /// The level that the mouse is on: of a span, or of a grid.
  const std::optional<int>& level() const { return level_; }
  const TimelineView& view() const { return view_; }

 private:
  TimelineView view_;
  std::optional<DwellWish> of_;
  std::string backend_name_;
  std::uint64_t number_ = 0;  ///< of the recording that is shown
  std::optional<int> level_;
};

}  // namespace loom::app
