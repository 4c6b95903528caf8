#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "compute/mandelbrot/cost_model.h"

namespace loom {

/// A plan for a view: the exhaustive method, or a subdivision with a cut.
struct DwellPlan {
  bool exhaustive = false;
  CostCut cut;
  friend bool operator==(const DwellPlan&, const DwellPlan&) = default;
};

/// The search space: g and B are powers of two from 2 to 256, r is in {2, 4, 8}.
inline constexpr std::array<std::uint32_t, 3> kSearchedR = {2, 4, 8};
inline constexpr std::uint32_t kMinSearched = 2;
inline constexpr std::uint32_t kMaxSearched = 256;

/// Searches for the fastest plan for a view by timing about a tenth of all plans: the exhaustive method, some
/// cuts that are far apart, and then the neighbours of the best cut and of cuts nearly as fast, until none is
/// faster. The class only decides the order; the caller measures the times when it is convenient. Neighbours
/// differ by a factor of two in g, in B, or in both in opposite directions (which keeps the leaf size), or by
/// one step in r.
class CutSearch {
 public:
  /// `first` is the first cut to be timed, for example the best one by a model or the best one of an earlier
  /// search; it is moved into the search space. Without `may_be_exhaustive`, the exhaustive method is left
  /// out.
  CutSearch(const CostCut& first, bool may_be_exhaustive);

  /// The next plan to time, unchanged until note(); nothing once the search is over.
  std::optional<DwellPlan> next() const;
  /// The time of next(). Any unit, not negative.
  void note(double time);

  /// The fastest plan so far and its time; nothing before the first note().
  struct PlanTiming {
    DwellPlan plan;
    double time = 0;
  };
  const std::optional<PlanTiming>& best() const { return best_; }
  /// All timed plans, in order.
  const std::vector<PlanTiming>& timed() const { return timed_; }

 private:
  void propose(const DwellPlan& plan);
  void propose_neighbours(const CostCut& cut);
  /// The next cut whose neighbours are tried: the fastest cut, then cuts nearly as fast.
  std::optional<CostCut> next_around();

  std::vector<DwellPlan> to_time_;  ///< a stack: the last one is next
  std::vector<DwellPlan> seen_;
  std::vector<PlanTiming> timed_;
  std::optional<PlanTiming> best_;
  int detours_ = 0;
  std::vector<CostCut> around_;  ///< cuts whose neighbours were proposed
};

}  // namespace loom
