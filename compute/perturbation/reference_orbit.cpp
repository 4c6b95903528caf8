#include "compute/perturbation/reference_orbit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <new>

#include "compute/core/error.h"
#include "compute/mandelbrot/big_real.h"

namespace loom {

ComplexExp<double> ReferenceOrbit::at(std::uint32_t index) const {
  const Complex<double> point = points[index];
  if (index == 0 || exponent_of(larger_part(point)) >= kTinyExponent) return ComplexExp<double>(point);
  const auto found = std::lower_bound(tiny.begin(), tiny.end(), index,
                                      [](const TinyPoint& a, std::uint32_t b) { return a.index < b; });
  return found->value;
}

ReferenceOrbit compute_reference_orbit(const DecimalView& view, std::int64_t bits, FloatExp<double> radius,
                                       std::uint32_t limit, std::uint64_t available,
                                       const ProgressScope& call) {
  constexpr std::uint64_t kNumbers = 12;  // of MPFR, with its own temporary ones
  const auto check_room = [&](std::uint64_t needed) {
    if (needed <= available) return;
    throw CapacityError(fmt::format("a reference orbit of {} bits needs {}, but only {} are free", bits,
                                    describe_bytes(needed), describe_bytes(available)),
                        needed, available);
  };
  const std::uint64_t number_bytes = kNumbers * static_cast<std::uint64_t>(bits) / 8;
  check_room(number_bytes);
  const BigReal re(view.re, bits);
  const BigReal im(view.im, bits);
  BigReal x(bits);
  BigReal y(bits);
  BigReal square_x(bits);
  BigReal square_y(bits);
  BigReal sum(bits);
  ReferenceOrbit orbit;
  orbit.bits = bits;
  orbit.points.push_back({0, 0});
  ComplexExp<double> derivative;  // dZ/dc
  const ComplexExp<double> one(Complex<double>{1, 0});
  // Work between two polls: about a hundred thousand limbs.
  const auto poll_every = static_cast<std::uint32_t>(std::max<std::int64_t>(1, 6'000'000 / bits));
  std::uint32_t reported = 0;
  mpfr_set(x.get(), re.get(), MPFR_RNDN);
  mpfr_set(y.get(), im.get(), MPFR_RNDN);
  ComplexExp<double> before;
  for (std::uint32_t n = 1;; ++n) {
    if ((n - 1) % poll_every == 0) {
      call.check();
      call.advance(n - 1 - reported);
      reported = n - 1;
    }
    const ComplexExp<double> point = rounded(x.get(), y.get());
    derivative = (before * derivative).doubled() + one;
    before = point;
    const bool is_tiny = point.exponent < kTinyExponent;
    if (orbit.points.size() == orbit.points.capacity())
      check_room(number_bytes + 3 * orbit.points.size() * sizeof(Complex<double>));
    try {
      orbit.points.push_back(point.value());
      if (is_tiny) orbit.tiny.push_back({n, point});
    } catch (const std::bad_alloc&) {
      check_room(~std::uint64_t{0});
    }
    const Complex<double> z = orbit.points.back();
    const double square = z.re * z.re + z.im * z.im;
    if (std::fabs(square - 4) < kEdge) {
      mpfr_sqr(square_x.get(), x.get(), MPFR_RNDN);
      mpfr_sqr(square_y.get(), y.get(), MPFR_RNDN);
      mpfr_add(sum.get(), square_x.get(), square_y.get(), MPFR_RNDN);
      mpfr_sub_ui(sum.get(), sum.get(), 4, MPFR_RNDN);
      orbit.edges.push_back({n, rounded(sum.get())});
    }
    if (!(square < kReferenceEscape)) {
      orbit.end = OrbitEnd::kEscape;
      break;
    }
    const FloatExp<double> least = point.larger() / derivative.larger();
    if (!(radius < least)) {
      orbit.end = OrbitEnd::kPeriod;
      orbit.least_radius = least;
      break;
    }
    if (n >= limit) break;
    // (x + y)^2 - x^2 - y^2 = 2 x y: three squares are faster than two squares and a product.
    mpfr_sqr(square_x.get(), x.get(), MPFR_RNDN);
    mpfr_sqr(square_y.get(), y.get(), MPFR_RNDN);
    mpfr_add(sum.get(), x.get(), y.get(), MPFR_RNDN);
    mpfr_sqr(sum.get(), sum.get(), MPFR_RNDN);
    mpfr_sub(x.get(), square_x.get(), square_y.get(), MPFR_RNDN);
    mpfr_add(x.get(), x.get(), re.get(), MPFR_RNDN);
    mpfr_add(square_x.get(), square_x.get(), square_y.get(), MPFR_RNDN);
    mpfr_sub(y.get(), sum.get(), square_x.get(), MPFR_RNDN);
    mpfr_add(y.get(), y.get(), im.get(), MPFR_RNDN);
  }
  call.advance(limit > reported ? limit - reported : 0);
  return orbit;
}

}  // namespace loom
