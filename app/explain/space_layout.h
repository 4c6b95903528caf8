#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "app/explain/thread_space.h"

namespace loom::app::explain {

/// A space in which the threads of a launch are shown.
enum class Space {
  kCells,    ///< the square: the point that a thread is launched for
  kThreads,  ///< the launch: thread blocks, their tiles, and the threads of the tiles
  kMemory,   ///< one generation: the byte that a thread writes
};
inline constexpr std::array kSpaces = {Space::kCells, Space::kThreads, Space::kMemory};
/// "cells", "threads", "memory".
std::string_view name_of(Space space);

/// A rectangle of units.
struct UnitRect {
  Coord64 corner;
  Coord64 size;
};

/// A space as a grid of units to draw, x to the right, y down: points, threads, bytes.
///
/// Threads: the grid of thread blocks, each with its tiles, each tile with its threads row by row. A
/// two-dimensional tile keeps its rows; the threads of a one-dimensional tile fill a rectangle close to a
/// square. Memory: a cache line of 128 bytes is one row; many lines form several columns, so that the layout
/// is about square. With at most 64 lines, each line has four rows, one sector of 32 bytes per row.
///
/// Every query takes microseconds at every level. The thread space must outlive the layout.
class SpaceLayout {
 public:
  /// Throws InputError for memory whose byte offsets exceed 64 bits.
  SpaceLayout(const ThreadSpace& threads, Space space);

  Space space() const { return space_; }
  const ThreadSpace& threads() const { return *threads_; }
  /// Size in units, at least 1. Saturates at 2^64 - 1.
  std::uint64_t width() const { return width_; }
  std::uint64_t height() const { return height_; }

  /// The thread of a unit. Empty for holes without a thread, padding units and bytes that no thread writes.
  std::optional<ThreadRef> thread_at(Coord64 unit) const;
  /// The unit of a thread. Empty for an idle thread in memory, and for a thread without a position in cells.
  std::optional<Coord64> unit_of(const ThreadLocation& place) const;
  /// Whether a unit is a point, thread or byte, and not padding of the grid.
  bool exists(Coord64 unit) const;

  /// The group of a unit: its tile (cells), thread block (threads) or cache line (memory). Empty outside the
  /// grid and for tiles that the map does not launch.
  std::optional<UnitRect> group_of(Coord64 unit) const;
  /// The size of a group in units. Groups lie on a grid of this size, except for gaps between columns of
  /// memory.
  Coord64 group_size() const { return group_; }

  /// The byte of a unit of memory; empty in gaps and beyond the end.
  std::optional<std::uint64_t> byte_at(Coord64 unit) const;
  Coord64 unit_of_byte(std::uint64_t byte) const;

 private:
  void lay_out_threads();
  void lay_out_memory();

  const ThreadSpace* threads_;
  Space space_;
  std::uint64_t width_ = 1;
  std::uint64_t height_ = 1;
  Coord64 group_;
  Coord32 tile_;  ///< threads: a tile in units
  // Memory.
  std::uint32_t row_bytes_ = kLineBytes;
  std::uint64_t lines_ = 1;
  std::uint64_t lines_of_column_ = 1;
};

}  // namespace loom::app::explain
