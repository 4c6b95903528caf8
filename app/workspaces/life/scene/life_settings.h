#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/explain/colour_by.h"
#include "app/files/fractal_file.h"
#include "app/shell/shell_settings.h"
#include "app/workspaces/life/scene/life_view.h"
#include "app/workspaces/life/scene/state_restore.h"
#include "compute/engine/fractal_engine.h"
#include "compute/workload/workload.h"

namespace loom::app {

/// Contents of a secondary pane.
enum class PaneContent {
  kCells,            ///< the scene's cells under a method of its own
  kThreads,          ///< the launch of the scene's method
  kMemory,           ///< the storage of the scene's method
  kSteps,            ///< computation of lambda and nu for the selected tile
  kLambdaAnimation,  ///< animation of the tiles from the launch to the fractal
  kTimeline,         ///< timeline of one launch
  kMemoryAccess,     ///< memory accesses of the warp of the selected thread
};
inline constexpr std::array kPaneContents = {
    PaneContent::kCells,           PaneContent::kThreads,  PaneContent::kMemory,      PaneContent::kSteps,
    PaneContent::kLambdaAnimation, PaneContent::kTimeline, PaneContent::kMemoryAccess};
/// "cells", "threads", "memory", "steps", "unfold", "timeline", "lens".
const char* name_of(PaneContent shows);

/// A secondary pane.
struct PaneSpec {
  PaneContent shows = PaneContent::kCells;
  // Of kCells; the others are about the scene's own method.
  MapMethod method = {};
  std::uint32_t block = 1;                    ///< rho_x; the nearest that the scene's level allows is taken
  std::optional<BackendChoice> backend = {};  ///< nothing: the program's
  std::uint32_t devices = 1;                  ///< number of devices of the pane
  friend bool operator==(const PaneSpec&, const PaneSpec&) = default;
};
inline constexpr std::size_t kMaxPanes = 4;

/// What a comparison changed of the scene's own method, so that it can be put back when the panes close.
struct ComparedMethod {
  MapMethod before = {};
  std::uint32_t devices_before = 1;
  MapMethod chosen = {};  ///< by the comparison; another one since is the user's choice, and stays
  friend bool operator==(const ComparedMethod&, const ComparedMethod&) = default;
};

inline constexpr std::uint32_t kMaxMsPerGeneration = 2000;

/// Settings of the Life workspace. Panels edit a copy; the workspace compares, validates and applies it at
/// the frame boundary. Backend, device, palette and text size belong to the program.
struct LifeSettings {
  FractalConfig config;
  /// The file that the last fractal from a file came from, for its rule.
  std::optional<FractalFile> from_file = {};
  std::uint32_t devices = 1;                   ///< number of devices, at most those available
  std::vector<PaneSpec> secondary_panes = {};  ///< secondary panes, at most kMaxPanes - 1
  /// While panes compare methods of which the scene has one.
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
  bool cell_grid = true;               ///< drawn where a cell is at least 8 pixels
  bool square_points = false;          ///< of fractals that are else stretched to be seen
  bool tile_grid = true;               ///< drawn if a tile is at least 8 pixels wide
  bool show_ages = false;              ///< living cells coloured by age, and trails of those that died
  bool show_bench = false;             ///< the Benchmark panel; a sweep pauses while it is hidden
  bool edit_cells = false;             ///< the left mouse button paints cells
  bool show_thread = false;            ///< the dock explains the thread under the cursor, or the pinned one
  int neighbour = 4;                   ///< 0 to 7: whose nu the steps are shown of, see diagram::StepsOptions
  explain::Colouring colouring = {};   ///< of cells, threads and memory
  std::optional<Coord64> pinned = {};  ///< a point of the square, whose thread stays explained
  /// The point that a lesson is about: Escape pins it again instead of unpinning.
  std::optional<Coord64> lesson_point = {};

  /// The work of the engine.
  Work work() const { return {.workload = workload, .reduction = reduction, .rule = rule}; }
};

/// The default scene: Sierpinski gasket, level 9, lambda, tile size 16, life by B2/S23, seed 1, density 0.5,
/// and the fastest arithmetic, intra-block mapping and halo.
LifeSettings default_life_settings();

/// The undo name of the changed setting: "level", "several settings"; empty without a change. Transient
/// settings (playing, the pinned point) are ignored.
std::string_view changed_setting(const LifeSettings& before, const LifeSettings& after);
/// A copy of `kept` in which all settings that changed_setting() compares are those of `from`.
LifeSettings with_settings(const LifeSettings& kept, const LifeSettings& from);

/// "bounding box", "λ", "compact": as the window writes them.
const char* label_of(MapKind map);

struct SavedField;

/// What keys ask of selections and of patterns to be placed.
enum class PatternKey { kNone, kSelectAll, kCopy, kCut, kPaste, kClear, kPlace };

/// One-time commands of the user, as opposed to persistent LifeSettings.
struct LifeCommands {
  std::uint32_t step = 0;        ///< generations to advance although paused
  bool restart = false;          ///< random start with the seed and density of the settings
  bool clear = false;            ///< all cells dead
  bool count = false;            ///< the living cells, now
  bool undo_generation = false;  ///< to the generation before
  std::optional<StateId> go_to =
      {};  ///< these cells of before, once the engine is of their fractal and level
  std::optional<std::optional<LifeView>> look_at = {};  ///< this view, or all of the field
  bool undone = false;            ///< the settings are those of an undone step, or of one that is done again
  bool record_devices = false;    ///< what each of several devices does in a generation
  bool measure_maps = false;      ///< time all three maps, and loop arithmetic, under the present conditions
  const char* why_not = nullptr;  ///< a key that was pressed does nothing now, and why
  std::vector<CellEdit> cells;
  const char* edit_label = nullptr;  ///< undo name of the cells, such as "paste"; null: painted cells
  /// Cells whose states are asked for, without a generation in the same frame.
  std::shared_ptr<const std::vector<Coord64>> cells_to_query = {};
  PatternKey pattern_key = PatternKey::kNone;
  std::optional<std::string> show_pattern = {};  ///< a bundled one, with its fractal, level and rule
  /// Cells and view to restore once the engine has their fractal and level; replaces a restart.
  std::shared_ptr<const SavedField> put_back = {};
  bool draw_fractal = false;               ///< open the editor of fractals
  std::optional<std::size_t> save_figure;  ///< opens the dialog for the active pane (0) or a secondary pane
  bool pane_method = false;                ///< opens the settings of the next secondary pane
  std::optional<int> chosen_level;  ///< a fractal was chosen, and this level for it because it runs at once
};

/// The requests of one frame: a copy of the settings to edit, and commands. The workspace compares, validates
/// and applies it at the frame boundary.
struct LifeEdit {
  LifeSettings settings;
  LifeCommands commands;
  ShellEdit& shell;
};

}  // namespace loom::app
