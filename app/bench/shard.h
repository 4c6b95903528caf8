#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/bench/sweep.h"

namespace loom::app::bench {

/// Which of several shares a sweep is dealt into: "2/3".
struct Shard {
  std::uint32_t number = 1;  ///< 1 to `of`
  std::uint32_t of = 1;
  friend bool operator==(const Shard&, const Shard&) = default;
};

/// "K/N" with K from 1 to N and N up to the most cases. Throws InputError with what is allowed.
Shard parse_shard(std::string_view text);

/// What of a sweep results are of, where it was dealt.
struct Shards {
  std::uint32_t of = 1;
  std::vector<std::uint32_t> have = {1};  ///< numbers of shards, ascending, at least one
  std::uint64_t configurations = 1;       ///< of the whole sweep, at least `of`
  bool whole() const { return have.size() == of; }
  friend bool operator==(const Shards&, const Shards&) = default;
};

/// One shard of a sweep of so many configurations. Throws InputError where there are fewer than shards.
Shards one_shard(const Shard& shard, std::uint64_t configurations);

/// The number of the shard that each configuration of a sweep falls to. It is dealt like cards: of every N
/// configurations that follow each other each shard has one, and which one is shuffled anew each time, by
/// splitmix64, so that no axis whose values come round with N (block sizes, maps) falls to one shard. It
/// depends on nothing else.
std::vector<std::uint32_t> deal_places(std::uint32_t of, std::size_t configurations);

/// How many configurations each shard has, by its number; there is no number 0.
std::vector<std::uint64_t> share_sizes(const Shards& shards);
/// Of all shards that there are.
std::uint64_t share_size(const Shards& shards);

/// The cases of these shards, in the order of the sweep, each with its shard's number. Throws InputError
/// where the shards are of a sweep of another size.
std::vector<Case> deal(const std::vector<Case>& cases, const Shards& shards);

/// "shard 2 of 3"; "2 of 3 shards; missing: 2/3"; "3 shards".
std::string to_string(const Shards& shards);

}  // namespace loom::app::bench
