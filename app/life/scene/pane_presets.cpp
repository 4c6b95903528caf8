#include "app/life/scene/pane_presets.h"

#include <utility>

#include "app/life/scene/setting_steps.h"
#include "compute/core/named_choice.h"
#include "compute/engine/fractal_config.h"

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

PaneWish beside(const FractalConfig& config, std::optional<BackendChoice> backend = {}) {
  return {.method = config.method, .block = config.block, .backend = backend};
}

std::vector<PaneShows> shows_of(PanePreset preset) {
  if (preset == PanePreset::kUnfold) return {PaneShows::kUnfold};
  if (preset == PanePreset::kTimeline) return {PaneShows::kTimeline};
  if (preset == PanePreset::kLens) return {PaneShows::kLens};
  return {PaneShows::kThreads, PaneShows::kMemory, PaneShows::kSteps};
}

void fill_panes(LifeSettings& settings, PanePreset preset, BackendKind scene) {
  const FractalConfig config = settings.config;
  switch (preset) {
    case PanePreset::kOne:
      return;
    case PanePreset::kMaps:
      settings.config = with_map(config, MapKind::kBoundingBox);
      for (const MapKind map : {MapKind::kLambda, MapKind::kCompact}) {
        settings.beside.push_back(beside(with_map(config, map)));
      }
      return;
    case PanePreset::kArithmetics:
      settings.config = lambda_by(config, MapArithmetic::kLoop);
      for (const MapArithmetic by :
           {MapArithmetic::kTable, MapArithmetic::kTensor1, MapArithmetic::kTensor2}) {
        settings.beside.push_back(beside(lambda_by(config, by)));
      }
      return;
    case PanePreset::kBackends:
      settings.beside.push_back(
          beside(config, scene == BackendKind::kCuda ? BackendChoice::kCpu : BackendChoice::kCuda));
      return;
    case PanePreset::kDevices:
      settings.config = with_map(config, MapKind::kCompact);
      settings.config.method.storage = CellStorage::kBits;
      keep_method_valid(settings.config);
      settings.devices = 1;
      settings.beside.push_back(beside(settings.config));
      settings.beside.back().devices = 2;
      return;
    case PanePreset::kSpaces:
    case PanePreset::kUnfold:
    case PanePreset::kTimeline:
    case PanePreset::kLens:
      for (const PaneShows shows : shows_of(preset)) {
        PaneWish wish = beside(config);
        wish.shows = shows;
        settings.beside.push_back(wish);
      }
      if (preset == PanePreset::kSpaces || preset == PanePreset::kLens) settings.show_thread = true;
      return;
  }
}

// What the user chose meanwhile stays. A change of level may have changed details of the method.
void put_method_back(LifeSettings& settings) {
  const auto compared = std::exchange(settings.compared, std::nullopt);
  if (!compared || settings.beside.empty()) return;
  MapMethod& method = settings.config.method;
  const MapMethod& chosen = compared->chosen;
  if (method.map != chosen.map || method.arithmetic != chosen.arithmetic || method.storage != chosen.storage)
    return;
  method = compared->before;
  settings.devices = compared->devices_before;
  keep_method_valid(settings.config);
}

}  // namespace

std::string_view name_of(PanePreset preset) {
  static constexpr std::array<std::string_view, 9> kNames = {
      "one", "maps", "arithmetics", "backends", "spaces", "unfold", "timeline", "devices", "lens"};
  return kNames[static_cast<std::size_t>(preset)];
}

PanePreset parse_pane_preset(std::string_view name) {
  return parse_choice("panes", name, kPanePresets);
}

void set_panes(LifeSettings& settings, PanePreset preset, BackendKind scene) {
  put_method_back(settings);
  const FractalConfig config = settings.config;
  const std::uint32_t devices = settings.devices;
  settings.beside.clear();
  fill_panes(settings, preset, scene);
  if (settings.config.method != config.method || settings.devices != devices)
    settings.compared = {config.method, devices, settings.config.method};
}

void close_pane(LifeSettings& settings, std::size_t pane) {
  if (pane >= settings.beside.size()) return;
  if (settings.beside.size() == 1) put_method_back(settings);
  settings.beside.erase(settings.beside.begin() + static_cast<std::ptrdiff_t>(pane));
}

void keep_beside(LifeSettings& settings) {
  if (settings.beside.size() + 1 >= kMostPanes) return;
  settings.beside.push_back(beside(settings.config));
  settings.beside.back().devices = settings.devices;
}

}  // namespace loom::app
