#pragma once

#include <string>
#include <vector>

#include "app/bench/results.h"

namespace loom::app::bench {

/// Results with the name of what they were read from.
struct NamedResults {
  std::string name;
  Results results;
};

/// Results of one sweep as one, in the sweep's order; at least one. They must be alike in difference().
/// A configuration that several have must be the same to the last digit (a copy, or a shard saved twice): of
/// two measurements neither is the sweep's. The date is the earliest, the machine the first one's. Throws
/// InputError that names the first difference, or the configuration, and both.
Results merge(const std::vector<NamedResults>& parts);

/// Results of one sweep by different numbers of processes as one, for a figure of scaling: those of each
/// number are put together by merge(), and all of them must be alike in difference() but for it. The settings
/// say them all. Results of one number are as merge() gives them. Throws InputError as merge(), and where
/// results by one process are of several devices.
Results merge_over_ranks(const std::vector<NamedResults>& parts);

/// What of a sweep results lack, in words: "2 of 3 shards; missing: 2/3", "shard 1/3 has 4 of 10
/// configurations"; empty where it is whole.
std::string gaps_text(const Results& results);

}  // namespace loom::app::bench
