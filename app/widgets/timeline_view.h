#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/explain/diagram/timeline_diagram.h"
#include "app/gui/layout.h"
#include "compute/engine/timeline.h"

namespace loom::app {

/// A recorded launch in the rest of the current window: lanes, grids, statistics, and a description of the
/// span under the mouse.
class TimelineView {
 public:
  /// Sets the recording, or the reason why there is none; replaces the previous one.
  void take(std::shared_ptr<const Timeline> timeline, const std::string& problem);
  bool recorded() const { return timeline_ != nullptr; }
  const std::shared_ptr<const Timeline>& timeline() const { return timeline_; }
  const std::string& problem() const { return problem_; }

  /// One line: the button to capture again, progress, and the choice of colours if there are levels. Returns
  /// true if the button was pressed.
  bool header(const char* hint, bool recording);
  /// The item under the mouse.
  struct HoveredItem {
    std::optional<std::uint32_t> span;
    std::optional<int> level;
  };
  HoveredItem show();

  /// A remark above the lanes if the recording shows little, with the reason; usually empty.
  std::string_view remark() const { return remark_; }

  const Area& button() const { return button_; }
  /// The lanes on the screen; empty before they were drawn.
  const Area& lanes() const { return lanes_; }
  /// The mouse position, if it is over the view.
  const std::optional<glm::vec2>& mouse() const { return mouse_; }
  diagram::SpanColour colour = diagram::SpanColour::kWork;

 private:
  std::shared_ptr<const Timeline> timeline_;
  std::string problem_;
  std::string_view remark_;
  bool nested_ = false;  ///< there are several grids
  struct Cached {
    diagram::TimelineStyle look;
    diagram::TimelineDrawing drawing;
  };
  std::optional<Cached> cached_;
  Area button_;
  Area lanes_;
  std::optional<glm::vec2> mouse_;
};

}  // namespace loom::app
