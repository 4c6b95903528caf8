#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "compute/engine/progress_monitor.h"
#include "compute/mandelbrot/decimal_view.h"
#include "compute/mandelbrot/mandelbrot_config.h"
#include "compute/mandelbrot/mandelbrot_report.h"
#include "compute/perturbation/orbit_steps.h"
#include "compute/perturbation/perturbed.h"
#include "compute/perturbation/reference_orbit.h"

namespace loom {

/// The arrays of Perturbed in host memory.
template <typename Real>
struct PerturbationTables {
  UnsetArray<Complex<Real>> points;  ///< empty for double: those of the orbit (Perturbation::points())
  UnsetArray<StepHead<Real>> heads;
  UnsetArray<StepMap<Real>> maps;
  UnsetArray<WideStepHead> wide_heads;
  UnsetArray<WideStepMap<Real>> wide_maps;
  std::vector<SeriesStep<Real>> series;
  std::vector<std::uint32_t> series_of;  ///< by step; empty if there are no series steps
  typename RealBits<Real>::Plain series_c_unit = 0;
  std::uint32_t fewest_steps = 1;  ///< of an orbit along the whole reference
  std::uint32_t first_step = 0;    ///< the first that begins at the orbit's `first`
  std::vector<TinyValue<Real>> tiny;
  std::vector<EdgeValue<Real>> edges;

  std::uint64_t bytes() const {
    return points.size() * sizeof(Complex<Real>) + heads.size() * sizeof(StepHead<Real>) +
           maps.size() * sizeof(StepMap<Real>) + wide_heads.size() * sizeof(WideStepHead) +
           wide_maps.size() * sizeof(WideStepMap<Real>) + series.size() * sizeof(SeriesStep<Real>) +
           series_of.size() * sizeof(std::uint32_t);
  }
};

/// The mantissa of an evaluator's numbers, whether they have exponents of their own, and whether uncertain
/// pixels are computed again with two doubles.
struct PerturbedKind {
  bool is_double = true;
  bool is_wide = false;
  bool is_exact = false;
  friend bool operator==(const PerturbedKind&, const PerturbedKind&) = default;
};

/// A reference orbit with its tables, kept and used again while the view moves.
class Perturbation {
 public:
  /// Makes what `kind` needs for a view of width x height pixels, turned by `angle` degrees, of the Julia set
  /// of `julia` if it is given. Keeps the orbit if it serves the view too, continues it if it is only too
  /// short, and keeps the tables if the view is not larger either. Throws OperationCancelled, after which the
  /// next call continues the orbit, and CapacityError if it needs more than `available` bytes; nothing is
  /// kept then. Returns whether arrays have changed.
  bool prepare(const DecimalView& view, std::uint32_t width, std::uint32_t height, std::uint32_t limit,
               PerturbedKind kind, std::uint64_t available, const ProgressScope& call, double angle = 0,
               const std::optional<JuliaPoint>& julia = {});
  /// The dwells of pixels that two doubles do not decide (reference_orbit.h). That of the orbit's centre is
  /// computed first, as if it were alone, and kept for the same limit.
  std::vector<std::optional<std::uint32_t>> fixed_point_dwells(const DecimalView& view,
                                                               std::span<const Coord32> pixels,
                                                               std::uint32_t limit,
                                                               const ProgressScope& call);

  const PerturbationStats& stats() const { return stats_; }
  template <typename Real>
  const PerturbationTables<Real>& tables() const {
    if constexpr (std::is_same_v<Real, DoubleDouble>) {
      return twice_tables_;
    } else if constexpr (sizeof(Real) == 4) {
      return float_tables_;
    } else {
      return double_tables_;
    }
  }
  /// Z_0 to Z_length.
  template <typename Real>
  std::span<const Complex<Real>> points() const {
    if constexpr (std::is_same_v<Real, double>) {
      return orbit_->orbit().points;
    } else {
      return tables<Real>().points;
    }
  }
  /// The evaluator of the prepared view; its arrays are those of tables() and points().
  template <typename Real, bool kWide, bool kEstimates = false>
  Perturbed<Real, kWide, kEstimates> evaluator() const;

  /// Makes the tables of the mantissa of two doubles for the prepared view, whose kind is exact; keeps them
  /// as long as they serve. Throws CapacityError if they need more than `available` bytes. Returns whether
  /// they have changed.
  bool prepare_twice(std::uint64_t available);

 private:
  bool orbit_is_near(const DecimalView& view, std::int64_t bits, FloatExp<double> radius);
  /// The largest distance of a pixel's c from the orbit's.
  FloatExp<double> farthest(FloatExp<double> radius) const;

  DecimalView center_;  ///< of the orbit
  std::optional<JuliaPoint> julia_;
  FloatExp<double> table_radius_;  ///< for which the tables were made
  std::optional<ReferenceOrbitComputation> orbit_;
  std::optional<PerturbedKind> kind_;  ///< of the tables
  PerturbationTables<float> float_tables_;
  PerturbationTables<double> double_tables_;
  PerturbationTables<DoubleDouble> twice_tables_;
  std::optional<FloatExp<double>> twice_radius_;  ///< of twice_tables_, if they were made for the orbit
  std::optional<std::uint32_t> centre_limit_;     ///< of centre_dwell_
  std::optional<std::uint32_t> centre_dwell_;
  PerturbationStats stats_;
  ComplexExp<DoubleDouble> offset_;  ///< of the view's centre from the orbit's
  FloatExp<DoubleDouble> half_spacing_;
  Complex<double> turn_{1, 0};  ///< direction_of() the angle
  std::uint32_t width_ = 0;
  std::uint32_t height_ = 0;
};

template <typename Real, bool kWide, bool kEstimates>
Perturbed<Real, kWide, kEstimates> Perturbation::evaluator() const {
  // Restarting an orbit with a search pays once it has taken this many steps.
  constexpr std::uint32_t kSearchSteps = 400;
  constexpr std::uint32_t kLeastLengths = std::is_same_v<Real, DoubleDouble> ? 32 : 8;
  constexpr std::uint32_t kLeastSearch = 2048;
  const PerturbationTables<Real>& tables = this->tables<Real>();
  Perturbed<Real, kWide, kEstimates> evaluator;
  evaluator.points = points<Real>().data();
  evaluator.heads = tables.heads.data();
  evaluator.maps = tables.maps.data();
  evaluator.wide_heads = tables.wide_heads.data();
  evaluator.wide_maps = tables.wide_maps.data();
  evaluator.tiny = tables.tiny.data();
  evaluator.tiny_count = static_cast<std::uint32_t>(tables.tiny.size());
  evaluator.series = tables.series.data();
  evaluator.series_of = tables.series_of.empty() ? nullptr : tables.series_of.data();
  evaluator.series_c_unit = tables.series_c_unit;
  evaluator.edges = tables.edges.data();
  evaluator.edge_count = static_cast<std::uint32_t>(tables.edges.size());
  evaluator.length = static_cast<std::uint32_t>(points<Real>().size() - 1);
  evaluator.first = orbit_->orbit().first;
  evaluator.first_step = tables.first_step;
  evaluator.offset = {converted<Real>(offset_.re), converted<Real>(offset_.im), offset_.exponent};
  evaluator.half_spacing = {converted<Real>(half_spacing_.mantissa * DoubleDouble(turn_.re)),
                            converted<Real>(half_spacing_.mantissa * DoubleDouble(turn_.im)),
                            half_spacing_.exponent};
  evaluator.width = static_cast<std::int32_t>(width_);
  evaluator.height = static_cast<std::int32_t>(height_);
  if constexpr (decltype(evaluator)::kLeavesLongOrbits)
    evaluator.search_from = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
        std::uint64_t{std::max(kLeastLengths, kSearchSteps / tables.fewest_steps)} * evaluator.length,
        kLeastSearch, kMaxDwellLimit));
  return evaluator;
}

}  // namespace loom
