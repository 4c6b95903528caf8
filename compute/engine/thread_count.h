#pragma once

#include <cstdint>

namespace loom {

/// Thread utilization: active over launched threads, from 0 to 1; 0 without threads.
constexpr double thread_utilization(std::uint64_t active, std::uint64_t launched) {
  return launched == 0 ? 0 : static_cast<double>(active) / static_cast<double>(launched);
}

/// Idle lanes: the fraction without a cell of `lanes`, which are all lanes of the warps of a launch, with
/// those that fill up the last warp of a thread block; 0 without lanes.
constexpr double idle_lane_fraction(std::uint64_t active, std::uint64_t lanes) {
  return lanes == 0 ? 0 : 1 - static_cast<double>(active) / static_cast<double>(lanes);
}

/// The threads of one launch, counted thread by thread by a pass over the engine's own launch with its map,
/// arithmetic, intra-block mapping and tiles. A thread that works on several tiles one after the other counts
/// once for each tile.
struct ThreadCount {
  /// CUDA thread blocks, each with one or more rho x rho tiles; 0 on the CPU.
  std::uint64_t thread_blocks = 0;
  std::uint64_t tiles_launched = 0;  ///< rho x rho tiles of the map that had threads
  std::uint64_t tiles_occupied = 0;  ///< of these, the tiles in which threads had cells
  std::uint64_t threads_launched = 0;
  std::uint64_t threads_active = 0;        ///< of these, the threads that had a cell
  std::uint64_t threads_without_tile = 0;  ///< launched to fill up a warp, or for a tile outside the grid
  /// Active threads with another cell than lambda's, or with a hole that they take for a cell: only for
  /// tensor-fp16 above its limit.
  std::uint64_t threads_misplaced = 0;

  std::uint64_t tiles_empty() const { return tiles_launched - tiles_occupied; }
  ThreadCount& operator+=(const ThreadCount& other) {
    thread_blocks += other.thread_blocks;
    tiles_launched += other.tiles_launched;
    tiles_occupied += other.tiles_occupied;
    threads_launched += other.threads_launched;
    threads_active += other.threads_active;
    threads_without_tile += other.threads_without_tile;
    threads_misplaced += other.threads_misplaced;
    return *this;
  }
  friend bool operator==(const ThreadCount&, const ThreadCount&) = default;
};

/// The cost of one call of an engine, in totals over the call. Counts of threads are in ThreadCount.
struct StepReport {
  double milliseconds = 0;            ///< measured: CUDA events on the GPU, steady clock on the CPU
  std::uint64_t generations = 0;      ///< number of repetitions of the work
  std::uint64_t allocated_bytes = 0;  ///< memory allocated for cells (both generations)
  std::uint64_t bytes_moved = 0;  ///< not measured, but the minimum of any method: one byte per cell, read
                                  ///< once (reduction), written once (single write) or both (life)
  std::uint64_t sum = 0;          ///< result of the last reduction
};

}  // namespace loom
