#include "app/workspaces/life/scene/custom_map_times.h"

#include <fmt/format.h>

#include "app/exercises/map_templates.h"
#include "app/workspaces/life/scene/step_measurement.h"
#include "compute/custom_map/map_process.h"

namespace loom::app {
namespace {

constexpr std::chrono::milliseconds kTimeLimit{10000};

int level_of_tile(const FractalConfig& config) {
  int level = 0;
  for (std::uint64_t side = 1; side < config.tile_size; side *= config.fractal.shape().s_x) ++level;
  return level;
}

}  // namespace

CustomMapComparison measure_built_in_maps(const std::filesystem::path& program, const FractalConfig& config,
                                          const MapBackend& backend, ProgressMonitor& watch) {
  CustomMapComparison comparison;
  const std::string tiles = fmt::format("tiles of {} points in x", config.tile_size);
  if (backend.device.on_host) {
    const int tile_level = level_of_tile(config);
    for (const MapKind map : kMapKinds) {
      const MapRequest request{
          .code = built_in_map_code(map, tile_level),
          .level = config.level,
          .time_limit = kTimeLimit,
          .measure = map == MapKind::kCompact ? MapStorage::kCompact : MapStorage::kExpanded};
      comparison.ms[static_cast<std::size_t>(map)] =
          run_map(program, config.fractal, request, &watch).single_write_milliseconds;
    }
    comparison.conditions = fmt::format(
        "Single write, one CPU thread, all maps compiled by libtcc; built-in maps as code with {}", tiles);
    return comparison;
  }
  BackendSelection selection{backend.device, backend.reason};
  std::vector<FractalConfig> configs = methods_to_compare(config);
  const StepConditions conditions{.backend = selection, .work = {.workload = Workload::kSingleWrite}};
  for (const MapTime& time : measure_steps(configs, conditions, watch)) {
    std::optional<double>& ms = comparison.ms[static_cast<std::size_t>(time.method.map)];
    if (!ms) ms = time.milliseconds;
  }
  comparison.conditions =
      fmt::format("Single write on {}, timed by events after a warm-up; built-in kernels with {}",
                  backend.device.name, tiles);
  return comparison;
}

}  // namespace loom::app
