#pragma once

#include <array>
#include <cmath>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "compute/core/host_device.h"
#include "compute/mandelbrot/complex.h"
#include "compute/mandelbrot/custom_formula.h"
#include "compute/mandelbrot/rounded.h"

namespace loom {

// A formula z <- f(z) + c is a step below, a row of kFormulas and a line of with_step(). Nothing else
// distinguishes formulas. For every step |f(z)| is |z|^degree, so that with |c| <= 2 an orbit that has left
// the disc of radius 2 grows forever. A step is z's next value, every operation rounded once; `square_x` and
// `square_y` are x x and y y, rounded, which the escape test needs too.

/// z^2 + c as ((x x - y y) + re, 2 (x y) + im).
struct SquareStep {
  static constexpr std::uint32_t kDegree = 2;
  template <typename Real>
  static LOOM_HOST_DEVICE Complex<Real> next(Complex<Real> z, Real square_x, Real square_y, Complex<Real> c) {
    return {rounded_add(rounded_subtract(square_x, square_y), c.re),
            rounded_double_add(rounded_multiply(z.re, z.im), c.im)};
  }
};

/// z^kPower without c: even powers are squares of half the power; the cube is (x (s - 4 y y), y (4 x x - s))
/// with s = |z|^2; other odd powers are the power below times z.
template <std::uint32_t kPower, typename Real>
LOOM_HOST_DEVICE Complex<Real> power_of(Complex<Real> z, Real square_x, Real square_y) {
  if constexpr (kPower == 2) {
    const Real product = rounded_multiply(z.re, z.im);
    return {rounded_subtract(square_x, square_y), rounded_add(product, product)};
  } else if constexpr (kPower == 3) {
    const Real length = rounded_add(square_x, square_y);
    return {rounded_multiply(z.re, rounded_quadruple_add(-square_y, length)),
            rounded_multiply(z.im, rounded_quadruple_add(square_x, -length))};
  } else if constexpr (kPower % 2 == 0) {
    const Complex<Real> half = power_of<kPower / 2>(z, square_x, square_y);
    return power_of<2>(half, rounded_multiply(half.re, half.re), rounded_multiply(half.im, half.im));
  } else {
    const Complex<Real> below = power_of<kPower - 1>(z, square_x, square_y);
    return {rounded_subtract(rounded_multiply(below.re, z.re), rounded_multiply(below.im, z.im)),
            rounded_add(rounded_multiply(below.re, z.im), rounded_multiply(below.im, z.re))};
  }
}

/// z^kPower + c
template <std::uint32_t kPower>
struct PowerStep {
  static constexpr std::uint32_t kDegree = kPower;
  template <typename Real>
  static LOOM_HOST_DEVICE Complex<Real> next(Complex<Real> z, Real square_x, Real square_y, Complex<Real> c) {
    const Complex<Real> power = power_of<kPower>(z, square_x, square_y);
    return {rounded_add(power.re, c.re), rounded_add(power.im, c.im)};
  }
};

/// conj(z)^2 + c
struct TricornStep {
  static constexpr std::uint32_t kDegree = 2;
  template <typename Real>
  static LOOM_HOST_DEVICE Complex<Real> next(Complex<Real> z, Real square_x, Real square_y, Complex<Real> c) {
    return {rounded_add(rounded_subtract(square_x, square_y), c.re),
            rounded_double_add(-rounded_multiply(z.re, z.im), c.im)};
  }
};

/// (|x| + i |y|)^2 + c
struct BurningShipStep {
  static constexpr std::uint32_t kDegree = 2;
  template <typename Real>
  static LOOM_HOST_DEVICE Complex<Real> next(Complex<Real> z, Real square_x, Real square_y, Complex<Real> c) {
    return {rounded_add(rounded_subtract(square_x, square_y), c.re),
            rounded_double_add(rounded_multiply(std::fabs(z.re), std::fabs(z.im)), c.im)};
  }
};

/// |Re z^2| + i Im z^2 + c
struct CelticStep {
  static constexpr std::uint32_t kDegree = 2;
  template <typename Real>
  static LOOM_HOST_DEVICE Complex<Real> next(Complex<Real> z, Real square_x, Real square_y, Complex<Real> c) {
    return {rounded_add(std::fabs(rounded_subtract(square_x, square_y)), c.re),
            rounded_double_add(rounded_multiply(z.re, z.im), c.im)};
  }
};

/// |Re z^2| + i |Im z^2| + c
struct BuffaloStep {
  static constexpr std::uint32_t kDegree = 2;
  template <typename Real>
  static LOOM_HOST_DEVICE Complex<Real> next(Complex<Real> z, Real square_x, Real square_y, Complex<Real> c) {
    return {rounded_add(std::fabs(rounded_subtract(square_x, square_y)), c.re),
            rounded_double_add(rounded_multiply(std::fabs(z.re), std::fabs(z.im)), c.im)};
  }
};

/// (|x| - i y)^2 + c
struct PerpendicularStep {
  static constexpr std::uint32_t kDegree = 2;
  template <typename Real>
  static LOOM_HOST_DEVICE Complex<Real> next(Complex<Real> z, Real square_x, Real square_y, Complex<Real> c) {
    return {rounded_add(rounded_subtract(square_x, square_y), c.re),
            rounded_double_add(-rounded_multiply(std::fabs(z.re), z.im), c.im)};
  }
};

enum class Formula : std::uint8_t {
  kMandelbrot,
  kMultibrot,
  kTricorn,
  kBurningShip,
  kCeltic,
  kBuffalo,
  kPerpendicular,
  kCustom,  ///< EscapeTimeSet::custom; no row of kFormulas, and no step here
};

/// How f depends on z, which decides whether the maximum modulus principle holds for the iterates
/// (docs/explanation/mandelbrot.md).
enum class Analyticity : std::uint8_t {
  kPolynomial,
  kConjugate,  ///< a polynomial in conj(z)
  kNone,
};

/// A rectangle of the complex plane by its middle and its sides.
struct PlaneRectangle {
  double re = 0;
  double im = 0;
  double width = 4;
  double height = 4;
};

struct FormulaRow {
  Formula formula;
  std::string_view name;   ///< "burning-ship"
  const char* label;       ///< "Burning Ship"
  const char* expression;  ///< "(|Re z| + i |Im z|)² + c"
  Analyticity analyticity;
  /// Whether the orbit of the conjugate point is, bit for bit, the conjugate orbit.
  bool mirrors_rows;
  PlaneRectangle whole;  ///< what shows the whole set of the parameter plane, with a margin
};
inline constexpr std::array kFormulas = {
    FormulaRow{Formula::kMandelbrot,
               "mandelbrot",
               "Mandelbrot",
               "z² + c",
               Analyticity::kPolynomial,
               true,
               {-0.765, 0, 2.6, 2.36}},
    FormulaRow{Formula::kMultibrot,
               "multibrot",
               "Multibrot",
               "z^d + c",
               Analyticity::kPolynomial,
               true,
               {0, 0, 2.6, 2.7}},
    FormulaRow{Formula::kTricorn,
               "tricorn",
               "Tricorn",
               "conj(z)² + c",
               Analyticity::kConjugate,
               true,
               {-0.25, 0, 3.7, 3.7}},
    FormulaRow{Formula::kBurningShip,
               "burning-ship",
               "Burning Ship",
               "(|Re z| + i |Im z|)² + c",
               Analyticity::kNone,
               false,
               {-0.45, -0.6, 3.5, 3.1}},
    FormulaRow{Formula::kCeltic,
               "celtic",
               "Celtic",
               "|Re z²| + i Im z² + c",
               Analyticity::kNone,
               true,
               {-0.75, 0, 3.4, 4}},
    FormulaRow{Formula::kBuffalo,
               "buffalo",
               "Buffalo",
               "|Re z²| + i |Im z²| + c",
               Analyticity::kNone,
               false,
               {-0.5, -0.35, 3.2, 3.5}},
    FormulaRow{Formula::kPerpendicular,
               "perpendicular-mandelbrot",
               "Perpendicular Mandelbrot",
               "(|Re z| − i Im z)² + c",
               Analyticity::kNone,
               true,
               {-0.6, 0, 3.1, 3.3}},
};
inline constexpr FormulaRow kCustomFormula{
    Formula::kCustom, "custom", "Custom formula", "your own next(z, c)", Analyticity::kNone, false, {}};
inline const FormulaRow& row_of(Formula formula) {
  return formula == Formula::kCustom ? kCustomFormula : kFormulas[static_cast<std::size_t>(formula)];
}
inline std::string_view name_of(Formula formula) {
  return row_of(formula).name;
}

inline constexpr std::uint32_t kMinPower = 2;
inline constexpr std::uint32_t kMaxPower = 8;

/// Calls use(step) with the step of a formula. `power` matters to kMultibrot alone.
template <typename Use>
LOOM_HOST_DEVICE auto with_step(Formula formula, std::uint32_t power, const Use& use) {
  switch (formula) {
    case Formula::kMandelbrot:
      break;
    case Formula::kMultibrot:
      if (power == 3) return use(PowerStep<3>{});
      if (power == 4) return use(PowerStep<4>{});
      if (power == 5) return use(PowerStep<5>{});
      if (power == 6) return use(PowerStep<6>{});
      if (power == 7) return use(PowerStep<7>{});
      if (power == 8) return use(PowerStep<8>{});
      break;
    case Formula::kTricorn:
      return use(TricornStep{});
    case Formula::kBurningShip:
      return use(BurningShipStep{});
    case Formula::kCeltic:
      return use(CelticStep{});
    case Formula::kBuffalo:
      return use(BuffaloStep{});
    case Formula::kPerpendicular:
      return use(PerpendicularStep{});
    case Formula::kCustom:
      break;
  }
  return use(SquareStep{});
}

/// The parameter c of a Julia set, |c| <= 2.
struct JuliaPoint {
  double re = 0;
  double im = 0;
  friend auto operator<=>(const JuliaPoint&, const JuliaPoint&) = default;
};

/// A set that dwells are computed of: that of a formula in the parameter plane, where c is the pixel's point
/// and the first z; or one of its Julia sets, where c is fixed and the first z the pixel's point.
struct EscapeTimeSet {
  Formula formula = Formula::kMandelbrot;
  std::uint32_t power = 3;  ///< of kMultibrot, kMinPower..kMaxPower
  std::optional<JuliaPoint> julia = {};
  CustomFormula custom = {};  ///< of kCustom; kept with another formula
  friend auto operator<=>(const EscapeTimeSet&, const EscapeTimeSet&) = default;

  /// Whether its code, if it has any, may run.
  bool may_run() const { return formula != Formula::kCustom || custom.may_run(); }
  bool is_mandelbrot() const { return formula == Formula::kMandelbrot && !julia; }
  /// Whether there is perturbation: for z^2 + c, and for its Julia sets.
  bool perturbs() const { return formula == Formula::kMandelbrot; }
  /// Whether rows that are symmetric about the real axis have the same dwells.
  bool mirrors_rows() const { return row_of(formula).mirrors_rows && (!julia || julia->im == 0); }
  /// Whether the size of every iterate within a border is at most its largest one on the border. The iterates
  /// of a polynomial in conj(z) are polynomials in the first z or in its conjugate, but not in c.
  bool has_maximum_principle() const {
    const Analyticity analyticity = row_of(formula).analyticity;
    return analyticity == Analyticity::kPolynomial || (analyticity == Analyticity::kConjugate && julia);
  }
};
/// What shows a whole set.
PlaneRectangle whole_of(const EscapeTimeSet& set);
/// "burning-ship", "multibrot 4", "Julia set of tricorn at -0.1 + 0.2 i" ...
std::string to_string(const EscapeTimeSet& set);
/// Throws InputError with the allowed values.
void validate(const EscapeTimeSet& set);

/// "RE,IM"; "off" for none. The parser throws InputError.
std::string to_string(const std::optional<JuliaPoint>& point);
std::optional<JuliaPoint> parse_julia_point(std::string_view text);

}  // namespace loom
