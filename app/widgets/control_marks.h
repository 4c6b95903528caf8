#pragma once

#include <imgui.h>

#include <array>
#include <optional>

#include "app/gui/layout.h"
#include "app/widgets/control.h"

namespace loom::app {

/// The screen areas of the controls of a frame, and the control that is searched for. Panels mark controls
/// while drawing; code in an ImGui context finds the marks through use_in_context().
class ControlMarks {
 public:
  /// From now on mark() in the present ImGui context writes here. Must outlive its use; null ends it.
  static void use_in_context(ControlMarks* marks);

  /// Begins a frame: clears the marks and keeps the search.
  void begin_frame();
  /// Looks for this one: for some frames, in which panels may still move, it is scrolled into view, and what
  /// it is folded into is unfolded. After that the user may scroll and fold as they like.
  void want(std::optional<Control> control);
  /// It was not drawn since it was asked for.
  bool missing() const { return wanted_ && frames_left_ == kFramesOfSearch; }
  const std::optional<Control>& wanted() const { return wanted_; }

  /// The visible part of a control in this frame; nothing if it was not drawn or is scrolled out of its
  /// column.
  std::optional<Area> seen(Control control) const;
  /// Whether it was drawn in the present frame, be it out of sight.
  bool drawn(Control control) const { return places_[index_of(control)].drawn; }

  /// True if sections must unfold, because the control was not drawn in the previous frame.
  bool unfolds() const { return unfolds_; }

  void add(Control control, const Area& area);

 private:
  static std::size_t index_of(Control control) { return static_cast<std::size_t>(control); }
  struct Place {
    bool drawn = false;
    std::optional<Area> seen;
  };
  std::array<Place, kControls.size()> places_;
  std::optional<Control> wanted_;
  static constexpr int kFramesOfSearch = 12;
  int frames_left_ = 0;  ///< of the search; they run once it is drawn
  bool unfolds_ = false;
};

/// Marks everything drawn during its lifetime, over the width of the window content.
class MarkedRows {
 public:
  explicit MarkedRows(Control control);
  ~MarkedRows();
  MarkedRows(const MarkedRows&) = delete;
  MarkedRows& operator=(const MarkedRows&) = delete;

 private:
  Control control_;
  ImVec2 start_;
};

/// Marks the last item, or group.
void mark_item(Control control);
/// Marks a whole window that is being built.
void mark_window(Control control);

/// Whether sections are to unfold in this frame.
bool sections_unfold();

}  // namespace loom::app
