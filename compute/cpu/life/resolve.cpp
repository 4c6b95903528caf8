#include "compute/cpu/life/resolve.h"

#include <omp.h>

#include <algorithm>
#include <array>

#include "compute/core/integer_math.h"
#include "compute/geometry/stored_cells.h"

namespace loom::cpu {
namespace {

constexpr int kMaxLevels = 64;

/// A band of image rows, rendered by one thread, so that no two threads write the same pixel.
struct Band {
  PixelAxis columns;
  PixelAxis rows;
  int first_row;
  int last_row;
  std::int64_t first_x, last_x;  ///< cells that the band shows, [first, last)
  std::int64_t first_y, last_y;
};

Band make_band(const Viewport& viewport, int first_row, int last_row) {
  const auto& xs = viewport.x_edges;
  const auto& ys = viewport.y_edges;
  const auto end = [](const std::vector<std::int64_t>& edges, int size) {
    return std::max(edges[size - 1] + 1, edges[size]);
  };
  return {make_pixel_axis(xs.data(), xs.data(), viewport.width()),
          make_pixel_axis(ys.data(), ys.data(), viewport.height()),
          first_row,
          last_row,
          xs.front(),
          end(xs, viewport.width()),
          ys[first_row],
          end(ys, last_row)};
}

/// The tile level of the replicas that form a slice: the largest ones with at most 2^15 cells, which are
/// rendered in a millisecond.
int slice_level(const TiledFractal& fractal) {
  std::uint64_t cells = fractal.tile_cells;
  int mu = 0;
  while (mu < fractal.coarse_level && (cells *= fractal.coarse_shape(mu + 1).k) <= (1u << 15)) ++mu;
  return mu;
}

/// Traverses the tree of replicas from the whole fractal down to those of tile level `floor` (0: tiles) and
/// calls `paint(place, omega, orientation)` for each that overlaps a band and has held tiles. A slice's rows
/// of cells within the band are units of `call`; if it is cancelled, the rest is skipped.
template <typename Int, typename Paint>
class VisibleReplicas {
 public:
  VisibleReplicas(const TiledFractal& fractal, const Band& band, int floor, const ProgressScope& call,
                  const Paint& paint)
      : fractal_(fractal),
        band_(band),
        floor_(floor),
        slice_(slice_level(fractal)),
        call_(call),
        paint_(paint) {
    Int x = 1, y = 1, even = 1, odd = 1;
    for (int mu = 1; mu <= fractal.coarse_level; ++mu) {
      scale_x_[mu] = x;
      scale_y_[mu] = y;
      weight_[mu] = mu & 1 ? odd : even;
      const NbbShape& shape = fractal.coarse_shape(mu);
      x *= shape.s_x;
      y *= shape.s_y;
      (mu & 1 ? odd : even) *= shape.k;
      rows_[mu] = even;
    }
    scale_x_[fractal.coarse_level + 1] = x;
    scale_y_[fractal.coarse_level + 1] = y;
  }

  void descend() const { descend(fractal_.coarse_level, {0, 0}, {0, 0}, Symmetry::kIdentity); }

 private:
  /// A replica of tile level `mu` whose corner is at expanded tile coordinate `place`; `omega` holds the
  /// digits of the levels above, and the levels above turn it by `symmetry`.
  void descend(int mu, Coord<Int> place, Coord<Int> omega, Symmetry symmetry) const {
    const auto left = static_cast<std::int64_t>(place.x * fractal_.rho_x);
    const auto top = static_cast<std::int64_t>(place.y * fractal_.rho_y);
    const auto width = static_cast<std::int64_t>(scale_x_[mu + 1] * fractal_.rho_x);
    const auto height = static_cast<std::int64_t>(scale_y_[mu + 1] * fractal_.rho_y);
    if (left >= band_.last_x || left + width <= band_.first_x) return;
    if (top >= band_.last_y || top + height <= band_.first_y) return;
    if (omega.y >= fractal_.held.first + fractal_.held.count || omega.y + rows_[mu] <= fractal_.held.first)
      return;
    if (mu == slice_) {
      if (call_.cancelled()) return;
      call_.advance(
          static_cast<std::uint64_t>(std::min(top + height, band_.last_y) - std::max(top, band_.first_y)));
    }
    if (mu == floor_) return paint_(place, omega, symmetry);
    const NbbShape& shape = fractal_.coarse_shape(mu);
    for (std::uint32_t b = 0; b < shape.k; ++b) {
      Coord<Int> digits = omega;
      (mu & 1 ? digits.x : digits.y) += b * weight_[mu];
      const Coord32 offset = apply(symmetry, Coord32{shape.offset_x[b], shape.offset_y[b]}, shape.s_x);
      descend(mu - 1, {place.x + offset.x * scale_x_[mu], place.y + offset.y * scale_y_[mu]}, digits,
              compose(symmetry, fractal_.coarse_symmetry(mu, b)));
    }
  }

  const TiledFractal& fractal_;
  const Band& band_;
  int floor_;
  int slice_;
  const ProgressScope& call_;
  const Paint& paint_;
  std::array<Int, kMaxLevels + 2> scale_x_{1, 1};  ///< s_x^(mu - 1) at [mu]
  std::array<Int, kMaxLevels + 2> scale_y_{1, 1};
  std::array<Int, kMaxLevels + 2> weight_{};  ///< weight of level mu's digit in omega
  std::array<Int, kMaxLevels + 2> rows_{1};   ///< size in the orthotope of a replica of tile level mu
};

/// Calls `row(y, at, pixel rows, pixel columns of the tile's x, orientation of the tile)` for the rows of
/// cells of a band's tiles that overlap pixels; `at` is the position of the row's first cell.
template <typename Int, typename Storage, typename Row>
void for_each_row(const TiledFractal& fractal, const Storage& storage, const Band& band,
                  const ProgressScope& call, const Row& row) {
  const auto paint = [&](Coord<Int> place, Coord<Int> omega, Symmetry symmetry) {
    std::array<PixelRange, kMaxBlockThreads> columns;
    PixelWalk along(band.columns, static_cast<std::int64_t>(place.x * fractal.rho_x));
    for (std::uint32_t x = 0; x < fractal.rho_x; ++x) columns[x] = along.next();
    PixelWalk down(band.rows, static_cast<std::int64_t>(place.y * fractal.rho_y));
    std::uint64_t at = storage.tile_origin(omega, place);
    for (std::uint32_t y = 0; y < fractal.rho_y; ++y, at += storage.pitch()) {
      PixelRange rows = down.next();
      rows.first = std::max(rows.first, band.first_row);
      rows.last = std::min(rows.last, band.last_row);
      if (rows.first < rows.last) row(y, at, rows, columns.data(), symmetry);
    }
  };
  VisibleReplicas<Int, decltype(paint)>(fractal, band, 0, call, paint).descend();
}

/// Every cell fills its pixels.
template <typename Int, typename Storage, typename Cells>
void paint_cells(const TiledFractal& fractal, const Storage& storage, Cells cells, const Band& band,
                 const ProgressScope& call, std::uint32_t states, std::uint16_t* pixels) {
  const std::size_t width = static_cast<std::size_t>(band.columns.size);
  std::fill(pixels + band.first_row * width, pixels + band.last_row * width, std::uint16_t{0});
  for_each_row<Int>(
      fractal, storage, band, call,
      [&](std::uint32_t y, std::uint64_t at, PixelRange rows, const PixelRange* columns, Symmetry symmetry) {
        for (std::uint32_t x = 0; x < fractal.rho_x; ++x) {
          if (columns[x].first == columns[x].last || !fractal.micro_member(y * fractal.rho_x + x, symmetry))
            continue;
          const std::uint16_t value = density_value(states - 1, brightness(states, cells.load(at + x)));
          for (int row = rows.first; row < rows.last; ++row) {
            std::fill(pixels + row * width + columns[x].first, pixels + row * width + columns[x].last, value);
          }
        }
      });
}

/// The number of cells of a tile in each row before each x, the same in every tile of an orientation: element
/// [y * (rho_x + 1) + x] of the orientation's array.
using CellsBefore = std::array<std::array<std::uint16_t, 2 * kMaxBlockThreads>, kSymmetryCount>;
CellsBefore count_cells_before(const TiledFractal& fractal) {
  CellsBefore before{};
  for (std::uint32_t symmetry = 0; symmetry < (fractal.is_turned() ? kSymmetryCount : 1); ++symmetry) {
    for (std::uint32_t y = 0; y < fractal.rho_y; ++y) {
      std::uint16_t* const row = before[symmetry].data() + y * (fractal.rho_x + 1);
      for (std::uint32_t x = 0; x < fractal.rho_x; ++x) {
        const bool cell = fractal.micro_member(y * fractal.rho_x + x, static_cast<Symmetry>(symmetry));
        row[x + 1] = static_cast<std::uint16_t>(row[x] + (cell ? 1 : 0));
      }
    }
  }
  return before;
}

/// Every pixel counts its cells; those of a row that are in one pixel are counted in one step. Cells are in
/// the high half and living cells, or the sum of their brightness, in the low half of one word, so that one
/// addition counts both.
template <typename Int, typename Storage, typename Cells>
void count_densities(const TiledFractal& fractal, const Storage& storage, Cells cells, const Band& band,
                     const CellsBefore& before, const ProgressScope& call, std::uint32_t states,
                     std::uint64_t* counts) {
  const std::size_t width = static_cast<std::size_t>(band.columns.size);
  const std::size_t first = band.first_row * width;
  const std::size_t last = band.last_row * width;
  std::fill(counts + first, counts + last, std::uint64_t{0});
  for_each_row<Int>(
      fractal, storage, band, call,
      [&](std::uint32_t y, std::uint64_t at, PixelRange rows, const PixelRange* columns, Symmetry symmetry) {
        const std::uint16_t* const cells_before =
            before[static_cast<std::size_t>(symmetry)].data() + y * (fractal.rho_x + 1);
        for (std::uint32_t x = 0, end; x < fractal.rho_x; x = end) {
          const PixelRange range = columns[x];
          for (end = x + 1; end < fractal.rho_x; ++end) {
            if (columns[end].first != range.first || columns[end].last != range.last) break;
          }
          const std::uint32_t found = cells_before[end] - cells_before[x];
          if (found == 0 || range.first == range.last) continue;
          // Holes among them are dead.
          const std::uint64_t value = (std::uint64_t{found} << 32) + cells.count(at + x, end - x, states);
          for (int row = rows.first; row < rows.last; ++row) {
            for (int column = range.first; column < range.last; ++column)
              counts[row * width + column] += value;
          }
        }
      });
}

/// Renders the pixels of a band from their counts.
void paint_counts(const Band& band, const std::uint64_t* counts, std::uint32_t states,
                  std::uint16_t* pixels) {
  const std::size_t width = static_cast<std::size_t>(band.columns.size);
  for (std::size_t i = band.first_row * width; i < band.last_row * width; ++i)
    pixels[i] = density_value((counts[i] >> 32) * (states - 1), counts[i] & 0xffffffffu);
}

/// Rows of cells in view, summed over the slices.
template <typename Int>
std::uint64_t count_units(const TiledFractal& fractal, const Viewport& viewport) {
  const Band all = make_band(viewport, 0, viewport.height());
  const int floor = slice_level(fractal);
  std::uint64_t height = fractal.rho_y;
  for (int mu = 1; mu <= floor; ++mu) height *= fractal.coarse_shape(mu).s_y;
  std::uint64_t rows = 0;
  const ProgressScope unwatched;
  const auto add = [&](Coord<Int> place, Coord<Int>, Symmetry) {
    const auto top = static_cast<std::int64_t>(place.y * fractal.rho_y);
    rows += static_cast<std::uint64_t>(std::min(top + static_cast<std::int64_t>(height), all.last_y) -
                                       std::max(top, all.first_y));
  };
  VisibleReplicas<Int, decltype(add)>(fractal, all, floor, unwatched, add).descend();
  return rows;
}

/// Calls `paint(Int{}, storage, cells, band, call)` for the bands of a viewport, in parallel. Throws
/// OperationCancelled.
template <typename Paint>
void for_each_band(const MapMethod& method, const TiledFractal& fractal, std::uint8_t* cells,
                   const Viewport& viewport, ProgressMonitor* monitor, const Paint& paint) {
  // More bands than threads, since the lower half of a gasket has more cells than the upper half.
  const int bands = std::min(viewport.height(), 4 * omp_get_max_threads());
  const auto paint_all = [&]<typename Int>(Int, const auto& storage, auto held) {
    const ProgressScope call(monitor, monitor ? count_units<Int>(fractal, viewport) : 0);
#pragma omp parallel for schedule(dynamic)
    for (int b = 0; b < bands; ++b) {
      const Band band = make_band(viewport, static_cast<int>(std::int64_t{viewport.height()} * b / bands),
                                  static_cast<int>(std::int64_t{viewport.height()} * (b + 1) / bands));
      paint(Int{}, storage, held, band, call);
    }
    call.check();
  };
  with_stored(storage_format(method), fractal, cells,
              [&]<typename Int, typename Cells>(Int, const auto& storage, const Cells& held) {
                // Planes have no rows: their tree is rendered instead (bits/cpu_plane_engine.cpp).
                if constexpr (!std::is_same_v<Cells, PlaneCells>) paint_all(Int{}, storage, held);
              });
}

std::size_t area_of(const Viewport& viewport) {
  return static_cast<std::size_t>(viewport.width()) * static_cast<std::size_t>(viewport.height());
}

}  // namespace

void count_pixels(const MapMethod& method, const TiledFractal& fractal, std::uint8_t* cells,
                  const Viewport& viewport, ProgressMonitor* monitor, std::vector<std::uint64_t>& counts) {
  if (area_of(viewport) == 0) return;
  if (counts.size() < area_of(viewport)) counts.resize(area_of(viewport));
  const CellsBefore before = count_cells_before(fractal);
  for_each_band(
      method, fractal, cells, viewport, monitor,
      [&]<typename Int>(Int, const auto& storage, auto held, const Band& band, const ProgressScope& call) {
        count_densities<Int>(fractal, storage, held, band, before, call, viewport.states, counts.data());
      });
}

void resolve(const MapMethod& method, const TiledFractal& fractal, std::uint8_t* cells,
             const Viewport& viewport, ProgressMonitor* monitor, std::uint16_t* pixels,
             std::vector<std::uint64_t>& counts) {
  if (area_of(viewport) == 0) return;
  const bool one_cell_a_pixel =
      longest_footprint(viewport.x_edges) == 1 && longest_footprint(viewport.y_edges) == 1;
  if (!one_cell_a_pixel && counts.size() < area_of(viewport)) counts.resize(area_of(viewport));
  const CellsBefore before = count_cells_before(fractal);
  for_each_band(
      method, fractal, cells, viewport, monitor,
      [&]<typename Int>(Int, const auto& storage, auto held, const Band& band, const ProgressScope& call) {
        if (one_cell_a_pixel) {
          paint_cells<Int>(fractal, storage, held, band, call, viewport.states, pixels);
          return;
        }
        count_densities<Int>(fractal, storage, held, band, before, call, viewport.states, counts.data());
        paint_counts(band, counts.data(), viewport.states, pixels);
      });
}

}  // namespace loom::cpu
