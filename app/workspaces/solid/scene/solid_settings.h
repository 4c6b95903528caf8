#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "app/files/solid_file.h"
#include "app/shell/shell_settings.h"
#include "app/workspaces/solid/scene/solid_camera.h"
#include "app/workspaces/solid/scene/solid_history.h"
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

/// The cells of an engine: the version changes with every change but a generation.
struct SolidCellsId {
  std::uint64_t version = 0;
  std::uint64_t generation = 0;
  friend bool operator==(const SolidCellsId&, const SolidCellsId&) = default;
};

/// How the cells are shown.
struct SolidLook {
  bool living_only = false;  ///< dead cells are transparent
  CutAxis cut_axis = CutAxis::kNone;
  float cut = 0.5f;    ///< the layers from this share of the axis on are visible, 0 to 1
  bool slice = false;  ///< only the first of these layers is visible
  SolidColouring colouring = SolidColouring::kState;
  bool empty_tiles = true;  ///< empty tiles of the launch are translucent boxes
  friend bool operator==(const SolidLook&, const SolidLook&) = default;
};

/// What runs on a three-dimensional fractal, and how it is shown.
struct SolidSettings {
  SolidConfig config;
  std::optional<SolidFile> from_file = {};  ///< the file of a custom fractal
  SolidWork work = {};
  RandomStart start = {};
  bool playing = true;
  SolidLook look = {};
  bool compare = false;               ///< the three maps side by side
  bool show_thread = false;           ///< explain the thread of the selected cell
  std::optional<Coord3> pinned = {};  ///< the selected cell; without it, the one under the cursor
  bool edit_cells = false;            ///< a click changes the state of a cell
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
/// The configuration of another map beside an active one: the same but for the map, as far as the map has the
/// settings.
SolidConfig compared_config(const SolidConfig& active, MapKind map);

/// The view of these settings by a camera, in a picture of this size.
SolidView view_of(const SolidSettings& settings, const SolidCamera& camera, glm::ivec2 picture);

/// A change of cells by undo or redo. If the cells are still those of `made`, the edit suffices; otherwise
/// they are computed from the start.
struct SolidCellChange {
  SolidEdit edit;
  SolidCellsId made;
  RandomStart start;
  SolidHistory history;  ///< of the cells after the change
};

/// One-time commands of the user.
struct SolidCommands {
  std::uint32_t step = 0;  ///< generations to advance although paused
  bool restart = false;    ///< random start with the seed and density of the settings
  std::optional<SolidCamera> go_to = {};
  std::optional<SolidCellChange> cells = {};  ///< undo and redo of an edit
  bool draw_fractal = false;                  ///< open the Fractal editor
  const char* problem = nullptr;              ///< why the pressed key has no effect now
};

/// The requests of one frame: a copy of the settings to edit, and commands.
struct SolidSceneEdit {
  SolidSettings settings;
  SolidCommands commands;
  ShellEdit& shell;
};

}  // namespace loom::app
