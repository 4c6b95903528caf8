#pragma once

#include <array>

namespace loom::app {

/// A rectangle in ImGui's units, y down from the window's top-left corner.
struct Area {
  float x = 0;
  float y = 0;
  float width = 0;
  float height = 0;
  bool empty() const { return width < 1 || height < 1; }
  friend bool operator==(const Area&, const Area&) = default;
};

/// For the program's state: x, y, width, height.
inline std::array<float, 4> numbers_of(const Area& area) {
  return {area.x, area.y, area.width, area.height};
}

/// Where things are: controls in a column at the left, figures in a dock, one status line at the bottom, a
/// strip of text at the top where there is one, the picture in the rest. Nothing covers anything.
struct Layout {
  Area controls = {};
  Area dock = {};
  Area status = {};
  Area strip = {};  ///< above the picture, with the same width; the lesson
  Area picture = {};
  bool dock_is_column = false;  ///< the dock is a column of its own at the right, with room for all figures
};

/// What there is to place.
struct LayoutOptions {
  bool panels = true;  ///< false: the picture alone
  bool dock = false;   ///< there are figures to show
  bool show_all_metrics =
      false;                ///< all metrics if they share the column of the controls; otherwise the main ones
  bool strip = false;       ///< there is text for a strip above the picture
  float main_lines = 8.6f;  ///< the height of the main ones, in font sizes
};

/// Content widths of the controls and of the dock at the right, in font sizes.
inline constexpr float kControlsWidth = 20.5f;
inline constexpr float kDockWidth = 23;

/// Fraction of the width that the picture keeps next to a dock.
inline constexpr float kPictureShare = 0.6f;

/// The height of the strip in font sizes: where it is wide enough for two columns, and where it is not; and
/// how much of the window's height it takes at most.
inline constexpr float kStripColumns = 44;
inline constexpr float kWideStrip = 10;
inline constexpr float kNarrowStrip = 13.5f;
inline constexpr float kStripShare = 0.42f;

/// Width that the Benchmark panel needs for form and plot side by side, in font sizes.
inline constexpr float kBenchWidth = 40;

/// Where the Benchmark panel goes: over the picture, or over the controls too where the picture alone is too
/// narrow.
Area bench_area(const Layout& layout, float font_size);

/// Without panels, or in a window of a few lines, the picture takes everything. The dock is at the right of
/// the picture if the picture keeps most of the width, otherwise below the controls. In a narrow window the
/// column takes at most three fifths and scrolls horizontally, so some picture always remains.
Layout arrange(float width, float height, float font_size, const LayoutOptions& layout_options);

}  // namespace loom::app
