#pragma once

#include <cstdint>
#include <span>

#include "app/explain/thread_space.h"
#include "app/explain/warp_memory_access.h"
#include "compute/map/staging.h"

namespace loom::app::explain {

/// Memory requests of a warp for all tiles of its thread block: staging in shared memory, reading neighbours
/// there, and writing next states row by row, as the kernels of compute/cuda/life/row_tiles.cuh and
/// staged_tiles.cuh do.
class RowRequests {
 public:
  /// The arguments must outlive this object.
  RowRequests(const LaunchWarp& warp, LifeKernel kernel, std::span<const PlacedTile> tiles);

  /// Requests before the rounds: shared memory is cleared, and a contiguous run of tiles is copied to it.
  void begin(Requests& requests) const;
  /// Requests that stage rows and halos of tiles, for kernels that stage tiles.
  void stage(Requests& requests) const;
  /// The words of four tiles around the cell of each lane. Adds nothing in a round whose tiles are in words
  /// that an earlier round has read.
  void read_staged(Requests& requests, const WarpRound& looked) const;
  /// Byte offset of the next state of a position in shared memory.
  std::uint64_t in_states(std::uint32_t tile, Coord32 at) const;
  /// Requests after the rounds: next states are written from shared memory.
  void write(Requests& requests) const;

 private:
  struct PartOfTile : TileParts::Part {
    std::uint32_t tile = 0;  ///< the tile, or the first of a group of four
  };
  template <typename Use>
  void for_each_turn(std::uint32_t end, std::uint32_t step, const Use& use) const;
  template <typename Prepare, typename Work>
  void for_each_part(const TileParts& parts, std::uint32_t tiles, const Prepare& prepare,
                     const Work& work) const;
  template <typename Use>
  void for_each_chunk(const Use& use) const;
  void copy_rows(Requests& requests) const;
  void copy_run(Requests& requests) const;
  void stage_halos(Requests& requests) const;
  void stage_states(Requests& requests) const;
  void write_rows(Requests& requests) const;
  void write_run(Requests& requests) const;
  Address byte_of(std::uint32_t tile, const HaloCell& cell) const;
  std::uint64_t in_staged(std::uint32_t four, std::uint32_t cell) const;
  std::uint64_t in_memory(const PartOfTile& part) const;

  const LaunchWarp& warp_;
  const ThreadSpace& space_;
  const TiledFractal& tiled_;
  const Tiling& tiling_;
  LifeKernel kernel_;
  std::span<const PlacedTile> tiles_;
  std::uint64_t pitch_;  ///< bytes from a row of a tile to the next row
  RowWork work_;
  Staging staging_;
};

}  // namespace loom::app::explain
