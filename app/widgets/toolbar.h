#pragma once

namespace loom::app::toolbar {

// Widths in font sizes.
inline constexpr float kGap = 0.2f;
inline constexpr float kIconWidth = 2.1f;

/// Pixels.
float in_fonts(float font_sizes);
/// The next control stands on the same line, after the gap.
void beside();
/// Play or pause, and a button that computes one generation and pauses; returns whether that was clicked.
bool play_and_step(bool& playing);

}  // namespace loom::app::toolbar
