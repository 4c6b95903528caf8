#include "app/gui/layout.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace loom::app {

namespace {

constexpr float kStatusHeight = 1.9f;  ///< in font sizes
constexpr float kTabsHeight = 1.9f;
constexpr float kLeastPicture = 9;  ///< height of the picture below all rows of the toolbar, in font sizes
constexpr float kLeastStrip = 8;    ///< height of the strip
constexpr float kLeastWidth = 4;    ///< width of the picture beside the column
constexpr float kLeastOfAll = 3;    ///< height of the picture below one row of the toolbar

}  // namespace

glm::vec2 ToolbarFlow::place(float width, bool last) {
  if (x_ > kToolbarMargin && x_ + width > room_ - kToolbarMargin) {
    x_ = kToolbarMargin;
    ++rows_;
  }
  const float x = last ? std::max(x_, room_ - kToolbarMargin - width) : x_;
  x_ = x + width + kGroupGap;
  return {x, kToolbarRow * static_cast<float>(rows_ - 1)};
}

bool has_room_for_controls(float window_width, float font_size) {
  return kControlsWidth * font_size <= window_width / 2;
}

Layout arrange(glm::vec2 window, float font_size, const LayoutOptions& layout_options) {
  const float bars = kMenuHeight + (layout_options.lecture ? 0 : kStatusHeight);
  const float lines = window.y / font_size - bars;
  const bool room = window.x >= 18 * font_size && lines >= kToolbarRow + kLeastOfAll;
  if (!layout_options.panels || !room) return {.picture = {{}, window}};
  // A low window shows the first rows of the toolbar, which scrolls.
  const float least = kLeastPicture + (layout_options.strip || layout_options.editor ? kLeastStrip : 0);
  const float rows = std::clamp(std::floor((lines - least) / kToolbarRow), 1.0f,
                                static_cast<float>(layout_options.toolbar_rows));
  const float column =
      layout_options.side_panel
          ? std::floor(std::min(kControlsWidth * font_size, window.x - kLeastWidth * font_size))
          : 0;
  const float line = std::floor(kStatusHeight * font_size);
  const float menu = std::floor(kMenuHeight * font_size);
  const float bar = std::floor(kToolbarRow * font_size * rows);
  const float top = menu + bar;
  const float above = window.y - (layout_options.lecture ? 0 : line) - top;
  Layout layout{.menu = {{}, {window.x, menu}},
                .toolbar = {{0, menu}, {window.x, bar}},
                .controls = {{0, top}, {column, above}},
                .status = {{0, window.y - line}, {window.x, line}},
                .picture = {{column, top}, {window.x - column, above}},
                .lecture = layout_options.lecture};
  const float dock = std::floor(kDockWidth * font_size);
  if (window.x - column - dock >= kPictureShare * window.x) {
    layout.dock_is_column = layout_options.dock;
    if (layout.dock_is_column) {
      layout.picture.size.x -= dock;
      layout.dock = {{window.x - dock, top}, {dock, above}};
    }
  } else if (layout_options.tabs && layout_options.side_panel) {
    const float tabs = std::floor(kTabsHeight * font_size);
    layout.tabs = {{0, top}, {column, tabs}};
    layout.controls = {{0, top + tabs}, {column, above - tabs}};
    if (layout_options.dock_tab) std::swap(layout.controls, layout.dock);
  }
  if (layout_options.strip) {
    // Beside a column that leaves it too little width, the strip is above both.
    const bool spans = layout.picture.size.x < kStripColumns / 2 * font_size;
    layout.strip = spans ? Area{{0, top}, {window.x, above}} : layout.picture;
    const bool wide = layout.strip.size.x >= kStripColumns * font_size;
    const bool is_list = layout_options.strip_is_list;
    const bool brief = layout_options.strip_is_brief && !is_list;
    const float wanted = brief  ? (wide ? kBriefStrip : kNarrowBriefStrip)
                         : wide ? (is_list ? kWideStripList : kWideStrip)
                                : (is_list ? kNarrowStripList : kNarrowStrip);
    const float share = (is_list ? kStripListShare : kStripShare) * above;
    const float most = std::max(share, std::min(kLeastStrip * font_size, above - kLeastOfAll * font_size));
    const float height = std::floor(std::min(wanted * font_size, most));
    layout.strip.size.y = height;
    const auto lower = [&](Area& area) {
      area.corner.y += height;
      area.size.y -= height;
    };
    lower(layout.picture);
    if (spans && !layout.tabs.empty()) layout.tabs.corner.y += height;
    if (spans && !layout.controls.empty()) lower(layout.controls);
    if (spans && !layout.dock.empty() && !layout.dock_is_column) lower(layout.dock);
  }
  return layout;
}

}  // namespace loom::app
