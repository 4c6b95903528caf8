#pragma once

#include "app/shell/shell_settings.h"

namespace loom::app {

// Rows of a panel for what the whole program shares.

/// What the slider of text sizes remembers between frames.
struct TextSizeState {
  float ui_pixels = 0;  ///< under the slider while it is dragged: the font changes when it is let go
  bool dragging = false;
};
void text_size_row(TextSizeState& state, ShellSettings& view);

inline constexpr const char* kProjectorLabel = "Projector";
/// Projector size and back; true where it was pressed.
bool projector_button(ShellSettings& view, float width);

}  // namespace loom::app
