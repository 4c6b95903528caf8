#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "compute/mandelbrot/decimal.h"
#include "compute/mandelbrot/float_exp.h"

namespace loom {

/// A view of any depth: its centre and its width as decimal numbers with any number of digits. Pixel (i, j)
/// of a w x h image is at re - width/2 + i width/w, im - width h/w/2 + j width/w.
struct DecimalView {
  Decimal re = "-0.5";
  Decimal im = "0";
  Decimal width = "4";
  friend bool operator==(const DecimalView& a, const DecimalView& b) {
    return a.width == b.width && a.re == b.re && a.im == b.im;
  }
};

inline constexpr int kMaxDecimalCentre = 1'000'000;
/// Powers of ten of the smallest and the largest width. A point of a reference orbit of the smallest one
/// takes about 50 ms; FloatExp holds its square.
inline constexpr int kLeastWidthPower = -1'000'000;
inline constexpr int kMaxWidthPower = 6;

/// Reads "RE,IM" and a width. Throws InputError, one line with what is allowed.
DecimalView parse_decimal_view(std::string_view center, std::string_view width);
/// Throws InputError like parse_decimal_view().
void validate(const DecimalView& view);

/// A moved centre is written with this number of digits behind the first digit of the width.
inline constexpr int kCentreDigits = 48;
/// The view with its centre moved by parts of its width, which is then multiplied by `factor` > 0 and rounded
/// to 20 digits. A step is a multiple of 10^(p - kCentreDigits), with 10^p the power of ten of the new width,
/// and is added without rounding. Takes the same time at any depth (Decimal).
DecimalView moved(const DecimalView& view, double right, double down, double factor = 1);

/// The numbers of a view in text: a centre as it was given or, once it is moved, rounded to a multiple of
/// 10^(p - kCentreDigits). A view of this text is the same one.
struct ViewDigits {
  std::string re;
  std::string im;
  std::string width;
};
ViewDigits digits_of(const DecimalView& view);
/// The same for the screen, where long numbers are shortened (Decimal::shown()).
ViewDigits shown_digits_of(const DecimalView& view);

/// Where a view is relative to another one.
struct DecimalOffset {
  double right = 0;  ///< of the centres, in widths of the other view; infinite if double does not hold it
  double down = 0;
  double scale = 1;  ///< its width in widths of the other view
};
DecimalOffset offset_between(const DecimalView& from, const DecimalView& to);

/// A number in decimal text with six digits, like 1.50000e-1234.
std::string decimal_text(FloatExp<double> number);
/// A number in `digits` significant digits for display: "-0.743644", "1.5e-1234".
std::string shortened_decimal(const Decimal& number, int digits);
/// `numerator` / `number` as a decimal number with 20 significant digits. `number` is not 0.
std::string decimal_quotient(unsigned numerator, const Decimal& number);

/// The dwell limit of a view's depth (dwell_limit_of_depth()); the whole set has a width of 4.
std::uint32_t default_dwell_limit(const Decimal& width);

/// Bits of the mantissa that a reference orbit of the view needs: those of the centre relative to a millionth
/// of a pixel, and the rounding of up to 2^32 iterations.
std::int64_t reference_bits(const DecimalView& view);

/// Decimal digits behind the point that the coordinates of the view's pixels need.
std::int64_t digits_needed(const DecimalView& view);

}  // namespace loom
