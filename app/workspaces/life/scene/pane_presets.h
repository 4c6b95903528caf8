#pragma once

#include <array>
#include <cstddef>
#include <glm/vec4.hpp>
#include <string_view>

#include "app/explain/diagram/diagram.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "compute/map/map_method.h"

namespace loom::app {

/// Presets of secondary panes.
enum class PanePreset {
  kSingle,           ///< the scene alone
  kMaps,             ///< bounding box, lambda and compact, the scene's one first
  kArithmetics,      ///< lambda by loop, table, tensor-1 and tensor-2, the scene's one first
  kBackends,         ///< the scene's method on the CPU and on the GPU
  kLaunchAndMemory,  ///< the scene's cells, threads and memory, and how its map is computed
  kLambdaAnimation,  ///< cells, and the animation of lambda
  kTimeline,         ///< cells, and the timeline of a launch
  kDevices,          ///< compact, bit-packed, on one device and on two
  kMemoryAccess,     ///< cells, memory, and the memory accesses of a warp
  kMapMetrics,       ///< the maps as in kMaps, and their metrics
};
inline constexpr std::array kPanePresets = {PanePreset::kSingle,          PanePreset::kMaps,
                                            PanePreset::kArithmetics,     PanePreset::kBackends,
                                            PanePreset::kLaunchAndMemory, PanePreset::kLambdaAnimation,
                                            PanePreset::kTimeline,        PanePreset::kDevices,
                                            PanePreset::kMemoryAccess,    PanePreset::kMapMetrics};
/// "one", "maps", "arithmetics", "backends", "spaces", "unfold", "timeline", "devices", "lens",
/// "metrics". For an unknown name, parse_pane_preset() throws InputError with the list.
std::string_view name_of(PanePreset preset);
PanePreset parse_pane_preset(std::string_view name);

/// Sets the panes of a preset, with the current tile size where possible. `scene`: device of the active pane,
/// which one preset compares with the other backend.
void set_panes(LifeSettings& settings, PanePreset preset, const Device& scene = {});
/// The configuration of a pane of cells beside `scene`.
FractalConfig config_of(const PaneSpec& spec, const FractalConfig& scene);
/// Closes one pane. After the last one, the scene returns to its method before the preset, unless the user
/// has selected another one.
void close_pane(LifeSettings& settings, std::size_t pane);
/// Whether a secondary pane has this content.
bool shows_pane(const LifeSettings& settings, PaneContent content);
/// Closes the pane with this content, or opens it: beside the three maps, if there is only one pane.
void toggle_pane(LifeSettings& settings, PaneContent content);
/// Gives panes that had the active pane's tile size its new one, so that they stay comparable. Panes with a
/// tile size of their own keep it.
void follow_tile_size(LifeSettings& settings, const LifeSettings& before);
/// Pins the current method as a secondary pane, if there is room for one.
void pin_as_pane(LifeSettings& settings);

}  // namespace loom::app
