#include "app/gui/layout.h"

#include <algorithm>
#include <cmath>

namespace loom::app {

namespace {

constexpr float kAllFigures = 0.6f;  ///< fraction of the column for all metrics, below the controls

}  // namespace

Layout arrange(float width, float height, float font_size, const LayoutOptions& layout_options) {
  const bool room = width >= 18 * font_size && height >= 10 * font_size;
  if (!layout_options.panels || !room) return {.picture = {0, 0, width, height}};
  const float column = std::floor(std::min(kControlsWidth * font_size, 0.6f * width));
  const float line = std::floor(std::min(1.9f * font_size, height));
  const float top = std::floor(kMenuHeight * font_size);
  const float above = height - line - top;
  Layout layout{.menu = {0, 0, width, top},
                .controls = {0, top, column, above},
                .status = {0, top + above, width, line},
                .picture = {column, top, width - column, above}};
  if (layout_options.dock) {
    const float dock = std::floor(kDockWidth * font_size);
    layout.dock_is_column = width - column - dock >= kPictureShare * width;
    if (layout.dock_is_column) {
      layout.picture.width -= dock;
      layout.dock = {width - dock, top, dock, above};
    } else {
      const float part =
          layout_options.show_all_metrics ? kAllFigures * above : layout_options.main_lines * font_size;
      const float high = std::floor(std::min(part, above / 2 + font_size));
      layout.controls.height -= high;
      layout.dock = {0, top + layout.controls.height, column, high};
    }
  }
  if (layout_options.strip) {
    layout.strip = layout.picture;
    const float lines = layout.strip.width >= kStripColumns * font_size ? kWideStrip : kNarrowStrip;
    layout.strip.height = std::floor(std::min(lines * font_size, kStripShare * above));
    layout.picture.y = top + layout.strip.height;
    layout.picture.height -= layout.strip.height;
  }
  return layout;
}

Area bench_area(const Layout& layout, float font_size) {
  const float margins = 3 * font_size;
  if (layout.picture.width >= kBenchWidth * font_size + margins) return layout.picture;
  const float top = layout.picture.y;
  return {0, top, layout.controls.width + layout.picture.width, layout.status.y - top};
}

}  // namespace loom::app
