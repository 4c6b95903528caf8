#pragma once

#include "app/bench/results.h"

namespace loom::test {

/// A measured entry of n x n pixels on the CPU whose times are all `ms`. There are two levels, and half of
/// the regions of the first one split; an exhaustive entry has no levels.
inline app::bench::MandelbrotEntry dwell_entry(const MandelbrotConfig& config, std::uint32_t n, double ms) {
  app::bench::MandelbrotEntry entry;
  entry.config = config;
  entry.view = {{}, n, n};
  entry.backend = "cpu";
  app::bench::MandelbrotResult measured;
  measured.milliseconds = {.median = ms, .min = ms, .p95 = ms, .mean = ms, .noise = 0.005, .samples = 10};
  measured.report.milliseconds = ms;
  measured.report.pixels = entry.view.pixels();
  measured.report.allocated_bytes = 2 * entry.view.pixels();
  if (config.method != MandelbrotMethod::kExhaustive) {
    MandelbrotLevel first;
    first.width = first.height = n / 2;
    first.regions = 4;
    first.filled = first.splits = 2;
    first.children = 8;
    first.border_pixels = n;
    first.filled_pixels = entry.view.pixels() / 2;
    MandelbrotLevel last;
    last.width = last.height = n / 4;
    last.regions = last.leaves = 8;
    last.leaf_pixels = entry.view.pixels() / 2 - n;
    if (config.method == MandelbrotMethod::kAsk) first.milliseconds = last.milliseconds = ms / 2;
    measured.report.levels = {first, last};
  }
  entry.measured = measured;
  return entry;
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
    results.dwells().push_back(
        dwell_entry({.method = MandelbrotMethod::kExhaustive, .optimisations = kNoOptimisations}, n, 8 * ms));
    results.dwells().push_back(dwell_entry({.optimisations = kNoOptimisations}, n, 4 * ms));
    results.dwells().push_back(dwell_entry({}, n, 8 * ms / (n / 256.0)));
    results.dwells().push_back(dwell_entry({.method = MandelbrotMethod::kDp, .block = {64, 8}}, n, 3 * ms));
  }
  app::bench::MandelbrotEntry skipped = dwell_entry({}, 1 << 20, 1);
  skipped.measured.reset();
  skipped.skipped = "too large, \"by far\"";
  results.dwells().push_back(skipped);
  results.planned = results.dwells().size();
  results.complete = true;
  return results;
}

/// Exhaustive around the point i with three precisions, each at the widths that it can show, at n = 64;
/// double is skipped at 1e-30. The times are 1 (float), 2 (double) and 3 ms (perturbed double).
inline app::bench::Results sample_depths() {
  app::bench::Results results = sample_dwells();
  results.dwells().clear();
  const auto add = [&](Precision precision, const char* width, double ms) -> app::bench::MandelbrotEntry& {
    const MandelbrotConfig config{.method = MandelbrotMethod::kExhaustive, .precision = precision};
    app::bench::MandelbrotEntry entry = dwell_entry(config, 64, ms);
    entry.view = make_decimal_view({"0", "1", width}, 64, 64);
    if (is_perturbed(precision))
      entry.measured->report.perturbation = {.orbit_milliseconds = 0.5, .orbit_length = 512, .bits = 256};
    return results.dwells().emplace_back(entry);
  };
  add(Precision::kFloat, "1e-3", 1);
  for (const char* width : {"1e-3", "1e-10"}) add(Precision::kDouble, width, 2);
  app::bench::MandelbrotEntry& skipped = add(Precision::kDouble, "1e-30", 2);
  skipped.measured.reset();
  skipped.skipped = "precision double does not distinguish adjacent pixels of this view";
  for (const char* width : {"1e-3", "1e-10", "1e-30"}) add(Precision::kPerturbedDouble, width, 3);
  results.planned = results.dwells().size();
  return results;
}

}  // namespace loom::test
