#pragma once

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

/// Where things are: controls in a column at the left, one status line at the bottom, the picture in the
/// rest.
struct Layout {
  Area controls;
  Area status;
  Area picture;
};

/// The width of the controls' content, in font sizes.
inline constexpr float kControlsWidth = 20.5f;

/// What the Bench panel needs to show form and figure side by side, in font sizes.
inline constexpr float kBenchWidth = 40;

/// Where the Bench panel goes: over the picture, or over the controls too where the picture alone is too
/// narrow.
Area bench_area(const Layout& layout, float font_size);

/// `panels` false, or a window of a few lines, gives the picture everything. In a narrow window the column
/// takes at most three fifths (and scrolls sideways), so that there is always some picture.
Layout arrange(float width, float height, float font_size, bool panels);

}  // namespace loom::app
