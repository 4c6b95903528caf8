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

// A layout's storage is a trivially copyable value that says at which place each cell is: size() places in
// all, index_of(cell) for a cell given by its expanded coordinate, kNoIndex for a hole. Holes that a layout
// has places for are always dead. A map's blocks lie in it row by row: block_origin(block, place) is the
// place of the block's corner, given by its number in the grid and its expanded block coordinate, and pitch()
// the places from one row to the next.

inline constexpr std::uint64_t kNoIndex = ~std::uint64_t{0};

/// Expanded storage: the whole n_x x n_y square, row by row; holes take memory.
template <typename Int>
class ExpandedStorage {
 public:
  explicit ExpandedStorage(const BlockedFractal& fractal) : blocked(fractal), transform_(fractal.shape) {}

  std::uint64_t size() const { return saturating_multiply(blocked.width, blocked.height); }
  /// Where the point lies, be it a cell or a hole.
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

/// Blocked compact storage: only occupied blocks, in the order of their compact coordinates; each is a rho_x
/// x rho_y micro-embedding of the level-j fractal. k^(r_b) * rho_x * rho_y bytes. Source: [compact]
/// section 3. Places are those of the whole also where a part of the rows is held (BlockedFractal::held).
template <typename Int>
class BlockedCompactStorage {
 public:
  explicit BlockedCompactStorage(const BlockedFractal& fractal)
      : blocked(fractal),
        transform_(fractal.shape),
        rho_x_(static_cast<Int>(fractal.rho_x)),
        rho_y_(static_cast<Int>(fractal.rho_y)) {}

  std::uint64_t size() const { return saturating_multiply(blocked.orthotope_blocks(), blocked.block_area()); }
  /// The first byte of the block at a compact block coordinate.
  LOOM_HOST_DEVICE std::uint64_t block_base(Coord<Int> omega) const {
    return (std::uint64_t{omega.y} * blocked.orthotope_x + omega.x) * blocked.block_area();
  }
  LOOM_HOST_DEVICE std::uint64_t block_origin(Coord<Int> block, Coord<Int>) const {
    return block_base(block);
  }
  LOOM_HOST_DEVICE Int pitch() const { return static_cast<Int>(blocked.rho_x); }
  /// The first byte of a block that nu found; kNoIndex where it found none, or one that is not held.
  LOOM_HOST_DEVICE std::uint64_t held_base(const CompactCoord<Int>& found) const {
    const bool held = static_cast<Int>(found.omega.y - static_cast<Int>(blocked.held.first)) <
                      static_cast<Int>(blocked.held.count);
    return found.present && held ? block_base(found.omega) : kNoIndex;
  }
  /// The first byte of the block at an expanded block coordinate, through nu; kNoIndex where it holds no
  /// cell.
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

/// Calls `use` with the storage value of a layout: ExpandedStorage<Int> or BlockedCompactStorage<Int>, Int =
/// uint32_t where the space fits.
template <typename Use>
decltype(auto) with_storage(StorageLayout layout, const BlockedFractal& fractal, Use&& use) {
  if (layout == StorageLayout::kBlockedCompact) {
    if (fractal.fits_32_bits()) return use(BlockedCompactStorage<std::uint32_t>(fractal));
    return use(BlockedCompactStorage<std::uint64_t>(fractal));
  }
  if (fractal.fits_32_bits()) return use(ExpandedStorage<std::uint32_t>(fractal));
  return use(ExpandedStorage<std::uint64_t>(fractal));
}

/// Places of a layout; saturates at 2^64 - 1.
inline std::uint64_t storage_places(StorageLayout layout, const BlockedFractal& fractal) {
  return with_storage(layout, fractal, [](const auto& storage) { return storage.size(); });
}

}  // namespace loom
