#include "app/text/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

namespace loom::app {
namespace {

Text three_digits(double value) {
  const double size = std::abs(value);
  if (size >= 99.95) return format_text("{:.0f}", std::round(value));  // 364.5 is 365, as 121.5 is 122
  if (size >= 9.995) return format_text("{:.1f}", value);
  if (size >= 0.9995) return format_text("{:.2f}", value);
  if (size >= 0.0005 || size == 0) return format_text("{:.3f}", value);
  return format_text("{:.1e}", value);
}

}  // namespace

Text format_count(std::uint64_t count) {
  const fmt::format_int digits(count);
  const std::string_view all(digits.data(), digits.size());
  if (all.size() < 5) return all;
  const std::size_t first = (all.size() - 1) % 3 + 1;
  Text grouped = all.substr(0, first);
  for (std::size_t at = first; at < all.size(); at += 3) grouped.append("\u00a0").append(all.substr(at, 3));
  return grouped;
}

Text format_bytes(std::uint64_t bytes) {
  static constexpr std::array kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return format_text("{} B", bytes);
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  return format_text("{} {}", three_digits(value), kUnits[unit]);
}

Text format_time(double milliseconds) {
  constexpr double kShort = 0.09995;
  constexpr double kLong = 10'000;
  if (milliseconds >= kLong) return three_digits(milliseconds / 1000).append(" s");
  if (milliseconds <= 0 || milliseconds >= kShort) return three_digits(milliseconds).append(" ms");
  constexpr double kLeast = 1e-6;  // a nanosecond; clocks are not finer
  return milliseconds < kLeast ? Text("< 0.001 µs") : three_digits(1000 * milliseconds).append(" µs");
}

Text format_ratio(double ratio) {
  return three_digits(ratio).append("×");
}

Text format_joules(double joules) {
  if (joules >= 0.1) return three_digits(joules).append(" J");
  return joules >= 1e-4 ? three_digits(1e3 * joules).append(" mJ") : three_digits(1e6 * joules).append(" µJ");
}

Text format_speedup(double base_ms, double ms) {
  return are_comparable(base_ms, ms) ? format_ratio(base_ms / ms) : Text("too\u00a0small to\u00a0compare");
}

Text format_percent(double fraction) {
  return three_digits(100 * fraction).append(" %");
}

Text format_pair(std::uint64_t x, std::uint64_t y) {
  return format_text("({}, {})", x, y);
}

std::string lower_case(std::string_view text) {
  std::string small(text);
  for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return small;
}

bool has_words(std::string_view text, std::string_view words) {
  const std::string all = lower_case(text);
  const std::string wanted = lower_case(words);
  for (std::size_t at = 0; at < wanted.size();) {
    const std::size_t end = std::min(wanted.find(' ', at), wanted.size());
    if (all.find(std::string_view(wanted).substr(at, end - at)) == std::string::npos) return false;
    at = end + 1;
  }
  return true;
}

std::string without_option_marks(std::string text) {
  constexpr std::string_view kOption = "option ";
  for (std::size_t at = text.find("--"); at != std::string::npos; at = text.find("--", at + 1)) {
    const bool begins = at == 0 || text[at - 1] == ' ' || text[at - 1] == '(';
    const bool is_named = at + 2 < text.size() && text[at + 2] >= 'a' && text[at + 2] <= 'z';
    if (begins && is_named && !std::string_view(text).substr(0, at).ends_with(kOption)) text.erase(at, 2);
  }
  return text;
}

std::string capitalized(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

}  // namespace loom::app
