#include "app/workspaces/life/scene/life_setting_changes.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>

#include "app/exercises/exercise.h"
#include "compute/core/named_choice.h"
#include "compute/engine/work_costs.h"
#include "compute/geometry/tile_sizes.h"

namespace loom::app {
void set_level(FractalConfig& config, int level) {
  // Not limited by free memory: that is checked when the engine is built.
  const int highest = largest_level(config, std::numeric_limits<std::uint64_t>::max());
  config.level = std::clamp(level, 0, highest);
  config.tile_size = nearest_tile_size(config.fractal, config.level, config.tile_size);
  keep_method_valid(config);
}

int start_level(const NbbFractal& fractal, int highest) {
  constexpr double kMaxPoints = 1 << 20;
  int level = std::min(highest, fractal.max_level());
  const auto points = [&](int r) {
    return static_cast<double>(fractal.width(r)) * static_cast<double>(fractal.height(r));
  };
  while (level > 0 && points(level) > kMaxPoints) --level;
  return level;
}

std::optional<int> set_fractal(FractalConfig& config, const NbbFractal& fractal) {
  const int before = config.level;
  config.fractal = fractal;
  set_level(config, start_level(fractal, before));
  return config.level < before ? std::optional(config.level) : std::nullopt;
}

void set_map(FractalConfig& config, MapKind map) {
  config.method.map = map;
  keep_method_valid(config);
}

void set_tile_size(FractalConfig& config, std::uint32_t block) {
  config.tile_size = block;
  keep_method_valid(config);
}

void step_tile_size(FractalConfig& config, int direction) {
  const auto blocks = allowed_tile_sizes(config.fractal, config.level);
  const auto here = std::find(blocks.begin(), blocks.end(), config.tile_size);
  if (here == blocks.end()) return;
  if (direction > 0 && std::next(here) != blocks.end()) set_tile_size(config, *std::next(here));
  if (direction < 0 && here != blocks.begin()) set_tile_size(config, *std::prev(here));
}

void next_arithmetic(FractalConfig& config) {
  const TiledFractal tiled = make_tiled_fractal(config.fractal, config.level, config.tile_size);
  if (config.method.map == MapKind::kBoundingBox) return;
  MapMethod next = config.method;
  next.tiles = 0;
  do {
    next.arithmetic = next_choice(kMapArithmetics, next.arithmetic);
  } while (!is_exact(next.arithmetic) || !method_problem(next, tiled).empty());
  config.method.arithmetic = next.arithmetic;
  keep_method_valid(config);
}

void next_intra_block(FractalConfig& config) {
  if (config.method.map == MapKind::kBoundingBox) return;
  config.method.intra_block = next_choice(kIntraBlocks, config.method.intra_block);
  keep_method_valid(config);
}

void next_slow_motion(LifeSettings& settings) {
  static constexpr std::array<std::uint32_t, 4> kSpeeds = {0, 250, 1000, kMaxMsPerGeneration};
  const auto slower =
      std::ranges::find_if(kSpeeds, [&](std::uint32_t ms) { return ms > settings.ms_per_generation; });
  settings.ms_per_generation = slower == kSpeeds.end() ? 0 : *slower;
}

void next_workload(LifeSettings& settings) {
  settings.workload = next_choice(kWorkloads, settings.workload);
}

void set_teaching_example(LifeSettings& settings) {
  constexpr std::uint64_t kWideEnough = 16;
  constexpr std::uint32_t kBlock = 4;
  FractalConfig& config = settings.config;
  int level = 0;
  while (level < config.fractal.max_level() && config.fractal.width(level) < kWideEnough) ++level;
  set_level(config, level);
  set_tile_size(config, nearest_tile_size(config.fractal, level, kBlock));
  settings.cell_grid = settings.tile_grid = true;
  settings.generations_per_frame = 1;
  settings.playing = false;
}

void begin_exercise(LifeSettings& settings, std::string_view name) {
  settings.show_code = true;
  if (settings.map_code != nullptr && settings.map_code->exercise == name) return;
  settings.map_code = std::make_shared<const MapCode>(MapCode{{}, std::string(name)});
  const ExerciseCase first = find_exercise(std::string(name)).cases.front();
  settings.config.fractal = first.fractal;
  set_level(settings.config, first.level);
}

void measure_maps(LifeEdit& edit) {
  edit.commands.measure_maps = true;
  open_all_metrics(edit.shell.settings);
}

}  // namespace loom::app
