#pragma once

#include "app/bench/sweep_runner.h"

namespace loom::test {

/// Measures a case to the end and returns its row.
inline app::bench::Row measure_whole(const app::bench::Case& one, const app::bench::Sampling& sampling) {
  const app::bench::SweepKind kind = describe(one).kind();
  app::bench::SweepRunner runner(app::bench::Results(kind), {one}, sampling);
  while (!runner.ended()) runner.run(std::chrono::seconds(1));
  return runner.results().rows.at(0);
}

}  // namespace loom::test
