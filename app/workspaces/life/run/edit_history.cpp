#include "app/workspaces/life/run/edit_history.h"

#include <algorithm>
#include <utility>

namespace loom::app {
namespace {

/// Maximum number of generations before a restored state whose cells are stored.
constexpr std::uint64_t kStepsAtHand = 64;
/// Fraction of the budget, as a divisor, that these cells, or the cells of one field, may use.
constexpr std::uint64_t kShareAtHand = 2;
/// Recomputation times above which the cells are stored: before a change, and while generations run.
constexpr double kLongMs = 50;
constexpr double kVeryLongMs = 500;
/// While playing, copying takes at most 1 / kMaxTimeShare of the time.
constexpr int kMaxTimeShare = 50;
/// Cells per millisecond that are copied to the host, as an estimate.
constexpr double kCopiedCells = 1e5;

}  // namespace

// New cells follow from the current ones or keep them known, unless the history begins anew.
void EditHistory::follow(const CellSource& cells) {
  if (cells == now_) return;
  const bool follows = now_.is_before(cells);
  if ((!follows || newest_ != now_) && cells.is_before(newest_)) {
    now_ = cells;
    return;
  }
  const std::uint64_t depth = follows ? now_.depth() : 0;
  while (!snapshots_.empty() && snapshots_.back().cells.depth() > depth) {
    snapshot_bytes_ -= snapshots_.back().bits->bytes.size();
    snapshots_.pop_back();
  }
  bool shared = false;
  const std::uint64_t bytes = cells.bytes_since(newest_, shared);
  edit_bytes_ = bytes + (shared ? edit_bytes_ : 0);
  now_ = newest_ = cells;
}

void EditHistory::keep(CellSnapshot snapshot) {
  if (!snapshot.bits || !snapshot.cells.is_before(newest_)) return;
  const auto at = std::ranges::lower_bound(snapshots_, snapshot.cells.depth(), {},
                                           [](const CellSnapshot& one) { return one.cells.depth(); });
  if (at != snapshots_.end() && at->cells.depth() == snapshot.cells.depth()) return;
  snapshot_bytes_ += snapshot.bits->bytes.size();
  snapshots_.insert(at, std::move(snapshot));
  make_room();
}

// Discards the snapshots that are closest together relative to their age.
void EditHistory::make_room() {
  while (bytes() > budget_ && snapshots_.size() > 1) {
    std::size_t least = 0;
    double least_share = 2;
    for (std::size_t i = 0; i + 1 < snapshots_.size(); ++i) {
      const std::uint64_t before = i > 0 ? snapshots_[i - 1].cells.depth() : 0;
      const auto age = static_cast<double>(snapshots_.back().cells.depth() - before);
      const double share = static_cast<double>(snapshots_[i + 1].cells.depth() - before) / (age + 1);
      if (share < least_share) least = i;
      least_share = std::min(share, least_share);
    }
    snapshot_bytes_ -= snapshots_[least].bits->bytes.size();
    snapshots_.erase(snapshots_.begin() + static_cast<std::ptrdiff_t>(least));
  }
}

const CellSnapshot* EditHistory::nearest(const CellSource& cells) const {
  for (std::size_t i = snapshots_.size(); i-- > 0;) {
    if (snapshots_[i].cells.generations_to(cells)) return &snapshots_[i];
  }
  return nullptr;
}

std::uint64_t EditHistory::generations_to_recompute() const {
  if (!now_.is_known()) return 0;
  if (const CellSnapshot* const near = nearest(now_)) return *near->cells.generations_to(now_);
  return now_.generation() - now_.beginning().generation();
}

// Storing the cells may take about as long as recomputing them.
std::uint64_t EditHistory::kept_of(std::uint64_t generations, std::uint64_t cells, std::uint32_t states,
                                   double step_ms) const {
  const std::uint64_t bytes = bytes_of_bits(cells) * planes_of(states);
  const double copying_ms = static_cast<double>(cells) / kCopiedCells;
  const double room_ms = static_cast<double>(generations) * step_ms + kLongMs;
  const auto quick = static_cast<std::uint64_t>(room_ms / std::max(copying_ms, 1e-3));
  return std::min({kStepsAtHand, budget_ / kShareAtHand / bytes, quick});
}

bool EditHistory::fits_budget(std::uint64_t cells) const {
  return bytes_of_bits(cells) <= budget_ / kShareAtHand;
}

bool EditHistory::should_save_before(std::uint64_t cells, double step_ms) const {
  return fits_budget(cells) && static_cast<double>(generations_to_recompute()) * step_ms > kLongMs;
}

bool EditHistory::should_save_now(std::uint64_t cells, double step_ms) const {
  if (!fits_budget(cells)) return false;
  if (overflows()) return true;
  return static_cast<double>(generations_to_recompute()) * step_ms > kVeryLongMs && Clock::now() >= next_;
}

bool EditHistory::should_copy(std::uint64_t cells) const {
  if (cells > kMaxCopiedCells || !fits_budget(cells) || Clock::now() < next_) return false;
  if (now_.is_plain() && is_cheap_to_recompute(now_.generation(), cells)) return false;
  const CellSnapshot* const near = nearest(now_);
  return near == nullptr ? !now_.bits() || now_ != now_.beginning() : near->cells != now_;
}

void EditHistory::record_copy(std::uint64_t cells) {
  const std::chrono::duration<double, std::milli> cost{static_cast<double>(cells) / kCopiedCells};
  next_ = Clock::now() +
          std::max<Clock::duration>(std::chrono::seconds(1),
                                    std::chrono::duration_cast<Clock::duration>(cost) * kMaxTimeShare);
}

}  // namespace loom::app
