#include "app/gui/layout.h"

#include <algorithm>
#include <cmath>

namespace loom::app {

Layout arrange(float width, float height, float font_size, bool panels) {
  const bool room = width >= 18 * font_size && height >= 8 * font_size;
  if (!panels || !room) return {.controls = {}, .status = {}, .picture = {0, 0, width, height}};
  const float column = std::floor(std::min(kControlsWidth * font_size, 0.6f * width));
  const float line = std::floor(std::min(1.9f * font_size, height));
  return {.controls = {0, 0, column, height - line},
          .status = {0, height - line, width, line},
          .picture = {column, 0, width - column, height - line}};
}

Area bench_area(const Layout& layout, float font_size) {
  const float margins = 3 * font_size;
  if (layout.picture.width >= kBenchWidth * font_size + margins) return layout.picture;
  return {0, 0, layout.controls.width + layout.picture.width, layout.status.y};
}

}  // namespace loom::app
