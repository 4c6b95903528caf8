#pragma once

#include <algorithm>
#include <cstdint>

#include "compute/core/coord.h"
#include "compute/map/thread_map.h"

namespace loom::cpu {

/// Visits every block of a launch as the GPU would, in parallel over OpenMP threads: `visit(Coord<Int>
/// block)`. Blocks may be visited in any order and at the same time.
template <typename Int, typename Visit>
void for_each_block(const LaunchShape& shape, const Visit& visit) {
  // Each thread takes the same stretch of blocks every time, so that a generation's cells are still in its
  // own cache when the next is computed; handing runs out dynamically took up to 1.8 times as long on two
  // cores.
  constexpr std::uint64_t kThreadsInRun = 16384;
  const std::uint64_t run =
      std::max<std::uint64_t>(1, kThreadsInRun / (std::uint64_t{shape.threads_x} * shape.threads_y));
  const std::uint64_t blocks = shape.blocks();
  const auto runs = static_cast<std::int64_t>((blocks + run - 1) / run);
  // A single run is done here and now: waking the other threads would take longer than the work.
#pragma omp parallel for schedule(static) if (runs > 1)
  for (std::int64_t r = 0; r < runs; ++r) {
    // A copy that nothing else points to: where `visit` holds its map by value, the compiler sees that the
    // cells it writes are no part of the map, and need not read the map again for every thread.
    const Visit own = visit;
    const std::uint64_t first = static_cast<std::uint64_t>(r) * run;
    const std::uint64_t last = std::min(first + run, blocks);
    Coord<Int> block{static_cast<Int>(first % shape.blocks_x), static_cast<Int>(first / shape.blocks_x)};
    for (std::uint64_t b = first; b < last; ++b) {
      own(block);
      if (++block.x == shape.blocks_x) {
        block.x = 0;
        ++block.y;
      }
    }
  }
}

/// Visits every thread of a block, row by row: `visit(Coord32 thread)`.
template <typename Visit>
void for_each_thread(const LaunchShape& shape, const Visit& visit) {
  for (std::uint32_t y = 0; y < shape.threads_y; ++y) {
    for (std::uint32_t x = 0; x < shape.threads_x; ++x) visit(Coord32{x, y});
  }
}

}  // namespace loom::cpu
