#pragma once

#include <cstdint>

namespace loom {

/// What the threads of one launch found, counted thread by thread by a pass over the engine's own launch: its
/// map, arithmetic, intra-block mapping and tiles. A thread that goes on from one rho x rho block of the map
/// to the next counts once for each.
struct ThreadCount {
  std::uint64_t thread_blocks = 0;    ///< of the GPU, each with one rho x rho block or several; 0 on the CPU
  std::uint64_t blocks_launched = 0;  ///< rho x rho blocks of the map that had threads
  std::uint64_t blocks_occupied = 0;  ///< of these, the ones in which threads had cells
  std::uint64_t threads_launched = 0;
  std::uint64_t threads_active = 0;         ///< of these, the ones that had a cell
  std::uint64_t threads_without_block = 0;  ///< launched to fill up a warp, or for a tile outside the grid
  /// Of the active, those led to another cell than lambda's, or to a hole that they take for a cell: only
  /// under tensor-fp16 past its limit.
  std::uint64_t threads_misplaced = 0;

  std::uint64_t blocks_empty() const { return blocks_launched - blocks_occupied; }
  ThreadCount& operator+=(const ThreadCount& other) {
    thread_blocks += other.thread_blocks;
    blocks_launched += other.blocks_launched;
    blocks_occupied += other.blocks_occupied;
    threads_launched += other.threads_launched;
    threads_active += other.threads_active;
    threads_without_block += other.threads_without_block;
    threads_misplaced += other.threads_misplaced;
    return *this;
  }
  friend bool operator==(const ThreadCount&, const ThreadCount&) = default;
};

}  // namespace loom
