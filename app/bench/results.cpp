#include "app/bench/results.h"

namespace loom::app::bench {
namespace {

double per_second(std::uint64_t amount, double milliseconds) {
  return milliseconds > 0 ? static_cast<double>(amount) / milliseconds * 1000 : 0;
}

}  // namespace

Entry describe(const BenchCase& bench_case) {
  const FractalConfig& config = bench_case.config;
  Entry entry;
  entry.fractal = config.fractal.name();
  entry.level = config.level;
  entry.width = config.fractal.width(config.level);
  entry.height = config.fractal.height(config.level);
  entry.cells = config.fractal.cells(config.level);
  entry.map = name_of(config.map);
  entry.block = config.block;
  if (config.map == MapKind::kCompact) entry.halo = config.halo;
  if (config.map != MapKind::kBoundingBox) entry.arithmetic = name_of(config.arithmetic);
  entry.intra_block = name_of(config.intra_block);
  entry.workload = name_of(bench_case.workload);
  entry.backend = name_of(bench_case.backend.kind);
  entry.device = bench_case.backend.device;
  entry.repeat = bench_case.repeat;
  return entry;
}

double cells_per_second(const Entry& entry) {
  return entry.measured ? per_second(entry.cells, entry.measured->milliseconds.median) : 0;
}

double bytes_per_second(const Entry& entry) {
  return entry.measured ? per_second(entry.measured->bytes_moved, entry.measured->milliseconds.median) : 0;
}

}  // namespace loom::app::bench
