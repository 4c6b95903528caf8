#pragma once

#include <array>
#include <functional>
#include <glm/common.hpp>
#include <glm/vec2.hpp>
#include <map>
#include <string>

#include "render/camera.h"

namespace loom::app {

/// A rectangle in ImGui's units, from the window's top-left corner.
using Area = render::Rect<float>;

/// For the program's state: x, y, width, height.
inline std::array<float, 4> numbers_of(const Area& area) {
  return {area.corner.x, area.corner.y, area.size.x, area.size.y};
}

/// Areas by name, each with `prefix` before its name.
inline std::map<std::string, std::array<float, 4>> numbers_of(
    const std::map<std::string, Area, std::less<>>& areas, const std::string& prefix = {}) {
  std::map<std::string, std::array<float, 4>> numbers;
  for (const auto& [name, area] : areas) numbers[prefix + name] = numbers_of(area);
  return numbers;
}

/// Largest side of a picture in pixels, which the textures of every driver allow; larger windows show a part.
inline constexpr int kMaxPixels = 16384;

/// Whole pixels of a position or a size in ImGui's units; `scale`: pixels per unit.
inline glm::ivec2 to_pixels(glm::vec2 units, float scale) {
  return glm::ivec2(glm::round(units * scale));
}

/// The areas of the window: a menu bar and a toolbar at the top, controls in a column at the left, metrics in
/// a dock, one status line at the bottom, an optional strip of text above the picture, and the picture in the
/// rest. Without room for the dock, tabs put either the controls or its content in the column. Areas do not
/// overlap.
struct Layout {
  Area menu = {};     ///< the menu bar, over the whole width
  Area toolbar = {};  ///< below the menu bar, over the whole width
  Area tabs = {};     ///< above the column at the left
  Area controls = {};
  Area dock = {};
  Area status = {};
  Area strip = {};  ///< above the picture, and above the column that leaves it little width; the lesson
  Area picture = {};
  bool lecture = false;  ///< for a projector: the status line lies over the picture, captions have one line
  bool dock_is_column = false;  ///< the dock is a separate column at the right, with room for all metrics
};

/// The contents that need an area.
struct LayoutOptions {
  bool panels = true;      ///< false: only the picture
  bool side_panel = true;  ///< false: without the column of the controls
  bool dock = false;       ///< there is content for a dock at the right
  bool tabs = false;       ///< without room for it, the column at the left has tabs
  bool dock_tab = false;   ///< of which one with the dock's content is selected
  bool lecture = false;    ///< for a projector: as much picture as possible
  int toolbar_rows = 1;
  bool strip = false;           ///< there is text for a strip above the picture
  bool strip_is_list = false;   ///< the strip is a list, which may take more of the height
  bool strip_is_brief = false;  ///< it is a question or a few lines, which leave the height to the picture
  bool editor = false;          ///< an editor or a page in place of the picture, which needs more height
};

/// Content widths of the controls and of the dock at the right, in font sizes.
inline constexpr float kControlsWidth = 20.5f;
inline constexpr float kDockWidth = 23;

/// Fraction of the width that the picture keeps next to a dock.
inline constexpr float kPictureShare = 0.6f;

/// Height of the strip in font sizes, if it is at least kStripColumns wide and has two columns, and if not;
/// and the largest fraction of the window's height that it takes, also as a list.
inline constexpr float kStripColumns = 44;
inline constexpr float kWideStrip = 10;
inline constexpr float kNarrowStrip = 13.5f;
inline constexpr float kBriefStrip = 3.1f;        ///< three lines of text
inline constexpr float kNarrowBriefStrip = 4.6f;  ///< and a row for the answer
inline constexpr float kStripShare = 0.42f;
inline constexpr float kWideStripList = 14.3f;    ///< the list of lessons in three columns
inline constexpr float kNarrowStripList = 18.8f;  ///< and in two
inline constexpr float kStripListShare = 0.62f;

/// Height of the menu bar and of a row of the toolbar, in font sizes.
inline constexpr float kMenuHeight = 1.6f;
inline constexpr float kToolbarRow = 1.8f;

/// Places groups of controls side by side, and in further rows where they do not fit.
class ToolbarFlow {
 public:
  /// `room`: the toolbar's width in font sizes.
  explicit ToolbarFlow(float room) : room_(room) {}
  /// The corner of the next group, in font sizes from the toolbar's corner. The last group ends at the right
  /// edge.
  glm::vec2 place(float width, bool last = false);
  int rows() const { return rows_; }

 private:
  float room_;
  float x_ = kToolbarMargin;
  int rows_ = 1;
  static constexpr float kToolbarMargin = 0.5f;
  static constexpr float kGroupGap = 0.55f;
};

/// Whether the picture keeps half of the width beside the column of the controls.
bool has_room_for_controls(float window_width, float font_size);

/// Without panels, or in a window of a few lines, the picture fills the window. The dock is at the right of
/// the picture if the picture keeps most of the width, otherwise in a tab of the column; without that it is
/// left out. Some picture always remains: in a narrow window the column scrolls horizontally, in a low one
/// the toolbar, of which only the first rows are shown.
Layout arrange(glm::vec2 window, float font_size, const LayoutOptions& layout_options);

}  // namespace loom::app
