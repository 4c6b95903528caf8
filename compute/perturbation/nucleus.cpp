#include "compute/perturbation/nucleus.h"

#include <algorithm>
#include <cmath>

#include "compute/mandelbrot/big_real.h"
#include "compute/perturbation/reference_orbit.h"

namespace loom {
namespace {

/// A complex number of MPFR.
struct BigComplex {
  explicit BigComplex(std::int64_t bits) : re(bits), im(bits) {}
  void set(const BigComplex& other) {
    mpfr_set(re.get(), other.re.get(), MPFR_RNDN);
    mpfr_set(im.get(), other.im.get(), MPFR_RNDN);
  }
  BigReal re;
  BigReal im;
};

ComplexExp<double> value_of(const BigComplex& z) {
  return rounded(z.re.get(), z.im.get());
}

ComplexExp<double> reciprocal(const ComplexExp<double>& z) {
  const double square = z.re * z.re + z.im * z.im;
  return {z.re / square, -z.im / square, -z.exponent};
}

/// Newton's method for Z_period(c) = 0, with numbers of a number of bits.
class Newton {
 public:
  Newton(std::uint32_t period, std::int64_t bits, const ProgressScope& call)
      : period_(period), bits_(bits), call_(call), z_(bits), slope_(bits), a_(bits), b_(bits), t_(bits) {}

  /// Replaces c by c - Z / Z'. Returns the larger part of the step, and sets the size estimate of c.
  FloatExp<double> step(BigComplex& c) {
    mpfr_set(z_.re.get(), c.re.get(), MPFR_RNDN);
    mpfr_set(z_.im.get(), c.im.get(), MPFR_RNDN);
    mpfr_set_ui(slope_.re.get(), 1, MPFR_RNDN);
    mpfr_set_zero(slope_.im.get(), 1);
    // size = 1 / (sum_n 1 / l_n) / l^2 with l_n the product of 2 Z_1 ... 2 Z_n (n < period).
    ComplexExp<double> product(Complex<double>{1, 0});
    ComplexExp<double> sum(Complex<double>{1, 0});
    divisor_ = 0;
    const auto poll_every = static_cast<std::uint32_t>(std::max<std::int64_t>(1, 2'000'000 / bits_));
    for (std::uint32_t n = 1; n < period_; ++n) {
      if (n % poll_every == 0) call_.check();
      const ComplexExp<double> z = value_of(z_);
      if (divisor_ == 0 && z.exponent < value_of(slope_).exponent - close_bits()) divisor_ = n;
      product = product * z.doubled();
      if (!product.is_zero()) sum = sum + reciprocal(product);
      // slope <- 2 z slope + 1
      multiply(a_, z_, slope_);
      mpfr_mul_2ui(a_.re.get(), a_.re.get(), 1, MPFR_RNDN);
      mpfr_mul_2ui(a_.im.get(), a_.im.get(), 1, MPFR_RNDN);
      mpfr_add_ui(a_.re.get(), a_.re.get(), 1, MPFR_RNDN);
      slope_.set(a_);
      // z <- z^2 + c
      multiply(a_, z_, z_);
      mpfr_add(z_.re.get(), a_.re.get(), c.re.get(), MPFR_RNDN);
      mpfr_add(z_.im.get(), a_.im.get(), c.im.get(), MPFR_RNDN);
    }
    size_ = (reciprocal(sum) * reciprocal(product * product)).larger();
    // z / slope = z conj(slope) / |slope|^2
    mpfr_neg(slope_.im.get(), slope_.im.get(), MPFR_RNDN);
    multiply(a_, z_, slope_);
    mpfr_sqr(b_.re.get(), slope_.re.get(), MPFR_RNDN);
    mpfr_sqr(b_.im.get(), slope_.im.get(), MPFR_RNDN);
    mpfr_add(b_.re.get(), b_.re.get(), b_.im.get(), MPFR_RNDN);
    if (mpfr_zero_p(b_.re.get()) != 0) return {1.0, 0};
    mpfr_div(a_.re.get(), a_.re.get(), b_.re.get(), MPFR_RNDN);
    mpfr_div(a_.im.get(), a_.im.get(), b_.re.get(), MPFR_RNDN);
    mpfr_sub(c.re.get(), c.re.get(), a_.re.get(), MPFR_RNDN);
    mpfr_sub(c.im.get(), c.im.get(), a_.im.get(), MPFR_RNDN);
    return value_of(a_).larger();
  }
  FloatExp<double> size() const { return size_; }
  /// A step below 2^-close_bits() was taken from a root to as many bits; the next one would move none.
  std::int64_t close_bits() const { return bits_ / 4 * 3; }
  /// The first n < period with a root of Z_n as close to the last step's c; 0 for none.
  std::uint32_t divisor() const { return divisor_; }

 private:
  /// to = x y, which are other numbers.
  void multiply(BigComplex& to, const BigComplex& x, const BigComplex& y) {
    mpfr_mul(to.re.get(), x.re.get(), y.re.get(), MPFR_RNDN);
    mpfr_mul(t_.re.get(), x.im.get(), y.im.get(), MPFR_RNDN);
    mpfr_sub(to.re.get(), to.re.get(), t_.re.get(), MPFR_RNDN);
    mpfr_mul(to.im.get(), x.re.get(), y.im.get(), MPFR_RNDN);
    mpfr_mul(t_.im.get(), x.im.get(), y.re.get(), MPFR_RNDN);
    mpfr_add(to.im.get(), to.im.get(), t_.im.get(), MPFR_RNDN);
  }

  std::uint32_t period_;
  std::int64_t bits_;
  const ProgressScope& call_;
  BigComplex z_, slope_, a_, b_, t_;
  FloatExp<double> size_;
  std::uint32_t divisor_ = 0;
};

}  // namespace

std::optional<Nucleus> find_nucleus(const DecimalView& view, std::uint32_t width, std::uint32_t height,
                                    std::uint32_t max_period, std::uint64_t available,
                                    const ProgressScope& call) {
  constexpr std::uint32_t kMostSteps = 100;
  std::int64_t bits = reference_bits(view);
  FloatExp<double> radius = view.width.rounded();
  radius = radius * FloatExp<double>(0.5 * std::hypot(1.0, static_cast<double>(height) / width));
  const ReferenceOrbit orbit = compute_reference_orbit(view, bits, radius, max_period, available, call);
  if (orbit.end != OrbitEnd::kPeriod) return std::nullopt;
  const ViewDigits centre = digits_of(view);
  Nucleus nucleus;
  nucleus.period = orbit.length();
  // A minibrot is about as wide as the square of a view that shows its surroundings.
  bits = 2 * bits;
  for (;;) {
    Newton newton(nucleus.period, bits, call);
    BigComplex c(bits);
    mpfr_set_str(c.re.get(), (nucleus.re.empty() ? centre.re : nucleus.re).c_str(), 10, MPFR_RNDN);
    mpfr_set_str(c.im.get(), (nucleus.re.empty() ? centre.im : nucleus.im).c_str(), 10, MPFR_RNDN);
    FloatExp<double> moved;
    FloatExp<double> step;
    do {
      if (nucleus.newton_steps == kMostSteps) return std::nullopt;
      step = newton.step(c);
      ++nucleus.newton_steps;
      moved = moved + step;
      if (radius + radius < moved) return std::nullopt;
    } while (-static_cast<std::int64_t>(step.exponent) < newton.close_bits() && !step.is_zero());
    if (newton.divisor() != 0) {  // a nucleus of a lower period, which divides this one
      nucleus.period = newton.divisor();
      nucleus.re =
          text_of(c.re.get(), "%.*Rf", static_cast<int>(static_cast<double>(bits) * std::log10(2.0)));
      nucleus.im =
          text_of(c.im.get(), "%.*Rf", static_cast<int>(static_cast<double>(bits) * std::log10(2.0)));
      continue;
    }
    const std::int64_t needed = std::max<std::int64_t>(0, -newton.size().exponent) + 96;
    const auto digits = static_cast<int>(static_cast<double>(std::min(bits, needed)) * std::log10(2.0));
    nucleus.re = text_of(c.re.get(), "%.*Rf", digits);
    nucleus.im = text_of(c.im.get(), "%.*Rf", digits);
    nucleus.size = decimal_text(newton.size());
    if (needed <= bits) return nucleus;
    bits = needed;
  }
}

}  // namespace loom
