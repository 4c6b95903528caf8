#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/files/fractal_file.h"
#include "app/life/scene/life_view.h"
#include "app/life/scene/replay.h"
#include "app/shell/shell_settings.h"
#include "app/teach/colour_by.h"
#include "compute/engine/fractal_engine.h"
#include "compute/workload/workload.h"

namespace loom::app {

/// What a pane beside the scene shows.
enum class PaneShows {
  kCells,     ///< the scene's cells under a method of its own
  kThreads,   ///< the launch of the scene's method
  kMemory,    ///< the storage of the scene's method
  kSteps,     ///< how lambda, and nu, are computed for the selected block
  kUnfold,    ///< the blocks on their way from the launch to the fractal
  kTimeline,  ///< one launch: which thread block ran when, on which multiprocessor
  kLens,      ///< what the selected thread's warp does to memory, request by request
};
inline constexpr std::array kPaneShows = {PaneShows::kCells, PaneShows::kThreads, PaneShows::kMemory,
                                          PaneShows::kSteps, PaneShows::kUnfold,  PaneShows::kTimeline,
                                          PaneShows::kLens};
/// "cells", "threads", "memory", "steps", "unfold", "timeline", "lens".
const char* name_of(PaneShows shows);

/// A pane beside the scene.
struct PaneWish {
  PaneShows shows = PaneShows::kCells;
  // Of kCells; the others are about the scene's own method.
  MapMethod method = {};
  std::uint32_t block = 1;                    ///< rho_x; the nearest that the scene's level allows is taken
  std::optional<BackendChoice> backend = {};  ///< nothing: the program's
  std::uint32_t devices = 1;                  ///< that its cells are shared out to
  friend bool operator==(const PaneWish&, const PaneWish&) = default;
};
inline constexpr std::size_t kMostPanes = 4;

/// What a comparison changed of the scene's own method, so that it can be put back when the panes close.
struct ComparedMethod {
  MapMethod before = {};
  std::uint32_t devices_before = 1;
  MapMethod chosen = {};  ///< by the comparison; another one since is the user's choice, and stays
  friend bool operator==(const ComparedMethod&, const ComparedMethod&) = default;
};

inline constexpr std::uint32_t kSlowestMs = 2000;

/// What the user has chosen in the Life workspace: plain data, edited by panels as a copy, compared,
/// validated once and applied at the frame boundary. Backend, device, palette and text size are the whole
/// program's.
struct LifeSettings {
  FractalConfig config;
  /// What the file says that the last fractal from a file came from; for the rule that goes with it.
  std::optional<FractalFile> from_file = {};
  std::uint32_t devices = 1;          ///< that the cells are shared out to, of those that there are
  std::vector<PaneWish> beside = {};  ///< panes beside the scene, at most kMostPanes - 1
  /// While panes compare methods of which the scene has one.
  std::optional<ComparedMethod> compared = {};
  Workload workload = Workload::kLife;
  ReductionMethod reduction = ReductionMethod::kWarp;
  LifeRule rule = {};
  RandomStart start = {};
  bool playing = true;
  std::uint32_t generations_per_frame = 1;
  /// Slow motion: a generation in so many milliseconds, at most kSlowestMs; 0: generations_per_frame in each
  /// frame.
  std::uint32_t ms_per_generation = 0;
  bool cell_grid = true;               ///< drawn where a cell is at least 8 pixels
  bool square_points = false;          ///< of fractals that are else stretched to be seen
  bool block_grid = true;              ///< drawn where a block is at least 8 pixels
  bool show_ages = false;              ///< living cells coloured by age, and trails of those that died
  bool show_bench = false;             ///< the Bench panel; a sweep goes on only while it is shown
  bool edit_cells = false;             ///< the left mouse button paints cells
  bool show_thread = false;            ///< the dock explains the thread under the cursor, or the pinned one
  int neighbour = 4;                   ///< 0 to 7: whose nu the steps are shown of, see sketch::StepsWish
  teach::Colouring colouring = {};     ///< of cells, threads and memory
  std::optional<Coord64> pinned = {};  ///< a point of the square, whose thread stays explained
  /// The point that a lesson is about: Escape pins it again instead of unpinning.
  std::optional<Coord64> lesson_point = {};

  /// What the engine runs.
  Work work() const { return {.workload = workload, .reduction = reduction, .rule = rule}; }
};

/// The default scene: Sierpinski gasket, level 9, lambda, block 16, life by B2/S23, seed 1, density 0.5. The
/// arithmetic, intra-block mapping and halo are those that are fastest.
LifeSettings default_life_settings();

/// What of the settings was changed by hand, in a word, for undoing it: "level", "several settings"; empty
/// where nothing was. What passes by itself (playing, the pinned point) is not looked at.
std::string_view changed_setting(const LifeSettings& before, const LifeSettings& after);
/// `kept` with all that changed_setting() looks at as in `from`.
LifeSettings with_settings(const LifeSettings& kept, const LifeSettings& from);

/// "bounding box", "λ", "compact": as the window writes them.
const char* label_of(MapKind map);

struct SavedField;

/// What keys ask of selections and of patterns to be placed.
enum class PatternKey { kNone, kSelectAll, kCopy, kCut, kPaste, kClear, kPlace };

/// What the user asked to happen once, as opposed to what stays chosen (LifeSettings).
struct LifeCommands {
  std::uint32_t step = 0;            ///< generations to advance although paused
  bool restart = false;              ///< random start with the seed and density of the settings
  bool clear = false;                ///< all cells dead
  bool count = false;                ///< the living cells, now
  bool step_back = false;            ///< to the generation before
  std::optional<Moment> go_to = {};  ///< these cells of before, once the engine is of their fractal and level
  std::optional<std::optional<LifeView>> look_at = {};  ///< this view, or all of the field
  bool undone = false;            ///< the settings are those of an undone step, or of one that is done again
  bool record_devices = false;    ///< what each of several devices does in a generation
  bool measure_maps = false;      ///< time all three maps, and loop arithmetic, under the present conditions
  const char* why_not = nullptr;  ///< a key that was pressed does nothing now, and why
  std::vector<CellEdit> cells;
  const char* cells_are = nullptr;  ///< what they come of, for undoing it: "paste"; null: painted
  /// Cells whose states are asked for, without a generation in the same frame.
  std::shared_ptr<const std::vector<Coord64>> look = {};
  PatternKey pattern_key = PatternKey::kNone;
  std::optional<std::string> show_pattern = {};  ///< a bundled one, with its fractal, level and rule
  /// These cells and the view of them, once the engine is of their fractal and level; instead of a restart.
  std::shared_ptr<const SavedField> put_back = {};
  bool draw_fractal = false;               ///< open the editor of fractals
  std::optional<std::size_t> save_figure;  ///< open the dialog for the scene (0), or a pane beside it
  bool pane_method = false;                ///< open the method of the next pane beside
  std::optional<int> chosen_level;  ///< a fractal was chosen, and this level for it because it runs at once
};

/// What the input and the panels of one frame want: a copy of the settings to edit, and commands. The
/// workspace compares, validates once and applies it at the frame boundary.
struct LifeEdit {
  LifeSettings settings;
  LifeCommands commands;
  ShellEdit& shell;
};

}  // namespace loom::app
