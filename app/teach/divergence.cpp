#include "app/teach/divergence.h"

#include <algorithm>
#include <vector>

#include "app/teach/thread_space.h"

namespace loom::app::teach {

double Divergence::waiting() const {
  if (lane_steps == 0) return 0;
  return 1 - static_cast<double>(steps) / static_cast<double>(lane_steps);
}

Divergence divergence_of(std::uint32_t width, std::uint32_t height, BlockShape block,
                         const ReadDwellRow& read) {
  Divergence found;
  const std::uint32_t warps_of_block = block.x * block.y / kWarpLanes;
  const std::uint32_t blocks_x = (width + block.x - 1) / block.x;
  std::vector<std::uint32_t> row(width);
  std::vector<std::uint32_t> longest;  // of each warp of a row of blocks; 0: none of its lanes has a pixel
  std::vector<bool> runs;
  for (std::uint32_t top = 0; top < height; top += block.y) {
    longest.assign(std::size_t{blocks_x} * warps_of_block, 0);
    runs.assign(longest.size(), false);
    const std::uint32_t rows = std::min(block.y, height - top);
    for (std::uint32_t y = 0; y < rows; ++y) {
      read(top + y, row);
      for (std::uint32_t x = 0; x < width; ++x) {
        const std::uint32_t rank = y * block.x + x % block.x;
        const std::size_t warp = std::size_t{x / block.x} * warps_of_block + rank / kWarpLanes;
        longest[warp] = std::max(longest[warp], row[x]);
        runs[warp] = true;
        found.steps += row[x];
      }
    }
    for (const std::uint32_t steps : longest) found.lane_steps += std::uint64_t{kWarpLanes} * steps;
    found.warps += static_cast<std::uint64_t>(std::count(runs.begin(), runs.end(), true));
  }
  return found;
}

}  // namespace loom::app::teach
