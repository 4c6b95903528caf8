#include "app/workspaces/life/scene/life_settings.h"

#include <utility>

#include "compute/backend/fastest_method.h"
#include "compute/geometry/nbb_catalog.h"

namespace loom::app {

LifeSettings default_life_settings() {
  return {.config = {.fractal = find_fractal("sierpinski-gasket"),
                     .level = 9,
                     .block = 16,
                     .method = fastest_method(MapKind::kLambda)}};
}

std::string_view changed_setting(const LifeSettings& before, const LifeSettings& after) {
  const FractalConfig& was = before.config;
  const FractalConfig& is = after.config;
  const auto start_of = [](const LifeSettings& settings) {
    return std::pair(settings.start.seed, settings.start.density);
  };
  const std::array<std::pair<std::string_view, bool>, 17> all = {{
      {"fractal", was.fractal != is.fractal},
      {"level", was.level != is.level},
      {"tile size", was.block != is.block},
      {"thread map", was.method != is.method},
      // A new method may not allow several devices, which then change with it.
      {"devices", before.devices != after.devices && was.method == is.method},
      {"panes", before.secondary_panes != after.secondary_panes},
      {"workload", before.workload != after.workload || before.reduction != after.reduction},
      {"rule", before.rule != after.rule},
      {"random start", start_of(before) != start_of(after)},
      {"speed", before.generations_per_frame != after.generations_per_frame ||
                    before.ms_per_generation != after.ms_per_generation},
      {"grids", before.cell_grid != after.cell_grid || before.tile_grid != after.tile_grid},
      {"square points", before.square_points != after.square_points},
      {"ages and trails", before.show_ages != after.show_ages},
      {"Benchmark panel", before.show_bench != after.show_bench},
      {"edit mode", before.edit_cells != after.edit_cells},
      {"thread panel", before.show_thread != after.show_thread || before.neighbour != after.neighbour},
      {"colours",
       before.colouring.by != after.colouring.by || before.colouring.level != after.colouring.level},
  }};
  std::string_view found;
  for (const auto& [name, changed] : all) {
    if (!changed) continue;
    // A new fractal or level also changes tile size and method.
    if (!found.empty())
      return was.fractal != is.fractal ? "fractal" : was.level != is.level ? "level" : "several settings";
    found = name;
  }
  return found;
}

LifeSettings with_settings(const LifeSettings& kept, const LifeSettings& from) {
  LifeSettings all = from;
  all.playing = kept.playing;
  all.pinned = kept.pinned;
  all.colouring.workers = kept.colouring.workers;
  return all;
}

const char* name_of(PaneContent shows) {
  static constexpr std::array kNames = {"cells", "threads", "memory", "steps", "unfold", "timeline", "lens"};
  return kNames[static_cast<std::size_t>(shows)];
}

const char* label_of(MapKind map) {
  switch (map) {
    case MapKind::kBoundingBox:
      return "bounding box";
    case MapKind::kLambda:
      return "λ";
    case MapKind::kCompact:
      return "compact";
  }
  return "";
}

}  // namespace loom::app
