#include "app/shell/undo_history.h"

#include <algorithm>
#include <utility>

namespace loom::app {
namespace {

const std::string kNothing;

}  // namespace

void UndoHistory::record(Part part, std::uint64_t action, Clock::time_point now) {
  // Of an action that opened a file some steps come frames later.
  const bool of_opening = opened_in_ == action && !modified();
  add(std::move(part), action, now);
  if (of_opening) saved_state_ = scene_state();
}

void UndoHistory::add(Part part, std::uint64_t action, Clock::time_point now) {
  steps_.resize(at_);
  changed_cells_ |= part.cells;
  if (!steps_.empty()) {
    Step& top = steps_.back();
    Part& first = top.parts.front();
    const bool moves_on = part.view && first.view && top.parts.size() == 1 && top.workspace == workspace_ &&
                          (now - top.at < kOneMove || top.action == action);
    if (moves_on) {
      first.again = std::move(part.again);
      top.at = now;
      top.action = action;
      return;
    }
    if (top.action == action) {
      top.parts.push_back(std::move(part));
      top.at = now;
      return;
    }
  }
  steps_.push_back(
      {.workspace = workspace_, .parts = {}, .action = action, .at = now, .number = ++last_number_});
  steps_.back().parts.push_back(std::move(part));
  if (steps_.size() > kKept) {
    if (counts(steps_.front())) forgotten_ = steps_.front().number;
    steps_.pop_front();
  }
  at_ = steps_.size();
}

bool UndoHistory::counts(const Step& step) {
  return std::ranges::any_of(step.parts, [](const Part& part) { return part.of_scene && !part.view; });
}

std::uint64_t UndoHistory::scene_state() const {
  for (std::size_t i = at_; i > 0; --i) {
    if (counts(steps_[i - 1])) return steps_[i - 1].number;
  }
  return forgotten_;
}

void UndoHistory::mark_opened() {
  saved_state_ = scene_state();
  opened_in_ = action_;
}

bool UndoHistory::holds(const Step& step) {
  return std::ranges::any_of(step.parts, [](const Part& part) { return !part.holds || part.holds(); });
}

// A step of which nothing can be done any more is passed over.
const UndoHistory::Step* UndoHistory::undo() {
  while (at_ > 0) {
    const Step& step = steps_[--at_];
    if (!holds(step)) continue;
    for (auto part = step.parts.rbegin(); part != step.parts.rend(); ++part) {
      if (!part->holds || part->holds()) part->back();
    }
    return &step;
  }
  return nullptr;
}

const UndoHistory::Step* UndoHistory::redo() {
  while (at_ < steps_.size()) {
    const Step& step = steps_[at_++];
    if (!holds(step)) continue;
    for (const Part& part : step.parts) {
      if (!part.holds || part.holds()) part.again();
    }
    return &step;
  }
  return nullptr;
}

const std::string& UndoHistory::undoes() const {
  return at_ > 0 ? steps_[at_ - 1].parts.front().what : kNothing;
}

const std::string& UndoHistory::does_again() const {
  return at_ < steps_.size() ? steps_[at_].parts.front().what : kNothing;
}

}  // namespace loom::app
