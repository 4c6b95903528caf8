#include "app/gui/layout.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace loom::app {

namespace {

constexpr float kStatusHeight = 1.9f;  ///< in font sizes
constexpr float kTabsHeight = 1.9f;
constexpr float kLeastLines = 7;  ///< of the picture, in font sizes

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
  const float status_height = layout_options.lecture ? 0 : kStatusHeight;
  const float bars =
      kMenuHeight + kToolbarRow * static_cast<float>(layout_options.toolbar_rows) + status_height;
  const bool room = window.x >= 18 * font_size && window.y >= (bars + kLeastLines) * font_size;
  if (!layout_options.panels || !room) return {.picture = {{}, window}};
  const float column =
      layout_options.side_panel ? std::floor(std::min(kControlsWidth * font_size, 0.6f * window.x)) : 0;
  const float line = std::floor(kStatusHeight * font_size);
  const float menu = std::floor(kMenuHeight * font_size);
  const float bar = std::floor(kToolbarRow * font_size * static_cast<float>(layout_options.toolbar_rows));
  const float top = menu + bar;
  const float above = window.y - std::floor(status_height * font_size) - top;
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
    layout.strip = layout.picture;
    const bool wide = layout.strip.size.x >= kStripColumns * font_size;
    const bool is_list = layout_options.strip_is_list;
    const bool brief = layout_options.lecture && wide && !is_list;
    const float lines = brief  ? kLectureStrip
                        : wide ? (is_list ? kWideStripList : kWideStrip)
                               : (is_list ? kNarrowStripList : kNarrowStrip);
    const float share = is_list ? kStripListShare : kStripShare;
    layout.strip.size.y = std::floor(std::min(lines * font_size, share * above));
    layout.picture.corner.y = top + layout.strip.size.y;
    layout.picture.size.y -= layout.strip.size.y;
  }
  return layout;
}

}  // namespace loom::app
