#include "app/patterns/pattern.h"

#include <algorithm>

namespace loom::app::patterns {
namespace {

template <typename Move>
Pattern moved(const Pattern& pattern, std::uint32_t width, std::uint32_t height, const ProgressMonitor* watch,
              const Move& move) {
  Pattern result = pattern;
  result.width = width;
  result.height = height;
  for (Coord32& cell : result.cells) cell = move(cell);
  sort_cells(result, watch);
  return result;
}

}  // namespace

void sort_cells(Pattern& pattern, const ProgressMonitor* watch) {
  CancelPoll poll(watch, 1 << 16);
  std::ranges::sort(pattern.cells, [&poll](Coord32 a, Coord32 b) {
    poll();
    return a.y != b.y ? a.y < b.y : a.x < b.x;
  });
  // Not std::ranges::unique: the compiler of the fuzz targets does not accept its result.
  const auto doubles = std::unique(pattern.cells.begin(), pattern.cells.end());
  pattern.cells.erase(doubles, pattern.cells.end());
}

Pattern rotate_clockwise(const Pattern& pattern, const ProgressMonitor* watch) {
  return moved(pattern, pattern.height, pattern.width, watch, [&](Coord32 c) {
    return Coord32{pattern.height - 1 - c.y, c.x};
  });
}

Pattern rotate_anticlockwise(const Pattern& pattern, const ProgressMonitor* watch) {
  return moved(pattern, pattern.height, pattern.width, watch, [&](Coord32 c) {
    return Coord32{c.y, pattern.width - 1 - c.x};
  });
}

Pattern flip_left_right(const Pattern& pattern, const ProgressMonitor* watch) {
  return moved(pattern, pattern.width, pattern.height, watch, [&](Coord32 c) {
    return Coord32{pattern.width - 1 - c.x, c.y};
  });
}

Pattern flip_top_bottom(const Pattern& pattern, const ProgressMonitor* watch) {
  return moved(pattern, pattern.width, pattern.height, watch, [&](Coord32 c) {
    return Coord32{c.x, pattern.height - 1 - c.y};
  });
}

}  // namespace loom::app::patterns
