#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <glm/common.hpp>
#include <glm/vector_relational.hpp>
#include <utility>

#include "app/gui/theme.h"
#include "app/workspaces/life/picture/life_picture.h"

namespace loom::app {
namespace {

/// The visible multiples of a step, in cells, on both axes.
struct VisibleUnits {
  glm::u64vec2 first{0};
  glm::ivec2 count{0};
};

/// `total`: the multiples in the field.
VisibleUnits visible(const PictureView& view, glm::dvec2 step, glm::u64vec2 total) {
  const glm::dvec2 low = view.camera.field_at({0, 0});
  const glm::dvec2 high = view.camera.field_at(glm::dvec2(view.camera.picture()));
  const glm::dvec2 last = glm::dvec2(total) - 1.0;
  const glm::dvec2 begin = glm::clamp(glm::floor(low / step), glm::dvec2(0), last);
  const glm::dvec2 end = glm::clamp(glm::floor(high / step), glm::dvec2(0), last);
  VisibleUnits units;
  for (int axis = 0; axis < 2; ++axis) {
    if (high[axis] < 0 || low[axis] >= static_cast<double>(total[axis]) * step[axis]) continue;
    units.first[axis] = static_cast<std::uint64_t>(begin[axis]);
    units.count[axis] = static_cast<int>(end[axis] - begin[axis]) + 1;
  }
  return units;
}

VisibleUnits visible_cells(const PictureView& view, std::uint64_t width, std::uint64_t height) {
  return visible(view, {1, 1}, {width, height});
}

ImU32 with_alpha(ImU32 colour, ImU32 alpha) {
  return (colour & ~IM_COL32_A_MASK) | alpha << IM_COL32_A_SHIFT;
}

// Lines as thin rectangles on whole pixels: crisp, and cheaper than anti-aliased strokes.
void horizontal_line(ImDrawList& list, glm::vec2 from, float to_x, float thickness, ImU32 colour) {
  const float y = std::round(from.y - thickness / 2);
  list.AddRectFilled({std::round(from.x), y}, {std::round(to_x), y + thickness}, colour);
}

void vertical_line(ImDrawList& list, glm::vec2 from, float to_y, float thickness, ImU32 colour) {
  const float x = std::round(from.x - thickness / 2);
  list.AddRectFilled({x, std::round(from.y)}, {x + thickness, std::round(to_y)}, colour);
}

/// The visible tiles: which are launched, and which of them have cells. A margin of one tile, not launched,
/// avoids special cases at the edges.
class VisibleBlocks {
 public:
  VisibleBlocks(const PictureView& view, const TileGrid& space, MapKind map,
                std::vector<std::uint8_t>& memory)
      : rho_(space.tiled().rho_x, space.tiled().rho_y),
        tiles_(visible(view, rho_, {space.tiled().grid_x, space.tiled().grid_y})),
        state_(memory) {
    state_.assign(static_cast<std::size_t>(columns() + 2) * static_cast<std::size_t>(rows() + 2), kNone);
    for (int row = 0; row < rows(); ++row) {
      for (int column = 0; column < columns(); ++column) {
        const Coord64 block{tiles_.first.x + static_cast<std::uint64_t>(column),
                            tiles_.first.y + static_cast<std::uint64_t>(row)};
        at(row, column) = space.holds_cells(block)       ? kOccupied
                          : map == MapKind::kBoundingBox ? kWasted
                                                         : kNone;
      }
    }
  }

  int rows() const { return tiles_.count.y; }
  int columns() const { return tiles_.count.x; }
  bool launched(int row, int column) const { return get(row, column) != kNone; }
  bool wasted(int row, int column) const { return get(row, column) == kWasted; }
  bool occupied(int row, int column) const { return get(row, column) == kOccupied; }
  glm::dvec2 field(int column, int row) const {
    return (glm::dvec2(tiles_.first) + glm::dvec2(column, row)) * rho_;
  }

 private:
  enum State : std::uint8_t { kNone, kWasted, kOccupied };
  std::uint8_t& at(int row, int column) {
    return state_[static_cast<std::size_t>(row + 1) * static_cast<std::size_t>(columns() + 2) +
                  static_cast<std::size_t>(column + 1)];
  }
  std::uint8_t get(int row, int column) const { return const_cast<VisibleBlocks*>(this)->at(row, column); }

  glm::dvec2 rho_;
  VisibleUnits tiles_;
  std::vector<std::uint8_t>& state_;
};

// Calls act(first, last + 1) for each run of columns (or rows) for which `in` holds.
template <typename In, typename Act>
void for_runs(int count, In in, Act act) {
  for (int begin = 0; begin < count;) {
    if (!in(begin)) {
      ++begin;
      continue;
    }
    int end = begin;
    while (end < count && in(end)) ++end;
    act(begin, end);
    begin = end;
  }
}

/// Distance of the lines of the hatching, in font sizes.
constexpr float kHatchStep = 0.6f;

// Fills an area without active threads and hatches it, so that it is told from others without colour. The
// lines are those of one pattern over the whole picture, which moves with it.
void hatch(ImDrawList& list, const PictureView& view, glm::vec2 low, glm::vec2 high) {
  const theme::Overlay& marks = theme::overlay(view.is_light);
  list.AddRectFilled(low, high, marks.empty_tile);
  const float step = kHatchStep * ImGui::GetFontSize();
  const glm::vec2 size = high - low;
  if (std::min(size.x, size.y) < kMinGridSpacing) return;
  const float thickness = std::max(1.0f, std::floor(ImGui::GetFontSize() / 14));
  // A line has all points with the same x + y.
  const glm::vec2 origin = view.screen({0, 0});
  const float phase = std::fmod(origin.x + origin.y, step);
  const float first = phase + step * std::ceil((low.x + low.y - phase) / step);
  for (float sum = first; sum < high.x + high.y; sum += step) {
    const glm::vec2 from{std::max(low.x, sum - high.y), std::min(high.y, sum - low.x)};
    const glm::vec2 to{std::min(high.x, sum - low.y), std::max(low.y, sum - high.x)};
    list.AddLine(from, to, marks.empty_tile_hatch, thickness);
  }
}

/// Tints the empty areas of the tile grid: descends into the replicas that are visible and large enough.
class EmptyAreas {
 public:
  EmptyAreas(ImDrawList& list, const PictureView& view, const TileGrid& space)
      : list_(list),
        view_(view),
        tiled_(space.tiled()),
        low_(view.camera.field_at({0, 0})),
        high_(view.camera.field_at(glm::dvec2(view.camera.picture()))) {}

  void tint() {
    descend({{0, 0}, {tiled_.width, tiled_.height}}, tiled_.coarse_level, loom::Symmetry::kIdentity);
  }

 private:
  bool shows(const render::Rect<double>& box) const {
    return glm::all(glm::lessThan(box.corner, high_)) && glm::all(glm::greaterThan(box.end(), low_));
  }

  /// The replica at a position of a level's box that the levels above turn; negative for a hole.
  static int replica_at(const NbbShape& shape, loom::Symmetry symmetry, int column, int row) {
    const Coord32 at =
        apply(inverse(symmetry), Coord32{static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(row)},
              shape.s_x);
    return shape.replica_at[at.y * shape.s_x + at.x];
  }

  void fill(const render::Rect<double>& box) {
    hatch(list_, view_, view_.screen(glm::max(box.corner, low_)), view_.screen(glm::min(box.end(), high_)));
  }

  // `box`: the tiles of a replica of `level`, in cells. Exact, because the sides are products of scales.
  void descend(const render::Rect<double>& box, int level, loom::Symmetry symmetry) {
    if (level == 0 || !shows(box)) return;
    const NbbShape& shape = tiled_.coarse_shape(level);
    const glm::dvec2 part = box.size / glm::dvec2(shape.s_x, shape.s_y);
    const double least = static_cast<double>(kMinAreaSide) * static_cast<double>(view_.scale);
    if (glm::any(glm::lessThan(part, least * view_.camera.cells_per_pixel()))) return;
    const auto columns = static_cast<int>(shape.s_x);
    for (int row = 0; row < static_cast<int>(shape.s_y); ++row) {
      for_runs(
          columns, [&](int column) { return replica_at(shape, symmetry, column, row) < 0; },
          [&](int begin, int end) {
            const render::Rect<double> hole{box.corner + glm::dvec2(begin, row) * part,
                                            glm::dvec2(end - begin, 1) * part};
            if (shows(hole)) fill(hole);
          });
      for (int column = 0; column < columns; ++column) {
        const int replica = replica_at(shape, symmetry, column, row);
        if (replica < 0) continue;
        const auto own = tiled_.coarse_symmetry(level, static_cast<std::uint32_t>(replica));
        descend({box.corner + glm::dvec2(column, row) * part, part}, level - 1, compose(symmetry, own));
      }
    }
  }

  ImDrawList& list_;
  const PictureView& view_;
  const TiledFractal& tiled_;
  glm::dvec2 low_;
  glm::dvec2 high_;
};

// An edge belongs to the tiles on both sides and has the colour of tiles with cells if either has cells.
void outline_launched(ImDrawList& list, const PictureView& view, const VisibleBlocks& blocks,
                      float thickness) {
  const auto draw_rows = [&](auto in, ImU32 colour) {
    for (int row = 0; row <= blocks.rows(); ++row) {
      for_runs(
          blocks.columns(), [&](int column) { return in(row - 1, column, row, column); },
          [&](int begin, int end) {
            horizontal_line(list, view.screen(blocks.field(begin, row)),
                            view.screen(blocks.field(end, row)).x, thickness, colour);
          });
    }
    for (int column = 0; column <= blocks.columns(); ++column) {
      for_runs(
          blocks.rows(), [&](int row) { return in(row, column - 1, row, column); },
          [&](int begin, int end) {
            vertical_line(list, view.screen(blocks.field(column, begin)),
                          view.screen(blocks.field(column, end)).y, thickness, colour);
          });
    }
  };
  const auto occupied = [&](int r0, int c0, int r1, int c1) {
    return blocks.occupied(r0, c0) || blocks.occupied(r1, c1);
  };
  const auto wasted_only = [&](int r0, int c0, int r1, int c1) {
    return !occupied(r0, c0, r1, c1) && (blocks.wasted(r0, c0) || blocks.wasted(r1, c1));
  };
  draw_rows(wasted_only, theme::overlay(view.is_light).empty_tile_outline);
  draw_rows(occupied, theme::overlay(view.is_light).active_tile);
}

void dot_idle_threads(ImDrawList& list, const PictureView& view, const TileGrid& space) {
  const TiledFractal& tiled = space.tiled();
  const VisibleUnits cells = visible_cells(view, tiled.width, tiled.height);
  const float radius = std::clamp(cell_side(view) * 0.09f, 1.0f, 4.0f);
  for (int row = 0; row < cells.count.y; ++row) {
    for (int column = 0; column < cells.count.x; ++column) {
      const auto place = space.place_at(static_cast<std::int64_t>(cells.first.x) + column,
                                        static_cast<std::int64_t>(cells.first.y) + row);
      if (!place || place->is_cell || !place->omega || !place->thread) continue;
      const glm::vec2 centre = view.screen(glm::dvec2(place->cell.x, place->cell.y) + 0.5);
      list.AddRectFilled(centre - radius, centre + radius, theme::overlay(view.is_light).idle_thread);
    }
  }
}

}  // namespace

float cell_side(const PictureView& view) {
  const glm::dvec2 pixels = 1.0 / view.camera.cells_per_pixel();
  return static_cast<float>(std::min(pixels.x, pixels.y)) / view.scale;
}

float tile_side(const PictureView& view, const TileGrid& space) {
  const glm::dvec2 rho(space.tiled().rho_x, space.tiled().rho_y);
  const glm::dvec2 pixels = rho / view.camera.cells_per_pixel();
  return static_cast<float>(std::min(pixels.x, pixels.y)) / view.scale;
}

void draw_cell_grid(ImDrawList& list, const PictureView& view, const TileGrid& space) {
  if (cell_side(view) < kMinGridSpacing) return;
  const VisibleUnits cells = visible_cells(view, space.tiled().width, space.tiled().height);
  const glm::dvec2 corner(cells.first);
  const glm::vec2 high = view.screen(corner + glm::dvec2(cells.count));
  for (int i = 0; i <= cells.count.x; ++i) {
    vertical_line(list, view.screen(corner + glm::dvec2(i, 0)), high.y, 1,
                  theme::overlay(view.is_light).cell_grid);
  }
  for (int i = 0; i <= cells.count.y; ++i) {
    horizontal_line(list, view.screen(corner + glm::dvec2(0, i)), high.x, 1,
                    theme::overlay(view.is_light).cell_grid);
  }
}

void draw_tile_grid(ImDrawList& list, const PictureView& view, const TileGrid& space, MapKind map,
                    std::vector<std::uint8_t>& memory) {
  if (map == MapKind::kBoundingBox) EmptyAreas(list, view, space).tint();
  if (tile_side(view, space) < kMinGridSpacing) return;
  const VisibleBlocks blocks(view, space, map, memory);
  if (cell_side(view) >= kMinGridSpacing) dot_idle_threads(list, view, space);
  const float thickness = tile_side(view, space) >= 24 ? std::max(1.0f, ImGui::GetFontSize() / 20) : 1.0f;
  outline_launched(list, view, blocks, std::floor(thickness));
}

void draw_hovered(ImDrawList& list, const PictureView& view, const TileGrid& space, const PointInfo& place,
                  MapKind map) {
  const auto outline = [&](glm::dvec2 corner, glm::dvec2 size) {
    list.AddRect(view.screen(corner), view.screen(corner + size), theme::overlay(view.is_light).hovered, 0, 0,
                 2);
  };
  const TiledFractal& tiled = space.tiled();
  const bool launched = map == MapKind::kBoundingBox || place.omega.has_value();
  if (launched && tile_side(view, space) >= kMinGridSpacing / 2) {
    const glm::dvec2 rho(tiled.rho_x, tiled.rho_y);
    outline(glm::dvec2(place.tile.x, place.tile.y) * rho, rho);
  }
  if (cell_side(view) >= kMinGridSpacing) {
    outline({place.cell.x, place.cell.y}, {1, 1});
  }
}

void draw_thread(ImDrawList& list, const PictureView& view, const explain::SpaceLayout& layout,
                 const ThreadExplanation::Thread& thread) {
  const theme::Overlay& marks = theme::overlay(view.is_light);
  if (cell_side(view) >= 2) {
    const auto corners = [&](Coord64 unit) {
      const glm::dvec2 corner(unit.x, unit.y);
      return std::pair{view.screen(corner), view.screen(corner + 1.0)};
    };
    for (const explain::ThreadLocation& place : thread.tile) {
      const auto unit = layout.unit_of(place);
      if (!unit) continue;
      const auto [low, high] = corners(*unit);
      list.AddRectFilled(low, high, theme::overlay(view.is_light).selected_tile);
    }
    for (std::size_t lane = 0; lane < thread.lanes.size(); ++lane) {
      const auto& place = thread.lanes[lane];
      const auto unit = place ? layout.unit_of(*place) : std::nullopt;
      if (!unit) continue;
      const auto [low, high] = corners(*unit);
      const auto shade = static_cast<ImU32>(90 + 5 * lane);
      if (place->has_cell) list.AddRectFilled(low, high, with_alpha(marks.warp, shade));
      list.AddRect(low, high, marks.warp, 0, 0, 1.5f);
    }
  }
  if (const auto unit = layout.unit_of(thread.place)) draw_ring(list, view, *unit);
}

void draw_groups(ImDrawList& list, const PictureView& view, const explain::SpaceLayout& layout) {
  const Coord64 group = layout.group_size();
  const glm::dvec2 side = glm::dvec2(group.x, group.y) / view.camera.cells_per_pixel() / double{view.scale};
  if (std::min(side.x, side.y) < kMinGridSpacing) return;
  const VisibleUnits units = visible_cells(view, layout.width(), layout.height());
  const glm::u64vec2 end = units.first + glm::u64vec2(units.count);
  for (std::uint64_t y = units.first.y; y < end.y;) {
    const std::uint64_t next_y = y + group.y - y % group.y;
    for (std::uint64_t x = units.first.x; x < end.x;) {
      const auto box = layout.group_of({x, y});
      if (!box) {
        ++x;
        continue;
      }
      list.AddRect(view.screen({box->corner.x, box->corner.y}),
                   view.screen({box->corner.x + box->size.x, box->corner.y + box->size.y}),
                   theme::overlay(view.is_light).active_tile, 0, 0, 1);
      x = box->corner.x + box->size.x;
    }
    y = next_y;
  }
}

void draw_square(ImDrawList& list, const PictureView& view, const explain::CellRect& square) {
  const glm::dvec2 corner(square.corner.x, square.corner.y);
  const glm::vec2 low = view.screen(corner);
  const glm::vec2 high = view.screen(corner + glm::dvec2(square.size.x, square.size.y));
  list.AddRectFilled(low, high, theme::overlay(view.is_light).selected_tile);
  list.AddRect(low, high, theme::overlay(view.is_light).edge, 0, 0, 5);
  list.AddRect(low, high, theme::overlay(view.is_light).hovered, 0, 0, 2.5f);
}

void draw_ring(ImDrawList& list, const PictureView& view, Coord64 cell) {
  const glm::vec2 middle = view.screen(glm::dvec2(cell.x, cell.y) + 0.5);
  const float radius = std::max(cell_side(view) * 0.8f, ImGui::GetFontSize() * 0.7f);
  list.AddCircle(middle, radius + 1.5f, theme::overlay(view.is_light).edge, 0, 5);
  list.AddCircle(middle, radius, theme::overlay(view.is_light).selection, 0, 2.5f);
}

namespace {

// Each darker than the previous one, so that they differ in greyscale too.
constexpr std::array kAgeColours = {
    IM_COL32(255, 255, 255, 255), IM_COL32(255, 240, 150, 255), IM_COL32(255, 210, 80, 255),
    IM_COL32(250, 165, 55, 255),  IM_COL32(235, 110, 60, 255),  IM_COL32(205, 60, 85, 255),
    IM_COL32(150, 40, 120, 255),
};

static_assert(kAgeColours.size() == kAgeSteps);

}  // namespace

ImU32 age_colour(std::size_t step) {
  return kAgeColours[std::min(step, kAgeSteps - 1)];
}

ImU32 trail_colour(std::uint32_t dead) {
  return IM_COL32(80, 190, 255, 12 * (CellAges::kTrail + 1 - dead));
}

void draw_ages(ImDrawList& list, const PictureView& view, const CellAges& ages) {
  if (cell_side(view) < kMinAgeCellSide) return;
  const Area& area = view.area;
  for (const CellAges::Cell& cell : ages.cells()) {
    if (cell.alive == 0 && cell.dead == 0) continue;
    const glm::dvec2 corner(cell.place.x, cell.place.y);
    const glm::vec2 low = view.screen(corner);
    const glm::vec2 high = view.screen(corner + 1.0);
    if (glm::any(glm::lessThan(high, area.corner)) || glm::any(glm::greaterThan(low, area.end()))) continue;
    if (cell.alive > 0) {
      const auto step = static_cast<std::size_t>(std::bit_width(cell.alive) - 1);
      list.AddRectFilled(low, high, age_colour(step));
    } else {
      list.AddRectFilled(low, high, trail_colour(cell.dead));
    }
  }
}

}  // namespace loom::app
