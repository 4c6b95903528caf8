#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "compute/mandelbrot/cost_model.h"
#include "compute/mandelbrot/mandelbrot_report.h"

namespace loom {

/// The regions of a square view whose border has more than one dwell, by the binary logarithm of their side.
/// A subdivision with another cut processes the parts of those that it meets.
struct RegionCensus {
  static constexpr std::size_t kSides = 14;
  std::array<double, kSides> split{};  ///< at side 2^i
  double share = 1;                    ///< of the image that is computed; half of a mirrored one

  /// From a run with kCut of an image of `n` x `n` pixels, a power of two.
  static constexpr CostCut kCut{2, 2, 2};
  RegionCensus(const MandelbrotLevels& levels, std::uint32_t n);
};

/// What was measured of a view: all plans with the scheme that is modelled.
struct PlanTimes {
  std::uint32_t n = 0;  ///< side of the image, pixels: a power of two below 2^kSides
  double dwell_limit = 0;
  double exhaustive_ms = 0;
  RegionCensus census;
  struct Run {
    CostCut cut;
    double ms = 0;
  };
  std::vector<Run> runs = {};
};

/// The time of ASK on one machine, as the sum of the overheads that the source's cost model (cost_model.h)
/// leaves to future work and of its work: a time per computation, per level (kernel launches and waiting),
/// per region by its side, per computed pixel in exhaustive pixels, by the side of the region, and for the
/// longest thread block of a level. The factors are fitted to measured plans by least squares of the relative
/// errors; none is negative. Regions come from a census and so differ from those of a run by a few.
class PlanModel {
 public:
  /// Fits all views but `without`, at plans at most kSlowest times as slow as the fastest one of their view.
  explicit PlanModel(std::span<const PlanTimes> views, std::optional<std::size_t> without = {});
  static constexpr double kSlowest = 3;

  /// Milliseconds; nothing for a cut with regions of a side that no fitted plan has.
  std::optional<double> predicted_ms(const PlanTimes& view, const CostCut& cut) const;
  /// The measured run whose predicted time is the shortest; null if there is none.
  const PlanTimes::Run* choose(const PlanTimes& view) const;

  /// Of a computation with one level, besides regions and pixels. The two parts are not told apart well:
  /// fast plans have few levels.
  double overhead_ms() const { return factors_[0] + factors_[1]; }

 private:
  static constexpr std::size_t kShared = 5;
  static constexpr std::size_t kTerms = kShared + 4 * RegionCensus::kSides;
  using Terms = std::array<double, kTerms>;
  static Terms terms_of(const PlanTimes& view, const CostCut& cut);

  Terms factors_{};
  std::array<bool, kTerms> fitted_{};
};

}  // namespace loom
