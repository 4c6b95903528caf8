#pragma once

#include "app/shell/shell_settings.h"

namespace loom::app {

// Rows of program-wide settings.

/// State of the text size slider between frames.
struct TextSizeState {
  float ui_pixels = 0;  ///< text size under the slider while it is dragged; applied on release
  bool dragging = false;
};
void text_size_row(TextSizeState& state, ShellSettings& view);

inline constexpr const char* kLectureLabel = "Lecture";
/// Toggles lecture mode. Returns true if the button was pressed.
bool lecture_button(ShellSettings& view, float width);

}  // namespace loom::app
