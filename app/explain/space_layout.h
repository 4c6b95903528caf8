#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "app/explain/thread_space.h"

namespace loom::app::explain {

/// Where the threads of a launch can be looked at.
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
/// Threads: the grid of thread blocks, in each its tiles, in each tile its threads row by row. A row is a row
/// of a two-dimensional tile; otherwise threads form a full rectangle that is not much wider than high.
/// Memory: a cache line of 128 bytes is one row; many lines form several columns, so that the whole is about
/// square. Up to 64 lines, each line is four rows, one sector of 32 bytes per row.
///
/// Every query takes microseconds at every level. The thread space must outlive the layout.
class SpaceLayout {
 public:
  /// Throws InputError for memory whose byte offsets exceed 64 bits.
  SpaceLayout(const ThreadSpace& threads, Space space);

  Space space() const { return space_; }
  const ThreadSpace& threads() const { return *threads_; }
  /// In units, at least 1 each. Saturates at 2^64 - 1.
  std::uint64_t width() const { return width_; }
  std::uint64_t height() const { return height_; }

  /// The thread that a unit belongs to; nothing where none does: holes of the square that no thread is
  /// launched for, units that only fill the grid up, bytes that no thread writes.
  std::optional<ThreadRef> thread_at(Coord64 unit) const;
  /// A thread's unit; nothing for an idle thread in memory, and for one without a place in cells.
  std::optional<Coord64> unit_of(const ThreadLocation& place) const;
  /// Whether there is anything at a unit: a point, a thread, a byte. Else it only fills the grid up.
  bool exists(Coord64 unit) const;

  /// The group of a unit: its tile (cells), thread block (threads) or cache line (memory); nothing outside
  /// the grid and for tiles that the map does not launch.
  std::optional<UnitRect> group_of(Coord64 unit) const;
  /// The side of such a group in units; groups lie on a grid of it, but for gaps between columns of memory.
  Coord64 group_size() const { return group_; }

  /// The byte of a unit of memory; nothing in gaps and beyond the end.
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
