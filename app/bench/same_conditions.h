#pragma once

#include <optional>
#include <string>

#include "app/bench/results.h"

namespace loom::app::bench {

/// Where two results differ in what must be equal for their times to be compared.
struct Difference {
  std::string what;    ///< "settings.max_samples"
  std::string first;   ///< its value in the one, in words
  std::string second;  ///< and in the other
};

/// The first difference in program, commit, kind of sweep, settings (preset, axes, limits, rule, start), kind
/// of machine, and in how many shards the sweep was dealt into; none where the results could be of one sweep.
/// A machine's kind is its CPU, threads, GPUs, CUDA, driver and highest clocks; clocks of a moment are not.
std::optional<Difference> difference(const Results& first, const Results& second);

/// "settings.max_samples: 10 and 30".
std::string to_string(const Difference& difference);

}  // namespace loom::app::bench
