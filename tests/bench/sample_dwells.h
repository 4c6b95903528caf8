#pragma once

#include "app/bench/results.h"
#include "sample_results.h"

namespace loom::test {

/// A measured row of a view on the CPU whose times are all `ms`. There are two levels, and half of the
/// regions of the first one split; exhaustive has no levels.
inline app::bench::Row dwell_row(const MandelbrotConfig& config, const MandelbrotView& view, double ms) {
  const std::uint32_t n = view.width;
  MandelbrotReport report;
  report.milliseconds = ms;
  report.pixels = view.pixels();
  report.allocated_bytes = 2 * view.pixels();
  if (config.method != MandelbrotMethod::kExhaustive) {
    MandelbrotLevel first;
    first.width = first.height = n / 2;
    first.regions = 4;
    first.filled = first.splits = 2;
    first.children = 8;
    first.border_pixels = n;
    first.filled_pixels = view.pixels() / 2;
    MandelbrotLevel last;
    last.width = last.height = n / 4;
    last.regions = last.leaves = 8;
    last.leaf_pixels = view.pixels() / 2 - n;
    if (config.method == MandelbrotMethod::kAsk) first.milliseconds = last.milliseconds = ms / 2;
    report.levels = {first, last};
  }
  if (is_perturbed(config.precision))
    report.perturbation = {.orbit_milliseconds = 0.5, .orbit_length = 512, .bits = 256};
  app::bench::Row row = describe(app::bench::MandelbrotCase{config, view, {}});
  set_times(row, {.median = ms, .min = ms, .p95 = ms, .mean = ms, .noise = 0.005, .samples = 10}, false);
  set_report(row, report);
  return row;
}
/// The same of n x n pixels.
inline app::bench::Row dwell_row(const MandelbrotConfig& config, std::uint32_t n, double ms) {
  return dwell_row(config, MandelbrotView{{}, n, n}, ms);
}

/// Exhaustive, ASK with two sets of optimisations and DP at n = 1024 and 2048, and a skipped entry. ASK with
/// all optimisations is 4 and 8 times as fast as exhaustive.
inline app::bench::Results sample_dwells() {
  app::bench::Results results(app::bench::SweepKind::kMandelbrot);
  results.program = "fractal-loom 0.0.0";
  results.commit = "abc1234";
  results.date = "2026-11-20T12:00:00Z";
  results.machine.cpu = "Test CPU";
  results.machine.threads = 2;
  results.settings = {{"preset", "paper-mandelbrot"}};
  for (const std::uint32_t n : {1024u, 2048u}) {
    const double ms = n / 128.0;
    results.rows.push_back(
        dwell_row({.method = MandelbrotMethod::kExhaustive, .optimisations = kNoOptimisations}, n, 8 * ms));
    results.rows.push_back(dwell_row({.optimisations = kNoOptimisations}, n, 4 * ms));
    results.rows.push_back(dwell_row({}, n, 8 * ms / (n / 256.0)));
    results.rows.push_back(dwell_row({.method = MandelbrotMethod::kDp, .block = {64, 8}}, n, 3 * ms));
  }
  results.rows.push_back(skipped_row(dwell_row({}, 1 << 20, 1), "too large, \"by far\""));
  results.planned = results.rows.size();
  results.complete = true;
  return results;
}

/// Exhaustive around the point i with three precisions, each at the widths that it can show, at n = 64;
/// double is skipped at 1e-30. The times are 1 (float), 2 (double) and 3 ms (perturbed double).
inline app::bench::Results sample_depths() {
  app::bench::Results results = sample_dwells();
  results.rows.clear();
  const auto add = [&](Precision precision, const char* width, double ms) -> app::bench::Row& {
    const MandelbrotConfig config{.method = MandelbrotMethod::kExhaustive, .precision = precision};
    return results.rows.emplace_back(dwell_row(config, make_decimal_view({"0", "1", width}, 64, 64), ms));
  };
  add(Precision::kFloat, "1e-3", 1);
  for (const char* width : {"1e-3", "1e-10"}) add(Precision::kDouble, width, 2);
  app::bench::Row& skipped = add(Precision::kDouble, "1e-30", 2);
  skipped = skipped_row(skipped, "precision double does not distinguish adjacent pixels of this view");
  for (const char* width : {"1e-3", "1e-10", "1e-30"}) add(Precision::kPerturbedDouble, width, 3);
  results.planned = results.rows.size();
  return results;
}

}  // namespace loom::test
