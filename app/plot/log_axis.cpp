#include "app/plot/log_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace loom::app::plot {
namespace {

constexpr int kMaxByteTicks = 9;
constexpr double kFewDecades = 0.8;

std::string bytes_label(int exponent) {
  constexpr std::array kUnits = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  const int unit = std::min<int>(exponent / 10, kUnits.size() - 1);
  return fmt::format("{} {}", std::uint64_t{1} << (exponent - 10 * unit),
                     kUnits[static_cast<std::size_t>(unit)]);
}

std::vector<Tick> byte_ticks(double low, double high) {
  const int first = std::max(0, static_cast<int>(std::ceil(std::log2(low))));
  const int last = static_cast<int>(std::floor(std::log2(high)));
  int step = 1;
  for (int wider : {2, 5, 10}) {
    if ((last - first) / step + 1 > kMaxByteTicks) step = wider;
  }
  std::vector<Tick> ticks;
  for (int exponent = (first + step - 1) / step * step; exponent <= last; exponent += step) {
    ticks.push_back({std::exp2(exponent), bytes_label(exponent)});
  }
  return ticks;
}

std::string decimal_label(Quantity kind, double value) {
  if (kind == Quantity::kUtilization) return fmt::format("{:g} %", 100 * value);
  return fmt::format("{:g}{}", value, kind == Quantity::kSpeedup ? "×" : "");
}

/// Ticks at 1, 2 and 5 times each power of ten. With many decades only powers of ten have labels, and with
/// very many only they have ticks. Short ranges have additional ticks.
std::vector<Tick> decimal_ticks(Quantity kind, double low, double high) {
  const double decades = std::log10(high / low);
  std::vector<Tick> ticks;
  const int last = static_cast<int>(std::floor(std::log10(high)));
  for (int exponent = static_cast<int>(std::floor(std::log10(low))); exponent <= last; ++exponent) {
    for (double mantissa : {1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0}) {
      const bool is_round = mantissa == 1 || mantissa == 2 || mantissa == 5;
      if (!is_round && decades > kFewDecades) continue;
      if (mantissa != 1 && decades > 5) continue;
      const double value = mantissa * std::pow(10.0, exponent);
      if (value < low || value > high) continue;
      const bool labelled = mantissa == 1 || decades <= 2.5;
      ticks.push_back({value, labelled ? decimal_label(kind, value) : ""});
    }
  }
  return ticks;
}

}  // namespace

double LogAxis::position(double value) const {
  return std::log(value / low) / std::log(high / low);
}

LogAxis make_axis(const Figure& figure) {
  double low = figure.kind == Quantity::kSpeedup ? 1 : std::numeric_limits<double>::max();
  double high = figure.kind == Quantity::kSpeedup ? 1 : 0;
  for (const Panel& panel : figure.panels) {
    for (const Series& series : panel.series) {
      for (const Point& point : series.points) {
        low = std::min(low, point.value);
        high = std::max(high, point.value);
      }
    }
  }
  // A margin for the markers, and a minimum range if all values are similar.
  const double room = std::max(std::pow(high / low, 0.05), high / low < 1.5 ? 1.4 : 1.0);
  LogAxis axis{low / room, high * room, {}};
  axis.ticks = figure.kind == Quantity::kMemory ? byte_ticks(axis.low, axis.high)
                                                : decimal_ticks(figure.kind, axis.low, axis.high);
  return axis;
}

}  // namespace loom::app::plot
