#include "app/workspaces/life/picture/grid_overlay.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "app/gui/theme.h"

namespace loom::app {
namespace {

/// The visible multiples of `step` cells on one axis.
struct Span {
  std::uint64_t first = 0;
  int count = 0;
};

Span visible(double low, double high, double step, std::uint64_t total) {
  const double last = static_cast<double>(total) - 1;
  const double begin = std::clamp(std::floor(low / step), 0.0, last);
  const double end = std::clamp(std::floor(high / step), 0.0, last);
  if (high < 0 || low >= static_cast<double>(total) * step) return {};
  return {static_cast<std::uint64_t>(begin), static_cast<int>(end - begin) + 1};
}

Span visible_x(const PictureView& view, double step, std::uint64_t total) {
  const render::Camera& camera = view.camera;
  return visible(camera.field_x(0), camera.field_x(camera.picture().width), step, total);
}

Span visible_y(const PictureView& view, double step, std::uint64_t total) {
  const render::Camera& camera = view.camera;
  return visible(camera.field_y(0), camera.field_y(camera.picture().height), step, total);
}

// Lines as thin rectangles on whole pixels: crisp, and cheaper than anti-aliased strokes.
void horizontal_line(ImDrawList& list, ImVec2 from, float to_x, float thickness, ImU32 colour) {
  const float y = std::round(from.y - thickness / 2);
  list.AddRectFilled({std::round(from.x), y}, {std::round(to_x), y + thickness}, colour);
}

void vertical_line(ImDrawList& list, ImVec2 from, float to_y, float thickness, ImU32 colour) {
  const float x = std::round(from.x - thickness / 2);
  list.AddRectFilled({x, std::round(from.y)}, {x + thickness, std::round(to_y)}, colour);
}

/// The visible tiles: which are launched, and which of them have cells. A margin of one tile, not launched,
/// avoids special cases at the edges.
class VisibleBlocks {
 public:
  VisibleBlocks(const PictureView& view, const TileGrid& space, MapKind map,
                std::vector<std::uint8_t>& memory)
      : rho_x_(space.tiled().rho_x), rho_y_(space.tiled().rho_y), state_(memory) {
    x_ = visible_x(view, rho_x_, space.tiled().grid_x);
    y_ = visible_y(view, rho_y_, space.tiled().grid_y);
    state_.assign(static_cast<std::size_t>(x_.count + 2) * static_cast<std::size_t>(y_.count + 2), kNone);
    for (int row = 0; row < y_.count; ++row) {
      for (int column = 0; column < x_.count; ++column) {
        const Coord64 block{x_.first + static_cast<std::uint64_t>(column),
                            y_.first + static_cast<std::uint64_t>(row)};
        at(row, column) = space.holds_cells(block)       ? kOccupied
                          : map == MapKind::kBoundingBox ? kWasted
                                                         : kNone;
      }
    }
  }

  int rows() const { return y_.count; }
  int columns() const { return x_.count; }
  bool launched(int row, int column) const { return get(row, column) != kNone; }
  bool wasted(int row, int column) const { return get(row, column) == kWasted; }
  bool occupied(int row, int column) const { return get(row, column) == kOccupied; }
  double field_x(int column) const { return (static_cast<double>(x_.first) + column) * rho_x_; }
  double field_y(int row) const { return (static_cast<double>(y_.first) + row) * rho_y_; }

 private:
  enum State : std::uint8_t { kNone, kWasted, kOccupied };
  std::uint8_t& at(int row, int column) {
    return state_[static_cast<std::size_t>(row + 1) * static_cast<std::size_t>(x_.count + 2) +
                  static_cast<std::size_t>(column + 1)];
  }
  std::uint8_t get(int row, int column) const { return const_cast<VisibleBlocks*>(this)->at(row, column); }

  double rho_x_;
  double rho_y_;
  Span x_;
  Span y_;
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

void tint_wasted(ImDrawList& list, const PictureView& view, const VisibleBlocks& blocks) {
  for (int row = 0; row < blocks.rows(); ++row) {
    for_runs(
        blocks.columns(), [&](int column) { return blocks.wasted(row, column); },
        [&](int begin, int end) {
          list.AddRectFilled(view.screen(blocks.field_x(begin), blocks.field_y(row)),
                             view.screen(blocks.field_x(end), blocks.field_y(row + 1)), theme::kEmptyTile);
        });
  }
}

/// Tints the empty areas of the tile grid: descends into the replicas that are visible and large enough.
class EmptyAreas {
 public:
  EmptyAreas(ImDrawList& list, const PictureView& view, const TileGrid& space)
      : list_(list), view_(view), shape_(space.tiled().shape) {
    const render::Camera& camera = view.camera;
    low_x_ = camera.field_x(0);
    low_y_ = camera.field_y(0);
    high_x_ = camera.field_x(camera.picture().width);
    high_y_ = camera.field_y(camera.picture().height);
  }

  void tint(const TiledFractal& tiled) {
    descend({0, 0, static_cast<double>(tiled.width), static_cast<double>(tiled.height)}, tiled.coarse_level);
  }

 private:
  /// In cells. Exact, because the sides are powers of the scale.
  struct Box {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
  };

  bool shows(const Box& box) const {
    return box.x < high_x_ && box.x + box.width > low_x_ && box.y < high_y_ && box.y + box.height > low_y_;
  }

  bool is_hole(int column, int row) const {
    return shape_.replica_at[row * static_cast<int>(shape_.s_x) + column] < 0;
  }

  void fill(Box box) {
    const double right = std::min(box.x + box.width, high_x_);
    const double bottom = std::min(box.y + box.height, high_y_);
    list_.AddRectFilled(view_.screen(std::max(box.x, low_x_), std::max(box.y, low_y_)),
                        view_.screen(right, bottom), theme::kEmptyTile);
  }

  // `box`: the tiles of a replica of `level`.
  void descend(const Box& box, int level) {
    if (level == 0 || !shows(box)) return;
    const Box part{box.x, box.y, box.width / shape_.s_x, box.height / shape_.s_y};
    const double least = static_cast<double>(kMinAreaSide) * static_cast<double>(view_.scale);
    if (part.width < least * view_.camera.cells_per_pixel_x()) return;
    if (part.height < least * view_.camera.cells_per_pixel_y()) return;
    const auto columns = static_cast<int>(shape_.s_x);
    for (int row = 0; row < static_cast<int>(shape_.s_y); ++row) {
      const double y = box.y + row * part.height;
      for_runs(
          columns, [&](int column) { return is_hole(column, row); },
          [&](int begin, int end) {
            const Box hole{box.x + begin * part.width, y, (end - begin) * part.width, part.height};
            if (shows(hole)) fill(hole);
          });
      for (int column = 0; column < columns; ++column) {
        if (is_hole(column, row)) continue;
        descend({box.x + column * part.width, y, part.width, part.height}, level - 1);
      }
    }
  }

  ImDrawList& list_;
  const PictureView& view_;
  const NbbShape& shape_;
  double low_x_ = 0;
  double low_y_ = 0;
  double high_x_ = 0;
  double high_y_ = 0;
};

// An edge belongs to the tiles on both sides and has the colour of tiles with cells if either has cells.
void outline_launched(ImDrawList& list, const PictureView& view, const VisibleBlocks& blocks,
                      float thickness) {
  const auto draw_rows = [&](auto in, ImU32 colour) {
    for (int row = 0; row <= blocks.rows(); ++row) {
      for_runs(
          blocks.columns(), [&](int column) { return in(row - 1, column, row, column); },
          [&](int begin, int end) {
            horizontal_line(list, view.screen(blocks.field_x(begin), blocks.field_y(row)),
                            view.screen(blocks.field_x(end), 0).x, thickness, colour);
          });
    }
    for (int column = 0; column <= blocks.columns(); ++column) {
      for_runs(
          blocks.rows(), [&](int row) { return in(row, column - 1, row, column); },
          [&](int begin, int end) {
            vertical_line(list, view.screen(blocks.field_x(column), blocks.field_y(begin)),
                          view.screen(0, blocks.field_y(end)).y, thickness, colour);
          });
    }
  };
  const auto occupied = [&](int r0, int c0, int r1, int c1) {
    return blocks.occupied(r0, c0) || blocks.occupied(r1, c1);
  };
  const auto wasted_only = [&](int r0, int c0, int r1, int c1) {
    return !occupied(r0, c0, r1, c1) && (blocks.wasted(r0, c0) || blocks.wasted(r1, c1));
  };
  draw_rows(wasted_only, theme::kEmptyTileOutline);
  draw_rows(occupied, theme::kActiveTile);
}

void dot_idle_threads(ImDrawList& list, const PictureView& view, const TileGrid& space) {
  const TiledFractal& tiled = space.tiled();
  const Span columns = visible_x(view, 1, tiled.width);
  const Span rows = visible_y(view, 1, tiled.height);
  const float radius = std::clamp(cell_side(view) * 0.09f, 1.0f, 4.0f);
  for (int row = 0; row < rows.count; ++row) {
    for (int column = 0; column < columns.count; ++column) {
      const auto place = space.place_at(static_cast<std::int64_t>(columns.first) + column,
                                        static_cast<std::int64_t>(rows.first) + row);
      if (!place || place->is_cell || !place->omega || !place->thread) continue;
      const ImVec2 centre =
          view.screen(static_cast<double>(place->cell.x) + 0.5, static_cast<double>(place->cell.y) + 0.5);
      list.AddRectFilled({centre.x - radius, centre.y - radius}, {centre.x + radius, centre.y + radius},
                         theme::kIdleThread);
    }
  }
}

}  // namespace

float cell_side(const PictureView& view) {
  return static_cast<float>(
             std::min(1 / view.camera.cells_per_pixel_x(), 1 / view.camera.cells_per_pixel_y())) /
         view.scale;
}

float tile_side(const PictureView& view, const TileGrid& space) {
  return static_cast<float>(std::min(space.tiled().rho_x / view.camera.cells_per_pixel_x(),
                                     space.tiled().rho_y / view.camera.cells_per_pixel_y())) /
         view.scale;
}

void draw_cell_grid(ImDrawList& list, const PictureView& view, const TileGrid& space) {
  if (cell_side(view) < kMinGridSpacing) return;
  const Span columns = visible_x(view, 1, space.tiled().width);
  const Span rows = visible_y(view, 1, space.tiled().height);
  const double left = static_cast<double>(columns.first);
  const double top = static_cast<double>(rows.first);
  const ImVec2 low = view.screen(left, top);
  const ImVec2 high = view.screen(left + columns.count, top + rows.count);
  for (int i = 0; i <= columns.count; ++i) {
    vertical_line(list, {view.screen(left + i, 0).x, low.y}, high.y, 1, theme::kCellGrid);
  }
  for (int i = 0; i <= rows.count; ++i) {
    horizontal_line(list, {low.x, view.screen(0, top + i).y}, high.x, 1, theme::kCellGrid);
  }
}

void draw_tile_grid(ImDrawList& list, const PictureView& view, const TileGrid& space, MapKind map,
                    std::vector<std::uint8_t>& memory) {
  if (tile_side(view, space) < kMinGridSpacing) {
    if (map == MapKind::kBoundingBox) EmptyAreas(list, view, space).tint(space.tiled());
    return;
  }
  const VisibleBlocks blocks(view, space, map, memory);
  tint_wasted(list, view, blocks);
  if (cell_side(view) >= kMinGridSpacing) dot_idle_threads(list, view, space);
  const float thickness = tile_side(view, space) >= 24 ? std::max(1.0f, ImGui::GetFontSize() / 12) : 1.0f;
  outline_launched(list, view, blocks, std::floor(thickness));
}

void draw_hovered(ImDrawList& list, const PictureView& view, const TileGrid& space, const PointInfo& place,
                  MapKind map) {
  const auto outline = [&](double x, double y, double width, double height) {
    list.AddRect(view.screen(x, y), view.screen(x + width, y + height), theme::kHovered, 0, 0, 2);
  };
  const TiledFractal& tiled = space.tiled();
  const bool launched = map == MapKind::kBoundingBox || place.omega.has_value();
  if (launched && tile_side(view, space) >= kMinGridSpacing / 2) {
    outline(static_cast<double>(place.block.x) * tiled.rho_x,
            static_cast<double>(place.block.y) * tiled.rho_y, tiled.rho_x, tiled.rho_y);
  }
  if (cell_side(view) >= kMinGridSpacing) {
    outline(static_cast<double>(place.cell.x), static_cast<double>(place.cell.y), 1, 1);
  }
}

void draw_thread(ImDrawList& list, const PictureView& view, const explain::SpaceLayout& layout,
                 const ThreadExplanation::Thread& thread) {
  if (cell_side(view) >= 2) {
    const auto corners = [&](Coord64 unit) {
      const auto x = static_cast<double>(unit.x);
      const auto y = static_cast<double>(unit.y);
      return std::pair{view.screen(x, y), view.screen(x + 1, y + 1)};
    };
    for (const explain::ThreadLocation& place : thread.block) {
      const auto unit = layout.unit_of(place);
      if (!unit) continue;
      const auto [low, high] = corners(*unit);
      list.AddRectFilled(low, high, theme::kSelectedTile);
    }
    for (std::size_t lane = 0; lane < thread.lanes.size(); ++lane) {
      const auto& place = thread.lanes[lane];
      const auto unit = place ? layout.unit_of(*place) : std::nullopt;
      if (!unit) continue;
      const auto [low, high] = corners(*unit);
      const auto shade = static_cast<int>(90 + 5 * lane);
      if (place->has_cell) list.AddRectFilled(low, high, IM_COL32(255, 170, 60, shade));
      list.AddRect(low, high, IM_COL32(255, 190, 90, 255), 0, 0, 1.5f);
    }
  }
  if (const auto unit = layout.unit_of(thread.place)) draw_ring(list, view, *unit);
}

void draw_groups(ImDrawList& list, const PictureView& view, const explain::SpaceLayout& layout) {
  const Coord64 group = layout.group_size();
  const double wide = static_cast<double>(group.x) / view.camera.cells_per_pixel_x() / view.scale;
  const double high = static_cast<double>(group.y) / view.camera.cells_per_pixel_y() / view.scale;
  if (std::min(wide, high) < kMinGridSpacing) return;
  const Span columns = visible_x(view, 1, layout.width());
  const Span rows = visible_y(view, 1, layout.height());
  const std::uint64_t end_x = columns.first + static_cast<std::uint64_t>(columns.count);
  const std::uint64_t end_y = rows.first + static_cast<std::uint64_t>(rows.count);
  for (std::uint64_t y = rows.first; y < end_y;) {
    const std::uint64_t next_y = y + group.y - y % group.y;
    for (std::uint64_t x = columns.first; x < end_x;) {
      const auto box = layout.group_of({x, y});
      if (!box) {
        ++x;
        continue;
      }
      const ImVec2 low = view.screen(static_cast<double>(box->corner.x), static_cast<double>(box->corner.y));
      const ImVec2 to = view.screen(static_cast<double>(box->corner.x + box->size.x),
                                    static_cast<double>(box->corner.y + box->size.y));
      list.AddRect(low, to, theme::kActiveTile, 0, 0, 1);
      x = box->corner.x + box->size.x;
    }
    y = next_y;
  }
}

void draw_square(ImDrawList& list, const PictureView& view, const explain::CellRect& square) {
  const auto x = static_cast<double>(square.corner.x);
  const auto y = static_cast<double>(square.corner.y);
  const ImVec2 low = view.screen(x, y);
  const ImVec2 high =
      view.screen(x + static_cast<double>(square.size.x), y + static_cast<double>(square.size.y));
  list.AddRectFilled(low, high, IM_COL32(255, 255, 255, 40));
  list.AddRect(low, high, theme::kTextBackground, 0, 0, 5);
  list.AddRect(low, high, theme::kHovered, 0, 0, 2.5f);
}

void draw_ring(ImDrawList& list, const PictureView& view, Coord64 cell) {
  const ImVec2 middle = view.screen(static_cast<double>(cell.x) + 0.5, static_cast<double>(cell.y) + 0.5);
  const float radius = std::max(cell_side(view) * 0.8f, ImGui::GetFontSize() * 0.7f);
  list.AddCircle(middle, radius + 1.5f, theme::kTextBackground, 0, 5);
  list.AddCircle(middle, radius, ImGui::ColorConvertFloat4ToU32(theme::kWarning), 0, 2.5f);
}

}  // namespace loom::app
