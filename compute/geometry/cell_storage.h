#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "compute/core/host_device.h"

namespace loom {

// Where a cell is has two axes: the layout says at which of its places, the cell storage what a place is.

/// The whole square, or the occupied blocks only; see storage.h.
enum class StorageLayout { kExpanded, kBlockedCompact };

enum class CellStorage {
  kBytes,  ///< a byte a place, 0 or 1; holes that a layout has are 0
  kBits,   ///< a bit a cell: compact as bit planes (bit_planes.h), the square as rows (bit_rows.h)
};

/// Some groups of a fractal's bit planes, one after the other.
struct PlaneRange {
  std::uint32_t first = 0;
  std::uint32_t groups = 0;  ///< 0: all there are
  friend bool operator==(const PlaneRange&, const PlaneRange&) = default;
};

/// How a generation lies in memory.
struct StoredAs {
  StorageLayout layout = StorageLayout::kExpanded;
  CellStorage cells = CellStorage::kBytes;
  PlaneRange part = {};  ///< of bit planes alone: what is held
};

inline constexpr std::array kCellStorages = {CellStorage::kBytes, CellStorage::kBits};

/// "bytes", "bits". `parse_storage` throws InputError that lists them.
std::string_view name_of(CellStorage storage);
CellStorage parse_storage(std::string_view name);

/// One generation's bytes seen as cells, by place in the layout. Stores to different places may come from
/// different threads.
struct ByteCells {
  std::uint8_t* bytes = nullptr;

  /// 0 or 1.
  LOOM_HOST_DEVICE std::uint8_t load(std::uint64_t at) const { return bytes[at]; }
  LOOM_HOST_DEVICE void store(std::uint64_t at, std::uint8_t alive) const { bytes[at] = alive; }
  /// The living of `size` <= 2^16 places from `at` on.
  std::uint32_t count(std::uint64_t at, std::uint32_t size) const {
    // Eight at a time; no byte overflows, since each holds at most 1 and the sum is taken out every time.
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

/// The same of a part that holds the places from `first` on: all others are dead, and stay so.
struct HeldCells {
  ByteCells cells;  ///< by place, of which only the own are there
  std::uint64_t first = 0;
  std::uint64_t places = 0;

  LOOM_HOST_DEVICE bool holds(std::uint64_t at) const { return at - first < places; }
  LOOM_HOST_DEVICE std::uint8_t load(std::uint64_t at) const {
    return holds(at) ? cells.load(at) : std::uint8_t{0};
  }
  LOOM_HOST_DEVICE void store(std::uint64_t at, std::uint8_t alive) const {
    if (holds(at)) cells.store(at, alive);
  }
  /// Of own places alone.
  std::uint32_t count(std::uint64_t at, std::uint32_t size) const { return cells.count(at, size); }
};

}  // namespace loom
