#include "app/gui/layout.h"

#include <algorithm>
#include <cmath>

namespace loom::app {

namespace {

constexpr float kAllFigures = 0.6f;  ///< fraction of the column for all metrics, below the controls

}  // namespace

Layout arrange(glm::vec2 window, float font_size, const LayoutOptions& layout_options) {
  const bool room = window.x >= 18 * font_size && window.y >= 10 * font_size;
  if (!layout_options.panels || !room) return {.picture = {{}, window}};
  const float column = std::floor(std::min(kControlsWidth * font_size, 0.6f * window.x));
  const float line = std::floor(std::min(1.9f * font_size, window.y));
  const float top = std::floor(kMenuHeight * font_size);
  const float above = window.y - line - top;
  Layout layout{.menu = {{}, {window.x, top}},
                .controls = {{0, top}, {column, above}},
                .status = {{0, top + above}, {window.x, line}},
                .picture = {{column, top}, {window.x - column, above}}};
  if (layout_options.dock) {
    const float dock = std::floor(kDockWidth * font_size);
    layout.dock_is_column = window.x - column - dock >= kPictureShare * window.x;
    if (layout.dock_is_column) {
      layout.picture.size.x -= dock;
      layout.dock = {{window.x - dock, top}, {dock, above}};
    } else {
      const float part =
          layout_options.show_all_metrics ? kAllFigures * above : layout_options.main_lines * font_size;
      const float high = std::floor(std::min(part, above / 2 + font_size));
      layout.controls.size.y -= high;
      layout.dock = {{0, top + layout.controls.size.y}, {column, high}};
    }
  }
  if (layout_options.strip) {
    layout.strip = layout.picture;
    const float lines = layout.strip.size.x >= kStripColumns * font_size ? kWideStrip : kNarrowStrip;
    layout.strip.size.y = std::floor(std::min(lines * font_size, kStripShare * above));
    layout.picture.corner.y = top + layout.strip.size.y;
    layout.picture.size.y -= layout.strip.size.y;
  }
  return layout;
}

Area bench_area(const Layout& layout, float font_size) {
  const float margins = 3 * font_size;
  if (layout.picture.size.x >= kBenchWidth * font_size + margins) return layout.picture;
  const float top = layout.picture.corner.y;
  return {{0, top}, {layout.controls.size.x + layout.picture.size.x, layout.status.corner.y - top}};
}

}  // namespace loom::app
