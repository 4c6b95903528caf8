#pragma once

#include <imgui.h>

#include <cstdint>
#include <functional>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/explain/diagram/diagram.h"
#include "app/explain/diagram/diagrams.h"
#include "app/gui/layout.h"
#include "app/plot/figure.h"
#include "compute/engine/timeline.h"

namespace loom::app {

/// The window's colour for a role in a diagram.
ImU32 colour_of_role(const diagram::Paint& paint);

/// The widths of texts in the window's fonts.
diagram::TextWidth window_text_width();

/// Paints a diagram with its corner at `at` and this font size. Returns the hot spot under the mouse, or
/// null. `over`: whether the mouse position counts.
const diagram::Hotspot* paint_diagram(ImDrawList& list, const diagram::Diagram& diagram, glm::vec2 at,
                                      float font_size, bool over);

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
