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

/// The text for messages: at most 40 characters.
std::string shortened(std::string_view text) {
  constexpr std::size_t kMost = 40;
  return text.size() <= kMost ? std::string(text) : std::string(text.substr(0, kMost)) + "...";
}

/// The power of ten of the last digit of a moved centre.
std::int64_t lowest_of(const DecimalView& view) {
  return view.width.power() - kCentreDigits;
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
  const auto check_number = [](std::string_view name, const std::string& text) {
    if (!is_decimal(text)) throw bad_number(name, text);
    power_of(name, text);
  };
  const auto check_part = [&](std::string_view name, const Decimal& part) {
    const std::string text = part.text();
    check_number(name, text);
    if (std::fabs(part.rounded().value()) <= kMaxDecimalCentre) return;
    throw InputError(fmt::format("{}: {} is not allowed; allowed: {} to {}", name, shortened(text),
                                 -kMaxDecimalCentre, kMaxDecimalCentre));
  };
  check_part("center re", view.re);
  check_part("center im", view.im);
  const std::string width = view.width.text();
  check_number("width", width);
  const FloatExp<double> rounded = view.width.rounded();
  const bool is_positive = !rounded.is_zero() && rounded.mantissa > 0;
  if (is_positive && view.width.power() >= kLeastWidthPower &&
      rounded.value() <= std::pow(10, kMaxWidthPower))
    return;
  throw InputError(fmt::format("width: {} is not allowed; allowed: 1e{} to 1e{}", shortened(width),
                               kLeastWidthPower, kMaxWidthPower));
}

DecimalView moved(const DecimalView& view, double right, double down, double factor) {
  constexpr std::int64_t kBits = 192;  // of products of a width and a double, without rounding
  constexpr int kWidthDigits = 20;
  const BigReal width(view.width.leading(), kBits);
  DecimalView result = view;
  BigReal product(kBits);
  if (factor != 1) {
    mpfr_mul_d(product.get(), width.get(), factor, MPFR_RNDN);
    result.width = text_of(product.get(), "%.*Rg", kWidthDigits);
  }
  const std::int64_t lowest = lowest_of(result);
  const auto move = [&](Decimal& part, double by) {
    if (by == 0) return;
    mpfr_mul_d(product.get(), width.get(), by, MPFR_RNDN);
    const std::int64_t digits = Decimal(text_of(product.get(), "%.*Re", 1)).power() - lowest;
    if (digits >= 0) part = part.plus(text_of(product.get(), "%.*Re", static_cast<int>(digits)));
  };
  move(result.re, right);
  move(result.im, down);
  return result;
}

ViewDigits digits_of(const DecimalView& view) {
  const std::int64_t lowest = lowest_of(view);
  return {view.re.text(lowest), view.im.text(lowest), view.width.text()};
}

ViewDigits shown_digits_of(const DecimalView& view) {
  const std::int64_t lowest = lowest_of(view);
  return {view.re.shown(lowest), view.im.shown(lowest), view.width.shown()};
}

DecimalOffset offset_between(const DecimalView& from, const DecimalView& to) {
  constexpr std::int64_t kBits = 128;
  const BigReal width(from.width.leading(), kBits);
  const auto in_widths = [&](const std::string& distance) {
    BigReal quotient(distance, kBits);
    mpfr_div(quotient.get(), quotient.get(), width.get(), MPFR_RNDN);
    return mpfr_get_d(quotient.get(), MPFR_RNDN);
  };
  return {in_widths(difference(to.re, from.re)), in_widths(difference(to.im, from.im)),
          in_widths(to.width.leading())};
}

std::string decimal_text(FloatExp<double> number) {
  BigReal value(64);
  mpfr_set_d(value.get(), number.mantissa, MPFR_RNDN);
  if (!number.is_zero()) mpfr_mul_2si(value.get(), value.get(), number.exponent, MPFR_RNDN);
  char text[64];
  mpfr_snprintf(text, sizeof(text), "%.5Re", value.get());
  return text;
}

std::string shortened_decimal(const Decimal& number, int digits) {
  return text_of(BigReal(number.leading(), 64).get(), "%.*Rg", digits);
}

std::string decimal_quotient(unsigned numerator, const Decimal& number) {
  constexpr std::int64_t kBits = 128;
  constexpr int kDigits = 20;
  const BigReal divisor(number.leading(), kBits);
  BigReal quotient(kBits);
  mpfr_ui_div(quotient.get(), numerator, divisor.get(), MPFR_RNDN);
  return text_of(quotient.get(), "%.*Rg", kDigits);
}

std::uint32_t default_dwell_limit(const Decimal& width) {
  constexpr std::int64_t kWhole = 2;  // exponent of a width of 4
  return dwell_limit_of_depth(static_cast<double>(kWhole - width.rounded().exponent));
}

std::int64_t reference_bits(const DecimalView& view) {
  constexpr std::int64_t kPixelAndRounding = 96;
  const FloatExp<double> width = view.width.rounded();
  return std::max<std::int64_t>(-width.exponent, 0) + kPixelAndRounding;
}

std::int64_t digits_needed(const DecimalView& view) {
  constexpr int kOfPixel = 4;
  const FloatExp<double> width = view.width.rounded();
  return std::max<std::int64_t>(static_cast<std::int64_t>(-width.exponent * std::log10(2.0)) + kOfPixel, 1);
}

}  // namespace loom
