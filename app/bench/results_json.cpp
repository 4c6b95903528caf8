#include "app/bench/results_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <map>
#include <optional>

#include "app/bench/entry_json.h"
#include "app/bench/json_document.h"
#include "app/settings/json_members.h"
#include "app/text/json_text.h"
#include "compute/core/error.h"
#include "compute/core/input_text.h"
#include "compute/cpu/available_memory.h"

namespace loom::app {

template <>
constexpr std::array kJsonMembers<bench::Gpu> = {
    json_row<&bench::Gpu::device>("device"),
    json_row<&bench::Gpu::name>("name"),
    json_row<&bench::Gpu::compute_capability>("compute_capability"),
    json_row<&bench::Gpu::multiprocessors>("multiprocessors"),
    json_row<&bench::Gpu::bytes>("bytes"),
};

template <>
constexpr std::array kJsonMembers<bench::Machine> = {
    json_row<&bench::Machine::cpu>("cpu"),
    json_row<&bench::Machine::threads>("threads"),
    json_row<&bench::Machine::gpus>("gpus"),
    json_row<&bench::Machine::cuda_driver>("cuda_driver"),
    json_row<&bench::Machine::cuda_runtime>("cuda_runtime"),
    json_row<&bench::Machine::nvidia_smi>("nvidia_smi"),
};

}  // namespace loom::app

namespace loom::app::bench {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::uint64_t kBytesOfAByte = 16;  ///< memory of a parsed document per byte of text
constexpr std::uint32_t kBetweenPolls = 64;  ///< entries
constexpr std::string_view kFormatFamily = "fractal-loom bench ";

void check_format(const Json& json) {
  const bool has_format = json.is_object() && json.contains("format") && json["format"].is_string();
  const std::string format = has_format ? json["format"].get<std::string>() : "";
  if (!format.starts_with(kFormatFamily)) {
    throw InputError(
        fmt::format("not a results file of fractal-loom bench; allowed: format \"{}\"", kResultsFormat));
  }
  if (format != kResultsFormat) {
    throw InputError(
        fmt::format("of another version, \"{}\"; this program reads \"{}\"", shown(format), kResultsFormat));
  }
}

Shards read_shards(const JsonReader& json) {
  Shards shards;
  shards.of = json.whole<std::uint32_t>("of");
  shards.configurations = json.whole<std::uint64_t>("configurations");
  shards.have.clear();
  for (const Json& number : json.array("have")) {
    const bool is_number = number.is_number_unsigned() && number.get<std::uint64_t>() <= shards.of;
    shards.have.push_back(is_number ? number.get<std::uint32_t>() : 0);
  }
  const bool ascends =
      std::adjacent_find(shards.have.begin(), shards.have.end(), std::greater_equal<>()) == shards.have.end();
  const bool allowed = shards.of >= 1 && shards.of <= shards.configurations &&
                       shards.configurations <= kMaxCases && !shards.have.empty() && ascends &&
                       shards.have.front() >= 1;
  if (!allowed) {
    throw InputError(
        fmt::format("shards is not valid; allowed: of from 1 to configurations, configurations up to {}, "
                    "have an ascending list of numbers from 1 to of",
                    kMaxCases));
  }
  return shards;
}

/// Throws if an entry names a shard that is not present, or if a shard has too many entries.
void check_shards(const Results& results) {
  std::map<std::uint32_t, std::uint64_t> left;
  if (results.shards) {
    if (results.planned != total_shard_size(*results.shards)) {
      throw InputError(fmt::format("planned is {}, but its shards have {}", results.planned,
                                   total_shard_size(*results.shards)));
    }
    const auto sizes = shard_sizes(*results.shards);
    for (const std::uint32_t number : results.shards->have) left[number] = sizes[number];
  } else {
    left[0] = std::max<std::uint64_t>(results.planned, results.size());
  }
  results.for_each([&](const EntryOrigin& entry) {
    const auto found = left.find(entry.shard);
    if (found == left.end() || found->second == 0)
      throw InputError(fmt::format("more configurations of shard {} than the shard has", entry.shard));
    --found->second;
  });
}

Results read_document(const Json& json, const ProgressMonitor* watch) {
  check_format(json);
  const JsonReader reader(json, "the document");
  Results results(parse_sweep_kind(reader.text("sweep")));
  results.program = reader.text("program");
  results.commit = reader.text("commit");
  results.date = reader.text("date");
  read_value(reader, "machine", results.machine);
  results.settings = reader.any("settings");
  if (!results.settings.is_object() && !results.settings.is_null())
    throw InputError("settings is not an object");
  if (reader.has("shards")) results.shards = read_shards(reader.object("shards"));
  results.planned = reader.whole<std::uint64_t>("planned");
  results.complete = reader.yes_no("complete");
  results.interrupted = reader.yes_no("interrupted");
  const Json& entries = reader.array("configurations");
  CancelPoll poll(watch, kBetweenPolls);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    poll();
    const std::string where = fmt::format("configurations[{}]", i);
    try {
      const JsonReader entry(entries[i], where);
      std::visit([&](auto& all) { read_entry(entry, all.emplace_back()); }, results.entries);
    } catch (const InputError& error) {
      const std::string_view what = error.what();
      if (what.starts_with(where)) throw;
      throw InputError(fmt::format("{}: {}", where, what));
    }
  }
  check_shards(results);
  return results;
}

}  // namespace

std::vector<std::string> entry_lines(const Results& results, std::size_t first,
                                     const ProgressMonitor* watch) {
  std::vector<std::string> lines;
  CancelPoll poll(watch, kBetweenPolls);
  results.for_each(
      [&](const auto& entry) {
        poll();
        lines.push_back(json_text(entry_json(entry), -1));
      },
      first);
  return lines;
}

std::string document_text(const Results& results, const std::vector<std::string>& entry_lines) {
  Json json = Json::object();
  json["format"] = kResultsFormat;
  json["program"] = results.program;
  json["commit"] = results.commit;
  json["date"] = results.date;
  json["machine"] = json_of(results.machine);
  json["sweep"] = name_of(results.kind());
  json["settings"] = results.settings;
  if (results.shards) {
    json["shards"] = {{"of", results.shards->of},
                      {"have", results.shards->have},
                      {"configurations", results.shards->configurations}};
  }
  json["planned"] = results.planned;
  json["complete"] = results.complete;
  json["interrupted"] = results.interrupted;
  std::string text = json_text(json);
  text.resize(text.size() - 2);  // the closing "\n}" follows the configurations
  text += ",\n  \"configurations\": [";
  for (std::size_t i = 0; i < entry_lines.size(); ++i) {
    text += i == 0 ? "\n    " : ",\n    ";
    text += entry_lines[i];
  }
  text += entry_lines.empty() ? "]\n}\n" : "\n  ]\n}\n";
  return text;
}

std::string document_text(const Results& results, const ProgressMonitor* watch) {
  return document_text(results, entry_lines(results, 0, watch));
}

Results parse_results(std::string_view text, std::string_view name, const ProgressMonitor* watch) {
  // A parsed list of one-digit numbers takes eight times the memory of its text, nested lists more.
  cpu::check_available(kBytesOfAByte * text.size(), name);
  constexpr JsonLimits kLimits{.bytes = std::numeric_limits<std::size_t>::max(),
                               .values = std::size_t{1} << 27};  // enough for a million configurations
  Json json;
  try {
    json = parse_json(text, kLimits, watch);
  } catch (const InputError& error) {
    throw InputError(
        fmt::format("{}: {}; allowed: a results file of fractal-loom bench", name, error.what()));
  }
  try {
    return read_document(json, watch);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", name, error.what()));
  }
}

}  // namespace loom::app::bench
