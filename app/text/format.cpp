#include "app/text/format.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace loom::app {
namespace {

std::string three_digits(double value) {
  const double size = std::abs(value);
  if (size >= 99.95) return fmt::format("{:.0f}", value);
  if (size >= 9.995) return fmt::format("{:.1f}", value);
  if (size >= 0.9995) return fmt::format("{:.2f}", value);
  if (size >= 0.0005 || size == 0) return fmt::format("{:.3f}", value);
  return fmt::format("{:.1e}", value);
}

}  // namespace

std::string format_count(std::uint64_t count) {
  std::string digits = std::to_string(count);
  if (digits.size() < 5) return digits;
  for (std::size_t end = digits.size() - 3;; end -= 3) {
    digits.insert(end, "\u00a0");
    if (end <= 3) return digits;
  }
}

std::string format_bytes(std::uint64_t bytes) {
  static constexpr std::array kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return fmt::format("{} B", bytes);
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  return fmt::format("{} {}", three_digits(value), kUnits[unit]);
}

std::string format_ms(double milliseconds) {
  return three_digits(milliseconds);
}

std::string format_ratio(double ratio) {
  return three_digits(ratio) + "×";
}

std::string format_percent(double fraction) {
  return three_digits(100 * fraction) + " %";
}

std::string format_pair(std::uint64_t x, std::uint64_t y) {
  return fmt::format("({}, {})", x, y);
}

}  // namespace loom::app
