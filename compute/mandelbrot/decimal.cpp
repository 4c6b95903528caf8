#include "compute/mandelbrot/decimal.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>
#include <vector>

#include "compute/mandelbrot/big_real.h"

namespace loom {
namespace {

/// The index of the letter before the exponent, or npos. Texts may have millions of digits.
std::size_t find_exponent(std::string_view text) {
  return std::min(text.find('e'), text.find('E'));
}

}  // namespace

bool is_decimal(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  const std::size_t e = find_exponent(text);
  const std::string_view number = text.substr(0, e);
  const auto points = std::count(number.begin(), number.end(), '.');
  const auto digits = std::count_if(number.begin(), number.end(), is_digit);
  if (digits == 0 || points > 1 || static_cast<std::size_t>(digits + points) != number.size()) return false;
  if (e == std::string_view::npos) return true;
  std::string_view power = text.substr(e + 1);
  if (!power.empty() && (power.front() == '-' || power.front() == '+')) power.remove_prefix(1);
  return !power.empty() && std::all_of(power.begin(), power.end(), is_digit);
}

/// A text with the place of its digits.
struct Decimal::Digits {
  std::string text;
  bool negative = false;
  std::size_t first = 0;    ///< the first digit above 0; text.size() for zero
  std::size_t point = 0;    ///< the decimal point; where there is none, the end of the text
  std::int64_t top = 0;     ///< power of ten of the first digit
  std::int64_t bottom = 1;  ///< of the last digit; above `top` for zero

  explicit Digits(std::string number) : text(std::move(number)), first(text.size()), point(text.size()) {
    if (!is_decimal(text)) return;
    negative = text.front() == '-';
    const std::size_t end = std::min(find_exponent(text), text.size());
    point = std::min(text.find('.'), text.size());
    const std::size_t whole = std::min(point, end);
    const auto is_nonzero = [](char c) { return c > '0' && c <= '9'; };
    const auto begin = text.begin();
    const auto mantissa_end = begin + static_cast<std::ptrdiff_t>(end);
    const auto found = std::find_if(begin, mantissa_end, is_nonzero);
    if (found == mantissa_end) return;
    first = static_cast<std::size_t>(found - begin);
    std::size_t last = end - 1;
    while (!is_nonzero(text[last])) --last;
    std::int64_t power = 0;
    if (end < text.size()) {
      const std::size_t sign = text[end + 1] == '+' ? 2 : 1;
      constexpr std::int64_t kFar = 200'000'000;  // validate() allows less
      const auto read = std::from_chars(text.data() + end + sign, text.data() + text.size(), power);
      if (read.ec != std::errc{}) power = text[end + 1] == '-' ? -kFar : kFar;
      power = std::clamp(power, -kFar, kFar);
    }
    const auto power_of = [&](std::size_t i) {
      const auto behind = static_cast<std::int64_t>(i) - static_cast<std::int64_t>(whole);
      return power - (i < whole ? behind + 1 : behind);
    };
    top = power_of(first);
    bottom = power_of(last);
  }

  bool is_zero() const { return top < bottom; }
  /// The digit at 10^`power`.
  int at(std::int64_t power) const {
    if (power > top || power < bottom) return 0;
    std::size_t i = first + static_cast<std::size_t>(top - power);
    if (first < point && i >= point) ++i;
    return text[i] - '0';
  }

  using Terms = std::vector<Term>;
  static void add(Terms& terms, const std::shared_ptr<const Digits>& digits, int sign) {
    if (digits && !digits->is_zero()) terms.push_back({digits.get(), digits->negative ? -sign : sign});
  }
  static int sum_at(const Terms& terms, std::int64_t power) {
    int sum = 0;
    for (const Term& term : terms) sum += term.sign * term.digits->at(power);
    return sum;
  }
  static std::int64_t top_of(const Terms& terms) {
    return std::ranges::max(terms, {}, [](const Term& term) { return term.digits->top; }).digits->top;
  }
  static std::int64_t bottom_of(const Terms& terms) {
    return std::ranges::min(terms, {}, [](const Term& term) { return term.digits->bottom; }).digits->bottom;
  }

  /// The sum cut off after at least 34 significant digits. `begin` is a power above which the sum has no
  /// digits.
  static std::string leading(const Terms& terms, std::int64_t begin) {
    __extension__ using Wide = __int128;
    constexpr Wide kEnough = Wide{1'000'000'000'000'000'000} * 10'000'000'000'000'000;
    Wide sum = 0;
    std::int64_t power = begin;
    const std::int64_t bottom = bottom_of(terms);
    while (power >= bottom && sum < kEnough && -sum < kEnough) {
      // Equal digits cancel; a gap between the numbers has none.
      if (sum == 0) {
        std::int64_t next = bottom;
        for (const Term& term : terms)
          if (term.digits->bottom <= power) next = std::max(next, std::min(power, term.digits->top));
        power = next;
      }
      sum = sum * 10 + sum_at(terms, power--);
    }
    return fmt::format("{}e{}", sum, power + 1);
  }

  /// The sum in digits, rounded to a multiple of 10^`lowest`, or all of them (kAllDigits).
  static std::string text_of_sum(const Terms& terms, std::int64_t lowest) {
    const std::int64_t bottom = bottom_of(terms);
    const std::int64_t top = top_of(terms);
    std::string digits;  // as numbers, the least significant one first
    int carry = 0;
    for (std::int64_t power = bottom; power <= top || carry > 0; ++power) {
      const int sum = sum_at(terms, power) + carry;
      carry = sum >= 0 ? sum / 10 : -((9 - sum) / 10);
      digits += static_cast<char>(sum - 10 * carry);
    }
    const bool negative = carry < 0;
    if (negative) {  // the absolute value is -carry 10^size - digits
      int borrow = 0;
      for (char& digit : digits) {
        const int value = -digit - borrow;
        borrow = value < 0 ? 1 : 0;
        digit = static_cast<char>(value + 10 * borrow);
      }
      digits += static_cast<char>(-carry - borrow);
    }
    std::int64_t last = bottom;
    if (lowest > bottom) {
      const auto cut = static_cast<std::size_t>(
          std::min<std::int64_t>(lowest - bottom, static_cast<std::int64_t>(digits.size())));
      const bool up = cut == static_cast<std::size_t>(lowest - bottom) && digits[cut - 1] >= 5;
      digits.erase(0, cut);
      last = lowest;
      if (up) {
        std::size_t i = 0;
        while (i < digits.size() && digits[i] == 9) digits[i++] = 0;
        i < digits.size() ? void(++digits[i]) : digits.push_back(1);
      }
    }
    return fixed_or_scientific(digits, last, negative);
  }

 private:
  /// `digits` x 10^`last`, the least significant digit first and as a number.
  static std::string fixed_or_scientific(std::string& digits, std::int64_t last, bool negative) {
    constexpr std::int64_t kMaxZeros = 20;  // written behind the point
    while (!digits.empty() && digits.back() == 0) digits.pop_back();
    const std::size_t zeros = std::min(digits.find_first_not_of('\0'), digits.size());
    digits.erase(0, zeros);
    last += static_cast<std::int64_t>(zeros);
    if (digits.empty()) return "0";
    std::reverse(digits.begin(), digits.end());
    for (char& digit : digits) digit = static_cast<char>(digit + '0');
    const std::int64_t top = last + static_cast<std::int64_t>(digits.size()) - 1;
    if (top < -kMaxZeros || last > kMaxZeros) {
      if (digits.size() > 1) digits.insert(1, 1, '.');
      digits += fmt::format("e{}", top);
    } else if (top < 0) {
      digits.insert(0, "0." + std::string(static_cast<std::size_t>(-top - 1), '0'));
    } else if (last < 0) {
      digits.insert(static_cast<std::size_t>(top) + 1, ".");
    } else {
      digits.append(static_cast<std::size_t>(last), '0');
    }
    return negative ? "-" + digits : digits;
  }
};

Decimal::Decimal(std::string text) : digits_(std::make_shared<const Digits>(std::move(text))) {}

std::string Decimal::text(std::int64_t lowest) const {
  if (!offset_) return digits_->text;
  const Digits::Terms terms = this->terms();
  return terms.empty() ? "0" : Digits::text_of_sum(terms, lowest);
}

std::string Decimal::shown(std::int64_t lowest) const {
  constexpr std::int64_t kMost = 10'000;
  constexpr int kFirst = 30;
  const Digits::Terms terms = this->terms();
  std::int64_t count = 0;
  if (!terms.empty()) {
    const std::int64_t bottom = Digits::bottom_of(terms);
    count = Digits::top_of(terms) - (offset_ ? std::max(bottom, lowest) : bottom) + 1;
  }
  const bool is_long = offset_ ? count > kMost : static_cast<std::int64_t>(digits_->text.size()) > kMost;
  if (!is_long) return text(lowest);
  return fmt::format("{}... ({} digits)", text_of(BigReal(leading(), 128).get(), "%.*Rg", kFirst), count);
}

Decimal Decimal::plus(const Decimal& number) const {
  Digits::Terms terms;
  Digits::add(terms, offset_, 1);
  Digits::add(terms, number.digits_, 1);
  Digits::add(terms, number.offset_, 1);
  Decimal sum = *this;
  sum.offset_ = nullptr;
  if (terms.empty()) return sum;
  auto offset = std::make_shared<const Digits>(Digits::text_of_sum(terms, kAllDigits));
  if (!offset->is_zero()) sum.offset_ = std::move(offset);
  return sum;
}

std::vector<Decimal::Term> Decimal::terms() const {
  Digits::Terms terms;
  Digits::add(terms, digits_, 1);
  Digits::add(terms, offset_, 1);
  return terms;
}

std::string Decimal::leading() const {
  const Digits::Terms terms = this->terms();
  return terms.empty() ? "0" : Digits::leading(terms, Digits::top_of(terms));
}

FloatExp<double> Decimal::rounded() const {
  return loom::rounded(BigReal(leading(), 64).get());
}

std::int64_t Decimal::power() const {
  const Digits first(leading());
  return first.is_zero() ? 0 : first.top;
}

std::string difference(const Decimal& a, const Decimal& b) {
  using Digits = Decimal::Digits;
  Digits::Terms terms;
  Digits::add(terms, a.offset_, 1);
  Digits::add(terms, b.offset_, -1);
  constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::min();
  std::int64_t begin = terms.empty() ? kNone : Digits::top_of(terms);
  const Digits& first = *a.digits_;
  const Digits& second = *b.digits_;
  if (a.digits_ != b.digits_ && first.text != second.text) {
    std::int64_t top = std::max(first.top, second.top);
    // Equal digits at the beginning cancel.
    if (first.negative == second.negative && first.top == second.top && first.first == second.first &&
        first.point == second.point) {
      const auto differ =
          std::mismatch(first.text.begin(), first.text.end(), second.text.begin(), second.text.end()).first;
      const auto equal = differ - first.text.begin() - static_cast<std::ptrdiff_t>(first.first);
      top -= std::max<std::int64_t>(0, equal - 1);  // one of them may be the point
    }
    Digits::add(terms, a.digits_, 1);
    Digits::add(terms, b.digits_, -1);
    begin = std::max(begin, top);
  }
  return terms.empty() ? "0" : Digits::leading(terms, begin);
}

bool operator==(const Decimal& a, const Decimal& b) {
  return (a.digits_ == b.digits_ && a.offset_ == b.offset_) || difference(a, b).front() == '0';
}

}  // namespace loom
