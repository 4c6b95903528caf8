#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "compute/check/verification.h"
#include "compute/device/device.h"
#include "compute/solid/solid_config.h"
#include "compute/solid/solid_rule.h"

namespace loom {

/// The comparisons of three-dimensional fractals with the plain reference that `verify` runs.
struct SolidVerifyPlan {
  std::vector<SolidFractal> fractals;
  int level_min = 0;
  int level_max = 4;
  std::uint32_t steps = 100;  ///< generations of life
  std::optional<std::uint64_t> max_cells =
      {};  ///< limits the generations on large fields, as VerifyPlan does
  SolidRule rule;
  RandomStart start;
  std::vector<BackendSelection> backends;
};

struct SolidVerifyResult {
  std::vector<VerifyLevel> levels;
  std::uint64_t check_values = 0;  ///< methods that give the pinned check value
  std::vector<std::string> differences;
  std::vector<std::string> skips;
  std::uint64_t passed() const;
  bool ok() const { return differences.empty(); }
};

/// A rule of which every fractal of the catalogue has living cells after many generations, unlike with rules
/// that need many neighbours.
SolidRule solid_verify_rule();

/// Every map, tile size, arithmetic, intra-block mapping and halo setting of a fractal at a level; on a
/// device with thread blocks also the smallest and the largest number of tiles for the look-up table.
std::vector<SolidConfig> all_solid_methods(const SolidFractal& fractal, int level, const Device& device);

/// Called before each configuration with the number of finished configurations, the total and its name.
using SolidVerifyProgress =
    std::function<void(std::uint64_t done, std::uint64_t total, const std::string& next)>;

/// Runs the plan. A configuration passes if life equals the reference cell by cell at the random start, after
/// the first generations and the last one, if the census agrees, if every point of a small box is the cell or
/// the hole that it should be, if the sums of the reduction and the cells of a single write agree, and if the
/// counted threads are those of the definition.
SolidVerifyResult verify_solids(const SolidVerifyPlan& plan, const SolidVerifyProgress& progress);

}  // namespace loom
