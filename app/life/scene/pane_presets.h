#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "app/life/scene/life_settings.h"

namespace loom::app {

/// Ways to fill the panes.
enum class PanePreset {
  kOne,          ///< the scene alone
  kMaps,         ///< bounding box, lambda and compact
  kArithmetics,  ///< lambda by loop, table, tensor-1 and tensor-2
  kBackends,     ///< the scene's method on the CPU and on the GPU
  kSpaces,       ///< the scene's cells, threads and memory, and how its map is computed
  kUnfold,       ///< the scene's cells, and its blocks on their way from the launch to the fractal
  kTimeline,     ///< the scene's cells, and when each thread block of a launch ran
  kDevices,      ///< compact in bits on one device, and shared out to two
  kLens,         ///< the scene\'s cells, memory, and what the selected thread\'s warp does to it
};
inline constexpr std::array kPanePresets = {
    PanePreset::kOne,      PanePreset::kMaps,    PanePreset::kArithmetics,
    PanePreset::kBackends, PanePreset::kSpaces,  PanePreset::kUnfold,
    PanePreset::kTimeline, PanePreset::kDevices, PanePreset::kLens};
/// "one", "maps", "arithmetics", "backends", "spaces", "unfold", "timeline", "devices", "lens". The parser
/// throws InputError that lists them.
std::string_view name_of(PanePreset preset);
PanePreset parse_pane_preset(std::string_view name);

/// With the scene's block size, where a method goes with it. `scene`: where the scene runs.
void set_panes(LifeSettings& settings, PanePreset preset, BackendKind scene);
/// Closes one pane. After the last one the scene has the method again that it had before the preset, unless
/// the user chose another one since.
void close_pane(LifeSettings& settings, std::size_t pane);
/// The scene's method stays in a pane beside it, where there is room for one more.
void keep_beside(LifeSettings& settings);

}  // namespace loom::app
