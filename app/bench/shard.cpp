#include "app/bench/shard.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <utility>
#include <variant>

#include "compute/core/error.h"
#include "compute/core/input_text.h"
#include "compute/core/integer_math.h"

namespace loom::app::bench {
namespace {

constexpr std::size_t kMaxMissingListed = 8;

/// Parses a number from 1 to kMaxCases. Returns 0 for anything else.
std::uint32_t read_count(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = error == std::errc{} && end == text.data() + text.size();
  return is_whole && number <= kMaxCases ? number : 0;
}

/// The shard of each position in a round: a Fisher-Yates shuffle, seeded by the round.
void shuffle(std::vector<std::uint32_t>& shards, std::uint64_t round) {
  std::iota(shards.begin(), shards.end(), 1);
  for (std::size_t i = shards.size() - 1; i > 0; --i) {
    std::swap(shards[i], shards[splitmix64(round * shards.size() + i) % (i + 1)]);
  }
}

}  // namespace

Shard parse_shard(std::string_view text) {
  const std::size_t slash = std::min(text.find('/'), text.size());
  const std::uint32_t number = read_count(text.substr(0, slash));
  const std::uint32_t of = slash < text.size() ? read_count(text.substr(slash + 1)) : 0;
  if (number == 0 || number > of) {
    const std::string range = of > 0 ? fmt::format("1/{0} to {0}/{0}", of)
                                     : fmt::format("K/N with K from 1 to N and N from 1 to {}", kMaxCases);
    throw InputError(fmt::format("--shard: '{}' is not allowed; allowed: {}", shown(text), range));
  }
  return {number, of};
}

Shards one_shard(const Shard& shard, std::uint64_t configurations) {
  if (shard.of > configurations) {
    throw InputError(fmt::format("--shard: {} shards of a sweep of {} {}; allowed: N from 1 to {}", shard.of,
                                 configurations, configurations == 1 ? "configuration" : "configurations",
                                 configurations));
  }
  return {shard.of, {shard.number}, configurations};
}

std::vector<std::uint32_t> assign_shards(std::uint32_t of, std::size_t configurations) {
  std::vector<std::uint32_t> numbers;
  numbers.reserve(configurations);
  std::vector<std::uint32_t> round(of);
  for (std::size_t place = 0; place < configurations; ++place) {
    if (place % of == 0) shuffle(round, place / of);
    numbers.push_back(round[place % of]);
  }
  return numbers;
}

std::vector<std::uint64_t> shard_sizes(const Shards& shards) {
  std::vector<std::uint64_t> sizes(shards.of + std::size_t{1});
  for (const std::uint32_t number : assign_shards(shards.of, shards.configurations)) ++sizes[number];
  return sizes;
}

std::uint64_t total_shard_size(const Shards& shards) {
  const auto sizes = shard_sizes(shards);
  std::uint64_t sum = 0;
  for (const std::uint32_t number : shards.have) sum += sizes[number];
  return sum;
}

std::vector<Case> select_shards(const std::vector<Case>& cases, const Shards& shards) {
  if (shards.configurations != cases.size()) {
    throw InputError(fmt::format("its shards belong to a sweep of {} configurations, but this sweep has {}",
                                 shards.configurations, cases.size()));
  }
  const auto numbers = assign_shards(shards.of, cases.size());
  std::vector<Case> selected;
  for (std::size_t place = 0; place < cases.size(); ++place) {
    if (!std::binary_search(shards.have.begin(), shards.have.end(), numbers[place])) continue;
    selected.push_back(cases[place]);
    std::visit([&](auto& one) { one.shard = numbers[place]; }, selected.back());
  }
  return selected;
}

std::string to_string(const Shards& shards) {
  if (shards.whole()) return fmt::format("{} {}", shards.of, shards.of == 1 ? "shard" : "shards");
  std::vector<std::string> missing;
  std::size_t more = 0;
  for (std::uint32_t number = 1; number <= shards.of; ++number) {
    if (std::binary_search(shards.have.begin(), shards.have.end(), number)) continue;
    missing.size() < kMaxMissingListed ? missing.push_back(fmt::format("{}/{}", number, shards.of))
                                       : void(++more);
  }
  std::string text =
      fmt::format("{} of {} shards; missing: {}", shards.have.size(), shards.of, fmt::join(missing, ", "));
  if (more > 0) text += fmt::format(" and {} more", more);
  return text;
}

}  // namespace loom::app::bench
