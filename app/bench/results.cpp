#include "app/bench/results.h"

#include <array>

#include "compute/core/named_choice.h"

namespace loom::app::bench {
namespace {

double per_second(std::uint64_t amount, double milliseconds) {
  return milliseconds > 0 ? static_cast<double>(amount) / milliseconds * 1000 : 0;
}

}  // namespace

Entry describe(const MapCase& bench_case) {
  const FractalConfig& config = bench_case.config;
  Entry entry;
  static_cast<ConfigNames&>(entry) = names_of(config);
  entry.width = config.fractal.width(config.level);
  entry.height = config.fractal.height(config.level);
  entry.cells = config.fractal.cells(config.level);
  entry.workload = name_of(bench_case.workload);
  if (bench_case.workload == Workload::kReduction) entry.reduction = name_of(bench_case.reduction);
  entry.backend = name_of(bench_case.backend.kind);
  entry.device = bench_case.backend.device;
  entry.repeat = bench_case.repeat;
  return entry;
}

std::string_view name_of(SweepKind kind) {
  return kind == SweepKind::kMaps ? "maps" : "mandelbrot";
}

SweepKind parse_sweep_kind(std::string_view name) {
  return parse_choice("sweep", name, std::array{SweepKind::kMaps, SweepKind::kMandelbrot});
}

std::optional<double> median_ms(const Entry& entry) {
  if (!entry.measured) return std::nullopt;
  return entry.measured->milliseconds.median;
}

double cells_per_second(const Entry& entry) {
  return entry.measured ? per_second(entry.cells, entry.measured->milliseconds.median) : 0;
}

double bytes_per_second(const Entry& entry) {
  return entry.measured ? per_second(entry.measured->bytes_moved, entry.measured->milliseconds.median) : 0;
}

}  // namespace loom::app::bench
