#include "app/bench/merge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "app/files/json_reader.h"
#include "compute/core/error.h"
#include "compute/core/input_text.h"

namespace loom::app::bench {
namespace {

constexpr std::uint64_t kMaxRanks = 1 << 20;

/// Position of an entry: index of the results and index in them.
struct EntryRef {
  std::size_t part = 0;
  std::size_t entry = 0;
};

/// The entries of all results by their index in the sweep.
using EntriesByCase = std::map<std::size_t, EntryRef>;

template <typename OneEntry>
std::string value_text(const OneEntry& entry) {
  const auto ms = median_ms(entry);
  return ms ? fmt::format("{} ms", *ms) : "skipped: " + entry.skipped;
}

/// Finds the index in the sweep of each entry. The entries of a shard are a prefix of its configurations.
class CaseIndex {
 public:
  explicit CaseIndex(const Results& results) {
    if (!results.shards) return;
    const auto numbers = assign_shards(results.shards->of, results.shards->configurations);
    for (std::size_t place = 0; place < numbers.size(); ++place)
      shares_[numbers[place]].places.push_back(place);
  }
  std::size_t next(std::uint32_t shard) {
    Share& share = shares_[shard];
    return shard == 0 ? share.taken++ : share.places.at(share.taken++);
  }

 private:
  struct Share {
    std::vector<std::size_t> places = {};
    std::size_t taken = 0;
  };
  std::map<std::uint32_t, Share> shares_;
};

template <typename OneEntry>
void check_equal_entries(const NamedResults& first, const OneEntry& one, const NamedResults& second,
                         const OneEntry& other) {
  if (one == other) return;
  if (!same_configuration(one, other)) {
    throw InputError(
        fmt::format("{} and {} have different configurations at one position of the sweep: {} and {}; "
                    "allowed: results of one sweep",
                    first.name, second.name, shown(long_text(one)), shown(long_text(other))));
  }
  throw InputError(fmt::format(
      "{} and {} both contain {}: {} and {}; allowed: one measurement per configuration", first.name,
      second.name, shown(long_text(one)), shown(value_text(one)), shown(value_text(other))));
}

/// Adds the entries of all parts in the order of the sweep.
template <typename OneEntry>
void gather(const std::vector<NamedResults>& parts, std::vector<OneEntry>& merged) {
  const auto entries_of = [&](std::size_t part) -> const std::vector<OneEntry>& {
    return std::get<std::vector<OneEntry>>(parts[part].results.entries);
  };
  EntriesByCase places;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    CaseIndex place_of(parts[part].results);
    for (std::size_t i = 0; i < entries_of(part).size(); ++i) {
      const OneEntry& entry = entries_of(part)[i];
      const auto [at, is_new] = places.emplace(place_of.next(entry.shard), EntryRef{part, i});
      if (is_new) continue;
      const EntryRef& there = at->second;
      check_equal_entries(parts[there.part], entries_of(there.part)[there.entry], parts[part], entry);
    }
  }
  for (const auto& [place, entry_ref] : places) merged.push_back(entries_of(entry_ref.part)[entry_ref.entry]);
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
  if (part.results.kind() != SweepKind::kMaps || part.results.shards)
    throw InputError(fmt::format(
        "{} is not a complete map sweep; allowed: complete map sweeps by several processes", part.name));
  for (const MapEntry& entry : part.results.maps()) {
    if (entry.devices == ranks) continue;
    throw InputError(
        fmt::format("{} has a configuration with {} devices; allowed with results of several processes: {} "
                    "in every configuration",
                    part.name, entry.devices, ranks));
  }
}

}  // namespace

Results merge(const std::vector<NamedResults>& parts) {
  if (parts.empty()) throw InputError("no results to merge; allowed: at least one file");
  if (parts.size() == 1) return parts.front().results;
  const NamedResults& first = parts.front();
  Results merged(first.results.kind());
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
  std::visit([&](auto& entries) { gather(parts, entries); }, merged.entries);
  merged.complete = merged.size() == merged.planned;
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
    for (const MapEntry& entry : next.results.maps()) sum.add(entry);
  }
  all->results.settings["ranks"] = std::move(ranks);
  return std::move(all->results);
}

std::string gaps_text(const Results& results) {
  std::vector<std::string> gaps;
  if (!results.shards) {
    if (results.size() < results.planned)
      gaps.push_back(fmt::format("{} of {} configurations", results.size(), results.planned));
    return fmt::format("{}", fmt::join(gaps, ""));
  }
  if (!results.shards->whole()) gaps.push_back(to_string(*results.shards));
  std::map<std::uint32_t, std::uint64_t> done;
  results.for_each([&](const EntryOrigin& origin) { ++done[origin.shard]; });
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

using Json = nlohmann::ordered_json;
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
  if (auto found = compare("sweep", name_of(first.kind()), name_of(second.kind()))) return found;
  if (auto found = compare_json("settings", first.settings, second.settings)) return found;
  if (auto found = compare(first.machine, second.machine)) return found;
  return compare_shards(first, second);
}

std::string to_string(const Difference& difference) {
  return fmt::format("{}: {} and {}", shown(difference.what), shown(difference.first),
                     shown(difference.second));
}

}  // namespace loom::app::bench
