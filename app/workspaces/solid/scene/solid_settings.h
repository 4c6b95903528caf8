#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "app/files/solid_file.h"
#include "app/shell/shell_settings.h"
#include "app/workspaces/solid/scene/solid_camera.h"
#include "compute/device/device.h"
#include "compute/engine/fractal_engine.h"
#include "compute/solid/solid_config.h"
#include "compute/solid/solid_work.h"

namespace loom::app {

/// The axis of a cut plane.
enum class CutAxis { kNone, kX, kY, kZ };
inline constexpr std::array kCutAxes = {CutAxis::kNone, CutAxis::kX, CutAxis::kY, CutAxis::kZ};
/// "none", "x", "y", "z". `parse_cut_axis` throws InputError with the list of names.
std::string_view name_of(CutAxis axis);
CutAxis parse_cut_axis(std::string_view name);

/// What runs on a three-dimensional fractal, and how it is shown.
struct SolidSettings {
  SolidConfig config;
  std::optional<SolidFile> from_file = {};  ///< the file of a custom fractal
  SolidWork work = {};
  RandomStart start = {};
  bool playing = true;
  bool living_only = false;  ///< dead cells are transparent
  CutAxis cut_axis = CutAxis::kNone;
  float cut = 0.5f;  ///< the layers from this share of the axis on are visible, 0 to 1
};

/// Menger sponge, level 3, compact, with the fastest arithmetic and intra-block mapping, B5..7/S4..7.
SolidSettings default_solid_settings();

/// The default level of a fractal: the highest up to 9 with at most 2^20 points.
int solid_start_level(const SolidFractal& fractal);

/// The undo name of the changed setting; empty without a change. Playing is ignored.
std::string_view changed_setting(const SolidSettings& before, const SolidSettings& after);

// Changes of a configuration that keep it valid.
void set_fractal(SolidConfig& config, const SolidFractal& fractal);
/// The level is limited to what has a picture.
void set_level(SolidConfig& config, int level);
void set_map(SolidConfig& config, MapKind map);

/// The view of these settings by a camera, in a picture of this size.
SolidView view_of(const SolidSettings& settings, const SolidCamera& camera, glm::ivec2 picture);

/// One-time commands of the user.
struct SolidCommands {
  std::uint32_t step = 0;  ///< generations to advance although paused
  bool restart = false;    ///< random start with the seed and density of the settings
  std::optional<SolidCamera> go_to = {};
  const char* problem = nullptr;  ///< why the pressed key has no effect now
};

/// The requests of one frame: a copy of the settings to edit, and commands.
struct SolidSceneEdit {
  SolidSettings settings;
  SolidCommands commands;
  ShellEdit& shell;
};

}  // namespace loom::app
