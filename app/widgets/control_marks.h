#pragma once

#include <imgui.h>

#include <array>
#include <glm/vec2.hpp>
#include <optional>

#include "app/gui/layout.h"
#include "app/widgets/control.h"

namespace loom::app {

/// The screen areas of the controls of a frame, and the highlighted control. Panels mark controls while
/// drawing; use_in_context() makes the marks available in an ImGui context.
class ControlMarks {
 public:
  /// Sets the object that receives the marks of the current ImGui context; null: none. It must outlive its
  /// use.
  static void use_in_context(ControlMarks* marks);

  /// Begins a frame: clears the marks and keeps the highlighted control.
  void begin_frame();
  /// Highlights a control. For some frames, in which panels may still move, it is scrolled into view and the
  /// sections that contain it are unfolded. After that the user may scroll and fold them.
  void set_highlight(std::optional<Control> control);
  /// Whether the highlighted control was not drawn since set_highlight().
  bool missing() const { return highlighted_ && frames_left_ == kFramesOfSearch; }
  const std::optional<Control>& highlighted() const { return highlighted_; }

  /// Hides the content of a control until it is called again; std::nullopt: hides nothing.
  void set_hidden(std::optional<Control> control) { hidden_ = control; }
  const std::optional<Control>& hidden() const { return hidden_; }

  /// The visible part of a control in this frame; nothing if it was not drawn or is scrolled out of its
  /// column.
  std::optional<Area> visible_area(Control control) const { return marks_[index_of(control)].visible_area; }
  /// Whether it was drawn in this frame, visible or not.
  bool drawn(Control control) const { return marks_[index_of(control)].drawn; }

  /// True if sections must unfold, because the control was not drawn in the previous frame.
  bool expands_sections() const { return expands_sections_; }

  void add(Control control, const Area& area);

 private:
  static std::size_t index_of(Control control) { return static_cast<std::size_t>(control); }
  struct Mark {
    bool drawn = false;
    std::optional<Area> visible_area;
  };
  std::array<Mark, kControls.size()> marks_;
  std::optional<Control> highlighted_;
  std::optional<Control> hidden_;
  static constexpr int kFramesOfSearch = 12;
  int frames_left_ = 0;  ///< remaining frames of the search, counted while the control is drawn
  bool expands_sections_ = false;
};

/// Marks everything drawn during its lifetime, over the width of the window content.
class ScopedControlMark {
 public:
  explicit ScopedControlMark(Control control);
  ~ScopedControlMark();
  ScopedControlMark(const ScopedControlMark&) = delete;
  ScopedControlMark& operator=(const ScopedControlMark&) = delete;

 private:
  Control control_;
  glm::vec2 start_{0};
};

/// Marks the last item or group.
void mark_item(Control control);
/// Marks the current window.
void mark_window(Control control);

/// Draws a ring around a control.
void draw_ring(ImDrawList& list, const Area& area);

/// Whether sections must unfold in this frame.
bool should_expand_sections();
/// Whether they must, and this control is highlighted.
bool should_unfold(Control control);
/// Whether the content of this control must not be shown, because a question asks for it.
bool is_hidden(Control control);

}  // namespace loom::app
