#include "app/bench/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "compute/core/error.h"
#include "compute/fractal/block_sizes.h"

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

/// Calls `use` with every method of a map that the axes name; what the map does not have stays as by default.
template <typename Use>
void for_each_method(const Axes& axes, FractalConfig config, Use&& use) {
  if (config.map == MapKind::kBoundingBox) {
    use(config);
    return;
  }
  const std::vector<bool> halos =
      config.map == MapKind::kCompact ? axes.halos : std::vector<bool>{config.halo};
  for (MapArithmetic arithmetic : axes.arithmetics) {
    for (IntraBlock intra_block : axes.intra_blocks) {
      for (bool halo : halos) {
        config.arithmetic = arithmetic;
        config.intra_block = intra_block;
        config.halo = halo;
        use(config);
      }
    }
  }
}

template <typename Use>
void for_each_config(const Axes& axes, Use&& use) {
  for (const NbbFractal& fractal : axes.fractals) {
    for (int level : axes.levels) {
      if (level > fractal.max_level()) continue;
      for (MapKind map : axes.maps) {
        for (std::uint32_t block : blocks_at(axes, fractal, level)) {
          for_each_method(axes, {.fractal = fractal, .level = level, .map = map, .block = block}, use);
        }
      }
    }
  }
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
  check_not_empty(axes.arithmetics.empty(), "arithmetic");
  check_not_empty(axes.intra_blocks.empty(), "intra-block mapping");
  check_not_empty(axes.halos.empty(), "halo");
  check_not_empty(axes.workloads.empty(), "workload");
  check_not_empty(axes.backends.empty(), "backend");
  check_levels(axes);
  check_blocks(axes);
}

}  // namespace

std::vector<BenchCase> expand(const Axes& axes) {
  check(axes);
  std::vector<BenchCase> cases;
  for (int repeat = 0; repeat < axes.repeats; ++repeat) {
    for_each_config(axes, [&](const FractalConfig& config) {
      for (Workload workload : axes.workloads) {
        for (const BackendSelection& backend : axes.backends) {
          cases.push_back({config, workload, backend, repeat});
        }
      }
    });
  }
  return cases;
}

std::uint64_t count_cases(const Axes& axes) {
  check(axes);
  std::uint64_t configs = 0;
  for_each_config(axes, [&](const FractalConfig&) { ++configs; });
  return configs * axes.workloads.size() * axes.backends.size() * static_cast<std::uint64_t>(axes.repeats);
}

void check_sweep_size(std::uint64_t cases, bool confirmed, std::uint64_t limit) {
  if (confirmed || cases <= limit) return;
  throw InputError(
      fmt::format("the sweep has {} configurations; allowed without --yes: at most {}", cases, limit));
}

}  // namespace loom::app::bench
