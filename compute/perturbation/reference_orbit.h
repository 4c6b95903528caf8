#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "compute/core/coord.h"
#include "compute/engine/progress_monitor.h"
#include "compute/mandelbrot/complex.h"
#include "compute/mandelbrot/decimal_view.h"
#include "compute/mandelbrot/double_double.h"
#include "compute/mandelbrot/float_exp.h"
#include "compute/mandelbrot/formula.h"

namespace loom {

/// A point of the orbit that is too close to zero for Complex<double>.
struct TinyPoint {
  std::uint32_t index = 0;
  ComplexExp<DoubleDouble> value;
};

/// A point of the orbit close to the circle |Z| = 2, where rounded numbers do not tell on which side a pixel
/// is.
struct EdgePoint {
  std::uint32_t index = 0;
  FloatExp<double> margin;  ///< |Z|^2 - 4
};

/// Why a reference orbit ends.
enum class OrbitEnd {
  kEscape,  ///< its last point has |Z|^2 >= kReferenceEscape
  kPeriod,  ///< its last point is closer to zero than the orbits of the view differ: 0 follows it
  kLimit,   ///< no pixel needs more points
};

/// The orbit of 0 under z^2 + c for the centre of a view, computed in fixed-point numbers and rounded to
/// double. For a Julia set, whose c all pixels have: the orbit of 0 under its c, and from `first` on that of
/// the centre.
struct ReferenceOrbit {
  /// Z_0 = 0, Z_1 = c, ..., Z_length. Points below kTinyExponent are less exact: they are in `tiny`.
  std::vector<Complex<double>> points;
  std::vector<Complex<double>> low;  ///< what `points` leave out, to 106 bits; empty unless asked for
  std::vector<TinyPoint> tiny;       ///< by index; without Z_0
  std::vector<EdgePoint> edges;      ///< by index
  OrbitEnd end = OrbitEnd::kLimit;
  std::int64_t bits = 0;    ///< of the fractions
  std::uint32_t first = 0;  ///< where the orbits of pixels begin; not 0 for a Julia set
  /// With kPeriod: the smallest radius of a view that the orbit serves.
  FloatExp<double> least_radius;

  std::uint32_t length() const { return static_cast<std::uint32_t>(points.size() - 1); }
  /// Point `index` with its exponent.
  template <typename Real = double>
  ComplexExp<Real> at(std::uint32_t index) const;
  std::uint64_t bytes() const {
    return (points.size() + low.size()) * sizeof(Complex<double>) + tiny.size() * sizeof(TinyPoint) +
           edges.size() * sizeof(EdgePoint);
  }
};

/// Points with a larger part below 2^kTinyExponent are listed as tiny. (Wide evaluators with a float mantissa
/// have less range.)
inline constexpr int kTinyExponent = -60;

/// Points with ||Z|^2 - 4| below it are listed as edges: more than the rounding of float mantissas.
inline constexpr double kEdge = 1.0 / 65536;

/// Upper bound of the bytes per point while the tables of an orbit are made: 16 for the point, 16 in the
/// tables, 30 to select the beginnings of steps, and n / 6 steps for n points, of 190 bytes while they are
/// composed, 120 when they are complete, and 130 in the tables.
inline constexpr std::uint64_t kBytesPerPoint = 144;

/// |Z|^2 where a reference orbit ends: beyond 4, so that pixels that escape later than the reference do, by
/// tiny distances, can follow it.
inline constexpr double kReferenceEscape = 256;

/// Computes the reference orbit of a view, and continues it for more dwells or smaller views of the same
/// centre.
class ReferenceOrbitComputation {
 public:
  /// `bits` is the precision; `twice`: points have two doubles; `julia` is c of a Julia set. Throws
  /// CapacityError if numbers of this size need more than `available` bytes.
  ReferenceOrbitComputation(const DecimalView& view, std::int64_t bits, std::uint64_t available,
                            bool twice = false, const std::optional<JuliaPoint>& julia = {});
  ~ReferenceOrbitComputation();

  /// Computes the orbit for pixels at most `radius` from the centre and for dwells up to `limit`, or
  /// continues it. The orbit ends at its period: at the first n with |Z_n| <= radius |dZ_n/dc|, where
  /// rounding Z_n to a mantissa is like moving the pixels by a rounding of `radius`; those of a Julia set do
  /// not, and are computed anew. Throws OperationCancelled, after which the orbit can be continued, and
  /// CapacityError as soon as the orbit and its tables need more than `available` bytes: where an orbit ends
  /// is only known once it is computed.
  void extend(FloatExp<double> radius, std::uint32_t limit, std::uint64_t available,
              const ProgressScope& call);
  /// Whether the orbit serves this radius and limit as it is.
  bool serves(FloatExp<double> radius, std::uint32_t limit) const;

  const ReferenceOrbit& orbit() const { return orbit_; }

 private:
  struct Point;

  std::unique_ptr<Point> point_at_centre() const;
  /// Appends the orbit of `point_`, or continues it to `points` points, unless it ends before.
  void append(FloatExp<double> radius, std::uint32_t points, std::uint64_t available,
              const ProgressScope& call);
  std::uint64_t bytes_per_point() const { return kBytesPerPoint + (twice_ ? sizeof(Complex<double>) : 0); }
  /// Bytes of an orbit of this length, its tables and its numbers.
  std::uint64_t bytes_for(std::uint64_t points) const;
  std::uint64_t most_points(std::uint64_t available) const;
  [[noreturn]] void refuse(std::uint64_t available) const;

  ReferenceOrbit orbit_;
  std::unique_ptr<Point> point_;  ///< the last point of the orbit
  ViewDigits centre_;
  std::optional<JuliaPoint> julia_;
  std::uint32_t julia_limit_ = 0;  ///< the limit that the orbits of a Julia set serve
  bool twice_ = false;
  bool complete_ = false;  ///< not interrupted
};

/// The whole orbit for one radius and limit. Throws as ReferenceOrbitComputation.
ReferenceOrbit compute_reference_orbit(const DecimalView& view, std::int64_t bits, FloatExp<double> radius,
                                       std::uint32_t limit, std::uint64_t available,
                                       const ProgressScope& call);

/// The dwells of pixels of a view of width x height pixels, turned by direction_of(), each by an orbit of its
/// own in numbers with a fraction of at least `bits`; their mantissa is doubled until rounding cannot have
/// changed the dwell. An orbit that returns to the same number does not escape. Nothing for a pixel whose
/// numbers would have more than kMaxExactLimbs / (limit x pixels) limbs. `julia` is c of a Julia set. Throws
/// OperationCancelled.
std::vector<std::optional<std::uint32_t>> fixed_point_dwells(
    const DecimalView& view, std::uint32_t width, std::uint32_t height, std::span<const Coord32> pixels,
    std::int64_t bits, std::uint32_t limit, const ProgressScope& call, Complex<double> turn = {1, 0},
    const std::optional<JuliaPoint>& julia = {});
inline constexpr std::uint64_t kMaxExactLimbs = std::uint64_t{1} << 30;

}  // namespace loom
