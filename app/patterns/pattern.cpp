#include "app/patterns/pattern.h"

#include <utility>

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
  const auto before = [&poll](Coord32 a, Coord32 b) {
    poll();
    return a.y != b.y ? a.y < b.y : a.x < b.x;
  };
  if (std::ranges::all_of(pattern.states, [](std::uint8_t state) { return state == 1; }))
    pattern.states.clear();
  if (!pattern.states.empty()) {
    std::vector<std::pair<Coord32, std::uint8_t>> all;
    for (std::size_t i = pattern.cells.size(); i-- > 0;)
      all.emplace_back(pattern.cells[i], pattern.states[i]);
    std::stable_sort(all.begin(), all.end(),
                     [&](const auto& a, const auto& b) { return before(a.first, b.first); });
    pattern.cells.clear();
    pattern.states.clear();
    for (const auto& [cell, state] : all) {
      if (!pattern.cells.empty() && pattern.cells.back() == cell) continue;
      pattern.cells.push_back(cell);
      pattern.states.push_back(state);
    }
    return;
  }
  std::ranges::sort(pattern.cells, before);
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

FractalField::FractalField(const NbbFractal& fractal, int level)
    : transform_(fractal, level),
      fractal_(fractal),
      level_(level),
      width_(fractal.width(level)),
      height_(fractal.height(level)) {
  Coord64 side{1, 1};
  std::uint64_t content = 1;
  for (int l = 0; l <= level; ++l) {
    sides_.push_back(side);
    content_.push_back(content);
    if (l == level) break;
    const Generator& generator = fractal.generator(level, l + 1);
    side.x *= generator.s_x;
    side.y *= generator.s_y;
    content *= generator.offsets.size();
  }
}

void FractalField::count(const Pattern& pattern, Coord<std::int64_t> at, std::size_t first, std::size_t end,
                         PlacementCounts& placement) const {
  for (std::size_t i = first; i < end; ++i) {
    const std::int64_t x = at.x + pattern.cells[i].x;
    const std::int64_t y = at.y + pattern.cells[i].y;
    if (!inside(x, y)) {
      ++placement.outside;
    } else {
      ++(is_cell({static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(y)}) ? placement.cells
                                                                                 : placement.holes);
    }
  }
}

std::vector<CellEdit> FractalField::placed_cells(const Pattern& pattern, Coord<std::int64_t> at,
                                                 const ProgressMonitor* watch) const {
  std::vector<CellEdit> edits;
  edits.reserve(pattern.cells.size());
  CancelPoll poll(watch);
  for (std::size_t i = 0; i < pattern.cells.size(); ++i) {
    poll();
    const std::int64_t x = at.x + pattern.cells[i].x;
    const std::int64_t y = at.y + pattern.cells[i].y;
    if (!inside(x, y)) continue;
    const Coord64 point{static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(y)};
    if (is_cell(point)) edits.push_back({point, pattern.state(i)});
  }
  return edits;
}

// Passes replicas that lie entirely in the rectangle to `whole`, which returns false to descend into them,
// and all other cells in it to `single`, which returns false to stop. Returns false if it was stopped.
template <typename Whole, typename Single>
bool FractalField::descend(const Rect& rect, int level, Coord64 corner, loom::Symmetry symmetry,
                           const Whole& whole, const Single& single) const {
  const Coord64 side = sides_[static_cast<std::size_t>(level)];
  const Coord64 end{rect.low.x + rect.size.x, rect.low.y + rect.size.y};
  if (corner.x >= end.x || corner.y >= end.y || rect.low.x >= corner.x + side.x ||
      rect.low.y >= corner.y + side.y)
    return true;
  if (level == 0) return single(corner);
  const bool within = corner.x >= rect.low.x && corner.y >= rect.low.y && corner.x + side.x <= end.x &&
                      corner.y + side.y <= end.y;
  if (within && whole(level)) return true;
  const Coord64 part = sides_[static_cast<std::size_t>(level - 1)];
  const Generator& generator = fractal_.generator(level_, level);
  for (std::size_t b = 0; b < generator.offsets.size(); ++b) {
    const Coord32 offset = apply(symmetry, generator.offsets[b], generator.s_x);
    const loom::Symmetry inner =
        generator.orientations.empty() ? symmetry : compose(symmetry, generator.orientations[b]);
    const Coord64 at{corner.x + offset.x * part.x, corner.y + offset.y * part.y};
    if (!descend(rect, level - 1, at, inner, whole, single)) return false;
  }
  return true;
}

std::uint64_t FractalField::count_in(const Rect& rect, std::uint64_t most) const {
  std::uint64_t found = 0;
  const auto add = [&](std::uint64_t cells) {
    found = cells > most || found + cells > most ? most + 1 : found + cells;
  };
  descend(
      rect, level_, {0, 0}, loom::Symmetry::kIdentity,
      [&](int level) {
        add(content_[static_cast<std::size_t>(level)]);
        return true;
      },
      [&](Coord64) {
        add(1);
        return found <= most;
      });
  return found;
}

std::vector<Coord64> FractalField::cells_in(const Rect& rect, const ProgressMonitor* watch) const {
  const std::uint64_t count = count_in(rect, kMostCells);
  if (count > kMostCells)
    throw InputError(
        fmt::format("the selection has more than {0} cells; allowed: at most {0} at once", kMostCells));
  std::vector<Coord64> cells;
  cells.reserve(count);
  CancelPoll poll(watch);
  descend(
      rect, level_, {0, 0}, loom::Symmetry::kIdentity, [](int) { return false; },
      [&](Coord64 cell) {
        poll();
        cells.push_back(cell);
        return true;
      });
  return cells;
}

}  // namespace loom::app::patterns
