#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "compute/mandelbrot/cost_model.h"

namespace loom {

/// A way to compute a view: every pixel, or a subdivision by a cut.
struct DwellPlan {
  bool exhaustive = false;
  CostCut cut;
  friend bool operator==(const DwellPlan&, const DwellPlan&) = default;
};

/// What the search is among: g and B powers of two from 2 to 256, r in {2, 4, 8}.
inline constexpr std::array<std::uint32_t, 3> kSearchedR = {2, 4, 8};
inline constexpr std::uint32_t kLeastSearched = 2;
inline constexpr std::uint32_t kMostSearched = 256;

/// Looks for the fastest way to compute a view by timing a few of them, about a tenth of all: the exhaustive
/// method, some cuts that lie far apart, and then the neighbours of the best, and of what is
/// nearly as fast, until none is faster. Only
/// the order is decided here; the caller times, so that it can do so when there is room. A neighbour is a
/// factor of two away in g, in B, in both (against each other, which leaves the leaves of a level where they
/// are), or one step in r.
class CutSearch {
 public:
  /// `first` is timed first of all cuts: the one that a model promises most of, or that was best before; it
  /// is moved into the searched range. Without `may_be_exhaustive` cuts alone are looked at.
  CutSearch(const CostCut& first, bool may_be_exhaustive);

  /// What is to be timed next, the same until note(); nothing once the search is over.
  std::optional<DwellPlan> next() const;
  /// The time of next(). Any unit, not negative.
  void note(double time);

  /// The fastest so far, and its time; nothing before the first note().
  struct Timed {
    DwellPlan plan;
    double time = 0;
  };
  const std::optional<Timed>& best() const { return best_; }
  /// All that were timed, in order.
  const std::vector<Timed>& timed() const { return timed_; }

 private:
  void propose(const DwellPlan& plan);
  void propose_neighbours(const CostCut& cut);
  /// Whose neighbours to look at next: the fastest cut's, then those of cuts nearly as fast.
  std::optional<CostCut> next_around();

  std::vector<DwellPlan> to_time_;  ///< the last one is next
  std::vector<DwellPlan> seen_;
  std::vector<Timed> timed_;
  std::optional<Timed> best_;
  int detours_ = 0;
  std::vector<CostCut> around_;  ///< whose neighbours were proposed
};

}  // namespace loom
