#include "app/workspaces/life/scene/custom_map_times.h"

#include <fmt/format.h>

#include "app/exercises/map_templates.h"
#include "app/text/format.h"

namespace loom::app {
namespace {

constexpr std::chrono::milliseconds kTimeLimit{10000};

int level_of_tile(const FractalConfig& config) {
  int level = 0;
  for (std::uint64_t side = 1; side < config.tile_size; side *= config.fractal.shape().s_x) ++level;
  return level;
}

}  // namespace

CustomMapComparison measure_built_in_maps(const FractalConfig& config,
                                          const MapBackend& backend, ProgressMonitor& watch) {
  CustomMapComparison comparison;
  const bool on_gpu = !backend.device.on_host;
  for (const MapKind map : kMapKinds) {
    const MapRequest request{
        .code = built_in_map_code(map, level_of_tile(config)),
        .level = config.level,
        .time_limit = kTimeLimit,
        .measure = map == MapKind::kCompact ? MapStorage::kCompact : MapStorage::kExpanded,
        .device = backend.device};
    comparison.ms[static_cast<std::size_t>(map)] =
        run_map(config.fractal, request, &watch).single_write_milliseconds;
  }
  comparison.conditions = fmt::format(
      "Single write after a warm-up, on {}, all maps run by {}; built-in maps as code with tiles of {} "
      "points "
      "in x. Times below {} ms are too small to compare",
      on_gpu ? backend.device.name : std::string("one CPU thread"), on_gpu ? "NVRTC" : "the interpreter",
      config.tile_size, std::string_view(format_ms(kMinComparedMs)));
  return comparison;
}

}  // namespace loom::app
