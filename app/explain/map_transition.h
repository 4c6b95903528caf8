#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/vec2.hpp>
#include <vector>

#include "compute/geometry/tiled_fractal.h"
#include "compute/map/map_kind.h"

namespace loom::app::explain {

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
