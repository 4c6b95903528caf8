#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "compute/core/host_device.h"

namespace loom {

// The storage of cells has two independent choices: the layout maps cells to positions, the cell storage
// defines how a position is stored.

/// The whole square, or the occupied tiles only; see storage.h.
enum class StorageLayout { kExpanded, kTiledCompact };

enum class CellStorage {
  kBytes,  ///< one byte per position, 0 or 1; holes of the layout are 0
  kBits,  ///< one bit per cell: compact storage as bit planes (bit_planes.h), the square as rows (bit_rows.h)
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

/// "bytes", "bits". `parse_storage` throws InputError with the list of names.
std::string_view name_of(CellStorage storage);
CellStorage parse_storage(std::string_view name);

/// The cells of one byte-stored generation by position in the layout. Different threads may store to
/// different positions at the same time.
struct ByteCells {
  std::uint8_t* bytes = nullptr;

  /// 0 or 1.
  LOOM_HOST_DEVICE std::uint8_t load(std::uint64_t at) const { return bytes[at]; }
  LOOM_HOST_DEVICE void store(std::uint64_t at, std::uint8_t alive) const { bytes[at] = alive; }
  /// The number of living cells at the `size` <= 2^16 positions from `at` on.
  std::uint32_t count(std::uint64_t at, std::uint32_t size) const {
    // Adds eight bytes at a time. No byte overflows: each holds at most 1 and the sum is extracted every
    // time.
    std::uint32_t living = 0;
    std::uint32_t i = 0;
    for (; i + 8 <= size; i += 8) {
      std::uint64_t eight = 0;
      std::memcpy(&eight, bytes + at + i, 8);
      living += static_cast<std::uint32_t>((eight * 0x0101010101010101u) >> 56);
    }
    for (; i < size; ++i) living += bytes[at + i];
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
  LOOM_HOST_DEVICE void store(std::uint64_t at, std::uint8_t alive) const {
    if (holds(at)) cells.store(at, alive);
  }
  /// Own positions only.
  std::uint32_t count(std::uint64_t at, std::uint32_t size) const { return cells.count(at, size); }
};

}  // namespace loom
