#pragma once

#include <algorithm>
#include <cstdint>

#include "compute/cuda/launch_slices.h"
#include "compute/cuda/mandelbrot/region/region_parts.h"
#include "compute/mandelbrot/mandelbrot_config.h"
#include "compute/mandelbrot/subdivision.h"

namespace loom::cuda {

/// The steps (LaunchSlices) of the largest region of a level if no orbit escapes and no point is known not to
/// escape.
struct RegionSteps {
  std::uint64_t border = 0;
  std::uint64_t within = 0;  ///< of the leaf or the fill
  std::uint64_t part = 0;    ///< of a part of either, if several thread blocks share them
  /// Whether the border is too long for one thread block.
  bool border_is_long = false;
  bool within_is_long = false;

  RegionSteps(const Subdivision& cut, std::uint32_t level, std::uint32_t limit, BlockShape block,
              const LaunchSlices& slices) {
    const std::uint64_t parts = parts_at(cut, level);
    const std::uint64_t width = (cut.width + parts - 1) / parts;
    const std::uint64_t height = (cut.height + parts - 1) / parts;
    const bool last = level + 1 == cut.levels;
    border = 2 * (width + height) * limit;
    within = last ? width * height * limit : width * height / kFilledInStep + 1;
    part = last ? std::min<std::uint64_t>(within, std::uint64_t{kPanel} * kPanel * limit)
                : std::min<std::uint64_t>(within, kFillPixels / kFilledInStep + 1);
    const std::uint64_t most = slices.max_steps_of_block(block.x * block.y);
    border_is_long = border > most;
    within_is_long = within > most;
  }

 private:
  static constexpr std::uint64_t kFilledInStep = 4;  ///< pixels
};

/// The steps of a region of a level and of all launches from the device below it.
inline std::uint64_t steps_of_tree(const Subdivision& cut, std::uint32_t level, std::uint32_t limit,
                                   BlockShape block, const LaunchSlices& slices) {
  std::uint64_t sum = 0;
  std::uint64_t regions = 1;
  for (std::uint32_t at = level; at < cut.levels; ++at) {
    const RegionSteps steps(cut, at, limit, block, slices);
    sum += regions * (steps.border + (at + 1 == cut.levels ? steps.within : 0));
    regions *= std::uint64_t{cut.r} * cut.r;
  }
  return sum;
}

/// The first level at which dynamic parallelism can launch a region without a launch or a thread block that
/// is too long; cut.levels if there is none.
inline std::uint32_t first_level_of_trees(const Subdivision& cut, std::uint32_t limit, RegionScheme scheme,
                                          BlockShape block, const LaunchSlices& slices) {
  const RegionSteps last(cut, cut.levels - 1, limit, block, slices);
  if (scheme == RegionScheme::kSbr && last.within_is_long) return cut.levels;
  for (std::uint32_t level = 0; level < cut.levels; ++level) {
    const RegionSteps steps(cut, level, limit, block, slices);
    if (steps.border_is_long || (scheme == RegionScheme::kSbr && steps.within_is_long)) continue;
    if (steps_of_tree(cut, level, limit, block, slices) <= slices.most()) return level;
  }
  return cut.levels;
}

}  // namespace loom::cuda
