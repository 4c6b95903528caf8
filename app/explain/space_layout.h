#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/explain/thread_space.h"
#include "compute/solid/solid_view.h"

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

/// The thread of a cell of a three-dimensional fractal: where it is in the launch, and its byte.
struct SolidThreadLocation {
  Coord3 cell;
  SolidThreadRef ref;
  Coord3 omega;  ///< tile index: omega, or the tile position for the bounding box
  Coord3 place;  ///< tile position in the cube, in tiles
  Coord3 at;     ///< position in the tile
  SolidThreadPlace launch;
  std::uint64_t address = 0;  ///< byte offset of the cell in one generation
  std::uint32_t warp() const { return launch.rank / kWarpLanes; }  ///< in its thread block
  std::uint32_t lane() const { return launch.rank % kWarpLanes; }
  std::uint64_t line() const { return address / kLineBytes; }
};

/// One level of lambda for a tile index.
struct SolidLambdaStep {
  int level = 0;    ///< of the coarse fractal, 1 the finest
  char axis = 'x';  ///< of omega that the digit is of
  std::uint32_t digit = 0;
  Coord3 offset;  ///< of the replica
  Coord3 weight;  ///< the sides of the level's box, in tiles
  Coord3 sum;     ///< of the levels so far, in tiles
};

/// The launch of one generation on a three-dimensional fractal, with queries for one cell. Needs no engine.
class SolidThreadSpace {
 public:
  /// Throws InputError for an invalid configuration.
  explicit SolidThreadSpace(const SolidConfig& config);
  SolidThreadSpace(const SolidThreadSpace&) = delete;
  SolidThreadSpace& operator=(const SolidThreadSpace&) = delete;

  const SolidConfig& config() const { return config_; }
  const SolidLaunch& launch() const { return launch_; }
  const SolidMap& map() const { return map_; }
  /// Nothing for a hole and a point outside.
  std::optional<SolidThreadLocation> location_of(Coord3 cell) const;
  /// The levels of lambda, the finest first; none for the bounding box. The last sum is the tile position.
  std::vector<SolidLambdaStep> lambda_steps(Coord3 omega) const;

 private:
  SolidConfig config_;
  SolidTables tables_;  ///< those of the map
  SolidMap map_;
  SolidLaunch launch_;
};

/// "tile ω (2, 0, 1), thread 37, thread block 5, byte 12,345".
std::string location_text(const SolidThreadSpace& space, const SolidThreadLocation& location);

}  // namespace loom::app::explain
