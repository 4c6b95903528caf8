#pragma once

#include <cstdint>
#include <type_traits>

#include "compute/geometry/bit_cells.h"
#include "compute/geometry/bit_planes.h"
#include "compute/geometry/bit_rows.h"
#include "compute/geometry/byte_partition.h"
#include "compute/geometry/cell_storage.h"
#include "compute/geometry/storage.h"

namespace loom {

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
