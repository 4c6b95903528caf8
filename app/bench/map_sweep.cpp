#include "app/bench/map_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "app/bench/axis_text.h"
#include "compute/backend/fastest_method.h"
#include "compute/core/error.h"
#include "compute/distributed/partitioning.h"
#include "compute/geometry/tile_sizes.h"
#include "compute/map/method_fields.h"
#include "compute/map/tiling.h"
#include "compute/solid/tiled_solid.h"

namespace loom::app::bench {
namespace {

/// The tile sizes of the axis that this fractal and level allow.
std::vector<std::uint32_t> tile_sizes_at(const MapAxes& axes, const NbbFractal& fractal, int level) {
  std::vector<std::uint32_t> allowed = allowed_tile_sizes(fractal, level);
  if (!axes.tile_sizes) return allowed;
  const auto is_unwanted = [&](std::uint32_t tile_size) {
    return std::find(axes.tile_sizes->begin(), axes.tile_sizes->end(), tile_size) == axes.tile_sizes->end();
  };
  allowed.erase(std::remove_if(allowed.begin(), allowed.end(), is_unwanted), allowed.end());
  return allowed;
}

/// The distinct valid methods of a configuration's map in the axes; if none is valid, the first invalid one.
/// Fields that the map does not have keep their defaults.
class ValidMethods {
 public:
  ValidMethods(const MapAxes& axes, const FractalConfig& config)
      : axes_(axes),
        tiled_(make_tiled_fractal(config.fractal, config.level, config.tile_size)),
        fastest_(fastest_method(config.method.map)) {
    add(method_fields(), config.method);
    if (valid_.empty() && invalid_) valid_.push_back(*invalid_);
  }

  const std::vector<MapMethod>& methods() const { return valid_; }

 private:
  /// Adds `method` with every combination of the values of `fields`.
  void add(std::span<const MethodField> fields, MapMethod method) {
    if (fields.empty()) {
      add_one(method);
      return;
    }
    const MethodField& field = fields.front();
    const auto others = fields.subspan(1);
    if (field.option == "map" || !field.varies(method)) {
      add(others, method);
      return;
    }
    static const std::vector<std::string> automatic = {std::string(kAutoWord)};
    const auto named = axes_.method.find(field.option);
    for (const std::string& word : named == axes_.method.end() ? automatic : named->second) {
      if (word == kAutoWord) {
        field.copy(fastest_, method);
        add(others, method);
        continue;
      }
      const auto texts = word == kAllWord ? values_of(field, method, tiled_) : std::vector<std::string>{word};
      for (const std::string& text : texts) {
        field.read(text, method);
        add(others, method);
      }
    }
  }

  void add_one(const MapMethod& method) {
    if (!method_problem(method, tiled_).empty()) {
      if (!invalid_) invalid_ = method;
      return;
    }
    MapMethod used = method;
    used.tiles = tiling_of(method, tiled_).tiles();
    if (std::find(used_.begin(), used_.end(), used) != used_.end()) return;
    used_.push_back(used);
    valid_.push_back(method);
  }

  const MapAxes& axes_;
  TiledFractal tiled_;
  MapMethod fastest_;
  std::vector<MapMethod> valid_;
  std::vector<MapMethod> used_;  ///< `valid_` with automatic tile counts resolved, to find duplicates
  std::optional<MapMethod> invalid_;
};

bool allows_devices(const MapAxes& axes, const FractalConfig& config, BackendKind backend, int devices) {
  try {
    check_can_distribute(config, backend, devices, axes.processes);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

/// The numbers of devices that a configuration can be distributed over; if there is none, the first of the
/// axis.
std::vector<int> devices_at(const MapAxes& axes, const FractalConfig& config,
                            const BackendSelection& backend) {
  std::vector<int> counts;
  for (const int devices : axes.devices) {
    if (allows_devices(axes, config, backend.device.kind, devices)) counts.push_back(devices);
  }
  if (counts.empty()) counts.push_back(axes.devices.front());
  return counts;
}

std::vector<int> first_devices(const std::vector<int>& list, int count) {
  return {list.begin(), list.begin() + std::min<std::ptrdiff_t>(count, std::ssize(list))};
}

/// Calls `use` with every combination.
template <typename Use>
void for_each_case(const MapAxes& axes, Use&& use) {
  const std::vector<ReductionMethod> no_reduction = {ReductionMethod::kWarp};
  const auto use_workloads = [&](const FractalConfig& config, const BackendSelection& backend) {
    for (const Workload workload : axes.workloads) {
      const bool reduces = workload == Workload::kReduction;
      for (const ReductionMethod reduction : reduces ? axes.reductions : no_reduction) {
        for (const int devices : devices_at(axes, config, backend)) {
          use(MapCase{.config = config,
                      .workload = workload,
                      .backend = backend,
                      .reduction = reduction,
                      .devices = devices,
                      .device_list = first_devices(axes.device_list, devices)});
        }
      }
    }
  };
  for (const NbbFractal& fractal : axes.fractals) {
    for (int level : axes.levels) {
      if (level > fractal.max_level()) continue;
      for (MapKind map : axes.maps) {
        for (std::uint32_t tile_size : tile_sizes_at(axes, fractal, level)) {
          FractalConfig config{
              .fractal = fractal, .level = level, .tile_size = tile_size, .method = {.map = map}};
          const ValidMethods at(axes, config);
          for (const BackendSelection& backend : axes.backends) {
            for (const MapMethod& method : at.methods()) {
              config.method = method;
              use_workloads(config, backend);
            }
          }
        }
      }
    }
  }
}

bool is_valid(const FractalConfig& config) {
  const TiledFractal tiled = make_tiled_fractal(config.fractal, config.level, config.tile_size);
  return method_problem(config.method, tiled).empty();
}

void check_levels(const MapAxes& axes) {
  int highest = 0;
  for (const NbbFractal& fractal : axes.fractals) highest = std::max(highest, fractal.max_level());
  for (const SolidFractal& fractal : axes.solids) highest = std::max(highest, fractal.max_level());
  for (int level : axes.levels) {
    if (level > highest) {
      throw InputError(fmt::format("level {} is not allowed; 0 to {} fit in 64 bits", level, highest));
    }
  }
}

/// Throws if no fractal allows a tile size at the highest level of the sweep. Lower levels may lack it.
void check_tile_sizes(const MapAxes& axes) {
  if (!axes.tile_sizes) return;
  std::set<std::uint32_t> allowed;
  const int highest = *std::max_element(axes.levels.begin(), axes.levels.end());
  for (const NbbFractal& fractal : axes.fractals) {
    const auto tile_sizes = allowed_tile_sizes(fractal, std::min(highest, fractal.max_level()));
    allowed.insert(tile_sizes.begin(), tile_sizes.end());
  }
  for (const SolidFractal& fractal : axes.solids) {
    const auto tile_sizes = allowed_tile_sizes(fractal, std::min(highest, fractal.max_level()));
    allowed.insert(tile_sizes.begin(), tile_sizes.end());
  }
  for (std::uint32_t tile_size : *axes.tile_sizes) {
    if (!allowed.contains(tile_size)) {
      throw InputError(fmt::format("tile size {} is not allowed at any level of this sweep; allowed: {}, all",
                                   tile_size, fmt::join(allowed, ", ")));
    }
  }
}

/// Throws if no configuration can be distributed over a number of devices.
void check_numbers_of_devices(const MapAxes& axes, const std::vector<MapCase>& cases) {
  for (const int devices : axes.devices) {
    const MapCase* refused = nullptr;
    bool goes = false;
    for (const MapCase& one : cases) {
      goes = allows_devices(axes, one.config, one.backend.device.kind, devices);
      if (goes) break;
      // Prefer the error of a compact map: only compact maps can be distributed, so it names the actual
      // limit.
      const bool compact = one.config.method.map == MapKind::kCompact;
      if (refused == nullptr || compact) refused = &one;
    }
    if (!goes && refused != nullptr)
      check_can_distribute(refused->config, refused->backend.device.kind, devices, axes.processes);
  }
}

void check(const MapAxes& axes) {
  check_not_empty(axes.fractals.empty() && axes.solids.empty(), "fractal");
  check_not_empty(axes.levels.empty(), "level");
  check_not_empty(axes.maps.empty(), "map");
  check_not_empty(axes.workloads.empty(), "workload");
  check_not_empty(axes.reductions.empty(), "reduction");
  check_not_empty(axes.backends.empty(), "backend");
  check_not_empty(axes.devices.empty(), "number of devices");
  check_levels(axes);
  check_tile_sizes(axes);
}

}  // namespace

void check_can_distribute(const FractalConfig& config, BackendKind backend, int devices, bool processes) {
  if (devices == 1) return;
  if (backend == BackendKind::kCpu && !processes)
    throw InputError("the CPU backend is one device; allowed: --devices 1, or processes of mpirun");
  check_partitionable(config, static_cast<std::uint32_t>(devices));
}

std::vector<MapCase> expand(const MapAxes& axes) {
  check(axes);
  std::vector<MapCase> cases;
  for_each_case(axes, [&](MapCase one) { cases.push_back(std::move(one)); });
  const auto runs = [](const MapCase& one) { return is_valid(one.config); };
  // If every combination is invalid, report the reason for the first, which names the nearest valid one.
  if (!cases.empty() && std::none_of(cases.begin(), cases.end(), runs)) validate(cases.front().config);
  check_numbers_of_devices(axes, cases);
  return cases;
}

std::uint64_t count_cases(const MapAxes& axes) {
  check(axes);
  std::uint64_t cases = 0;
  for_each_case(axes, [&](const MapCase&) { ++cases; });
  return cases;
}

}  // namespace loom::app::bench
