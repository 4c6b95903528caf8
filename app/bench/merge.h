#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/bench/results.h"

namespace loom::app::bench {

/// One of the parts that a sweep is divided into: "2/3".
struct Shard {
  std::uint32_t number = 1;  ///< 1 to `of`
  std::uint32_t of = 1;
  friend bool operator==(const Shard&, const Shard&) = default;
};

/// Parses "K/N" with K from 1 to N, and N up to the largest number of cases. Throws InputError with what is
/// allowed.
Shard parse_shard(std::string_view text);

/// One shard of a sweep with this number of configurations. Throws InputError if there are fewer
/// configurations than shards.
Shards one_shard(const Shard& shard, std::uint64_t configurations);

/// The shard number of each configuration of a sweep. Of every N consecutive configurations, each shard gets
/// one; which one is shuffled by splitmix64, so that no shard receives a single value of a periodic axis
/// (tile sizes, maps). The result depends only on the arguments.
std::vector<std::uint32_t> assign_shards(std::uint32_t of, std::size_t configurations);

/// The number of configurations of each shard, by shard number; index 0 is unused.
std::vector<std::uint64_t> shard_sizes(const Shards& shards);
/// The number of configurations of all shards in `have`.
std::uint64_t total_shard_size(const Shards& shards);

/// The cases of these shards in the order of the sweep, each with its shard number. Throws InputError if the
/// shards belong to a sweep of another size.
std::vector<Case> select_shards(const std::vector<Case>& cases, const Shards& shards);

/// "2 of 3 shards; missing: 2/3"; "3 shards".
std::string to_string(const Shards& shards);

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
