#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/bench/results.h"

namespace loom::app::bench {

/// Results and the name of their file.
struct NamedResults {
  std::string name;
  Results results;
};

/// Combines results of one sweep, at least one, in the order of the sweep. They must not differ in
/// difference(). A configuration in several results must be identical (a copied file, or a shard saved
/// twice). The date is the earliest; the machine is that of the first. Throws InputError that names the first
/// difference, or the configuration and both files.
Results merge(const std::vector<NamedResults>& parts);

/// Combines results of one sweep by different numbers of processes, for a scaling plot. Results with the same
/// number are combined by merge(); otherwise only this number may differ. The settings list all numbers.
/// Throws InputError as merge(), and if results of one process use several devices.
Results merge_over_ranks(const std::vector<NamedResults>& parts);

/// What is missing of a sweep: "2 of 3 shards; missing: 2/3", "shard 1/3 has 4 of 10 configurations". Empty
/// if it is complete.
std::string gaps_text(const Results& results);

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
