#pragma once

#include "app/bench/sweep_runner.h"

namespace loom::test {

/// Measures a case to the end and returns its entry.
template <typename CaseOfKind>
auto measure_whole(const CaseOfKind& one, const app::bench::Sampling& sampling) {
  constexpr bool kDwells = std::is_same_v<CaseOfKind, app::bench::MandelbrotCase>;
  const auto kind = kDwells ? app::bench::SweepKind::kMandelbrot : app::bench::SweepKind::kMaps;
  app::bench::SweepRunner runner(app::bench::Results(kind), {one}, sampling);
  while (!runner.ended()) runner.run(std::chrono::seconds(1));
  if constexpr (kDwells) {
    return runner.results().dwells().at(0);
  } else {
    return runner.results().maps().at(0);
  }
}

}  // namespace loom::test
