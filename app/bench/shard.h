#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/bench/sweep.h"

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

/// The shards of a divided sweep that results contain.
struct Shards {
  std::uint32_t of = 1;
  std::vector<std::uint32_t> have = {1};  ///< numbers of shards, ascending, at least one
  std::uint64_t configurations = 1;       ///< number in the whole sweep, at least `of`
  bool whole() const { return have.size() == of; }
  friend bool operator==(const Shards&, const Shards&) = default;
};

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

/// "shard 2 of 3"; "2 of 3 shards; missing: 2/3"; "3 shards".
std::string to_string(const Shards& shards);

}  // namespace loom::app::bench
