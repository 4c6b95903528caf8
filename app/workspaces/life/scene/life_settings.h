#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/vec4.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/explain/colour_by.h"
#include "app/explain/diagram/diagram.h"
#include "app/files/fractal_file.h"
#include "app/shell/shell_settings.h"
#include "app/workspaces/life/scene/cell_source.h"
#include "app/workspaces/life/scene/life_view.h"
#include "compute/core/field.h"
#include "compute/core/input_text.h"
#include "compute/device/device.h"
#include "compute/engine/fractal_engine.h"
#include "compute/map/map_method.h"
#include "compute/workload/workload.h"

namespace loom::app {

struct Exercise;

/// Contents of a secondary pane.
enum class PaneContent {
  kCells,            ///< the scene's cells, computed by the pane's own method
  kThreads,          ///< the launch of the scene's method
  kMemory,           ///< the storage of the scene's method
  kSteps,            ///< computation of lambda and nu for the selected tile
  kLambdaAnimation,  ///< animation of the tiles from the launch to the fractal
  kTimeline,         ///< timeline of one launch
  kMemoryAccess,     ///< memory accesses of the warp of the selected thread
  kRace,             ///< the three maps at rising levels
  kMapMetrics,       ///< metrics of the three maps, and the source of their kernels
};
inline constexpr auto kPaneContents = kAllOf<PaneContent::kMapMetrics>;
/// "cells", "threads", "memory", "steps", "unfold", "timeline", "lens", "race",
/// "metrics".
const char* name_of(PaneContent shows);

/// A secondary pane.
struct PaneSpec {
  PaneContent shows = PaneContent::kCells;
  // For kCells; the other contents use the scene's method.
  MapMethod method = {};
  std::uint32_t tile_size = 1;  ///< rho_x; the nearest size that the scene's level allows is used
  std::optional<BackendChoice> backend = {};  ///< nothing: the program's backend
  std::uint32_t devices = 1;                  ///< number of devices of the pane
  friend bool operator==(const PaneSpec&, const PaneSpec&) = default;
};
inline constexpr std::size_t kMaxPanes = 4;

/// The scene's method before a comparison changed it, to be restored when the panes close.
struct ComparedMethod {
  MapMethod before = {};
  std::uint32_t devices_before = 1;
  MapMethod chosen = {};  ///< set by the comparison; a method that the user selects later is kept
  friend bool operator==(const ComparedMethod&, const ComparedMethod&) = default;
};

/// The code of the custom map.
struct MapCode {
  std::string text;      ///< empty: the starter of the exercise, or the first template
  std::string exercise;  ///< name or file of the exercise that it is for; empty: none
  /// Where foreign code came from, which runs after Run alone; empty: typed in this window, run by the user,
  /// or bundled. Scenes do not store it.
  std::string origin = "the scene";
};

inline constexpr std::uint32_t kMaxMsPerGeneration = 2000;
inline constexpr std::uint32_t kMaxGenerationsPerFrame = 64;

/// Settings of the Life workspace. Panels edit a copy; the workspace compares, validates and applies it at
/// the frame boundary. Backend, device, palette and text size belong to the program.
struct LifeSettings {
  FractalConfig config;
  /// The file of the last fractal that was read from a file, for its rule.
  std::optional<FractalFile> from_file = {};
  std::uint32_t devices = 1;                   ///< number of devices, at most those available
  std::vector<PaneSpec> secondary_panes = {};  ///< at most kMaxPanes - 1
  /// Set while the panes compare the scene's method with others.
  std::optional<ComparedMethod> compared = {};
  Workload workload = Workload::kLife;
  ReductionMethod reduction = ReductionMethod::kWarp;
  LifeRule rule = {};
  RandomStart start = {};
  bool playing = true;
  std::uint32_t generations_per_frame = 1;
  /// Slow motion: milliseconds per generation, at most kMaxMsPerGeneration. 0: generations_per_frame in each
  /// frame.
  std::uint32_t ms_per_generation = 0;
  bool cell_grid = true;       ///< drawn where a cell is at least 8 pixels
  bool square_points = false;  ///< draw square points for fractals that are stretched otherwise
  bool tile_grid = true;       ///< drawn if a tile is at least 8 pixels wide
  bool show_ages = false;      ///< living cells coloured by age, and trails of those that died
  bool show_code = false;      ///< the panel of the custom map
  std::shared_ptr<const MapCode> map_code = {};  ///< null: never shown
  bool edit_cells = false;                       ///< the left mouse button paints cells
  std::uint32_t brush_state = 1;                 ///< the state that it paints, where the rule has it
  bool show_thread = false;  ///< the dock explains the thread under the cursor, or the pinned one
  int neighbour = 4;         ///< 0 to 7: the neighbour whose nu the steps show, see diagram::StepsOptions
  explain::Colouring colouring = {};   ///< of cells, threads and memory
  std::optional<Coord64> pinned = {};  ///< a point of the square whose thread stays selected
  /// The point that a lesson is about: Escape pins it again instead of unpinning.
  std::optional<Coord64> lesson_point = {};

  /// The state that the brush paints.
  std::uint8_t painted_state() const {
    return static_cast<std::uint8_t>(std::min(brush_state, states_of(work()) - 1));
  }
  /// The work of the engine.
  Work work() const { return {.workload = workload, .reduction = reduction, .rule = rule}; }
};

/// The default scene: Sierpinski gasket, level 9, lambda, tile size 16, life by B2/S23, seed 1, density 0.5,
/// and the fastest arithmetic, intra-block mapping and halo.
LifeSettings default_life_settings();

/// The undo name of the changed setting: "level", "several settings"; empty without a change. Transient
/// settings (playing, the pinned point) are ignored.
std::string_view changed_setting(const LifeSettings& before, const LifeSettings& after);

struct LifeState;

/// Keyboard commands for selections and for patterns to be placed.
enum class PatternKey { kNone, kSelectAll, kCopy, kCut, kPaste, kClear, kPlace };

/// Cells of a state of the history, and their field.
struct RecordedCells {
  CellSource cells;
  std::shared_ptr<const FractalConfig> field;
};

/// Presets of secondary panes.
enum class PanePreset {
  kSingle,           ///< the scene alone
  kMaps,             ///< bounding box, lambda and compact, the scene's one first
  kArithmetics,      ///< lambda by loop, table, tensor-1 and tensor-2, the scene's one first
  kCountings,        ///< the countings of a rule of Larger than Life, the scene's one first
  kBackends,         ///< the scene's method on the CPU and on the GPU
  kLaunchAndMemory,  ///< the scene's cells, threads and memory, and how its map is computed
  kLambdaAnimation,  ///< cells, and the animation of lambda
  kTimeline,         ///< cells, and the timeline of a launch
  kDevices,          ///< compact, bit-packed, on one device and on two
  kMemoryAccess,     ///< cells, memory, and the memory accesses of a warp
  kMapMetrics,       ///< the maps as in kMaps, and their metrics
};

/// One-time commands of the user, as opposed to persistent LifeSettings.
struct LifeCommands {
  std::uint32_t step = 0;        ///< generations to advance although paused
  bool restart = false;          ///< random start with the seed and density of the settings
  bool clear = false;            ///< all cells dead
  bool count = false;            ///< count the living cells now
  bool undo_generation = false;  ///< return to the previous generation
  RecordedCells go_to = {};      ///< restores them once the engine has their field; unknown: none
  std::optional<std::optional<render::Camera::View>> look_at = {};  ///< shows this view, or the whole field
  bool undone = false;          ///< the settings come from an undo or redo step
  bool record_devices = false;  ///< record the activity of each device in a generation
  bool measure_maps = false;    ///< benchmark all three maps and loop arithmetic under the current conditions
  const char* problem = nullptr;  ///< why the pressed key has no effect now
  std::vector<CellEdit> cells;
  const char* edit_label =
      nullptr;  ///< undo name of the cells, such as "placed pattern"; null: painted cells
  /// Cells whose states are requested; no generation runs in the same frame.
  std::shared_ptr<const std::vector<Coord64>> cells_to_query = {};
  PatternKey pattern_key = PatternKey::kNone;
  std::optional<std::string> show_pattern = {};  ///< loads a bundled pattern with its field and rule
  bool browse_patterns = false;                  ///< opens the list of the bundled patterns
  bool new_field = false;                        ///< this frame selects another fractal or level
  /// Its cells and view are shown once the engine has their fractal and level; replaces a restart.
  std::shared_ptr<const LifeState> restore = {};
  bool draw_fractal = false;               ///< opens the Fractal editor
  bool focus_code = false;                 ///< the code editor takes the keyboard focus
  bool show_me = false;                    ///< opens the animation of the maps
  std::optional<std::size_t> from_start;   ///< the workspace and start screen to which leaving it leads back
  std::optional<std::size_t> save_figure;  ///< opens the dialog for the active pane (0) or a secondary pane
  std::optional<PanePreset> panes;         ///< those of the scene that an exercise gives back in this frame
  bool pane_method = false;                ///< opens the settings of the next secondary pane
  std::optional<int> chosen_level;         ///< the lower level that was chosen with a fractal, to be reported
};

using LifeEdit = SceneEdit<LifeSettings, LifeCommands>;

/// The settings of the workspace. The thread map has fields of its own (compute/map/map_method.h).
std::span<const Field<LifeSettings>> life_fields();

/// What a state of the cells is computed with: workload, reduction, rule; and what it starts from: seed,
/// density.
std::span<const Field<Work>> work_fields();
std::span<const Field<RandomStart>> start_fields();

// Changes that keys, panels and options share. Each leaves a valid configuration: an arithmetic or number of
// tiles that is no longer possible becomes the nearest possible one.

/// Sets the level, clamped to 0..max_level; reduces the tile size if necessary.
void set_level(FractalConfig& config, int level);
/// The default level of a fractal, at most `highest`: its square, or cube, has at most 2^20 points, so that
/// every fractal runs in real time on any machine. Used on the command line and when a fractal is selected in
/// the window.
template <typename Fractal>
int start_level(const Fractal& fractal, int highest);
/// Sets the fractal, at the lower of the current level and start_level(), with about the same tile size.
/// Returns the level if it was lowered, for a message.
std::optional<int> set_fractal(FractalConfig& config, const NbbFractal& fractal);
void set_map(FractalConfig& config, MapKind map);
// `Config` is FractalConfig or SolidConfig.
/// Selects the next larger (+1) or smaller (-1) allowed tile size, if there is one.
template <typename Config>
void step_tile_size(Config& config, int direction);
/// Sets the tile size, which must be allowed.
template <typename Config>
void set_tile_size(Config& config, std::uint32_t block);
/// Selects the next possible arithmetic in the order of kMapArithmetics, cyclically. Does nothing for the
/// bounding box. Skips tensor-fp16, which is inexact.
template <typename Config>
void next_arithmetic(Config& config);
/// Selects the next possible intra-block mapping. Does nothing for the bounding box.
template <typename Config>
void next_intra_block(Config& config);
/// Selects the next slow-motion speed: 4, 1 or 0.5 generations per second, then full speed again.
void next_slow_motion(LifeSettings& settings);
void next_workload(LifeSettings& settings);
/// Sets the teaching example: a low level (4 for s = 2), tiles of 3 or 4 points a side, both grids, one
/// generation per frame, paused. Fractal, map and rule stay.
void set_teaching_example(LifeSettings& settings);
/// Opens the map editor with a bundled exercise, on its first fractal and level. The code of the exercise
/// that is open already stays.
void begin_exercise(LifeSettings& settings, std::string_view name);
/// Selects the fractal and level on which an exercise is shown.
void show_first_case(FractalConfig& config, const Exercise& exercise);
/// Whether the map editor is open with an exercise.
bool is_in_exercise(const LifeSettings& settings);
/// Benchmarks all maps and opens the metrics that show the result.
void measure_maps(LifeEdit& edit);

// Settings that distribute cells over devices. The scene sets the number of devices; the machine determines
// which devices they are.

/// True if the active pane or a secondary pane requests several devices.
bool uses_several_devices(const LifeSettings& settings);

/// Why a colouring is not possible, as shown in the window; empty if it is.
std::string_view no_colouring_reason(const LifeSettings& settings, explain::ColourBy by);

/// Why the cells of a configuration cannot be distributed over `devices` devices, as shown in the window;
/// empty if they can. `there`: available GPUs, or simulated devices of the CPU.
std::string no_devices_reason(const FractalConfig& config, std::size_t devices, std::size_t there,
                              const Device& device);

/// Reduces the number of devices to the largest possible one, and resets colours by device if it is 1.
/// Returns a message for the user, unless a change of method or level that the user sees is the cause.
std::string clamp_devices(LifeSettings& settings, std::size_t there, const Device& device);

/// The lowest tile levels (level minus level of a tile) at which the weights of tensor-fp16 are wrong: "λ is
/// wrong from tile level 8 on, ν from 11"; empty if they are always correct.
std::string fp16_limits(const FractalConfig& config);

/// Why the results of a configuration are wrong, in one sentence; empty if they are correct.
std::string inexact_reason(const FractalConfig& config);

/// Selects byte storage and one device, in the scene and in its panes, and smaller tiles, if its rule
/// requires them. Returns a message if the storage or the devices of the scene changed; otherwise empty.
std::string fit_rule(LifeSettings& settings);

inline constexpr auto kPanePresets = kAllOf<PanePreset::kMapMetrics>;
/// "one", "maps", "arithmetics", "countings", "backends", "spaces", "unfold", "timeline", "devices", "lens",
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
