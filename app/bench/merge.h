#pragma once

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

}  // namespace loom::app::bench
