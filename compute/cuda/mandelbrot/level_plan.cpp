#include "compute/cuda/mandelbrot/level_plan.h"

#include <algorithm>

#include "compute/core/coord.h"
#include "compute/cuda/mandelbrot/region/region_steps.h"
#include "compute/cuda/mandelbrot/region/warp_tables.h"

namespace loom::cuda {
namespace {

/// Warps share the regions of all levels if there are at most this many.
constexpr std::uint64_t kMaxSharedRegions = 1u << 21;

}  // namespace

LevelPlan plan_levels(const MandelbrotConfig& config, const Subdivision& cut, std::uint32_t steps,
                      const LaunchSlices& slices) {
  LevelPlan plan;
  if (config.method == MandelbrotMethod::kExhaustive) return plan;
  Subdivision launched = cut;  // the levels that the host launches, and the level that the last of them lists
  if (config.method == MandelbrotMethod::kDp) {
    plan.dp_level = first_level_of_trees(cut, steps, config.scheme, config.block, slices);
    plan.chained = config.optimisations.join && plan.dp_level == 0;
    plan.lists_roots = plan.dp_level == 0 && slices.max_items(steps_of_tree(cut, 0, steps, config.block,
                                                                            slices)) < cut.first_regions();
    if (plan.dp_level == 0) {
      if (plan.chained) plan.olts = olt_capacity(cut);
      return plan;
    }
    launched.levels = std::min(cut.levels, plan.dp_level + 1);
  }
  if (config.method == MandelbrotMethod::kAsk && is_perturbed(config.precision) &&
      config.optimisations.queue && max_regions(cut) <= kMaxSharedRegions &&
      saturating_multiply(std::uint64_t{cut.width} * cut.height, steps) <= slices.most()) {
    plan.warp_words =
        WarpTables(cut, cut.first_regions(), warps_use_tiles(config.optimisations, config.fill)).words();
    plan.bytes_beyond += plan.warp_words * sizeof(std::uint64_t);
    return plan;
  }
  plan.olts = olt_capacity(launched);
  bool shared = config.scheme == RegionScheme::kMbr;
  for (std::uint32_t level = 0; level < launched.levels; ++level)
    shared = shared || RegionSteps(cut, level, steps, config.block, slices).within_is_long;
  if (shared) plan.jobs = max_jobs(launched);
  const bool dp = config.method == MandelbrotMethod::kDp;
  if (dp && !config.optimisations.join)
    plan.bytes_beyond += (plan.olts.even + plan.olts.odd) * sizeof(Coord32);
  if (dp || config.scheme == RegionScheme::kSbr) plan.bytes_beyond += plan.jobs * sizeof(RegionJob);
  return plan;
}

}  // namespace loom::cuda
