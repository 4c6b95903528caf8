#pragma once

#include <cstdint>

#include "compute/core/coord.h"
#include "compute/core/host_device.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/geometry/transforms.h"

namespace loom {

/// The whole square with one bit per point: rows of 64-bit words, the classical dense form. In addition to
/// two generations there is a mask of the points that are cells: one load of a mask word replaces 64
/// membership tests.
struct BitRows {
  std::uint64_t width = 1;   ///< n_x
  std::uint64_t height = 1;  ///< n_y
  std::uint64_t pitch = 1;   ///< words per row

  explicit BitRows(const TiledFractal& fractal)
      : width(fractal.width), height(fractal.height), pitch((fractal.width + 63) / 64) {}
  LOOM_HOST_DEVICE std::uint64_t words() const { return pitch * height; }
};

/// Bit rows as a storage (storage.h): expanded layout with rows of whole words. A position is a bit index,
/// counted from the lowest bit of the first word.
template <typename Int>
class RowStorage {
 public:
  explicit RowStorage(const TiledFractal& fractal)
      : tiled(fractal), rows_(fractal), transform_(fractal.shape, fractal.levels, fractal.level) {}
  std::uint64_t size() const { return rows_.words() * 64; }
  LOOM_HOST_DEVICE std::uint64_t offset_of(Coord<Int> point) const {
    return std::uint64_t{point.y} * rows_.pitch * 64 + point.x;
  }
  LOOM_HOST_DEVICE std::uint64_t index_of(Coord<Int> cell) const {
    return is_member(transform_, tiled.level, cell) ? offset_of(cell) : ~std::uint64_t{0};
  }
  LOOM_HOST_DEVICE std::uint64_t tile_origin(Coord<Int>, Coord<Int> place) const {
    return offset_of({place.x * tiled.rho_x, place.y * tiled.rho_y});
  }
  LOOM_HOST_DEVICE std::uint64_t pitch() const { return rows_.pitch * 64; }

  TiledFractal tiled;

 private:
  BitRows rows_;
  NbbTransform<Int> transform_;
};

/// Bytes of a generation or of the mask; saturates at 2^64 - 1.
std::uint64_t bytes_of_rows(const TiledFractal& fractal);

}  // namespace loom
