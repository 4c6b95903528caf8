#pragma once

#include <imgui.h>

#include <array>
#include <optional>

#include "app/gui/layout.h"
#include "app/widgets/control.h"

namespace loom::app {

/// Where the controls of a frame are on the screen, and which of them somebody looks for. The panels mark
/// them as they draw them; what belongs to an ImGui context finds its marks there (use_in_context()).
class ControlMarks {
 public:
  /// From now on mark() in the present ImGui context writes here. Must outlive its use; null ends it.
  static void use_in_context(ControlMarks* marks);

  /// A frame begins: what was marked before is forgotten, what is wanted stays.
  void begin_frame();
  /// Looks for this one: for some frames, in which panels may still move, it is scrolled into view, and what
  /// it is folded into is unfolded. After that the user may scroll and fold as they like.
  void want(std::optional<Control> control);
  /// It was not drawn since it was asked for.
  bool missing() const { return wanted_ && frames_left_ == kFramesOfSearch; }
  const std::optional<Control>& wanted() const { return wanted_; }

  /// The part of a control that is seen in the present frame; nothing where it was not drawn, or is scrolled
  /// out of its column.
  std::optional<Area> seen(Control control) const;
  /// Whether it was drawn in the present frame, be it out of sight.
  bool drawn(Control control) const { return places_[index_of(control)].drawn; }

  /// Sections are to unfold: what is wanted was not drawn in the frame before.
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

/// Marks what is drawn during its life, from the cursor on and as wide as the window's content.
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
