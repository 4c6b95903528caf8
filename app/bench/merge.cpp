#include "app/bench/merge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <utility>

#include "app/files/json_reader.h"
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

namespace {

constexpr std::uint64_t kMaxRanks = 1 << 20;

std::string outcome_text(const Row& row) {
  const auto ms = median_ms(row);
  return ms ? fmt::format("{} ms", *ms) : "skipped: " + row.skipped();
}

/// The index in the sweep of each row. The rows of a shard are a prefix of its configurations.
std::vector<std::size_t> places_of(const Results& results) {
  std::map<std::uint32_t, std::vector<std::size_t>> of_shards;
  if (results.shards) {
    const auto numbers = assign_shards(results.shards->of, results.shards->configurations);
    for (std::size_t place = 0; place < numbers.size(); ++place) of_shards[numbers[place]].push_back(place);
  }
  std::map<std::uint32_t, std::size_t> taken;
  std::vector<std::size_t> places;
  for (const Row& row : results.rows) {
    const auto shard = static_cast<std::uint32_t>(row.count("shard"));
    const std::size_t number = taken[shard]++;
    places.push_back(shard == 0 ? number : of_shards[shard].at(number));
  }
  return places;
}

void check_equal_entries(const NamedResults& first, const Row& one, const NamedResults& second,
                         const Row& other) {
  if (one == other) return;
  if (!same_configuration(one, other)) {
    throw InputError(
        fmt::format("{} and {} have different configurations at one position of the sweep: {} and {}; "
                    "allowed: results of one sweep",
                    first.name, second.name, shown(long_text(one)), shown(long_text(other))));
  }
  throw InputError(fmt::format(
      "{} and {} both contain {}: {} and {}; allowed: one measurement per configuration", first.name,
      second.name, shown(long_text(one)), shown(outcome_text(one)), shown(outcome_text(other))));
}

/// The rows of all parts in the order of the sweep.
std::vector<Row> gather(const std::vector<NamedResults>& parts) {
  std::map<std::size_t, std::pair<const NamedResults*, const Row*>> entries;
  for (const NamedResults& part : parts) {
    const std::vector<std::size_t> places = places_of(part.results);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const Row& row = part.results.rows[i];
      const auto [at, is_new] = entries.emplace(places[i], std::pair(&part, &row));
      if (!is_new) check_equal_entries(*at->second.first, *at->second.second, part, row);
    }
  }
  std::vector<Row> merged;
  for (const auto& [place, entry] : entries) merged.push_back(*entry.second);
  return merged;
}

/// The number of processes that measured together; 0 if the setting is invalid or lists several numbers.
std::int64_t ranks_of(const Results& results) {
  const auto& settings = results.settings;
  if (!settings.is_object() || !settings.contains("ranks")) return 1;
  const auto& ranks = settings["ranks"];
  const bool is_count = ranks.is_number_integer() && ranks.get<std::uint64_t>() <= kMaxRanks;
  return is_count ? ranks.get<std::int64_t>() : 0;
}

/// Throws unless the results are a complete map sweep whose configurations all use this number of processes.
void check_is_of_ranks(const NamedResults& part, std::int64_t ranks) {
  if (part.results.kind != SweepKind::kMaps || part.results.shards)
    throw InputError(fmt::format(
        "{} is not a complete map sweep; allowed: complete map sweeps by several processes", part.name));
  for (const Row& row : part.results.rows) {
    if (row["devices"] == ranks) continue;
    throw InputError(
        fmt::format("{} has a configuration with {} devices; allowed with results of several processes: {} "
                    "in every configuration",
                    part.name, row.text("devices"), ranks));
  }
}

}  // namespace

Results merge(const std::vector<NamedResults>& parts) {
  if (parts.empty()) throw InputError("no results to merge; allowed: at least one file");
  if (parts.size() == 1) return parts.front().results;
  const NamedResults& first = parts.front();
  Results merged(first.results.kind);
  merged.program = first.results.program;
  merged.commit = first.results.commit;
  merged.date = first.results.date;
  merged.machine = first.results.machine;
  merged.settings = first.results.settings;
  merged.planned = first.results.planned;
  std::set<std::uint32_t> have;
  for (const NamedResults& part : parts) {
    if (const auto found = difference(first.results, part.results)) {
      throw InputError(
          fmt::format("{} and {} differ in {}; allowed: results of one sweep, program and kind of machine",
                      first.name, part.name, to_string(*found)));
    }
    merged.date = std::min(merged.date, part.results.date);
    merged.interrupted = merged.interrupted || part.results.interrupted;
    if (part.results.shards) have.insert(part.results.shards->have.begin(), part.results.shards->have.end());
  }
  if (first.results.shards) {
    merged.shards = first.results.shards;
    merged.shards->have.assign(have.begin(), have.end());
    merged.planned = total_shard_size(*merged.shards);
  }
  merged.rows = gather(parts);
  merged.complete = merged.rows.size() == merged.planned;
  if (merged.complete) merged.interrupted = false;  // another part has the missing entries
  return merged;
}

Results merge_over_ranks(const std::vector<NamedResults>& parts) {
  std::map<std::int64_t, std::vector<NamedResults>> by_ranks;
  for (const NamedResults& part : parts) by_ranks[ranks_of(part.results)].push_back(part);
  if (by_ranks.size() <= 1) return merge(parts);
  std::optional<NamedResults> all;
  Results compared;
  auto ranks = nlohmann::ordered_json::array();
  for (const auto& [count, group] : by_ranks) {
    NamedResults next{group.front().name, merge(group)};
    check_is_of_ranks(next, count);
    if (next.results.settings.is_object()) next.results.settings.erase("ranks");
    ranks.push_back(count);
    if (!all) {
      compared = next.results;
      all = std::move(next);
      continue;
    }
    if (const auto found = difference(compared, next.results)) {
      throw InputError(fmt::format(
          "{} and {} differ in {}; allowed: results of one sweep by different numbers of processes",
          all->name, next.name, to_string(*found)));
    }
    Results& sum = all->results;
    sum.date = std::min(sum.date, next.results.date);
    sum.planned += next.results.planned;
    sum.interrupted = sum.interrupted || next.results.interrupted;
    sum.complete = sum.complete && next.results.complete;
    sum.rows.insert(sum.rows.end(), next.results.rows.begin(), next.results.rows.end());
  }
  all->results.settings["ranks"] = std::move(ranks);
  return std::move(all->results);
}

std::string gaps_text(const Results& results) {
  std::vector<std::string> gaps;
  if (!results.shards) {
    if (results.rows.size() < results.planned)
      gaps.push_back(fmt::format("{} of {} configurations", results.rows.size(), results.planned));
    return fmt::format("{}", fmt::join(gaps, ""));
  }
  if (!results.shards->whole()) gaps.push_back(to_string(*results.shards));
  std::map<std::uint32_t, std::uint64_t> done;
  for (const Row& row : results.rows) ++done[static_cast<std::uint32_t>(row.count("shard"))];
  const auto sizes = shard_sizes(*results.shards);
  for (const std::uint32_t number : results.shards->have) {
    const std::uint64_t share = sizes[number];
    if (done[number] < share)
      gaps.push_back(fmt::format("shard {}/{} has {} of {} configurations", number, results.shards->of,
                                 done[number], share));
  }
  return fmt::format("{}", fmt::join(gaps, "; "));
}

namespace {

using Found = std::optional<Difference>;

template <typename Value>
Found compare(const char* what, const Value& first, const Value& second) {
  if (first == second) return std::nullopt;
  return Difference{what, fmt::format("{}", first), fmt::format("{}", second)};
}

/// Compares objects by key, in any order of members.
Found compare_json(const std::string& path, const Json& first, const Json& second) {
  if (!first.is_object() || !second.is_object()) {
    if (first == second) return std::nullopt;
    return Difference{path, json_text(first, -1), json_text(second, -1)};
  }
  for (const auto& [key, value] : first.items()) {
    const std::string inner = path + "." + key;
    if (!second.contains(key)) return Difference{inner, json_text(value, -1), "none"};
    if (auto found = compare_json(inner, value, second[key])) return found;
  }
  for (const auto& [key, value] : second.items()) {
    if (!first.contains(key)) return Difference{path + "." + key, "none", json_text(value, -1)};
  }
  return std::nullopt;
}

std::string text_of(const Gpu& gpu) {
  return fmt::format("{}: {}, compute capability {}, {} multiprocessors, {} bytes", gpu.device, gpu.name,
                     gpu.compute_capability, gpu.multiprocessors, gpu.bytes);
}

std::string text_of(const std::vector<Gpu>& gpus) {
  std::string text;
  for (const Gpu& gpu : gpus) text += (text.empty() ? "" : "; ") + text_of(gpu);
  return text.empty() ? "no GPU" : text;
}

/// The lines of nvidia-smi without the current clocks, which are the second and fourth of five values.
std::string steady_text(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    const bool has_five = std::count(line.begin(), line.end(), ',') == 4;
    int value = 0;
    for (const char c : line) {
      if (c == ',') ++value;
      if (!has_five || (value != 1 && value != 3)) text += c;
    }
    text += '\n';
  }
  return text;
}

Found compare(const Machine& first, const Machine& second) {
  if (auto found = compare("machine.cpu", first.cpu, second.cpu)) return found;
  if (auto found = compare("machine.threads", first.threads, second.threads)) return found;
  if (first.gpus != second.gpus) {
    return Difference{"machine.gpus", text_of(first.gpus), text_of(second.gpus)};
  }
  if (auto found = compare("machine.cuda_driver", first.cuda_driver, second.cuda_driver)) return found;
  if (auto found = compare("machine.cuda_runtime", first.cuda_runtime, second.cuda_runtime)) return found;
  return compare("machine.nvidia_smi", steady_text(first.nvidia_smi), steady_text(second.nvidia_smi));
}

Found compare_shards(const Results& first, const Results& second) {
  const auto count = [](const Results& results) {
    return results.shards ? fmt::format("{}", results.shards->of) : std::string("none");
  };
  if (auto found = compare("shards", count(first), count(second))) return found;
  if (!first.shards) return compare("planned", first.planned, second.planned);
  return compare("shards.configurations", first.shards->configurations, second.shards->configurations);
}

}  // namespace

std::optional<Difference> difference(const Results& first, const Results& second) {
  if (auto found = compare("program", first.program, second.program)) return found;
  if (auto found = compare("commit", first.commit, second.commit)) return found;
  if (auto found = compare("sweep", name_of(first.kind), name_of(second.kind))) return found;
  if (auto found = compare_json("settings", first.settings, second.settings)) return found;
  if (auto found = compare(first.machine, second.machine)) return found;
  return compare_shards(first, second);
}

std::string to_string(const Difference& difference) {
  return fmt::format("{}: {} and {}", shown(difference.what), shown(difference.first),
                     shown(difference.second));
}

}  // namespace loom::app::bench
