#pragma once

#include <imgui.h>

#include <deque>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/layout.h"
#include "app/shell/toasts.h"
#include "app/tasks/task.h"
#include "app/workspaces/life/edit/selection_command.h"
#include "app/workspaces/life/picture/picture_mouse.h"
#include "app/workspaces/life/scene/life_settings.h"

namespace loom::app {

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

}  // namespace loom::app
