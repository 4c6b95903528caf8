#include "app/life/scene/chronicle.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace loom::app {
namespace {

/// A run is the same as another for the cells: how a sum is formed changes none.
bool changes_cells(const Work& work) {
  return work.workload != Workload::kReduction;
}

bool same_run(const Work& a, const Work& b) {
  return a.workload == b.workload && (a.workload != Workload::kLife || a.rule == b.rule);
}

std::uint64_t bytes_of_kept(const KeptCells& cells) {
  return cells.bits->bytes.size();
}

}  // namespace

std::size_t Chronicle::index_of(Moment moment) const {
  const auto after =
      std::upper_bound(changes_.begin(), changes_.end(), moment,
                       [](Moment value, const Change& change) { return value < change.first; });
  const auto at = static_cast<std::size_t>(after - changes_.begin());
  return at > 0 && moment <= changes_[at - 1].last() ? at - 1 : changes_.size();
}

const Chronicle::Change* Chronicle::find(Moment moment) const {
  const std::size_t at = index_of(moment);
  return at < changes_.size() ? &changes_[at] : nullptr;
}

std::uint64_t Chronicle::generation_of(Moment moment) const {
  const Change& change = *find(moment);
  return change.generation + (moment - change.first);
}

bool Chronicle::is_of(Moment moment, const NbbFractal& fractal, int level) const {
  const Field& field = field_of(moment);
  return field.level == level && *field.fractal == fractal;
}

std::uint64_t Chronicle::bytes_of(const Change& change) const {
  return (change.edits.size() + change.before.size()) * sizeof(CellEdit) +
         (change.cells.bits ? change.cells.bits->bytes.size() : 0);
}

Chronicle::Change& Chronicle::add(Change change) {
  edit_bytes_ += bytes_of(change);
  last_ = change.last();
  now_ = last_;
  return changes_.emplace_back(std::move(change));
}

// A run may be cut in two by it.
void Chronicle::forget_after_now() {
  while (!changes_.empty() && changes_.back().first > now_) {
    edit_bytes_ -= bytes_of(changes_.back());
    changes_.pop_back();
  }
  if (!changes_.empty() && changes_.back().last() > now_)
    changes_.back().times = now_ - changes_.back().first + 1;
  while (!kept_.empty() && kept_.back().moment > now_) {
    kept_bytes_ -= bytes_of_kept(kept_.back());
    kept_.pop_back();
  }
}

void Chronicle::begin(const NbbFractal& fractal, int level, const FieldCells& cells) {
  forget_after_now();
  Change change;
  change.first = last_ + 1;
  change.generation = cells.generation;
  change.field = {std::make_shared<const NbbFractal>(fractal), level};
  change.cells = cells;
  add(std::move(change));
  make_room();
}

void Chronicle::edit(const std::vector<CellEdit>& edits, const std::vector<CellEdit>& before) {
  if (edits.empty() || changes_.empty()) return;
  forget_after_now();
  const std::uint64_t generation = generation_of(now_);
  Change change;
  change.kind = Kind::kEdit;
  change.first = last_ + 1;
  change.generation = generation;
  change.field = field_of(now_);
  change.edits = edits;
  change.before = before;
  add(std::move(change));
}

void Chronicle::run(std::uint64_t times, const Work& work) {
  if (times == 0 || !changes_cells(work) || changes_.empty()) return;
  forget_after_now();
  Change& back = changes_.back();
  // Numbers that were used for what is forgotten are not used again.
  if (back.kind == Kind::kRun && same_run(back.work, work) && last_ == now_) {
    back.times += times;
    last_ = now_ = back.last();
    return;
  }
  const std::uint64_t generation = generation_of(now_) + 1;
  Change change;
  change.kind = Kind::kRun;
  change.first = last_ + 1;
  change.times = times;
  change.generation = generation;
  change.field = back.field;
  change.work = work;
  add(std::move(change));
}

void Chronicle::keep(KeptCells cells) {
  if (!cells.bits || !exists(cells.moment)) return;
  const auto at = std::lower_bound(kept_.begin(), kept_.end(), cells.moment,
                                   [](const KeptCells& one, Moment moment) { return one.moment < moment; });
  if (at != kept_.end() && at->moment == cells.moment) return;
  kept_bytes_ += bytes_of_kept(cells);
  kept_.insert(at, std::move(cells));
  make_room();
}

// What lies closest together for how long ago it is goes first. Where edits are what fills the room, all that
// is before the oldest kept cells is forgotten.
void Chronicle::make_room() {
  while (kept_bytes_ + edit_bytes_ > budget_ && kept_.size() > 1) {
    std::size_t least = 0;
    double least_share = 2;
    for (std::size_t i = 0; i + 1 < kept_.size(); ++i) {
      const Moment before = i > 0 ? kept_[i - 1].moment : 0;
      const auto age = static_cast<double>(kept_.back().moment - before);
      const double share = static_cast<double>(kept_[i + 1].moment - before) / (age + 1);
      if (share < least_share) least = i;
      least_share = std::min(share, least_share);
    }
    kept_bytes_ -= bytes_of_kept(kept_[least]);
    kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(least));
  }
  if (!overflows() || kept_.empty()) return;
  const KeptCells from = kept_.back();
  const std::size_t at = index_of(from.moment);
  const Change& inside = changes_[at];
  std::vector<Change> rest;
  Change& beginning = rest.emplace_back();
  beginning.first = from.moment;
  beginning.generation = from.generation;
  beginning.field = inside.field;
  beginning.cells.generation = from.generation;
  beginning.cells.bits = from.bits;
  if (inside.last() > from.moment) {
    Change tail = inside;
    tail.times = inside.last() - from.moment;
    tail.first = from.moment + 1;
    tail.generation = from.generation + 1;
    rest.push_back(std::move(tail));
  }
  for (std::size_t i = at + 1; i < changes_.size(); ++i) rest.push_back(std::move(changes_[i]));
  changes_.assign(std::make_move_iterator(rest.begin()), std::make_move_iterator(rest.end()));
  kept_.clear();
  kept_bytes_ = 0;
  edit_bytes_ = 0;
  for (const Change& change : changes_) edit_bytes_ += bytes_of(change);
}

std::size_t Chronicle::beginning_of(std::size_t change) const {
  while (changes_[change].kind != Kind::kBegin) --change;
  return change;
}

const KeptCells* Chronicle::kept_before(Moment moment, Moment earliest) const {
  const auto after = std::upper_bound(kept_.begin(), kept_.end(), moment,
                                      [](Moment value, const KeptCells& one) { return value < one.moment; });
  if (after == kept_.begin()) return nullptr;
  const KeptCells& found = *std::prev(after);
  return found.moment >= earliest ? &found : nullptr;
}

std::optional<Moment> Chronicle::before_generation(Moment moment) const {
  const std::size_t at = index_of(moment);
  if (at >= changes_.size()) return std::nullopt;
  const std::uint64_t generation = generation_of(moment);
  if (generation == 0) return std::nullopt;
  for (std::size_t i = at + 1; i-- > 0;) {
    const Change& change = changes_[i];
    const Moment last = std::min(moment, change.last());
    if (change.kind == Kind::kRun && generation - 1 >= change.generation &&
        generation - 1 <= change.generation + (last - change.first)) {
      return change.first + (generation - 1 - change.generation);
    }
    if (change.kind != Kind::kRun && change.generation + 1 == generation) return change.first;
    if (change.kind == Kind::kBegin) break;
  }
  return std::nullopt;
}

std::optional<std::vector<CellEdit>> Chronicle::patch_to(Moment to) const {
  const std::size_t here = index_of(now_);
  const std::size_t there = index_of(to);
  if (here >= changes_.size() || there >= changes_.size()) return std::nullopt;
  const auto [earlier, later] = std::minmax(here, there);
  if (changes_[earlier].last() != std::min(now_, to)) return std::nullopt;
  for (std::size_t i = earlier + 1; i <= later; ++i) {
    if (changes_[i].kind != Kind::kEdit) return std::nullopt;
  }
  // The last of several states of a cell counts: back, that before the first edit.
  std::vector<CellEdit> patch;
  const auto append = [&](const std::vector<CellEdit>& edits) {
    patch.insert(patch.end(), edits.begin(), edits.end());
  };
  for (std::size_t i = here; i > there; --i) append(changes_[i].before);
  for (std::size_t i = here + 1; i <= there; ++i) append(changes_[i].edits);
  return patch;
}

Replay Chronicle::way_to(Moment moment) const {
  const std::size_t at = index_of(moment);
  std::size_t begin = beginning_of(at);
  Replay way{.base = changes_[begin].cells, .parts = {}};
  Moment known = changes_[begin].first;
  if (const KeptCells* kept = kept_before(moment, known)) {
    way.base = {.generation = kept->generation, .bits = kept->bits};
    known = kept->moment;
    begin = index_of(known);
  }
  for (std::size_t i = begin; i <= at; ++i) {
    const Change& change = changes_[i];
    const Moment first = std::max(change.first, known + 1);
    const Moment last = std::min(change.last(), moment);
    if (first > last) continue;
    if (change.kind == Kind::kEdit) {
      way.parts.push_back({.edits = change.edits, .work = {}, .first = first});
    } else if (change.kind == Kind::kRun) {
      way.parts.push_back({.edits = {}, .times = last - first + 1, .work = change.work, .first = first});
    }
  }
  return way;
}

std::uint64_t Chronicle::generations_to_do(Moment moment) const {
  const std::size_t at = index_of(moment);
  if (at >= changes_.size()) return 0;
  const Change& begin = changes_[beginning_of(at)];
  std::uint64_t known = begin.cells.bits ? begin.generation : 0;
  if (const KeptCells* kept = kept_before(moment, begin.first)) known = kept->generation;
  return generation_of(moment) - known;
}

std::optional<FieldCells> Chronicle::grown() const {
  const std::size_t at = index_of(now_);
  if (at >= changes_.size()) return std::nullopt;
  const Change& begin = changes_[beginning_of(at)];
  if (begin.cells.bits) return std::nullopt;
  FieldCells cells = begin.cells;
  for (std::size_t i = beginning_of(at) + 1; i <= at; ++i) {
    if (changes_[i].kind != Kind::kRun) return std::nullopt;
    if (cells.generation > 0 && !same_run(cells.work, changes_[i].work)) return std::nullopt;
    cells.work = changes_[i].work;
    cells.generation = 1;
  }
  cells.generation = generation_of(now_);
  return cells;
}

std::optional<KeptCells> Chronicle::newest_kept() const {
  const std::size_t at = index_of(now_);
  if (at >= changes_.size()) return std::nullopt;
  const Change& begin = changes_[beginning_of(at)];
  if (const KeptCells* kept = kept_before(now_, begin.first)) return *kept;
  return KeptCells{.moment = begin.first, .generation = begin.generation, .bits = begin.cells.bits};
}

}  // namespace loom::app
