#include "app/shell/undo_history.h"

#include <algorithm>

namespace loom::app {
namespace {

const std::string kNothing;

const std::string& label_of(const UndoHistory::Step& step) {
  const auto named = std::ranges::find(step.parts, false, &UndoHistory::Change::accompanies);
  return (named == step.parts.end() ? step.parts.front() : *named).what;
}

}  // namespace

void UndoHistory::record(Change change, std::uint64_t action, Clock::time_point now) {
  // An action that opens a file may record some of its steps in later frames.
  const bool of_opening = opened_in_ == action && !modified();
  add(std::move(change), action, now);
  if (of_opening) saved_state_ = scene_state();
}

void UndoHistory::add(Change change, std::uint64_t action, Clock::time_point now) {
  steps_.resize(at_);
  changed_cells_ |= change.cells;
  if (!steps_.empty()) {
    Step& top = steps_.back();
    Change& first = top.parts.front();
    const bool moves_on = change.view && first.view && top.parts.size() == 1 && top.workspace == workspace_ &&
                          (now - top.at < kMergeInterval || top.action == action);
    if (moves_on) {
      first.again = std::move(change.again);
      top.at = now;
      top.action = action;
      return;
    }
    if (top.action == action) {
      top.parts.push_back(std::move(change));
      top.at = now;
      return;
    }
  }
  steps_.push_back(
      {.workspace = workspace_, .parts = {}, .action = action, .at = now, .number = ++last_number_});
  steps_.back().parts.push_back(std::move(change));
  if (steps_.size() > kMaxSteps) {
    if (modifies_scene_file(steps_.front())) last_dropped_ = steps_.front().number;
    steps_.pop_front();
  }
  at_ = steps_.size();
}

bool UndoHistory::modifies_scene_file(const Step& step) {
  return std::ranges::any_of(step.parts,
                             [](const Change& change) { return change.modifies_scene && !change.view; });
}

std::uint64_t UndoHistory::scene_state() const {
  for (std::size_t i = at_; i > 0; --i) {
    if (modifies_scene_file(steps_[i - 1])) return steps_[i - 1].number;
  }
  return last_dropped_;
}

bool UndoHistory::has_scene_steps() const {
  const auto is_of_scene = [](const Step& step) {
    return std::ranges::any_of(step.parts, &Change::modifies_scene);
  };
  return std::any_of(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(at_), is_of_scene);
}

void UndoHistory::mark_opened() {
  saved_state_ = scene_state();
  opened_in_ = action_;
}

bool UndoHistory::holds(const Step& step) {
  return std::ranges::any_of(step.parts,
                             [](const Change& change) { return !change.holds || change.holds(); });
}

// Skips steps of which no change can be undone any more.
const UndoHistory::Step* UndoHistory::undo() {
  while (at_ > 0) {
    const Step& step = steps_[--at_];
    if (!holds(step)) continue;
    for (auto change = step.parts.rbegin(); change != step.parts.rend(); ++change) {
      if (!change->holds || change->holds()) change->back();
    }
    return &step;
  }
  return nullptr;
}

const UndoHistory::Step* UndoHistory::redo() {
  while (at_ < steps_.size()) {
    const Step& step = steps_[at_++];
    if (!holds(step)) continue;
    for (const Change& change : step.parts) {
      if (!change.holds || change.holds()) change.again();
    }
    return &step;
  }
  return nullptr;
}

const std::string& UndoHistory::undo_label() const {
  return at_ > 0 ? label_of(steps_[at_ - 1]) : kNothing;
}

const std::string& UndoHistory::redo_label() const {
  return at_ < steps_.size() ? label_of(steps_[at_]) : kNothing;
}

}  // namespace loom::app
