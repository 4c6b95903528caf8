#include "compute/mandelbrot/decimal_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "compute/core/error.h"
#include "compute/mandelbrot/big_real.h"
#include "compute/mandelbrot/mandelbrot_config.h"

namespace loom {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// The text for messages: at most 40 characters.
std::string shortened(std::string_view text) {
  constexpr std::size_t kMost = 40;
  return text.size() <= kMost ? std::string(text) : std::string(text.substr(0, kMost)) + "...";
}

InputError bad_number(std::string_view name, std::string_view text) {
  return InputError(fmt::format("{}: '{}' is not allowed; allowed: a decimal number like -0.75 or 1.5e-30",
                                name, shortened(text)));
}

/// The exponent after e, 0 without one. Throws if it has more digits than a number of MPFR can have.
long power_of(std::string_view name, std::string_view text) {
  const std::size_t e = text.find_first_of("eE");
  if (e == std::string_view::npos) return 0;
  std::string_view digits = text.substr(e + 1);
  if (digits.front() == '+') digits.remove_prefix(1);
  long power = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), power);
  constexpr long kMost = 100'000'000;
  if (read.ec == std::errc{} && power >= -kMost && power <= kMost) return power;
  throw InputError(fmt::format("{}: the exponent of '{}' is not allowed; allowed: {} to {}", name,
                               shortened(text), -kMost, kMost));
}

}  // namespace

bool is_decimal(std::string_view text) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  const std::size_t e = text.find_first_of("eE");
  const std::string_view number = text.substr(0, e);
  const auto points = std::count(number.begin(), number.end(), '.');
  const auto digits = std::count_if(number.begin(), number.end(), is_digit);
  if (digits == 0 || points > 1 || static_cast<std::size_t>(digits + points) != number.size()) return false;
  if (e == std::string_view::npos) return true;
  std::string_view power = text.substr(e + 1);
  if (!power.empty() && (power.front() == '-' || power.front() == '+')) power.remove_prefix(1);
  return !power.empty() && std::all_of(power.begin(), power.end(), is_digit);
}

DecimalView parse_decimal_view(std::string_view center, std::string_view width) {
  const std::size_t comma = center.find(',');
  if (comma == std::string_view::npos || center.find(',', comma + 1) != std::string_view::npos) {
    throw InputError(fmt::format(
        "center: '{}' is not allowed; allowed: RE,IM with decimal numbers of any length", shortened(center)));
  }
  DecimalView view{std::string(center.substr(0, comma)), std::string(center.substr(comma + 1)),
                   std::string(width)};
  validate(view);
  return view;
}

void validate(const DecimalView& view) {
  const auto check_part = [](std::string_view name, const std::string& text) {
    if (!is_decimal(text)) throw bad_number(name, text);
    power_of(name, text);
    if (std::fabs(rounded_decimal(text).value()) <= kMaxDecimalCentre) return;
    throw InputError(fmt::format("{}: {} is not allowed; allowed: {} to {}", name, shortened(text),
                                 -kMaxDecimalCentre, kMaxDecimalCentre));
  };
  check_part("center re", view.re);
  check_part("center im", view.im);
  if (!is_decimal(view.width)) throw bad_number("width", view.width);
  power_of("width", view.width);
  const FloatExp<double> width = rounded_decimal(view.width);
  const double power = width.is_zero() || width.mantissa < 0
                           ? 1e300
                           : (width.exponent + std::log2(width.mantissa)) * std::log10(2.0);
  if (power >= kLeastWidthPower && power <= kMaxWidthPower) return;
  throw InputError(fmt::format("width: {} is not allowed; allowed: 1e{} to 1e{}", shortened(view.width),
                               kLeastWidthPower, kMaxWidthPower));
}

FloatExp<double> rounded_decimal(const std::string& text) {
  const BigReal number(text, 64);
  if (mpfr_zero_p(number.get()) != 0) return {};
  long exponent = 0;
  const double mantissa = mpfr_get_d_2exp(&exponent, number.get(), MPFR_RNDN);
  return {mantissa, static_cast<std::int32_t>(exponent)};
}

DecimalView moved(const DecimalView& view, double right, double down, double factor) {
  constexpr std::int64_t kMoreBits = 64;
  constexpr int kWidthDigits = 20;
  const BigReal width(view.width, reference_bits(view) + kMoreBits);
  DecimalView result = view;
  if (factor != 1) {
    BigReal scaled(mpfr_get_prec(width.get()));
    mpfr_mul_d(scaled.get(), width.get(), factor, MPFR_RNDN);
    result.width = text_of(scaled.get(), "%.*Rg", kWidthDigits);
  }
  const std::int64_t bits = std::max(reference_bits(view), reference_bits(result)) + kMoreBits;
  const auto digits =
      static_cast<int>(static_cast<double>(reference_bits(result) + kMoreBits) * std::log10(2.0));
  const auto moved_part = [&](const std::string& part, double by) {
    const BigReal centre(part, bits);
    BigReal sum(bits);
    mpfr_mul_d(sum.get(), width.get(), by, MPFR_RNDN);
    mpfr_add(sum.get(), sum.get(), centre.get(), MPFR_RNDN);
    return text_of(sum.get(), "%.*Rf", digits);
  };
  if (right != 0) result.re = moved_part(view.re, right);
  if (down != 0) result.im = moved_part(view.im, down);
  return result;
}

DecimalOffset offset_between(const DecimalView& from, const DecimalView& to) {
  const std::int64_t bits = std::max(reference_bits(from), reference_bits(to));
  const BigReal width(from.width, bits);
  const auto in_widths = [&](const std::string& low, const std::string& high) {
    if (low == high) return 0.0;
    const BigReal begin(low, bits);
    BigReal end(high, bits);
    mpfr_sub(end.get(), end.get(), begin.get(), MPFR_RNDN);
    mpfr_div(end.get(), end.get(), width.get(), MPFR_RNDN);
    return mpfr_get_d(end.get(), MPFR_RNDN);
  };
  return {in_widths(from.re, to.re), in_widths(from.im, to.im), in_widths("0", to.width)};
}

std::string decimal_text(FloatExp<double> number) {
  BigReal value(64);
  mpfr_set_d(value.get(), number.mantissa, MPFR_RNDN);
  if (!number.is_zero()) mpfr_mul_2si(value.get(), value.get(), number.exponent, MPFR_RNDN);
  char text[64];
  mpfr_snprintf(text, sizeof(text), "%.5Re", value.get());
  return text;
}

std::string shortened_decimal(const std::string& number, int digits) {
  return text_of(BigReal(number, 64).get(), "%.*Rg", digits);
}

std::string decimal_quotient(unsigned numerator, const std::string& number) {
  constexpr std::int64_t kBits = 128;
  constexpr int kDigits = 20;
  const BigReal divisor(number, kBits);
  BigReal quotient(kBits);
  mpfr_ui_div(quotient.get(), numerator, divisor.get(), MPFR_RNDN);
  return text_of(quotient.get(), "%.*Rg", kDigits);
}

std::int64_t decimal_power(const std::string& number) {
  const FloatExp<double> value = rounded_decimal(number);
  return static_cast<std::int64_t>(
      std::floor((value.exponent + std::log2(value.mantissa)) * std::log10(2.0)));
}

std::uint32_t default_dwell_limit(const std::string& width) {
  constexpr std::int64_t kWhole = 2;  // exponent of a width of 4
  return dwell_limit_of_depth(static_cast<double>(kWhole - rounded_decimal(width).exponent));
}

std::int64_t reference_bits(const DecimalView& view) {
  constexpr std::int64_t kPixelAndRounding = 96;
  const FloatExp<double> width = rounded_decimal(view.width);
  return std::max<std::int64_t>(-width.exponent, 0) + kPixelAndRounding;
}

std::int64_t digits_needed(const DecimalView& view) {
  constexpr int kOfPixel = 4;
  const FloatExp<double> width = rounded_decimal(view.width);
  return std::max<std::int64_t>(static_cast<std::int64_t>(-width.exponent * std::log10(2.0)) + kOfPixel, 1);
}

}  // namespace loom
