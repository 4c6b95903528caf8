#include "app/workspaces/life/scene/cell_history.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace loom::app {
namespace {

/// Reductions leave the cells as they are.
bool changes_cells(const Work& work) {
  return work.workload != Workload::kReduction;
}

bool same_run(const Work& a, const Work& b) {
  return a.workload == b.workload && (a.workload != Workload::kLife || a.rule == b.rule);
}

std::uint64_t bytes_of_snapshot(const CellSnapshot& cells) {
  return cells.bits->bytes.size();
}

}  // namespace

std::size_t CellHistory::index_of(StateId state_id) const {
  const auto after =
      std::upper_bound(changes_.begin(), changes_.end(), state_id,
                       [](StateId value, const Change& change) { return value < change.first; });
  const auto at = static_cast<std::size_t>(after - changes_.begin());
  return at > 0 && state_id <= changes_[at - 1].last() ? at - 1 : changes_.size();
}

const CellHistory::Change* CellHistory::find(StateId state_id) const {
  const std::size_t at = index_of(state_id);
  return at < changes_.size() ? &changes_[at] : nullptr;
}

std::uint64_t CellHistory::generation_of(StateId state_id) const {
  const Change& change = *find(state_id);
  return change.generation + (state_id - change.first);
}

bool CellHistory::is_of(StateId state_id, const NbbFractal& fractal, int level) const {
  const Field& field = field_of(state_id);
  return field.level == level && *field.fractal == fractal;
}

std::uint64_t CellHistory::bytes_of(const Change& change) const {
  return (change.edits.size() + change.before.size()) * sizeof(CellEdit) +
         (change.cells.bits ? change.cells.bits->bytes.size() : 0);
}

CellHistory::Change& CellHistory::add(Change change) {
  edit_bytes_ += bytes_of(change);
  last_ = change.last();
  current_ = last_;
  return changes_.emplace_back(std::move(change));
}

// Shortens a run that extends beyond the current state.
void CellHistory::discard_redo_states() {
  while (!changes_.empty() && changes_.back().first > current_) {
    edit_bytes_ -= bytes_of(changes_.back());
    changes_.pop_back();
  }
  if (!changes_.empty() && changes_.back().last() > current_)
    changes_.back().times = current_ - changes_.back().first + 1;
  while (!snapshots_.empty() && snapshots_.back().state_id > current_) {
    snapshot_bytes_ -= bytes_of_snapshot(snapshots_.back());
    snapshots_.pop_back();
  }
}

void CellHistory::begin(const NbbFractal& fractal, int level, const FieldCells& cells) {
  discard_redo_states();
  Change change;
  change.first = last_ + 1;
  change.generation = cells.generation;
  change.field = {std::make_shared<const NbbFractal>(fractal), level};
  change.cells = cells;
  add(std::move(change));
  make_room();
}

void CellHistory::edit(const std::vector<CellEdit>& edits, const std::vector<CellEdit>& before) {
  if (edits.empty() || changes_.empty()) return;
  discard_redo_states();
  const std::uint64_t generation = generation_of(current_);
  Change change;
  change.kind = Kind::kEdit;
  change.first = last_ + 1;
  change.generation = generation;
  change.field = field_of(current_);
  change.edits = edits;
  change.before = before;
  add(std::move(change));
}

void CellHistory::run(std::uint64_t times, const Work& work) {
  if (times == 0 || !changes_cells(work) || changes_.empty()) return;
  discard_redo_states();
  Change& back = changes_.back();
  // Ids of discarded states are not reused, so a run is extended only if it ends at the last id.
  if (back.kind == Kind::kRun && same_run(back.work, work) && last_ == current_) {
    back.times += times;
    last_ = current_ = back.last();
    return;
  }
  const std::uint64_t generation = generation_of(current_) + 1;
  Change change;
  change.kind = Kind::kRun;
  change.first = last_ + 1;
  change.times = times;
  change.generation = generation;
  change.field = back.field;
  change.work = work;
  add(std::move(change));
}

void CellHistory::keep(CellSnapshot cells) {
  if (!cells.bits || !exists(cells.state_id)) return;
  const auto at =
      std::lower_bound(snapshots_.begin(), snapshots_.end(), cells.state_id,
                       [](const CellSnapshot& one, StateId state_id) { return one.state_id < state_id; });
  if (at != snapshots_.end() && at->state_id == cells.state_id) return;
  snapshot_bytes_ += bytes_of_snapshot(cells);
  snapshots_.insert(at, std::move(cells));
  make_room();
}

// Discards first the snapshots that are closest together relative to their age. If the edits fill the budget,
// discards everything before the newest snapshot up to the current state.
void CellHistory::make_room() {
  while (snapshot_bytes_ + edit_bytes_ > budget_ && snapshots_.size() > 1) {
    std::size_t least = 0;
    double least_share = 2;
    for (std::size_t i = 0; i + 1 < snapshots_.size(); ++i) {
      const StateId before = i > 0 ? snapshots_[i - 1].state_id : 0;
      const auto age = static_cast<double>(snapshots_.back().state_id - before);
      const double share = static_cast<double>(snapshots_[i + 1].state_id - before) / (age + 1);
      if (share < least_share) least = i;
      least_share = std::min(share, least_share);
    }
    snapshot_bytes_ -= bytes_of_snapshot(snapshots_[least]);
    snapshots_.erase(snapshots_.begin() + static_cast<std::ptrdiff_t>(least));
  }
  const CellSnapshot* const newest = overflows() ? snapshot_before(current_, 0) : nullptr;
  if (newest == nullptr) return;
  const CellSnapshot from = *newest;
  const std::size_t at = index_of(from.state_id);
  const Change& inside = changes_[at];
  std::vector<Change> rest;
  Change& beginning = rest.emplace_back();
  beginning.first = from.state_id;
  beginning.generation = from.generation;
  beginning.field = inside.field;
  beginning.cells.generation = from.generation;
  beginning.cells.bits = from.bits;
  if (inside.last() > from.state_id) {
    Change tail = inside;
    tail.times = inside.last() - from.state_id;
    tail.first = from.state_id + 1;
    tail.generation = from.generation + 1;
    rest.push_back(std::move(tail));
  }
  for (std::size_t i = at + 1; i < changes_.size(); ++i) rest.push_back(std::move(changes_[i]));
  changes_.assign(std::make_move_iterator(rest.begin()), std::make_move_iterator(rest.end()));
  std::erase_if(snapshots_, [&](const CellSnapshot& one) { return one.state_id <= from.state_id; });
  snapshot_bytes_ = edit_bytes_ = 0;
  for (const CellSnapshot& one : snapshots_) snapshot_bytes_ += bytes_of_snapshot(one);
  for (const Change& change : changes_) edit_bytes_ += bytes_of(change);
}

std::size_t CellHistory::first_change_of(std::size_t change) const {
  while (changes_[change].kind != Kind::kBegin) --change;
  return change;
}

const CellSnapshot* CellHistory::snapshot_before(StateId state_id, StateId earliest) const {
  const auto after =
      std::upper_bound(snapshots_.begin(), snapshots_.end(), state_id,
                       [](StateId value, const CellSnapshot& one) { return value < one.state_id; });
  if (after == snapshots_.begin()) return nullptr;
  const CellSnapshot& found = *std::prev(after);
  return found.state_id >= earliest ? &found : nullptr;
}

std::optional<StateId> CellHistory::previous_generation(StateId state_id) const {
  const std::size_t at = index_of(state_id);
  if (at >= changes_.size()) return std::nullopt;
  const std::uint64_t generation = generation_of(state_id);
  if (generation == 0) return std::nullopt;
  for (std::size_t i = at + 1; i-- > 0;) {
    const Change& change = changes_[i];
    const StateId last = std::min(state_id, change.last());
    if (change.kind == Kind::kRun && generation - 1 >= change.generation &&
        generation - 1 <= change.generation + (last - change.first)) {
      return change.first + (generation - 1 - change.generation);
    }
    if (change.kind != Kind::kRun && change.generation + 1 == generation) return change.first;
    if (change.kind == Kind::kBegin) break;
  }
  return std::nullopt;
}

std::optional<std::vector<CellEdit>> CellHistory::patch_to(StateId to) const {
  const std::size_t here = index_of(current_);
  const std::size_t there = index_of(to);
  if (here >= changes_.size() || there >= changes_.size()) return std::nullopt;
  const auto [earlier, later] = std::minmax(here, there);
  if (changes_[earlier].last() != std::min(current_, to)) return std::nullopt;
  for (std::size_t i = earlier + 1; i <= later; ++i) {
    if (changes_[i].kind != Kind::kEdit) return std::nullopt;
  }
  // The last state of a cell in the patch counts: going back, that is the state before the first edit.
  std::vector<CellEdit> patch;
  const auto append = [&](const std::vector<CellEdit>& edits) {
    patch.insert(patch.end(), edits.begin(), edits.end());
  };
  for (std::size_t i = here; i > there; --i) append(changes_[i].before);
  for (std::size_t i = here + 1; i <= there; ++i) append(changes_[i].edits);
  return patch;
}

StateRestore CellHistory::restore_of(StateId state_id) const {
  const std::size_t at = index_of(state_id);
  std::size_t begin = first_change_of(at);
  StateRestore way{.base = changes_[begin].cells, .parts = {}};
  StateId known = changes_[begin].first;
  if (const CellSnapshot* snapshot = snapshot_before(state_id, known)) {
    way.base = {.generation = snapshot->generation, .bits = snapshot->bits};
    known = snapshot->state_id;
    begin = index_of(known);
  }
  for (std::size_t i = begin; i <= at; ++i) {
    const Change& change = changes_[i];
    const StateId first = std::max(change.first, known + 1);
    const StateId last = std::min(change.last(), state_id);
    if (first > last) continue;
    if (change.kind == Kind::kEdit) {
      way.parts.push_back({.edits = change.edits, .work = {}, .first = first});
    } else if (change.kind == Kind::kRun) {
      way.parts.push_back({.edits = {}, .times = last - first + 1, .work = change.work, .first = first});
    }
  }
  return way;
}

std::uint64_t CellHistory::generations_to_recompute(StateId state_id) const {
  const std::size_t at = index_of(state_id);
  if (at >= changes_.size()) return 0;
  const Change& begin = changes_[first_change_of(at)];
  std::uint64_t known = begin.cells.bits ? begin.generation : 0;
  if (const CellSnapshot* snapshot = snapshot_before(state_id, begin.first)) known = snapshot->generation;
  return generation_of(state_id) - known;
}

std::optional<FieldCells> CellHistory::recomputable() const {
  const std::size_t at = index_of(current_);
  if (at >= changes_.size()) return std::nullopt;
  const Change& begin = changes_[first_change_of(at)];
  if (begin.cells.bits) return std::nullopt;
  FieldCells cells = begin.cells;
  for (std::size_t i = first_change_of(at) + 1; i <= at; ++i) {
    if (changes_[i].kind != Kind::kRun) return std::nullopt;
    if (cells.generation > 0 && !same_run(cells.work, changes_[i].work)) return std::nullopt;
    cells.work = changes_[i].work;
    cells.generation = 1;
  }
  cells.generation = generation_of(current_);
  return cells;
}

std::optional<CellSnapshot> CellHistory::newest_snapshot() const {
  const std::size_t at = index_of(current_);
  if (at >= changes_.size()) return std::nullopt;
  const Change& begin = changes_[first_change_of(at)];
  if (const CellSnapshot* snapshot = snapshot_before(current_, begin.first)) return *snapshot;
  return CellSnapshot{.state_id = begin.first, .generation = begin.generation, .bits = begin.cells.bits};
}

}  // namespace loom::app
