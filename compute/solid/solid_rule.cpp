#include "compute/solid/solid_rule.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <utility>

#include "compute/core/error.h"
#include "compute/core/input_text.h"

namespace loom {
namespace {

constexpr std::string_view kAllowed =
    "allowed: counts from 0 to 26 with commas and ranges, as in B5..7/S4..7, or Bays' notation, as in 5766";

/// Without spaces, in lower case.
std::string packed(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') continue;
    result += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return result;
}

/// Reads one rule; every error quotes the whole of it.
class RuleReader {
 public:
  explicit RuleReader(std::string_view text) : text_(text), packed_(packed(text)), rest_(packed_) {}

  SolidRule read() {
    if (rest_.empty()) fail_format();
    if (rest_.front() == 'b' || rest_.front() == 's') return read_lists();
    return read_bays();
  }

 private:
  [[noreturn]] void fail_format() const {
    throw InputError(
        fmt::format("rule '{}' is not a rule of three-dimensional life; {}", shown(text_), kAllowed));
  }
  [[noreturn]] void fail_count(std::string_view count) const {
    throw InputError(
        fmt::format("rule '{}': a cell cannot have {} neighbours; {}", shown(text_), shown(count), kAllowed));
  }

  bool take(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  std::uint32_t take_count() {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    const std::string_view digits = rest_.substr(0, static_cast<std::size_t>(end - rest_.data()));
    if (error == std::errc::invalid_argument) fail_format();
    if (error != std::errc{} || value > kSolidNeighbours) fail_count(digits);
    rest_.remove_prefix(digits.size());
    return value;
  }

  /// The counts from `first` to `last`.
  std::uint32_t range(std::uint32_t first, std::uint32_t last) const {
    if (first > last) {
      throw InputError(
          fmt::format("rule '{}': the range {}..{} is empty; {}", shown(text_), first, last, kAllowed));
    }
    std::uint32_t counts = 0;
    for (std::uint32_t c = first; c <= last; ++c) counts |= 1u << c;
    return counts;
  }

  std::uint32_t take_counts() {
    std::uint32_t counts = 0;
    if (rest_.empty() || rest_.front() < '0' || rest_.front() > '9') return counts;
    do {
      const std::uint32_t first = take_count();
      counts |= range(first, take("..") ? take_count() : first);
    } while (take(","));
    return counts;
  }

  SolidRule read_lists() {
    SolidRule rule{0, 0};
    bool seen[2] = {false, false};
    for (int list = 0; list < 2; ++list) {
      if (list == 1) take("/");
      const bool survival = take("s");
      if (!survival && !take("b")) fail_format();
      if (std::exchange(seen[survival ? 1 : 0], true)) fail_format();
      (survival ? rule.survival : rule.birth) = take_counts();
    }
    if (!rest_.empty()) fail_format();
    return rule;
  }

  SolidRule read_bays() {
    std::array<std::uint32_t, 4> limits{};
    if (rest_.size() == 4 && rest_.find_first_not_of("0123456789") == std::string_view::npos) {
      for (std::size_t i = 0; i < limits.size(); ++i) limits[i] = static_cast<std::uint32_t>(rest_[i] - '0');
    } else {
      for (std::size_t i = 0; i < limits.size(); ++i) {
        if (i > 0 && !take(",")) fail_format();
        limits[i] = take_count();
      }
      if (!rest_.empty()) fail_format();
    }
    return {.birth = range(limits[2], limits[3]), .survival = range(limits[0], limits[1])};
  }

  std::string_view text_;
  std::string packed_;
  std::string_view rest_;
};

std::string counts_text(std::uint32_t counts) {
  std::string text;
  for (std::uint32_t first = 0; first <= kSolidNeighbours; ++first) {
    if ((counts >> first & 1u) == 0) continue;
    std::uint32_t last = first;
    while (last < kSolidNeighbours && (counts >> (last + 1) & 1u) != 0) ++last;
    if (!text.empty()) text += ',';
    text += fmt::format("{}", first);
    if (last == first + 1) text += fmt::format(",{}", last);
    if (last > first + 1) text += fmt::format("..{}", last);
    first = last;
  }
  return text;
}

}  // namespace

SolidRule parse_solid_rule(std::string_view text) {
  return RuleReader(text).read();
}

std::string to_string(SolidRule rule) {
  return fmt::format("B{}/S{}", counts_text(rule.birth), counts_text(rule.survival));
}

}  // namespace loom
