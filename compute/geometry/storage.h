#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "compute/core/coord.h"
#include "compute/core/fast_divisor.h"
#include "compute/core/host_device.h"
#include "compute/core/integer_math.h"
#include "compute/core/word_intrinsics.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/geometry/transforms.h"

namespace loom {

// The storage of cells has two independent choices: the layout maps cells to positions, the cell storage
// defines how a position is stored.

/// The whole square, or the occupied tiles only; see storage.h.
enum class StorageLayout { kExpanded, kTiledCompact };

enum class CellStorage {
  kBytes,  ///< one byte per position, the cell's state; holes of the layout are 0
  kBits,   ///< one bit per cell: compact storage as bit planes (bit_planes.h), the square as rows
           ///< (stored_cells.h)
};

/// A contiguous range of the groups of a fractal's bit planes.
struct GroupRange {
  std::uint32_t first = 0;
  std::uint32_t groups = 0;  ///< 0 means all groups
  friend bool operator==(const GroupRange&, const GroupRange&) = default;
};

/// The storage of a generation.
struct StorageFormat {
  StorageLayout layout = StorageLayout::kExpanded;
  CellStorage cells = CellStorage::kBytes;
  GroupRange part = {};  ///< for bit planes only: the groups that are held
};

inline constexpr std::array kCellStorages = {CellStorage::kBytes, CellStorage::kBits};

/// "bytes", "bits".
std::string_view name_of(CellStorage storage);

/// The brightness of a cell in a picture: 0 dead, `states` - 1 alive, less with each refractory state. States
/// that a rule lacks are dark.
LOOM_HOST_DEVICE std::uint32_t brightness(std::uint32_t states, std::uint32_t state) {
  return state == 0 || state >= states ? 0 : states - state;
}

/// The cells of one byte-stored generation by position in the layout. Different threads may store to
/// different positions at the same time.
struct ByteCells {
  std::uint8_t* bytes = nullptr;

  /// The cell's state.
  LOOM_HOST_DEVICE std::uint8_t load(std::uint64_t at) const { return bytes[at]; }
  LOOM_HOST_DEVICE void store(std::uint64_t at, std::uint8_t state) const { bytes[at] = state; }
  /// The sum of the brightness() of the cells at the `size` <= 2^16 positions from `at` on: with two states,
  /// the number of living ones.
  std::uint32_t count(std::uint64_t at, std::uint32_t size, std::uint32_t states) const {
    if (states != 2) {
      std::uint32_t sum = 0;
      for (std::uint32_t i = 0; i < size; ++i) sum += brightness(states, bytes[at + i]);
      return sum;
    }
    // Adds eight bytes at a time. No byte overflows: each adds at most 1 and the sum is extracted every
    // time.
    std::uint32_t living = 0;
    std::uint32_t i = 0;
    for (; i + 8 <= size; i += 8) {
      std::uint64_t eight = 0;
      std::memcpy(&eight, bytes + at + i, 8);
      living += static_cast<std::uint32_t>((ones_of(eight) * 0x0101010101010101u) >> 56);
    }
    for (; i < size; ++i) living += bytes[at + i] == 1 ? 1 : 0;
    return living;
  }
};

/// Cells of a partition whose positions begin at `first`: cells of other partitions read as dead and ignore
/// writes.
struct PartitionCells {
  ByteCells cells;  ///< indexed by position; only own positions may be accessed
  std::uint64_t first = 0;
  std::uint64_t places = 0;

  LOOM_HOST_DEVICE bool holds(std::uint64_t at) const { return at - first < places; }
  LOOM_HOST_DEVICE std::uint8_t load(std::uint64_t at) const {
    return holds(at) ? cells.load(at) : std::uint8_t{0};
  }
  LOOM_HOST_DEVICE void store(std::uint64_t at, std::uint8_t state) const {
    if (holds(at)) cells.store(at, state);
  }
  /// Own positions only.
  std::uint32_t count(std::uint64_t at, std::uint32_t size, std::uint32_t states) const {
    return cells.count(at, size, states);
  }
};

// A storage is a trivially copyable value that maps the cells of a layout to positions: size() is the number
// of positions, index_of(cell) the position of a cell given by its expanded coordinate, or kNoIndex for a
// hole. Positions of holes always hold dead cells. The tiles of a thread map are stored row by row:
// tile_origin(omega, place) is the position of the tile's first point, given the tile's grid coordinate and
// its expanded tile coordinate, and pitch() is the distance between rows of a tile.

inline constexpr std::uint64_t kNoIndex = ~std::uint64_t{0};

/// Expanded storage: the whole n_x x n_y square, row by row; holes occupy memory.
template <typename Int>
class ExpandedStorage {
 public:
  explicit ExpandedStorage(const TiledFractal& fractal)
      : tiled(fractal), transform_(fractal.shape, fractal.levels, fractal.level) {}

  std::uint64_t size() const { return saturating_multiply(tiled.width, tiled.height); }
  /// The position of a point, cell or hole.
  LOOM_HOST_DEVICE std::uint64_t offset_of(Coord<Int> point) const {
    return std::uint64_t{point.y} * static_cast<Int>(tiled.width) + point.x;
  }
  LOOM_HOST_DEVICE std::uint64_t index_of(Coord<Int> cell) const {
    return is_member(transform_, tiled.level, cell) ? offset_of(cell) : kNoIndex;
  }
  LOOM_HOST_DEVICE std::uint64_t tile_origin(Coord<Int>, Coord<Int> place) const {
    return offset_of({place.x * tiled.rho_x, place.y * tiled.rho_y});
  }
  LOOM_HOST_DEVICE Int pitch() const { return static_cast<Int>(tiled.width); }

  TiledFractal tiled;

 private:
  NbbTransform<Int> transform_;
};

/// Tiled compact storage: only occupied tiles, in the order of their compact coordinates; each is a rho_x x
/// rho_y micro-embedding of the level-j fractal. k^(r_b) * rho_x * rho_y bytes. Positions refer to the whole
/// fractal even if only some tile rows are held (TiledFractal::held). Source: [compact] section 3.
template <typename Int>
class TiledCompactStorage {
 public:
  explicit TiledCompactStorage(const TiledFractal& fractal)
      : tiled(fractal),
        transform_(fractal.shape, fractal.levels, fractal.coarse_level),
        rho_x_(static_cast<Int>(fractal.rho_x)),
        rho_y_(static_cast<Int>(fractal.rho_y)) {}

  std::uint64_t size() const { return saturating_multiply(tiled.orthotope_tiles(), tiled.points_per_tile()); }
  /// The first byte of the tile at a compact tile coordinate.
  LOOM_HOST_DEVICE std::uint64_t tile_base(Coord<Int> omega) const {
    return (std::uint64_t{omega.y} * tiled.orthotope_x + omega.x) * tiled.points_per_tile();
  }
  LOOM_HOST_DEVICE std::uint64_t tile_origin(Coord<Int> omega, Coord<Int>) const { return tile_base(omega); }
  LOOM_HOST_DEVICE Int pitch() const { return static_cast<Int>(tiled.rho_x); }
  /// The first byte of a tile that nu returned; kNoIndex for a hole or for a tile that is not held.
  LOOM_HOST_DEVICE std::uint64_t held_base(const CompactCoord<Int>& found) const {
    const bool held = static_cast<Int>(found.omega.y - static_cast<Int>(tiled.held.first)) <
                      static_cast<Int>(tiled.held.count);
    return found.present && held ? tile_base(found.omega) : kNoIndex;
  }
  /// The first byte of the tile at an expanded tile coordinate, found by nu; kNoIndex if the tile has no
  /// cells.
  LOOM_HOST_DEVICE std::uint64_t tile_base_at(Coord<Int> place) const {
    const CompactCoord<Int> found = nu_map(transform_, tiled.coarse_level, place);
    return found.present ? tile_base(found.omega) : kNoIndex;
  }
  LOOM_HOST_DEVICE std::uint64_t index_of(Coord<Int> cell) const {
    const Coord<Int> place{rho_x_.divide(cell.x), rho_y_.divide(cell.y)};
    const std::uint32_t thread = static_cast<std::uint32_t>((cell.y - place.y * tiled.rho_y) * tiled.rho_x +
                                                            (cell.x - place.x * tiled.rho_x));
    if (!tiled.is_turned()) {
      if (!tiled.micro_member(thread)) return kNoIndex;
    } else if (!is_member(transform_, tiled.coarse_level, place) ||
               !tiled.micro_member(thread, symmetry_at(transform_, tiled.coarse_level, place))) {
      return kNoIndex;
    }
    const std::uint64_t base = tile_base_at(place);
    return base == kNoIndex ? kNoIndex : base + thread;
  }

  TiledFractal tiled;

 private:
  NbbTransform<Int> transform_;
  FastDivisor<Int> rho_x_;
  FastDivisor<Int> rho_y_;
};

/// Calls `use` with the storage value of a layout: ExpandedStorage<Int> or TiledCompactStorage<Int>. Int is
/// uint32_t if all coordinates and indices fit, otherwise uint64_t.
template <typename Use>
decltype(auto) with_storage(StorageLayout layout, const TiledFractal& fractal, Use&& use) {
  if (layout == StorageLayout::kTiledCompact) {
    if (fractal.fits_32_bits()) return use(TiledCompactStorage<std::uint32_t>(fractal));
    return use(TiledCompactStorage<std::uint64_t>(fractal));
  }
  if (fractal.fits_32_bits()) return use(ExpandedStorage<std::uint32_t>(fractal));
  return use(ExpandedStorage<std::uint64_t>(fractal));
}

/// The number of positions of a layout; saturates at 2^64 - 1.
inline std::uint64_t storage_places(StorageLayout layout, const TiledFractal& fractal) {
  return with_storage(layout, fractal, [](const auto& storage) { return storage.size(); });
}

}  // namespace loom
