#include "app/workspaces/life/edit/cell_editor.h"

#include <fmt/format.h>

#include <algorithm>
#include <glm/common.hpp>
#include <nlohmann/json.hpp>

#include "app/gui/theme.h"
#include "app/text/format.h"
#include "compute/core/error.h"
#include "compute/core/input_text.h"
#include "compute/workload/random_start.h"
#include "compute/workload/rule_text.h"

namespace loom::app {

namespace {

using patterns::FractalField;
using patterns::Pattern;

Pattern turned(SelectionCommand what, const Pattern& pattern, const ProgressMonitor* watch) {
  if (what == SelectionCommand::kRotateRight) return rotate_clockwise(pattern, watch);
  if (what == SelectionCommand::kRotateLeft) return rotate_anticlockwise(pattern, watch);
  if (what == SelectionCommand::kFlipHorizontally) return flip_left_right(pattern, watch);
  return flip_top_bottom(pattern, watch);
}

// The new low coordinate: keeps the middle, and is shifted into the field if necessary.
std::uint64_t moved_low(std::uint64_t low, std::uint64_t was, std::uint64_t is, std::uint64_t field) {
  if (is > field)
    throw InputError(fmt::format(
        "the rotated selection is {} cells long, the field {}; allowed: a smaller selection", is, field));
  const std::uint64_t middle = low + was / 2;
  const std::uint64_t start = middle > is / 2 ? middle - is / 2 : 0;
  return std::min(start, field - is);
}

}  // namespace

const char* name_of(SelectionCommand what) {
  return value_for<SelectionCommand::kFlipVertically>(
      {"copy", "cut", "clear selection", "fill", "rotate", "rotate", "mirror", "mirror"}, what);
}

bool needs_cell_states(SelectionCommand what) {
  return what != SelectionCommand::kClear && what != SelectionCommand::kFill;
}

Pattern pattern_in(const FractalField::Rect& rect, const std::vector<Coord64>& cells,
                   const std::vector<std::uint8_t>& states, const ProgressMonitor* watch) {
  CancelPoll poll(watch);
  Pattern pattern;
  pattern.width = static_cast<std::uint32_t>(std::min<std::uint64_t>(rect.size.x, patterns::kMostSide));
  pattern.height = static_cast<std::uint32_t>(std::min<std::uint64_t>(rect.size.y, patterns::kMostSide));
  for (std::size_t i = 0; i < cells.size() && i < states.size(); ++i) {
    poll();
    if (states[i] == 0) continue;
    pattern.cells.push_back({static_cast<std::uint32_t>(cells[i].x - rect.low.x),
                             static_cast<std::uint32_t>(cells[i].y - rect.low.y)});
    pattern.states.push_back(states[i]);
  }
  sort_cells(pattern, watch);
  pattern.at =
      Coord<std::int64_t>{static_cast<std::int64_t>(rect.low.x), static_cast<std::int64_t>(rect.low.y)};
  return pattern;
}

SelectionResult apply_to_selection(SelectionCommand what, const FractalField& field,
                                   const FractalField::Rect& rect, const std::vector<Coord64>& cells,
                                   const std::vector<std::uint8_t>& states, const ProgressMonitor* watch) {
  SelectionResult result{.selection = rect};
  Pattern pattern = pattern_in(rect, cells, states, watch);
  const std::size_t alive = pattern.cells.size();
  const auto clear = [&] {
    CancelPoll poll(watch);
    for (std::size_t i = 0; i < cells.size() && i < states.size(); ++i) {
      poll();
      if (states[i] != 0) result.edits.push_back({cells[i], 0});
    }
  };
  if (what == SelectionCommand::kCopy || what == SelectionCommand::kCut) {
    if (what == SelectionCommand::kCut) clear();
    result.message = fmt::format("{} {} living cells as RLE; Ctrl V pastes them",
                                 what == SelectionCommand::kCut ? "cut" : "copied", alive);
    result.pattern = std::move(pattern);
    return result;
  }
  const Pattern after = turned(what, pattern, watch);
  result.selection.size = {after.width, after.height};
  result.selection.low = {moved_low(rect.low.x, rect.size.x, after.width, field.width()),
                          moved_low(rect.low.y, rect.size.y, after.height, field.height())};
  const Coord<std::int64_t> at{static_cast<std::int64_t>(result.selection.low.x),
                               static_cast<std::int64_t>(result.selection.low.y)};
  clear();
  const std::vector<CellEdit> placed_cells = field.placed_cells(after, at, watch);
  // Where a cell is both cleared and placed, the last edit counts.
  result.edits.insert(result.edits.end(), placed_cells.begin(), placed_cells.end());
  const std::size_t lost = alive - placed_cells.size();
  result.message =
      lost == 0 ? fmt::format("{} living cells moved", alive)
                : fmt::format("{} of {} living cells fell on holes and were dropped; Ctrl Z restores them",
                              lost, alive);
  return result;
}

std::vector<CellEdit> fill_at_random(const std::vector<Coord64>& cells, const RandomStart& start,
                                     const ProgressMonitor* watch) {
  const std::uint64_t threshold = density_threshold(start.density);
  std::vector<CellEdit> edits;
  edits.reserve(cells.size());
  CancelPoll poll(watch);
  for (const Coord64& cell : cells) {
    poll();
    edits.push_back({cell, random_cell(start.seed, splitmix64(cell.x) ^ cell.y, threshold) != 0});
  }
  return edits;
}

namespace {

using patterns::Pattern;

constexpr std::size_t kGhostCellsAFrame = 20000;  ///< cells of a ghost that are counted per frame
constexpr std::size_t kMaxDrawnCells = 6000;      ///< for more cells, only the outline is drawn
constexpr float kMinDrawnSide = 1.5f;  ///< for smaller cells, only the outline is drawn; in ImGui units
constexpr const char* kSelectionOutOfMemory = "out of memory: the selection is unchanged";
constexpr ImU32 kGhostCell = IM_COL32(255, 226, 92, 215);
constexpr ImU32 kGhostLost = IM_COL32(255, 96, 72, 235);
constexpr ImU32 kGhostEdge = IM_COL32(255, 226, 92, 255);
constexpr ImU32 kGhostOutline = IM_COL32(18, 20, 26, 225);
constexpr ImU32 kSelected = IM_COL32(120, 230, 160, 255);
constexpr ImU32 kSelectedFill = IM_COL32(120, 230, 160, 36);

}  // namespace

void CellEditor::forget() {
  ghost_.reset();
  selection_.reset();
  requested_command_.reset();
  place_ = false;
  edits_.clear();
  if (fractal_) queued_files_.clear();  // keeps files that were opened before the first field
}

void CellEditor::begin(const FractalConfig& field, const std::optional<QueriedCells>& queried_cells) {
  if (fractal_ != field.fractal || level_ != field.level) {
    // Reading a pattern does not depend on the field.
    if (activity_ != Activity::kReadingFile) {
      find_task_.cancel();
      apply_task_.cancel();
      find_task_.wait();
      apply_task_.wait();
      activity_ = Activity::kNothing;
    }
    forget();
    fractal_ = field.fractal;
    level_ = field.level;
    field_ = std::make_shared<const patterns::FractalField>(field.fractal, field.level);
  }
  take_pattern();
  take_found_cells();
  take_applied();
  if (queried_cells && activity_ == Activity::kAwaitingStates) {
    if (queried_cells->failed || !queried_cells->states) {
      activity_ = Activity::kNothing;
      message_ = Message::warning(fmt::format("cancelled: the selection is unchanged ({})", name_of(what_)));
    } else {
      activity_ = Activity::kApplying;
      apply_task_.start(
          [what = what_, target = target_, rule = rule_, states = queried_cells->states, cells = cells_,
           field = field_](const ProgressMonitor& monitor) {
            AppliedCommand done{apply_to_selection(what, *field, target, *cells, *states, &monitor), {}};
            if (done.result.pattern) {
              done.result.pattern->rule = rule;
              done.text = to_rle(*done.result.pattern, &monitor);
            }
            return done;
          },
          kSelectionOutOfMemory);
    }
  }
  if (ghost_) count_ghost();
  if (!busy() && !ghost_ && !queued_files_.empty()) {
    const std::filesystem::path next = std::move(queued_files_.front());
    queued_files_.pop_front();
    read(next);
  }
}

void CellEditor::take_pattern() {
  auto outcome = read_task_.poll();
  if (!outcome) return;
  activity_ = Activity::kNothing;
  if (!outcome->problem.empty()) message_ = Message::error(outcome->problem);
  if (outcome->result) set_ghost(std::move(*outcome->result));
}

void CellEditor::take_found_cells() {
  auto outcome = find_task_.poll();
  if (!outcome) return;
  activity_ = Activity::kNothing;
  if (!outcome->problem.empty()) message_ = Message::error(outcome->problem);
  if (!outcome->result) return;
  cells_ = std::move(outcome->result->cells);
  if (needs_cell_states(what_)) {
    activity_ = Activity::kRequestingStates;
  } else {
    edits_ = std::move(outcome->result->edits);
    edit_label_ = name_of(what_);
  }
}

void CellEditor::take_applied() {
  auto outcome = apply_task_.poll();
  if (!outcome) return;
  activity_ = Activity::kNothing;
  if (!outcome->problem.empty()) message_ = Message::error(outcome->problem);
  if (!outcome->result) return;
  SelectionResult& done = outcome->result->result;
  edits_ = std::move(done.edits);
  edit_label_ = name_of(what_);
  selection_ = done.selection;
  selected_cells_ = field_->count_in(*selection_, kGhostCellsAFrame);
  note_ = std::move(done.message);
  if (done.pattern) to_clipboard_ = std::move(outcome->result->text);
}

void CellEditor::start_selection() {
  const auto what = std::exchange(requested_command_, std::nullopt);
  if (!what) return;
  if (!selection_) {
    message_ = Message::warning("Nothing is selected. Ctrl + drag selects cells, Ctrl A selects all");
    return;
  }
  if (busy()) return;
  what_ = *what;
  target_ = *selection_;
  activity_ = Activity::kFindingCells;
  RandomStart start = start_;
  if (what_ == SelectionCommand::kFill) start.seed += ++fills_;
  find_task_.start(
      [what = what_, target = target_, start, field = field_](const ProgressMonitor& monitor) {
        FoundCells found;
        auto cells = std::make_shared<const std::vector<Coord64>>(field->cells_in(target, &monitor));
        if (what == SelectionCommand::kFill) found.edits = fill_at_random(*cells, start, &monitor);
        if (what == SelectionCommand::kClear) {
          CancelPoll poll(&monitor);
          for (const Coord64& cell : *cells) {
            poll();
            found.edits.push_back({cell, false});
          }
        }
        found.cells = std::move(cells);
        return found;
      },
      kSelectionOutOfMemory);
}

void CellEditor::apply(LifeEdit& edit) {
  rule_ = edit.settings.rule;
  start_ = edit.settings.start;
  start_selection();
  if (activity_ == Activity::kRequestingStates) {
    edit.commands.cells_to_query = cells_;
    activity_ = Activity::kAwaitingStates;
  }
  if (std::exchange(place_, false) && ghost_) {
    const std::vector<CellEdit> placed_cells = field_->placed_cells(*ghost_->pattern, ghost_->at);
    const std::size_t lost = ghost_->pattern->cells.size() - placed_cells.size();
    note_ = fmt::format("placed {} cells, dropped {}", placed_cells.size(), lost);
    edits_.insert(edits_.end(), placed_cells.begin(), placed_cells.end());
    edit_label_ = "placed pattern";
    ghost_.reset();
  }
  if (!edits_.empty()) {
    edit.commands.cells.insert(edit.commands.cells.end(), edits_.begin(), edits_.end());
    edit.commands.edit_label = edit_label_;
    edits_ = {};
  }
  if (to_clipboard_) ImGui::SetClipboardText(std::exchange(to_clipboard_, std::nullopt)->c_str());
}

void CellEditor::hover(const std::optional<Coord<std::int64_t>>& cursor) {
  if (cursor) cursor_ = cursor;
  if (!ghost_ || !cursor) return;
  move_ghost({cursor->x - ghost_->pattern->width / 2, cursor->y - ghost_->pattern->height / 2});
}

void CellEditor::drag(Coord<std::int64_t> from, Coord<std::int64_t> to) {
  if (!field_ || busy()) return;
  const auto within = [](std::int64_t at, std::uint64_t size) {
    return static_cast<std::uint64_t>(std::clamp<std::int64_t>(at, 0, static_cast<std::int64_t>(size) - 1));
  };
  const Coord64 low{within(std::min(from.x, to.x), field_->width()),
                    within(std::min(from.y, to.y), field_->height())};
  const Coord64 high{within(std::max(from.x, to.x), field_->width()),
                     within(std::max(from.y, to.y), field_->height())};
  const Rect rect{low, {high.x - low.x + 1, high.y - low.y + 1}};
  if (selection_ == rect) return;
  note_.clear();
  selection_ = rect;
  selected_cells_ = field_->count_in(rect, kGhostCellsAFrame);
}

void CellEditor::select_all() {
  if (!field_) return;
  drag({0, 0},
       {static_cast<std::int64_t>(field_->width()) - 1, static_cast<std::int64_t>(field_->height()) - 1});
}

void CellEditor::set_ghost(std::shared_ptr<const Pattern> pattern) {
  if (pattern->cells.empty()) {
    message_ = Message::warning("The pattern has no living cells");
    return;
  }
  Ghost ghost{.pattern = std::move(pattern)};
  const Coord<std::int64_t> middle = cursor_.value_or(Coord<std::int64_t>{
      static_cast<std::int64_t>(field_->width() / 2), static_cast<std::int64_t>(field_->height() / 2)});
  ghost.at = {middle.x - ghost.pattern->width / 2, middle.y - ghost.pattern->height / 2};
  ghost_ = std::move(ghost);
  count_ghost();
}

void CellEditor::move_ghost(Coord<std::int64_t> at) {
  if (ghost_->at == at) return;
  ghost_->at = at;
  ghost_->placement = {};
  ghost_->counted = 0;
  count_ghost();
}

void CellEditor::count_ghost() {
  const std::size_t all = ghost_->pattern->cells.size();
  const std::size_t end = std::min(all, ghost_->counted + kGhostCellsAFrame);
  field_->count(*ghost_->pattern, ghost_->at, ghost_->counted, end, ghost_->placement);
  ghost_->counted = end;
}

void CellEditor::paste_text(std::string text) {
  if (busy()) return;
  if (text.empty()) {
    message_ = Message::warning("The clipboard contains no text; allowed: a pattern as RLE or .cells");
    return;
  }
  start_reading([text = std::move(text)](const ProgressMonitor& monitor) {
    return std::make_shared<const Pattern>(patterns::parse_pattern(text, "clipboard", &monitor));
  });
}

void CellEditor::open(const std::filesystem::path& file) {
  if (busy() || ghost_ || !queued_files_.empty()) {
    queued_files_.push_back(file);
    message_ = Message::hint(fmt::format("{} comes next, after the current pattern is placed (Esc drops it)",
                                         file.filename().string()));
    return;
  }
  read(file);
}

void CellEditor::read(const std::filesystem::path& file) {
  start_reading([file](const ProgressMonitor& monitor) {
    return std::make_shared<const Pattern>(patterns::read_pattern_file(file, &monitor));
  });
}

void CellEditor::start_reading(Task<SharedPattern>::Job job) {
  activity_ = Activity::kReadingFile;
  read_task_.start(std::move(job), "out of memory while reading the pattern");
}

void CellEditor::turn(SelectionCommand how) {
  if (!ghost_) return request_command(how);
  const Pattern& was = *ghost_->pattern;
  Pattern is = how == SelectionCommand::kRotateRight        ? rotate_clockwise(was)
               : how == SelectionCommand::kRotateLeft       ? rotate_anticlockwise(was)
               : how == SelectionCommand::kFlipHorizontally ? flip_left_right(was)
                                                            : flip_top_bottom(was);
  const Coord<std::int64_t> at{ghost_->at.x + (static_cast<std::int64_t>(was.width) - is.width) / 2,
                               ghost_->at.y + (static_cast<std::int64_t>(was.height) - is.height) / 2};
  ghost_->pattern = std::make_shared<const Pattern>(std::move(is));
  ghost_->placement = {};
  ghost_->counted = 0;
  ghost_->at = at;
  count_ghost();
}

bool CellEditor::cancel() {
  if (ghost_) return ghost_.reset(), true;
  if (selection_) return selection_.reset(), true;
  return false;
}

std::string CellEditor::words() const {
  if (ghost_) {
    const std::size_t all = ghost_->pattern->cells.size();
    std::string text = ghost_->pattern->name.empty() ? "" : ghost_->pattern->name + ": ";
    text += format_count(all) + (all == 1 ? " cell" : " cells");
    if (ghost_->counted < all) return text + ", counting cells on holes";
    if (ghost_->placement.holes > 0)
      text += fmt::format(", {} fall on holes and will be dropped", ghost_->placement.holes);
    if (ghost_->placement.outside > 0)
      text += fmt::format(", {} fall outside the field and will be dropped", ghost_->placement.outside);
    return text + fmt::format("; corner at ({}, {})", ghost_->at.x, ghost_->at.y);
  }
  if (!selection_) return {};
  return fmt::format(
      "Selected: {} × {} from ({}, {}), {}{} cells{}{}", selection_->size.x, selection_->size.y,
      selection_->low.x, selection_->low.y, selected_cells_ > kGhostCellsAFrame ? "more than " : "",
      std::min<std::uint64_t>(selected_cells_, kGhostCellsAFrame), note_.empty() ? "" : "  ·  ", note_);
}

std::optional<LifeRule> CellEditor::other_rule(LifeRule rule) const {
  if (!ghost_ || !ghost_->pattern->rule || ghost_->pattern->rule == rule) return std::nullopt;
  return ghost_->pattern->rule;
}

void CellEditor::draw(ImDrawList& list, const PictureView& view) const {
  const auto outline = [&](glm::dvec2 corner, glm::dvec2 size, ImU32 edge, ImU32 fill) {
    const glm::vec2 low = view.screen(corner);
    const glm::vec2 high = glm::max(view.screen(corner + size), low + 3.0f);
    if (fill != 0) list.AddRectFilled(low, high, fill);
    list.AddRect(low - 1.0f, high + 1.0f, kGhostOutline, 0, 0, 3);
    list.AddRect(low, high, edge, 0, 0, 1.5f);
  };
  if (selection_) {
    outline({selection_->low.x, selection_->low.y}, {selection_->size.x, selection_->size.y}, kSelected,
            kSelectedFill);
  }
  if (!ghost_) return;
  const Pattern& pattern = *ghost_->pattern;
  const glm::dvec2 corner(ghost_->at.x, ghost_->at.y);
  outline(corner, {pattern.width, pattern.height}, kGhostEdge, 0);
  const glm::vec2 side = view.screen(corner + 1.0) - view.screen(corner);
  if (pattern.cells.size() > kMaxDrawnCells || std::min(side.x, side.y) < kMinDrawnSide) return;
  for (const Coord32& cell : pattern.cells) {
    const glm::dvec2 place = corner + glm::dvec2(cell.x, cell.y);
    const glm::vec2 low = view.screen(place);
    const glm::vec2 high = view.screen(place + 1.0);
    const std::int64_t at_x = ghost_->at.x + cell.x;
    const std::int64_t at_y = ghost_->at.y + cell.y;
    const bool lands = field_->inside(at_x, at_y) &&
                       field_->is_cell({static_cast<std::uint64_t>(at_x), static_cast<std::uint64_t>(at_y)});
    if (lands) {
      list.AddRectFilled(low, high, kGhostCell);
    } else {  // a cross, so that the difference is not colour alone
      list.AddLine(low, high, kGhostLost, 2);
      list.AddLine({low.x, high.y}, {high.x, low.y}, kGhostLost, 2);
    }
  }
}

void CellEditor::add_state(nlohmann::ordered_json& json) const {
  json["selection"] = nullptr;
  if (selection_)
    json["selection"] = {selection_->low.x, selection_->low.y, selection_->size.x, selection_->size.y};
  json["ghost"] = nullptr;
  if (ghost_) {
    json["ghost"] = {{"x", ghost_->at.x},
                     {"y", ghost_->at.y},
                     {"cells", ghost_->placement.cells},
                     {"holes", ghost_->placement.holes},
                     {"outside", ghost_->placement.outside},
                     {"counted", ghost_->counted == ghost_->pattern->cells.size()}};
  }
  json["editor_note"] = note_;
  json["editor_busy"] = busy();
  json["patterns_waiting"] = queued_files_.size();
}

}  // namespace loom::app
