#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compute/core/coord.h"
#include "compute/engine/fractal_config.h"
#include "compute/geometry/blocked_fractal.h"
#include "compute/map/map_tables.h"
#include "compute/map/thread_map.h"
#include "compute/map/tiling.h"

namespace loom::app::teach {

inline constexpr std::uint32_t kWarpLanes = 32;
inline constexpr std::uint32_t kLineBytes = 128;   ///< of a GPU's caches
inline constexpr std::uint32_t kSectorBytes = 32;  ///< what memory moves at least

/// One thread of a launch. A GPU's thread that works on several tiles one after the other is several of
/// these, one for each tile, as the map's launch shape counts them.
struct ThreadRef {
  Coord64 block;             ///< of the map's grid: omega, and for the bounding box the block itself
  std::uint32_t thread = 0;  ///< number within the block, row by row
  friend bool operator==(const ThreadRef&, const ThreadRef&) = default;
};

/// Where a thread runs, and what it works on.
struct ThreadPlace {
  ThreadRef ref;
  // In the launch, as CUDA runs it.
  Coord64 thread_block;     ///< blockIdx, counted over all parts of a launch beyond CUDA's limits
  std::uint32_t tile = 0;   ///< which of its thread block's tiles `ref.block` is
  std::uint32_t round = 0;  ///< how many tiles the same CUDA thread works on before this one
  std::uint32_t rank = 0;   ///< of the CUDA thread in its thread block: z, y, x as CUDA counts them
  std::uint32_t warp() const { return rank / kWarpLanes; }  ///< in its thread block
  std::uint32_t lane() const { return rank % kWarpLanes; }
  // On the fractal.
  bool has_place = false;  ///< false only where plain FP16 weights lead out of the square
  Coord64 place;           ///< the expanded coordinate of the block, in blocks
  Coord32 at;              ///< the position in the block
  Coord64 cell;            ///< the expanded coordinate, be it a cell or the hole that an idle thread is at
  bool has_cell = false;   ///< the thread works; else it idles
  // In memory: the cell's byte in one generation. Nothing for an idle thread, and where the storage has more
  // bytes than 64 bits number.
  std::optional<std::uint64_t> address;
  std::uint64_t line() const { return address.value_or(0) / kLineBytes; }
  std::uint64_t sector() const { return address.value_or(0) / kSectorBytes; }
};

/// The threads that run together. A lane is empty where its thread only fills up the warp or the thread
/// block, or belongs to a tile outside of the grid.
struct Warp {
  Coord64 thread_block;
  std::uint32_t number = 0;  ///< in its thread block
  std::uint32_t round = 0;   ///< see ThreadPlace
  std::array<std::optional<ThreadRef>, kWarpLanes> lanes;
};

/// The launch of one generation under a configuration, seen from any side: thread, cell, byte. Everything is
/// found by the maps and storages that the engines run, for one thread at a time: a query takes microseconds
/// at every level, and nothing is enumerated. Needs no engine; holds some kilobytes.
///
/// Points are expanded coordinates, 0 <= x < width, 0 <= y < height; outside there is nothing.
class ThreadSpace {
 public:
  /// Throws InputError where the configuration is not valid (validate()).
  explicit ThreadSpace(const FractalConfig& config);

  const FractalConfig& config() const { return config_; }
  const BlockedFractal& blocked() const { return blocked_; }
  /// The map's grid of blocks and the threads of a block.
  const LaunchShape& shape() const { return shape_; }
  /// The same cut into CUDA's thread blocks.
  const GpuLaunch& launch() const { return launch_; }
  const HostMapTables& tables() const { return tables_; }
  /// Threads of a block of the map's grid.
  std::uint32_t threads_of_block() const { return launch_.threads_of_tile; }
  /// All of them; nothing where 64 bits do not suffice (the bounding box at high levels).
  std::optional<std::uint64_t> threads() const { return threads_; }
  /// Bytes of one generation; nothing where 64 bits do not suffice.
  std::optional<std::uint64_t> bytes() const { return bytes_; }

  /// Throws InputError for a thread that the launch does not have; so do the others that take one.
  ThreadPlace place_of(const ThreadRef& ref) const;

  /// The thread that is launched for a point, though it idle where the point is a hole; nothing where none
  /// is. Under plain FP16 weights this is the thread that should work on the point, if it does.
  std::optional<ThreadRef> thread_at(Coord64 point) const;
  /// The thread that works on a cell; nothing for a hole.
  std::optional<ThreadRef> thread_of(Coord64 cell) const;
  /// The thread that writes a byte of a generation; nothing for the byte of a hole and beyond the end.
  std::optional<ThreadRef> thread_at_address(std::uint64_t byte) const;

  /// A thread's number in the launch: blocks row by row, and the threads within them. Throws InputError where
  /// 64 bits do not suffice.
  std::uint64_t number_of(const ThreadRef& ref) const;
  /// Its inverse. Throws InputError that says how many there are.
  ThreadRef thread_by_number(std::uint64_t number) const;
  /// A cell's canonical index; nothing for a hole.
  std::optional<std::uint64_t> index_of_cell(Coord64 cell) const;
  /// Its inverse. Throws InputError that says how many there are.
  Coord64 cell_by_index(std::uint64_t index) const;

  Warp warp_of(const ThreadRef& ref) const;
  /// A warp by its thread block, its number in it and the round; empty lanes where there is none.
  Warp warp_at(Coord64 thread_block, std::uint32_t number, std::uint32_t round) const;
  /// Where the threads of a warp run: place_of() of each, at the cost of a few.
  std::array<std::optional<ThreadPlace>, kWarpLanes> places_of(const Warp& warp) const;

  /// place_of() of all threads of a block, in their order. Throws InputError for a block that the grid lacks.
  std::vector<ThreadPlace> places_of_block(Coord64 block) const;

  /// "thread 37 of block ω (2, 5) → cell (17, 40) → byte 12 345, line 96"; for an idle thread what it is at.
  std::string sentence(const ThreadRef& ref) const;

 private:
  void check(const ThreadRef& ref) const;
  /// A thread with its part of the launch; what it works on is still open.
  ThreadPlace in_launch(const ThreadRef& ref) const;
  /// The thread for a position in the block at omega, though it idle; not for the bounding box.
  std::optional<ThreadRef> thread_in_block(Coord64 omega, Coord32 at) const;

  FractalConfig config_;
  BlockedFractal blocked_;
  HostMapTables tables_;
  LaunchShape shape_;
  GpuLaunch launch_;
  std::optional<std::uint64_t> threads_;
  std::optional<std::uint64_t> bytes_;
};

}  // namespace loom::app::teach
