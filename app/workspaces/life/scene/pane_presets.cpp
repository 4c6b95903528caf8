#include <algorithm>
#include <utility>

#include "app/workspaces/life/scene/life_settings.h"
#include "compute/core/input_text.h"
#include "compute/engine/fractal_config.h"
#include "compute/workload/larger_life.h"

namespace loom::app {
namespace {

FractalConfig with_map(FractalConfig config, MapKind map) {
  set_map(config, map);
  return config;
}

FractalConfig lambda_by(const FractalConfig& scene, MapArithmetic arithmetic) {
  FractalConfig config = with_map(scene, MapKind::kLambda);
  config.method.arithmetic = arithmetic;
  keep_method_valid(config);
  return config;
}

PaneSpec secondary_panes(const FractalConfig& config, std::optional<BackendChoice> backend = {}) {
  return {.method = config.method, .tile_size = config.tile_size, .backend = backend};
}

std::vector<PaneContent> shows_of(PanePreset preset) {
  if (preset == PanePreset::kLambdaAnimation) return {PaneContent::kLambdaAnimation};
  if (preset == PanePreset::kTimeline) return {PaneContent::kTimeline};
  if (preset == PanePreset::kMemoryAccess) return {PaneContent::kMemoryAccess};
  return {PaneContent::kThreads, PaneContent::kMemory, PaneContent::kSteps};
}

void fill_panes(LifeSettings& settings, PanePreset preset, const Device& scene) {
  const FractalConfig config = settings.config;
  switch (preset) {
    case PanePreset::kSingle:
      return;
    case PanePreset::kMaps:
    case PanePreset::kMapMetrics:
      for (const MapKind map : kMapKinds) {
        if (map != config.method.map)
          settings.secondary_panes.push_back(secondary_panes(with_map(config, map)));
      }
      if (preset == PanePreset::kMapMetrics) toggle_pane(settings, PaneContent::kMapMetrics);
      return;
    case PanePreset::kArithmetics: {
      static constexpr std::array kCompared = {MapArithmetic::kLoop, MapArithmetic::kTable,
                                               MapArithmetic::kTensor1, MapArithmetic::kTensor2};
      const MapMethod& method = config.method;
      const bool stays = method.map == MapKind::kLambda &&
                         std::ranges::find(kCompared, method.arithmetic) != kCompared.end();
      if (!stays) settings.config = lambda_by(config, MapArithmetic::kLoop);
      for (const MapArithmetic by : kCompared) {
        if (by != settings.config.method.arithmetic)
          settings.secondary_panes.push_back(secondary_panes(lambda_by(config, by)));
      }
      return;
    }
    case PanePreset::kCountings: {
      if (!settings.rule.is_larger()) return;
      MapMethod& method = settings.config.method;
      method.storage = CellStorage::kBytes;
      method.counting =
          counting_of(method, make_tiled_fractal(config.fractal, config.level, config.tile_size),
                      settings.rule.larger, !scene.on_host);
      for (const Counting counting : kCountings) {
        if (counting == Counting::kAuto || counting == method.counting) continue;
        FractalConfig other = settings.config;
        other.method.counting = counting;
        if (work_problem(other, settings.work()).empty())
          settings.secondary_panes.push_back(secondary_panes(other));
      }
      return;
    }
    case PanePreset::kBackends:
      settings.secondary_panes.push_back(
          secondary_panes(config, scene.on_host ? BackendChoice::kCuda : BackendChoice::kCpu));
      return;
    case PanePreset::kDevices:
      settings.config = with_map(config, MapKind::kCompact);
      settings.config.method.storage = CellStorage::kBits;
      keep_method_valid(settings.config);
      settings.devices = 1;
      settings.secondary_panes.push_back(secondary_panes(settings.config));
      settings.secondary_panes.back().devices = 2;
      return;
    case PanePreset::kLaunchAndMemory:
    case PanePreset::kLambdaAnimation:
    case PanePreset::kTimeline:
    case PanePreset::kMemoryAccess:
      for (const PaneContent shows : shows_of(preset)) {
        PaneSpec spec = secondary_panes(config);
        spec.shows = shows;
        settings.secondary_panes.push_back(spec);
      }
      if (preset == PanePreset::kLaunchAndMemory || preset == PanePreset::kMemoryAccess)
        settings.show_thread = true;
      return;
  }
}

// Keeps a method that the user has selected meanwhile. Compares only the main settings, because a change of
// level may have adjusted the others.
void put_method_back(LifeSettings& settings) {
  const auto compared = std::exchange(settings.compared, std::nullopt);
  if (!compared || settings.secondary_panes.empty()) return;
  MapMethod& method = settings.config.method;
  const MapMethod& chosen = compared->chosen;
  if (method.map != chosen.map || method.arithmetic != chosen.arithmetic ||
      method.storage != chosen.storage || method.counting != chosen.counting)
    return;
  method = compared->before;
  settings.devices = compared->devices_before;
  keep_method_valid(settings.config);
}

}  // namespace

std::string_view name_of(PanePreset preset) {
  return value_for<PanePreset::kMapMetrics>({"one", "maps", "arithmetics", "countings", "backends", "spaces",
                                             "unfold", "timeline", "devices", "lens", "metrics"},
                                            preset);
}

PanePreset parse_pane_preset(std::string_view name) {
  return parse_choice("panes", name, kPanePresets);
}

void set_panes(LifeSettings& settings, PanePreset preset, const Device& scene) {
  put_method_back(settings);
  const FractalConfig config = settings.config;
  const std::uint32_t devices = settings.devices;
  settings.secondary_panes.clear();
  fill_panes(settings, preset, scene);
  if (settings.config.method != config.method || settings.devices != devices)
    settings.compared = {config.method, devices, settings.config.method};
}

FractalConfig config_of(const PaneSpec& spec, const FractalConfig& scene) {
  FractalConfig config = scene;
  config.method = spec.method;
  config.tile_size = nearest_tile_size(config.fractal, config.level, spec.tile_size);
  keep_method_valid(config);
  return config;
}

void close_pane(LifeSettings& settings, std::size_t pane) {
  if (pane >= settings.secondary_panes.size()) return;
  if (settings.secondary_panes.size() == 1) put_method_back(settings);
  settings.secondary_panes.erase(settings.secondary_panes.begin() + static_cast<std::ptrdiff_t>(pane));
}

bool shows_pane(const LifeSettings& settings, PaneContent content) {
  return std::ranges::any_of(settings.secondary_panes,
                             [&](const PaneSpec& one) { return one.shows == content; });
}

void toggle_pane(LifeSettings& settings, PaneContent content) {
  std::vector<PaneSpec>& panes = settings.secondary_panes;
  if (shows_pane(settings, content)) {
    const auto shown = std::ranges::find(panes, content, &PaneSpec::shows);
    return close_pane(settings, static_cast<std::size_t>(shown - panes.begin()));
  }
  if (panes.empty()) set_panes(settings, PanePreset::kMaps);
  if (panes.size() + 1 >= kMaxPanes) panes.pop_back();
  PaneSpec spec = secondary_panes(settings.config);
  spec.shows = content;
  panes.push_back(spec);
}

void follow_tile_size(LifeSettings& settings, const LifeSettings& before) {
  const std::uint32_t size = settings.config.tile_size;
  if (size == before.config.tile_size || settings.secondary_panes != before.secondary_panes) return;
  for (PaneSpec& one : settings.secondary_panes) {
    if (one.tile_size == before.config.tile_size) one.tile_size = size;
  }
}

void pin_as_pane(LifeSettings& settings) {
  if (settings.secondary_panes.size() + 1 >= kMaxPanes) return;
  settings.secondary_panes.push_back(secondary_panes(settings.config));
  settings.secondary_panes.back().devices = settings.devices;
}

}  // namespace loom::app
