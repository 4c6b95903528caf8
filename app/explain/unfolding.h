#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>
#include <glm/vec2.hpp>
#include <vector>

#include "app/explain/thread_space.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/map/map_method.h"

namespace loom::app::explain {

/// lambda one level at a time, for all tiles of a launch: their positions after the digits of levels 1 to
/// `stage` were removed from omega and converted to offsets. Stage 0 is the parallel space, the orthotope;
/// stage r_b is the fractal. In between, the plane is a grid of the remaining omega, and each grid field
/// contains a fractal of `stage` levels. In reverse order the stages show nu.
class Unfolding {
 public:
  /// The largest number of animated tiles. Of larger launches only a part is shown: the tiles whose digits of
  /// the higher levels are 0, which form the first sub-square of the fractal; for the bounding box the corner
  /// at the origin.
  static constexpr std::uint64_t kMaxTiles = 1 << 13;

  /// The bounding box has only stage 0.
  explicit Unfolding(const ThreadSpace& threads);

  /// True if all tiles of the launch are shown.
  bool whole() const { return whole_; }
  /// The level of the fractal of the final stage, in tiles.
  int levels() const { return levels_; }

  /// The number of unfolded levels, which is also the index of the last stage: r_b if whole().
  int stages() const { return static_cast<int>(extents_.size()) - 1; }
  std::size_t tiles() const { return tiles_; }
  /// The tile with index `i`, row by row.
  Coord64 omega(std::size_t i) const { return {i % grid_x_, i / grid_x_}; }
  /// Its position at a stage, 0 to stages(), in tiles.
  Coord64 place(std::size_t i, int stage) const {
    return places_[static_cast<std::size_t>(stage) * tiles_ + i];
  }
  /// The motion of tile `i` from a stage to the next one, with the content of `stage` levels that it belongs
  /// to, at `share` from 0 to 1. The content moves as a whole; a rotated replica turns about its centre, a
  /// mirrored one turns over.
  struct Motion {
    glm::dvec2 from;  ///< centre of the content at the stage, in tiles
    glm::dvec2 to;    ///< centre now
    glm::dmat2 turn;  ///< applied to distances from the centre
    glm::dvec2 size;  ///< of the content, in tiles
    bool first;       ///< the tile is the first of its content
    glm::dvec2 apply(glm::dvec2 point) const { return to + turn * (point - from); }
  };
  Motion motion(std::size_t i, int stage, double share) const;
  /// The extent of the positions of a stage, in tiles.
  Coord64 extent(int stage) const { return extents_[static_cast<std::size_t>(stage)]; }

 private:
  bool whole_ = true;
  int levels_ = 0;
  std::uint64_t grid_x_ = 1;
  std::size_t tiles_ = 0;
  std::vector<Coord64> extents_;  ///< extents, by stage
  std::vector<Coord64> places_;   ///< positions, by stage, then tile
  std::vector<Coord64> sides_;    ///< size of the unfolded part in tiles, by stage
  std::vector<Coord64> taken_;    ///< divisors of omega that remove the unfolded digits, by stage
  /// How the step to the next stage turns a tile's content, by stage, then tile; empty if no replica is
  /// turned.
  std::vector<loom::Symmetry> turns_;
};

/// The movement of the occupied tiles when another map is chosen: from their places under the old map to
/// those under the new one. Maps with different launches move them in the launch grid; lambda and compact
/// launch the same grid and move them in memory. Each map has a tile either at its position in the square or
/// at its index omega.
class MapTransition {
 public:
  static constexpr double kSeconds = 0.6;
  /// The largest number of rectangles. Of more tiles, each rectangle stands for those with the same coarser
  /// digits of omega, which are one square of the fractal and one rectangle of the grid.
  static constexpr std::uint64_t kMaxTiles = 4096;

  MapTransition(const TiledFractal& tiled, MapKind from, MapKind to);

  /// True if the tiles move in memory, false in the launch grid.
  bool in_memory() const { return in_memory_; }
  std::size_t tiles() const { return omegas_.size(); }
  /// The number of rectangles of the square and of the grid of indices.
  Coord64 square() const { return square_; }
  Coord64 grid() const { return grid_; }
  struct Box {
    glm::vec2 corner{0};
    glm::vec2 size{0};
  };
  /// Rectangle `i` at `seconds` after the change. `square` and `grid`: where these are on the screen.
  Box tile(std::size_t i, double seconds, const Box& square, const Box& grid) const;
  /// The share of the way from the square to the grid of indices, 0 to 1.
  float grid_share(double seconds) const;

 private:
  bool in_memory_ = false;
  bool to_grid_ = false;
  Coord64 square_;
  Coord64 grid_;
  std::vector<Coord64> omegas_;
  std::vector<Coord64> places_;  ///< lambda(omega)
};

}  // namespace loom::app::explain
