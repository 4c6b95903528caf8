#include "compute/mandelbrot/cut_search.h"

#include <algorithm>
#include <bit>

namespace loom {
namespace {

/// Cuts that are far apart, each near the best one of some view: few levels, many levels, and leaves from
/// small to large.
constexpr std::array kAnchors = {CostCut{32, 2, 16}, CostCut{64, 2, 8}, CostCut{128, 2, 16},
                                 CostCut{8, 2, 32}};

/// The neighbours of cuts that are slower than the best by at most this factor are tried as well, because
/// times are never exact and the best cut may be behind a small barrier.
constexpr double kNearlyAsFast = 1.05;
/// The largest number of such cuts, which ends the search if all cuts are equally fast.
constexpr int kMaxDetours = 3;

std::uint32_t into_range(std::uint32_t value, std::uint32_t most) {
  return std::clamp(std::bit_floor(std::max(value, 1u)), kMinSearched, most);
}

bool in_range(const CostCut& cut) {
  const auto fits = [](std::uint32_t value, std::uint32_t most) {
    return value >= kMinSearched && value <= most;
  };
  return fits(cut.g, kMaxSearched) && fits(cut.b, kMaxSearched) && fits(cut.r, kSearchedR.back());
}

}  // namespace

CutSearch::CutSearch(const CostCut& first, bool may_be_exhaustive) {
  for (auto anchor = kAnchors.rbegin(); anchor != kAnchors.rend(); ++anchor) propose({false, *anchor});
  const CostCut moved{into_range(first.g, kMaxSearched), into_range(first.r, kSearchedR.back()),
                      into_range(first.b, kMaxSearched)};
  // The last proposed plan is timed first.
  std::erase(to_time_, DwellPlan{false, moved});
  std::erase(seen_, DwellPlan{false, moved});
  propose({false, moved});
  if (may_be_exhaustive) propose({true, {}});
}

void CutSearch::propose(const DwellPlan& plan) {
  if (std::find(seen_.begin(), seen_.end(), plan) != seen_.end()) return;
  seen_.push_back(plan);
  to_time_.push_back(plan);
}

void CutSearch::propose_neighbours(const CostCut& cut) {
  const auto [g, r, b] = cut;
  for (const CostCut& next :
       {CostCut{g, r * 2, b}, CostCut{g, r / 2, b}, CostCut{g / 2, r, b * 2}, CostCut{g * 2, r, b / 2},
        CostCut{g / 2, r, b}, CostCut{g, r, b * 2}, CostCut{g, r, b / 2}, CostCut{g * 2, r, b}}) {
    if (in_range(next)) propose({false, next});
  }
}

std::optional<DwellPlan> CutSearch::next() const {
  if (to_time_.empty()) return std::nullopt;
  return to_time_.back();
}

void CutSearch::note(double time) {
  if (to_time_.empty()) return;
  const PlanTiming timed{to_time_.back(), time};
  to_time_.pop_back();
  timed_.push_back(timed);
  if (!best_ || time < best_->time) best_ = timed;
  // All neighbours of one cut are timed before those of the next, so that a single lucky time has little
  // influence.
  while (to_time_.empty()) {
    const auto around = next_around();
    if (!around) return;
    around_.push_back(*around);
    propose_neighbours(*around);
  }
}

std::optional<CostCut> CutSearch::next_around() {
  const PlanTiming* fastest = nullptr;
  const PlanTiming* left = nullptr;  // the fastest one whose neighbours have not been tried
  for (const PlanTiming& timed : timed_) {
    if (timed.plan.exhaustive) continue;
    if (fastest == nullptr || timed.time < fastest->time) fastest = &timed;
    const bool done = std::find(around_.begin(), around_.end(), timed.plan.cut) != around_.end();
    if (!done && (left == nullptr || timed.time < left->time)) left = &timed;
  }
  if (left == nullptr) return std::nullopt;
  if (left == fastest) return left->plan.cut;
  if (detours_ == kMaxDetours || left->time > kNearlyAsFast * fastest->time) return std::nullopt;
  ++detours_;
  return left->plan.cut;
}

}  // namespace loom
