#pragma once

#include <cstdint>
#include <vector>

#include "compute/geometry/tiled_fractal.h"
#include "compute/geometry/transforms.h"
#include "compute/map/map_method.h"

namespace loom {

// The intra-block mappings: the position of an occupied tile that each of the tile's threads works on. Each
// mapping is a trivially copyable value with threads_x x threads_y threads and position(fractal, thread) for
// the fractal it was made for. Over all threads, every cell of the level-j fractal occurs exactly once. The
// threads form a rho_x x rho_y rectangle or one row. If replicas are turned, positions are those before the
// tile is turned. Source: [lambda-2020] section 5.

/// A thread's position in its tile, or none; the thread is then idle.
struct ThreadPosition {
  Coord32 at;
  bool present = false;
};

/// A position of a tile's content in a tile with this orientation.
LOOM_HOST_DEVICE ThreadPosition turn(const TiledFractal& fractal, ThreadPosition position,
                                     Symmetry symmetry) {
  return {apply(symmetry, position.at, fractal.rho_x), position.present};
}

/// Bounding sub-box: one thread per position of the tile.
class SubBoxThreads {
 public:
  explicit SubBoxThreads(const TiledFractal& fractal) : threads_x(fractal.rho_x), threads_y(fractal.rho_y) {}
  LOOM_HOST_DEVICE static ThreadPosition position(const TiledFractal& fractal, Coord32 thread) {
    return {thread, fractal.micro_member(thread.y * fractal.rho_x + thread.x)};
  }
  std::uint32_t threads_x;
  std::uint32_t threads_y;
};

/// Further unrolling: one thread per cell; lambda maps the thread index to the cell.
class UnrolledThreads {
 public:
  explicit UnrolledThreads(const TiledFractal& fractal)
      : threads_x(fractal.tile_cells),
        transform_(fractal.shape, fractal.levels, fractal.level),
        levels_(fractal.tile_level),
        columns_(1) {
    std::uint32_t columns = 1;
    for (int mu = 1; mu <= levels_; mu += 2) columns *= fractal.level_shape(mu).k;
    columns_ = FastDivisor<std::uint32_t>(columns);
  }
  LOOM_HOST_DEVICE ThreadPosition position(const TiledFractal&, Coord32 thread) const {
    std::uint32_t row = thread.x;
    const std::uint32_t column = columns_.take_digit(row);
    return {lambda_map(transform_, levels_, Coord32{column, row}), true};
  }
  /// The thread that works on a cell's position: the inverse of position(), computed by nu.
  LOOM_HOST_DEVICE Coord32 thread_at(Coord32 position) const {
    const Coord32 omega = nu_map(transform_, levels_, position).omega;
    return {omega.y * columns_.value() + omega.x, 0};
  }
  std::uint32_t threads_x;
  static constexpr std::uint32_t threads_y = 1;

 private:
  NbbTransform<std::uint32_t> transform_;
  int levels_;
  FastDivisor<std::uint32_t> columns_;
};

/// Lookup table: one thread per cell; each thread loads its position. The table lists the tile's cells row by
/// row, so that neighbouring threads access neighbouring bytes. It is the same for every tile and built once.
class LookupThreads {
 public:
  /// `cells` is the content of tile_cell_table(), in memory that the threads can read.
  LookupThreads(const TiledFractal& fractal, const std::uint32_t* cells)
      : threads_x(fractal.tile_cells), cells_(cells) {}
  LOOM_HOST_DEVICE ThreadPosition position(const TiledFractal&, Coord32 thread) const {
    const std::uint32_t packed = cells_[thread.x];
    return {{packed & 0xffffu, packed >> 16}, true};
  }
  /// The thread that works on a cell's position: the inverse of position(), by search.
  LOOM_HOST_DEVICE Coord32 thread_at(Coord32 position) const {
    std::uint32_t thread = 0;
    while (cells_[thread] != (position.x | position.y << 16)) ++thread;
    return {thread, 0};
  }
  std::uint32_t threads_x;
  static constexpr std::uint32_t threads_y = 1;

 private:
  const std::uint32_t* cells_;
};

/// Any of the three mappings, chosen at run time. CUDA kernels take it, so that one kernel serves all three.
/// Every thread evaluates the choice once, before a barrier, and all threads take the same branch.
class AnyThreads {
 public:
  /// `cells` as for LookupThreads; only kLookup reads it.
  AnyThreads(IntraBlock kind, const TiledFractal& fractal, const std::uint32_t* cells)
      : threads_x(kind == IntraBlock::kSubBox ? fractal.rho_x : fractal.tile_cells),
        threads_y(kind == IntraBlock::kSubBox ? fractal.rho_y : 1),
        kind_(kind),
        unrolled_(fractal),
        lookup_(fractal, cells) {}
  /// The position of the thread with this row-major index; `rho_x` is a divisor for the fractal's rho_x.
  LOOM_HOST_DEVICE ThreadPosition position(const TiledFractal& fractal, std::uint32_t number,
                                           const FastDivisor<std::uint32_t>& rho_x) const {
    if (kind_ == IntraBlock::kLookup) [[likely]]
      return lookup_.position(fractal, {number, 0});
    if (kind_ == IntraBlock::kUnrolled) return unrolled_.position(fractal, {number, 0});
    const std::uint32_t row = rho_x.divide(number);
    return SubBoxThreads::position(fractal, {number - row * rho_x.value(), row});
  }
  /// The same by thread coordinate, for the host.
  ThreadPosition position(const TiledFractal& fractal, Coord32 thread) const {
    return position(fractal, thread.y * threads_x + thread.x, FastDivisor<std::uint32_t>(fractal.rho_x));
  }
  std::uint32_t threads_x;
  std::uint32_t threads_y;

 private:
  IntraBlock kind_;
  UnrolledThreads unrolled_;
  LookupThreads lookup_;
};

/// The k^j cells of a tile, row by row, as x | y << 16.
inline std::vector<std::uint32_t> tile_cell_table(const TiledFractal& fractal) {
  std::vector<std::uint32_t> cells;
  for (std::uint32_t t = 0; t < fractal.points_per_tile(); ++t) {
    if (fractal.micro_member(t)) cells.push_back((t % fractal.rho_x) | (t / fractal.rho_x) << 16);
  }
  return cells;
}

}  // namespace loom
