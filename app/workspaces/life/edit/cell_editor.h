#pragma once

#include <imgui.h>

#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/layout.h"
#include "app/patterns/pattern.h"
#include "app/shell/toasts.h"
#include "app/tasks/task.h"
#include "app/workspaces/life/picture/life_picture.h"
#include "app/workspaces/life/scene/life_engine.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "compute/engine/fractal_engine.h"

namespace loom::app {

/// Commands for a selection.
enum class SelectionCommand {
  kCopy,
  kCut,
  kClear,
  kFill,
  kRotateRight,
  kRotateLeft,
  kFlipHorizontally,
  kFlipVertically
};
/// "copy", "cut", "clear selection", "fill", "rotate", "mirror": the name for undo.
const char* name_of(SelectionCommand what);
/// True if the command depends on which cells are alive.
bool needs_cell_states(SelectionCommand what);

/// The result: a pattern to copy, changed cells, and the new selection.
struct SelectionResult {
  std::optional<patterns::Pattern> pattern = {};
  std::vector<CellEdit> edits = {};
  patterns::FractalField::Rect selection = {};
  std::string message = {};
};

// Each takes time proportional to the number of cells. If `watch` is cancelled, it throws OperationCancelled.

/// The cells of a rectangle that are not dead, as a pattern that records its position. `states`: one per
/// element of `cells`.
patterns::Pattern pattern_in(const patterns::FractalField::Rect& rect, const std::vector<Coord64>& cells,
                             const std::vector<std::uint8_t>& states, const ProgressMonitor* watch = nullptr);

/// Executes a command; `cells` are those of the rectangle. A rotation keeps the middle of the rectangle, but
/// shifts it if it would leave the field. Throws InputError if the rotated rectangle is wider or higher than
/// the field.
SelectionResult apply_to_selection(SelectionCommand what, const patterns::FractalField& field,
                                   const patterns::FractalField::Rect& rect,
                                   const std::vector<Coord64>& cells, const std::vector<std::uint8_t>& states,
                                   const ProgressMonitor* watch = nullptr);

/// Sets the cells at random: each state depends on the seed, the density and the cell's position.
std::vector<CellEdit> fill_at_random(const std::vector<Coord64>& cells, const RandomStart& start,
                                     const ProgressMonitor* watch = nullptr);

/// The pattern to be placed, and the selection with its commands. Reading a text, finding the cells of a
/// rectangle and building a pattern run in the background. The engine reads the cells and changes them in one
/// batch.
class CellEditor {
 public:
  using Rect = patterns::FractalField::Rect;

  struct QueriedCells {
    bool failed = false;
    std::shared_ptr<const std::vector<std::uint8_t>> states = {};
  };
  /// Begins a frame for cells of this fractal and level; another field cancels running work. `queried_cells`
  /// holds the cell states that were requested, once they are available.
  void begin(const FractalConfig& field, const std::optional<QueriedCells>& queried_cells);
  /// Processes the requests of this frame and adds the results of earlier ones to the frame's commands.
  void apply(LifeEdit& edit);
  /// Sets the cell under the cursor, which the ghost (the pattern to be placed) follows.
  void hover(const std::optional<Coord<std::int64_t>>& cursor);
  /// Selects the rectangle between two points, both included.
  void drag(Coord<std::int64_t> from, Coord<std::int64_t> to);

  /// Reads a pattern from a text; it then follows the cursor until it is placed.
  void paste_text(std::string text);
  /// Reads a pattern file. If other work runs or a pattern waits to be placed, the file is queued; patterns
  /// are placed in the order of their files. Another field clears the queue.
  void open(const std::filesystem::path& file);
  void turn(SelectionCommand how);
  /// Places the ghost, if there is one.
  void place() { place_ = has_ghost(); }
  void request_command(SelectionCommand what) { requested_command_ = what; }
  void select_all();
  /// Discards the ghost, otherwise the selection. Returns false if there was neither.
  bool cancel();

  bool has_ghost() const { return ghost_.has_value(); }
  const std::optional<Rect>& selection() const { return selection_; }
  /// True while cells are read in order to change them: no generation may run in between.
  bool busy() const { return activity_ != Activity::kNothing; }
  /// True if the edit bar has something to show.
  bool shown() const { return ghost_ || selection_; }
  /// "23 cells, 4 fall on holes and will be dropped", or the size of the selection.
  std::string words() const;
  /// The rule of the ghost's file if it differs from `rule`.
  std::optional<LifeRule> other_rule(LifeRule rule) const;
  Message take_message() { return std::exchange(message_, {}); }

  void draw(ImDrawList& list, const PictureView& view) const;
  void add_state(nlohmann::ordered_json& json) const;

 private:
  enum class Activity {
    kNothing,
    kReadingFile,
    kFindingCells,
    kRequestingStates,
    kAwaitingStates,
    kApplying
  };
  struct Ghost {
    std::shared_ptr<const patterns::Pattern> pattern;
    Coord<std::int64_t> at{};
    patterns::PlacementCounts placement = {};  ///< of the first `counted` cells
    std::size_t counted = 0;
  };
  void start_selection();
  void read(const std::filesystem::path& file);
  void set_ghost(std::shared_ptr<const patterns::Pattern> pattern);
  void move_ghost(Coord<std::int64_t> at);
  void count_ghost();
  void forget();

  std::optional<NbbFractal> fractal_;
  int level_ = 0;
  std::shared_ptr<const patterns::FractalField> field_;
  std::optional<Coord<std::int64_t>> cursor_;
  std::optional<Ghost> ghost_;
  std::optional<Rect> selection_;
  std::uint64_t selected_cells_ = 0;  ///< counted at most to one beyond the number that is displayed
  std::optional<SelectionCommand> requested_command_;
  bool place_ = false;
  RandomStart start_;  ///< for SelectionCommand::kFill
  std::uint64_t fills_ = 0;

  Activity activity_ = Activity::kNothing;
  SelectionCommand what_ = SelectionCommand::kCopy;
  Rect target_{};  ///< the rectangle of the running command
  LifeRule rule_;
  std::shared_ptr<const std::vector<Coord64>> cells_;
  Message message_;
  std::deque<std::filesystem::path> queued_files_;  ///< patterns to be placed after the current one
  std::string note_;                                ///< result of the last command on the selection
  std::vector<CellEdit> edits_;                     ///< to be applied, with edit_label_
  const char* edit_label_ = nullptr;
  std::optional<std::string> to_clipboard_;

  using SharedPattern = std::shared_ptr<const patterns::Pattern>;
  void take_pattern();
  void take_found_cells();
  void take_applied();
  void start_reading(Task<SharedPattern>::Job job);

  /// The cells of the selection, and what a command does to them that needs no states.
  struct FoundCells {
    std::shared_ptr<const std::vector<Coord64>> cells;
    std::vector<CellEdit> edits;
  };
  /// A command on cells whose states are known.
  struct AppliedCommand {
    SelectionResult result;
    std::string text;  ///< RLE of the pattern
  };
  Task<SharedPattern> read_task_;
  Task<FoundCells> find_task_;
  Task<AppliedCommand> apply_task_;
};

/// Pattern commands of keys and menus: the selection, the pattern to be placed, and bundled patterns, which
/// load their field.
class PatternCommands {
 public:
  /// Executes the commands of this frame and continues earlier ones, by changing `edit`. `async_engine`: that
  /// of the active pane. Throws InputError for an unknown bundled pattern.
  void apply(LifeEdit& edit, CellEditor& editor, const AsyncEngine<LifeEngine>& async_engine);
  /// Draws the list of the bundled patterns over `area`, while it is open: a field for words, and a picture
  /// of each pattern that has them. Enter or a click places one.
  void browse(const Area& area, LifeEdit& edit);
  /// The names in the list and the marked one; null while it is closed.
  nlohmann::ordered_json state() const;

 private:
  void load_field(LifeEdit& edit, const patterns::BundledPattern& one);
  void show(LifeEdit& edit, const AsyncEngine<LifeEngine>& async_engine);

  const patterns::BundledPattern* pending_pattern_ = nullptr;  ///< waits for its field
  bool is_open_ = false;
  std::string words_;
  std::vector<const patterns::BundledPattern*> listed_;  ///< those with the words
  int marked_ = 0;                                       ///< index in listed_
  /// Of each bundled pattern, while the list is open: its square of the field row by row, '#' for a cell of
  /// the pattern, '.' for another cell, ' ' for a hole.
  std::vector<std::string> pictures_;
};

}  // namespace loom::app
