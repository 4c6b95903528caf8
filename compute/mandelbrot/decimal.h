#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compute/mandelbrot/float_exp.h"

namespace loom {

/// Whether a text is a decimal number: a sign, digits with at most one point, and an exponent after e, of
/// which only digits are required.
bool is_decimal(std::string_view text);

/// A decimal number of any length. Copies share its digits, and so does a number near it, which adds a short
/// offset to them: only text(), a new number, and numbers that do not share their digits take time that grows
/// with the length.
class Decimal {
 public:
  Decimal() : Decimal("0") {}
  /// A text that is_decimal() refuses is kept for messages and has the value 0.
  Decimal(std::string text);
  Decimal(const char* text) : Decimal(std::string(text)) {}

  /// The digits that were given; of a sum, all of them, or those of the nearest multiple of 10^`lowest`.
  std::string text(std::int64_t lowest = kAllDigits) const;
  /// text() if it is short enough for a line on the screen; otherwise the first digits and their number.
  std::string shown(std::int64_t lowest = kAllDigits) const;
  static constexpr std::int64_t kAllDigits = std::numeric_limits<std::int64_t>::min();

  /// The sum with a short number.
  Decimal plus(const Decimal& number) const;
  /// The number cut off after 34 or more significant digits, as a short text.
  std::string leading() const;
  FloatExp<double> rounded() const;
  /// The floor of the decimal logarithm of the absolute value; 0 for zero.
  std::int64_t power() const;

  /// a - b as Decimal::leading().
  friend std::string difference(const Decimal& a, const Decimal& b);
  /// Whether the numbers are the same, however they are written.
  friend bool operator==(const Decimal& a, const Decimal& b);

 private:
  struct Digits;
  /// A number of a sum, with its sign.
  struct Term {
    const Digits* digits;
    int sign;
  };
  std::vector<Term> terms() const;

  std::shared_ptr<const Digits> digits_;
  std::shared_ptr<const Digits> offset_;  ///< null: 0
};

}  // namespace loom
