#include "app/bench/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "compute/backend/fastest_method.h"
#include "compute/core/error.h"
#include "compute/engine/work_costs.h"
#include "compute/geometry/block_sizes.h"
#include "compute/map/tiling.h"

namespace loom::app::bench {
namespace {

/// The block sizes of the axis that this fractal and level allow.
std::vector<std::uint32_t> blocks_at(const Axes& axes, const NbbFractal& fractal, int level) {
  std::vector<std::uint32_t> allowed = allowed_blocks(fractal, level);
  if (!axes.blocks) return allowed;
  const auto is_unwanted = [&](std::uint32_t block) {
    return std::find(axes.blocks->begin(), axes.blocks->end(), block) == axes.blocks->end();
  };
  allowed.erase(std::remove_if(allowed.begin(), allowed.end(), is_unwanted), allowed.end());
  return allowed;
}

template <typename Value>
std::vector<Value> or_fastest(const std::vector<Value>& values, Value fastest) {
  return values.empty() ? std::vector<Value>{fastest} : values;
}

/// Every method of a configuration's map that the axes name and that is valid, each once; where none is, the
/// first that they name. What the map does not have stays as by default.
std::vector<FractalConfig> methods_at(const Axes& axes, FractalConfig config, BackendKind backend) {
  const BlockedFractal blocked = make_blocked(config.fractal, config.level, config.block);
  const MapMethod fastest = fastest_method(config.method.map);
  const bool has_method = config.method.map != MapKind::kBoundingBox;
  const auto halos = config.method.map == MapKind::kCompact ? or_fastest(axes.halos, fastest.halo)
                                                            : std::vector<bool>{config.method.halo};
  std::vector<FractalConfig> valid;
  std::optional<FractalConfig> invalid;
  const auto add_tilings = [&] {
    const auto all = axes.tiles.empty() ? allowed_tiles(config.method, blocked) : axes.tiles;
    std::set<std::uint32_t> used;
    for (const std::uint32_t tiles : all) {
      config.method.tiles = tiles;
      if (!why_not(config.method, blocked).empty()) {
        if (!invalid) invalid = config;
      } else if (used.insert(tiling_of(config.method, blocked).tiles()).second) {
        valid.push_back(config);
      }
    }
  };
  const auto arithmetics = has_method ? or_fastest(axes.arithmetics, fastest.arithmetic)
                                      : std::vector<MapArithmetic>{config.method.arithmetic};
  const auto intra_blocks = has_method ? or_fastest(axes.intra_blocks, fastest.intra_block)
                                       : std::vector<IntraBlock>{config.method.intra_block};
  for (const MapArithmetic arithmetic : arithmetics) {
    for (const IntraBlock intra_block : intra_blocks) {
      for (const bool halo : halos) {
        config.method.arithmetic = arithmetic;
        config.method.intra_block = intra_block;
        config.method.halo = halo;
        add_tilings();
      }
    }
  }
  if (valid.empty() && invalid) return {*invalid};
  return valid;
}

/// Calls `use(config, workload, reduction, backend)` with every combination of one repeat.
template <typename Use>
void for_each_case(const Axes& axes, Use&& use) {
  const std::vector<ReductionMethod> no_reduction = {ReductionMethod::kWarp};
  for (const NbbFractal& fractal : axes.fractals) {
    for (int level : axes.levels) {
      if (level > fractal.max_level()) continue;
      for (MapKind map : axes.maps) {
        for (std::uint32_t block : blocks_at(axes, fractal, level)) {
          const FractalConfig plain{
              .fractal = fractal, .level = level, .block = block, .method = {.map = map}};
          for (const BackendSelection& backend : axes.backends) {
            for (const FractalConfig& config : methods_at(axes, plain, backend.kind)) {
              for (const Workload workload : axes.workloads) {
                const bool reduces = workload == Workload::kReduction;
                for (const ReductionMethod reduction : reduces ? axes.reductions : no_reduction) {
                  use(config, workload, reduction, backend);
                }
              }
            }
          }
        }
      }
    }
  }
}

bool is_valid(const FractalConfig& config) {
  const BlockedFractal blocked = make_blocked(config.fractal, config.level, config.block);
  return why_not(config.method, blocked).empty();
}

void check_not_empty(bool empty, std::string_view axis) {
  if (empty) throw InputError(fmt::format("the sweep has no {}; allowed: at least one", axis));
}

void check_levels(const Axes& axes) {
  int highest = 0;
  for (const NbbFractal& fractal : axes.fractals) highest = std::max(highest, fractal.max_level());
  for (int level : axes.levels) {
    if (level > highest) {
      throw InputError(fmt::format("level {} is not allowed; 0 to {} fit in 64 bits", level, highest));
    }
  }
}

/// A block size that no fractal has at any level is a mistake; one that only a low level lacks is not.
void check_blocks(const Axes& axes) {
  if (!axes.blocks) return;
  std::set<std::uint32_t> allowed;
  const int highest = *std::max_element(axes.levels.begin(), axes.levels.end());
  for (const NbbFractal& fractal : axes.fractals) {
    const auto blocks = allowed_blocks(fractal, std::min(highest, fractal.max_level()));
    allowed.insert(blocks.begin(), blocks.end());
  }
  for (std::uint32_t block : *axes.blocks) {
    if (!allowed.contains(block)) {
      throw InputError(fmt::format("block {} is not allowed at any level of this sweep; allowed: {}, all",
                                   block, fmt::join(allowed, ", ")));
    }
  }
}

void check(const Axes& axes) {
  check_not_empty(axes.fractals.empty(), "fractal");
  check_not_empty(axes.levels.empty(), "level");
  check_not_empty(axes.maps.empty(), "map");
  check_not_empty(axes.workloads.empty(), "workload");
  check_not_empty(axes.reductions.empty(), "reduction");
  check_not_empty(axes.backends.empty(), "backend");
  check_levels(axes);
  check_blocks(axes);
}

}  // namespace

std::vector<MapCase> expand(const Axes& axes) {
  check(axes);
  std::vector<MapCase> cases;
  for_each_case(axes, [&](const FractalConfig& config, Workload workload, ReductionMethod reduction,
                          const BackendSelection& backend) {
    cases.push_back({config, workload, backend, 0, reduction});
  });
  const auto runs = [](const MapCase& one) { return is_valid(one.config); };
  // One reason stands for all of them, with the nearest combination that runs.
  if (!cases.empty() && std::none_of(cases.begin(), cases.end(), runs)) validate(cases.front().config);
  const std::size_t once = cases.size();
  cases.reserve(once * static_cast<std::size_t>(axes.repeats));
  for (int repeat = 1; repeat < axes.repeats; ++repeat) {
    for (std::size_t i = 0; i < once; ++i) {
      MapCase again = cases[i];
      again.repeat = repeat;
      cases.push_back(std::move(again));
    }
  }
  return cases;
}

std::uint64_t count_cases(const Axes& axes) {
  check(axes);
  std::uint64_t cases = 0;
  for_each_case(axes,
                [&](const FractalConfig&, Workload, ReductionMethod, const BackendSelection&) { ++cases; });
  return cases * static_cast<std::uint64_t>(axes.repeats);
}

void check_sweep_size(std::uint64_t cases, bool confirmed, std::uint64_t limit) {
  if (confirmed || cases <= limit) return;
  throw InputError(
      fmt::format("the sweep has {} configurations; allowed without --yes: at most {}", cases, limit));
}

}  // namespace loom::app::bench
