#include "app/bench/mandelbrot_results.h"

#include <fmt/format.h>

#include <cmath>

namespace loom::app::bench {

MandelbrotEntry describe(const MandelbrotCase& one) {
  MandelbrotEntry entry;
  entry.config = one.config;
  entry.view = one.view;
  static_cast<EntryOrigin&>(entry) = origin_of(one.backend, one.repeat, one.shard);
  return entry;
}

std::string long_text(const MandelbrotEntry& entry) {
  std::string text = fmt::format("n {}, {}, {}, ideas {}", entry.view.width, method_text(entry.config),
                                 cut_text(entry.config), to_string(entry.config.optimisations));
  if (entry.view.decimal)
    text += fmt::format(", {}, width {}", name_of(entry.config.precision), width_text(entry.view));
  return text;
}

std::string width_text(const MandelbrotView& view) {
  if (view.decimal) return view.decimal->width.text();
  return fmt::format("{}", view.window.re_max - view.window.re_min);
}

double depth_of(const MandelbrotView& view) {
  const FloatExp<double> width = Decimal(width_text(view)).rounded();
  return -(width.exponent + std::log2(width.mantissa)) * std::log10(2.0);
}

std::string method_text(const MandelbrotConfig& config) {
  if (config.method == MandelbrotMethod::kExhaustive) return std::string(name_of(config.method));
  return fmt::format("{}-{}", name_of(config.method), name_of(config.scheme));
}

std::string cut_text(const MandelbrotConfig& config) {
  return fmt::format("g {}, r {}, B {}", config.g, config.r, config.b);
}

std::uint64_t filled_pixels(const MandelbrotReport& report) {
  std::uint64_t sum = 0;
  for (const MandelbrotLevel& level : report.levels) sum += level.filled_pixels;
  return sum;
}

std::uint64_t recomputed_pixels(const MandelbrotReport& report) {
  return report.computed_pixels() + filled_pixels(report) + report.mirrored_pixels - report.pixels;
}

std::optional<double> split_fraction(const MandelbrotReport& report) {
  std::uint64_t regions = 0;
  std::uint64_t splits = 0;
  for (std::size_t i = 0; i + 1 < report.levels.size(); ++i) {
    regions += report.levels[i].regions;
    splits += report.levels[i].splits;
  }
  if (regions == 0) return std::nullopt;
  return static_cast<double>(splits) / static_cast<double>(regions);
}

}  // namespace loom::app::bench
