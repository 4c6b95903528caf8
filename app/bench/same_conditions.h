#pragma once

#include <optional>
#include <string>

#include "app/bench/results.h"

namespace loom::app::bench {

/// The difference of two results in something that must be equal for a comparison of times.
struct Difference {
  std::string what;    ///< "settings.max_samples"
  std::string first;   ///< value in the first results
  std::string second;  ///< value in the second results
};

/// The first difference in program, commit, kind of sweep, settings (preset, axes, limits, rule, start), kind
/// of machine, and number of shards; empty if the results can belong to one sweep. The kind of a machine is
/// its CPU, threads, GPUs, CUDA, driver and highest clocks, but not its current clocks.
std::optional<Difference> difference(const Results& first, const Results& second);

/// "settings.max_samples: 10 and 30".
std::string to_string(const Difference& difference);

}  // namespace loom::app::bench
