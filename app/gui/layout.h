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

/// `panels` false, or a window of a few lines, gives the picture everything. In a narrow window the column
/// takes at most three fifths (and scrolls sideways), so that there is always some picture.
Layout arrange(float width, float height, float font_size, bool panels);

}  // namespace loom::app
