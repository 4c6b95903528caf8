#pragma once

#include <cstdint>

#include "compute/core/coord.h"
#include "compute/core/fast_divisor.h"
#include "compute/core/host_device.h"
#include "compute/core/integer_math.h"
#include "compute/geometry/blocked_fractal.h"
#include "compute/geometry/cell_storage.h"
#include "compute/geometry/transforms.h"

namespace loom {

// A storage is a trivially copyable value that maps the cells of a layout to positions: size() is the number
// of positions, index_of(cell) the position of a cell given by its expanded coordinate, or kNoIndex for a
// hole. Positions of holes always hold dead cells. The tiles of a thread map are stored row by row:
// block_origin(block, place) is the position of the tile's first point, given the tile's grid coordinate and
// its expanded tile coordinate, and pitch() is the distance between rows of a tile.

inline constexpr std::uint64_t kNoIndex = ~std::uint64_t{0};

/// Expanded storage: the whole n_x x n_y square, row by row; holes occupy memory.
template <typename Int>
class ExpandedStorage {
 public:
  explicit ExpandedStorage(const BlockedFractal& fractal) : blocked(fractal), transform_(fractal.shape) {}

  std::uint64_t size() const { return saturating_multiply(blocked.width, blocked.height); }
  /// The position of a point, cell or hole.
  LOOM_HOST_DEVICE std::uint64_t offset_of(Coord<Int> point) const {
    return std::uint64_t{point.y} * static_cast<Int>(blocked.width) + point.x;
  }
  LOOM_HOST_DEVICE std::uint64_t index_of(Coord<Int> cell) const {
    return is_member(transform_, blocked.level, cell) ? offset_of(cell) : kNoIndex;
  }
  LOOM_HOST_DEVICE std::uint64_t block_origin(Coord<Int>, Coord<Int> place) const {
    return offset_of({place.x * blocked.rho_x, place.y * blocked.rho_y});
  }
  LOOM_HOST_DEVICE Int pitch() const { return static_cast<Int>(blocked.width); }

  BlockedFractal blocked;

 private:
  NbbTransform<Int> transform_;
};

/// Tiled compact storage: only occupied tiles, in the order of their compact coordinates; each is a rho_x x
/// rho_y micro-embedding of the level-j fractal. k^(r_b) * rho_x * rho_y bytes. Positions refer to the whole
/// fractal even if only some tile rows are held (BlockedFractal::held). Source: [compact] section 3.
template <typename Int>
class BlockedCompactStorage {
 public:
  explicit BlockedCompactStorage(const BlockedFractal& fractal)
      : blocked(fractal),
        transform_(fractal.shape),
        rho_x_(static_cast<Int>(fractal.rho_x)),
        rho_y_(static_cast<Int>(fractal.rho_y)) {}

  std::uint64_t size() const { return saturating_multiply(blocked.orthotope_blocks(), blocked.block_area()); }
  /// The first byte of the tile at a compact tile coordinate.
  LOOM_HOST_DEVICE std::uint64_t block_base(Coord<Int> omega) const {
    return (std::uint64_t{omega.y} * blocked.orthotope_x + omega.x) * blocked.block_area();
  }
  LOOM_HOST_DEVICE std::uint64_t block_origin(Coord<Int> block, Coord<Int>) const {
    return block_base(block);
  }
  LOOM_HOST_DEVICE Int pitch() const { return static_cast<Int>(blocked.rho_x); }
  /// The first byte of a tile that nu returned; kNoIndex for a hole or for a tile that is not held.
  LOOM_HOST_DEVICE std::uint64_t held_base(const CompactCoord<Int>& found) const {
    const bool held = static_cast<Int>(found.omega.y - static_cast<Int>(blocked.held.first)) <
                      static_cast<Int>(blocked.held.count);
    return found.present && held ? block_base(found.omega) : kNoIndex;
  }
  /// The first byte of the tile at an expanded tile coordinate, found by nu; kNoIndex if the tile has no
  /// cells.
  LOOM_HOST_DEVICE std::uint64_t block_base_at(Coord<Int> place) const {
    const CompactCoord<Int> found = nu_map(transform_, blocked.coarse_level, place);
    return found.present ? block_base(found.omega) : kNoIndex;
  }
  LOOM_HOST_DEVICE std::uint64_t index_of(Coord<Int> cell) const {
    const Coord<Int> place{rho_x_.divide(cell.x), rho_y_.divide(cell.y)};
    const std::uint32_t thread = static_cast<std::uint32_t>(
        (cell.y - place.y * blocked.rho_y) * blocked.rho_x + (cell.x - place.x * blocked.rho_x));
    if (!blocked.micro_member(thread)) return kNoIndex;
    const std::uint64_t base = block_base_at(place);
    return base == kNoIndex ? kNoIndex : base + thread;
  }

  BlockedFractal blocked;

 private:
  NbbTransform<Int> transform_;
  FastDivisor<Int> rho_x_;
  FastDivisor<Int> rho_y_;
};

/// Calls `use` with the storage value of a layout: ExpandedStorage<Int> or BlockedCompactStorage<Int>. Int is
/// uint32_t if all coordinates and indices fit, otherwise uint64_t.
template <typename Use>
decltype(auto) with_storage(StorageLayout layout, const BlockedFractal& fractal, Use&& use) {
  if (layout == StorageLayout::kBlockedCompact) {
    if (fractal.fits_32_bits()) return use(BlockedCompactStorage<std::uint32_t>(fractal));
    return use(BlockedCompactStorage<std::uint64_t>(fractal));
  }
  if (fractal.fits_32_bits()) return use(ExpandedStorage<std::uint32_t>(fractal));
  return use(ExpandedStorage<std::uint64_t>(fractal));
}

/// The number of positions of a layout; saturates at 2^64 - 1.
inline std::uint64_t storage_places(StorageLayout layout, const BlockedFractal& fractal) {
  return with_storage(layout, fractal, [](const auto& storage) { return storage.size(); });
}

}  // namespace loom
