#pragma once

#include <mpfr.h>

#include <cstdint>
#include <string>

#include "compute/mandelbrot/double_double.h"
#include "compute/mandelbrot/float_exp.h"

namespace loom {

/// A number of MPFR that frees its memory.
class BigReal {
 public:
  /// Zero with a mantissa of `bits`.
  explicit BigReal(std::int64_t bits) {
    mpfr_init2(value_, static_cast<mpfr_prec_t>(bits));
    mpfr_set_zero(value_, 1);
  }
  /// The decimal number `text`, which has the form that is_decimal() tests, rounded to `bits`.
  BigReal(const std::string& text, std::int64_t bits) : BigReal(bits) {
    mpfr_set_str(value_, text.c_str(), 10, MPFR_RNDN);
  }
  ~BigReal() { mpfr_clear(value_); }
  BigReal(const BigReal&) = delete;
  BigReal& operator=(const BigReal&) = delete;

  mpfr_ptr get() { return value_; }
  mpfr_srcptr get() const { return value_; }

 private:
  mpfr_t value_;
};

/// The value rounded to a double mantissa.
inline FloatExp<double> rounded(mpfr_srcptr x) {
  if (mpfr_zero_p(x) != 0) return {};
  long exponent = 0;
  const double mantissa = mpfr_get_d_2exp(&exponent, x, MPFR_RNDN);
  return {mantissa, static_cast<std::int32_t>(exponent)};
}

/// The value rounded to two doubles.
inline FloatExp<DoubleDouble> rounded_twice(mpfr_srcptr x) {
  const FloatExp<double> high = rounded(x);
  if (high.is_zero()) return {};
  BigReal rest(mpfr_get_prec(x));
  mpfr_set_d(rest.get(), high.mantissa, MPFR_RNDN);
  mpfr_mul_2si(rest.get(), rest.get(), high.exponent, MPFR_RNDN);
  mpfr_sub(rest.get(), x, rest.get(), MPFR_RNDN);
  mpfr_mul_2si(rest.get(), rest.get(), -high.exponent, MPFR_RNDN);
  return {DoubleDouble(high.mantissa) + DoubleDouble(mpfr_get_d(rest.get(), MPFR_RNDN)), high.exponent};
}

/// The value in a format of mpfr_asprintf ("%.*Rf" or "%.*Rg") with `digits` digits; a fraction has no zeros
/// at its end.
inline std::string text_of(mpfr_srcptr x, const char* format, int digits) {
  char* formatted = nullptr;
  mpfr_asprintf(&formatted, format, digits, x);
  std::string text(formatted);
  mpfr_free_str(formatted);
  if (text.find('.') != std::string::npos && text.find('e') == std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text == "-0" ? "0" : text;
}

/// re + i im.
template <typename Real>
ComplexExp<Real> complex_of(FloatExp<Real> re, FloatExp<Real> im) {
  constexpr int kFar = 200;  // below the rounding of the larger part
  const std::int32_t exponent = re.exponent < im.exponent ? im.exponent : re.exponent;
  const auto part = [exponent](FloatExp<Real> x) {
    const int shift = x.exponent - exponent;
    return shift < -kFar ? Real{0} : x.mantissa * power_of_two<Real>(shift);
  };
  return {part(re), part(im), exponent};
}
inline ComplexExp<double> rounded(mpfr_srcptr re, mpfr_srcptr im) {
  return complex_of(rounded(re), rounded(im));
}

}  // namespace loom
