#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "compute/core/coord.h"
#include "compute/core/host_device.h"
#include "compute/geometry/bit_planes.h"
#include "compute/geometry/partition.h"
#include "compute/geometry/storage.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/geometry/transforms.h"

namespace loom {

// Access to single cells of one bit-packed generation by position. Bits are addressed through 32-bit half
// words, so that 32-bit and 64-bit words need the same code; on the little-endian machines that CUDA
// supports, the low half comes first.
static_assert(std::endian::native == std::endian::little);

/// Sets one bit. Other threads may set other bits of the same word at the same time.
LOOM_HOST_DEVICE void store_bit(std::uint32_t* word, std::uint32_t bit, std::uint32_t alive) {
#if defined(__CUDA_ARCH__)
  if (alive) {
    atomicOr(word, 1u << bit);
  } else {
    atomicAnd(word, ~(1u << bit));
  }
#else
  // Most bits already have the wanted value, and an atomic store costs several times as much as a load.
  const std::uint32_t wanted = alive ? 1u : 0u;
  if ((__atomic_load_n(word, __ATOMIC_RELAXED) >> bit & 1u) == wanted) return;
  if (alive) {
    __atomic_fetch_or(word, 1u << bit, __ATOMIC_RELAXED);
  } else {
    __atomic_fetch_and(word, ~(1u << bit), __ATOMIC_RELAXED);
  }
#endif
}

/// Bit rows (stored_cells.h).
struct RowCells {
  std::uint32_t* halves = nullptr;
  LOOM_HOST_DEVICE std::uint8_t load(std::uint64_t at) const {
    return static_cast<std::uint8_t>(halves[at / 32] >> (at % 32) & 1u);
  }
  LOOM_HOST_DEVICE void store(std::uint64_t at, std::uint8_t alive) const {
    store_bit(halves + at / 32, static_cast<std::uint32_t>(at % 32), alive);
  }
  /// The number of living cells at the `size` <= 2^16 positions from `at` on.
  std::uint32_t count(std::uint64_t at, std::uint32_t size, std::uint32_t /*states*/) const {
    std::uint32_t living = 0;
    while (size > 0) {
      const auto bit = static_cast<std::uint32_t>(at % 32);
      const std::uint32_t here = size < 32 - bit ? size : 32 - bit;
      const std::uint32_t mask = here == 32 ? ~0u : (1u << here) - 1;
      living += static_cast<std::uint32_t>(std::popcount(halves[at / 32] >> bit & mask));
      at += here;
      size -= here;
    }
    return living;
  }
};

/// Bit planes (bit_planes.h), or one partition of them: cells of other partitions read as dead and ignore
/// writes.
struct PlaneCells {
  std::uint32_t* halves = nullptr;
  BitPlanes planes;
  LOOM_HOST_DEVICE std::uint8_t load(std::uint64_t place) const {
    const PlaneBit at = plane_bit(planes, place);
    return at.here ? static_cast<std::uint8_t>(halves[half_word_index(at)] >> (at.bit % 32) & 1u)
                   : std::uint8_t{0};
  }
  LOOM_HOST_DEVICE void store(std::uint64_t place, std::uint8_t alive) const {
    const PlaneBit at = plane_bit(planes, place);
    if (at.here) store_bit(halves + half_word_index(at), at.bit % 32, alive);
  }

 private:
  LOOM_HOST_DEVICE std::uint64_t half_word_index(const PlaneBit& at) const {
    return planes.wide() ? 2 * at.word + at.bit / 32 : at.word;
  }
};

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

// Combines layout and cell storage. Code that accesses cells by position, whatever their storage, uses these
// functions. A new storage needs a branch in with_places() and one in with_stored().

/// Calls `use(Int{}, storage)` with the value that maps cells to positions (storage.h), for coordinates of
/// type Int: uint32_t if all coordinates and indices fit, otherwise uint64_t.
template <typename Use>
decltype(auto) with_places(StorageFormat stored, const TiledFractal& fractal, Use&& use) {
  const auto in_width = [&]<typename Int>(Int) -> decltype(auto) {
    const bool square = stored.layout == StorageLayout::kExpanded;
    if (stored.cells == CellStorage::kBits) {
      if (square) return use(Int{}, RowStorage<Int>(fractal));
      return use(Int{}, PlaneStorage<Int>(fractal));
    }
    if (square) return use(Int{}, ExpandedStorage<Int>(fractal));
    return use(Int{}, TiledCompactStorage<Int>(fractal));
  };
  if (fractal.fits_32_bits()) return in_width(std::uint32_t{});
  return in_width(std::uint64_t{});
}

/// Calls `use(Int{}, storage, cells)`: as with_places(), with access to a generation's cells by position
/// (ByteCells, PartitionCells, RowCells or PlaneCells) over `memory`, which may be device memory.
template <typename Use>
decltype(auto) with_stored(StorageFormat stored, const TiledFractal& fractal, std::uint8_t* memory,
                           Use&& use) {
  auto* const halves = reinterpret_cast<std::uint32_t*>(memory);
  return with_places(stored, fractal, [&]<typename Int, typename Storage>(Int, const Storage& storage) {
    if constexpr (std::is_same_v<Storage, RowStorage<Int>>) {
      return use(Int{}, storage, RowCells{halves});
    } else if constexpr (std::is_same_v<Storage, PlaneStorage<Int>>) {
      const BitPlanes planes = make_bit_planes(fractal);
      return use(Int{}, storage, PlaneCells{halves, part_of(planes, stored.part)});
    } else if constexpr (std::is_same_v<Storage, TiledCompactStorage<Int>>) {
      if (fractal.holds_all()) return use(Int{}, storage, ByteCells{memory});
      return use(Int{}, storage, partition_cells(fractal, memory));
    } else {
      return use(Int{}, storage, ByteCells{memory});
    }
  });
}

/// The position of a cell in a storage; kNoIndex for a hole or a point outside.
template <typename Int, typename Storage>
std::uint64_t place_in(const Storage& storage, const TiledFractal& fractal, Coord64 cell) {
  if (cell.x >= fractal.width || cell.y >= fractal.height) return kNoIndex;
  return storage.index_of({static_cast<Int>(cell.x), static_cast<Int>(cell.y)});
}

/// The position of the cell at an expanded coordinate; kNoIndex for a hole or a point outside.
inline std::uint64_t place_of(StorageFormat stored, const TiledFractal& fractal, Coord64 cell) {
  return with_places(stored, fractal, [&]<typename Int>(Int, const auto& storage) {
    return place_in<Int>(storage, fractal, cell);
  });
}

}  // namespace loom
