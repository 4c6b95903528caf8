#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "app/bench/json_document.h"
#include "app/bench/merge.h"
#include "app/bench/results.h"
#include "app/files/output_file.h"
#include "compute/core/error.h"
#include "compute/core/input_text.h"
#include "compute/cpu/available_memory.h"
#include "compute/mandelbrot/mandelbrot_fields.h"
#include "compute/map/map_method.h"

namespace loom::app::bench {
namespace {

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

Json to_json(const Machine& machine) {
  auto gpus = Json::array();
  for (const Gpu& gpu : machine.gpus) {
    gpus.push_back({{"device", gpu.device},
                    {"name", gpu.name},
                    {"compute_capability", gpu.compute_capability},
                    {"multiprocessors", gpu.multiprocessors},
                    {"bytes", gpu.bytes}});
  }
  return {{"cpu", machine.cpu},
          {"threads", machine.threads},
          {"gpus", gpus},
          {"cuda_driver", machine.cuda_driver},
          {"cuda_runtime", machine.cuda_runtime},
          {"nvidia_smi", machine.nvidia_smi}};
}

Machine read_machine(const JsonReader& json) {
  Machine machine;
  machine.cpu = json.text("cpu");
  machine.threads = json.whole<int>("threads");
  for (const Json& one : json.array("gpus")) {
    const JsonReader gpu(one, json.path("gpus") + "[]");
    machine.gpus.push_back({gpu.whole<int>("device"), gpu.text("name"), gpu.text("compute_capability"),
                            gpu.whole<int>("multiprocessors"), gpu.whole<std::uint64_t>("bytes")});
  }
  machine.cuda_driver = json.text("cuda_driver");
  machine.cuda_runtime = json.text("cuda_runtime");
  for (const Json& line : json.array("nvidia_smi")) {
    if (!line.is_string()) throw InputError(json.path("nvidia_smi") + "[] is not a text");
    machine.nvidia_smi.push_back(line.get<std::string>());
  }
  return machine;
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
    left[0] = std::max<std::uint64_t>(results.planned, results.rows.size());
  }
  for (const Row& row : results.rows) {
    const auto shard = static_cast<std::uint32_t>(row.count("shard"));
    const auto found = left.find(shard);
    if (found == left.end() || found->second == 0)
      throw InputError(fmt::format("more configurations of shard {} than the shard has", shard));
    --found->second;
  }
}

Results read_document(const Json& json, const ProgressMonitor* watch) {
  check_format(json);
  const JsonReader reader(json, "the document");
  Results results(parse_sweep_kind(reader.text("sweep")));
  results.program = reader.text("program");
  results.commit = reader.text("commit");
  results.date = reader.text("date");
  results.machine = read_machine(reader.object("machine"));
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
      results.rows.push_back(read_row(JsonReader(entries[i], where), results.kind));
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
  for (std::size_t i = first; i < results.rows.size(); ++i) {
    poll();
    lines.push_back(json_text(to_json(results.rows[i]), -1));
  }
  return lines;
}

std::string document_text(const Results& results, const std::vector<std::string>& entry_lines) {
  Json json = Json::object();
  json["format"] = kResultsFormat;
  json["program"] = results.program;
  json["commit"] = results.commit;
  json["date"] = results.date;
  json["machine"] = to_json(results.machine);
  json["sweep"] = name_of(results.kind);
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

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kWriteInterval{500};
constexpr int kTimesTheWriting = 20;
constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30;  ///< enough for a million configurations

std::vector<NamedResults> read_parts(const std::vector<std::string>& files) {
  std::vector<NamedResults> parts;
  for (const std::string& file : files) parts.push_back({file, read_results(file)});
  return parts;
}

}  // namespace

Results read_results(const std::filesystem::path& file, const ProgressMonitor* watch) {
  const std::string text =
      read_input(file, kMaxBytes, "a results file of fractal-loom bench", [watch] { check_cancel(watch); });
  return parse_results(text, file.string(), watch);
}

Results read_merged(const std::vector<std::string>& files) {
  return merge(read_parts(files));
}

Results read_merged_over_ranks(const std::vector<std::string>& files) {
  return merge_over_ranks(read_parts(files));
}

ResultsFile::ResultsFile(const Results& results, std::optional<std::filesystem::path> json,
                         std::optional<std::filesystem::path> csv)
    : json_(std::move(json)), csv_(std::move(csv)) {
  write(results);
}

void ResultsFile::update(const Results& results) {
  has_all_ = false;
  if (Clock::now() >= next_write_) write(results);
}

void ResultsFile::write(const Results& results) {
  const auto begin = Clock::now();
  std::exception_ptr failure;
  has_all_ = false;
  try {
    if (json_) {
      for (std::string& line : entry_lines(results, lines_.size())) lines_.push_back(std::move(line));
      write_file(*json_, document_text(results, lines_));
      has_all_ = true;
    }
  } catch (...) {
    failure = std::current_exception();
  }
  try {
    if (csv_) write_file(*csv_, csv_text(results));
  } catch (...) {
    if (!failure) failure = std::current_exception();
  }
  const auto end = Clock::now();
  next_write_ = end + std::max<Clock::duration>(kWriteInterval, kTimesTheWriting * (end - begin));
  if (failure) std::rethrow_exception(failure);
}

namespace {

// The columns in their order; METHOD and CONFIG are the settings of the tables.
constexpr std::string_view kMapColumns =
    "fractal level width height depth cells METHOD workload reduction backend device repeat median_ms min_ms "
    "p95_ms "
    "mean_ms noise samples generations_per_sample limited tiles_launched threads_launched threads_active "
    "bytes_held bytes_moved cells_per_second bytes_per_second skipped devices shard ENERGY cells_per_joule";
constexpr std::string_view kMandelbrotColumns =
    "width height CONFIG backend device repeat median_ms min_ms p95_ms mean_ms noise samples limited pixels "
    "computed_pixels filled_pixels work_reduction split_fraction bytes_held levels level_ms skipped re_min "
    "re_max im_min im_max mirrored_pixels axis_pixels level_width level_height level_regions level_filled "
    "level_leaves level_splits level_split_fraction level_children level_border_pixels level_leaf_pixels "
    "level_filled_pixels launches devices shard center_re center_im view_width reference_orbit_ms "
    "reference_table_ms reference_reused reference_length reference_period reference_steps reference_bits "
    "reference_digits reference_bytes reference_uncertain reference_undecided reference_exact_ms "
    "recomputed_pixels ENERGY space order";
constexpr std::string_view kEnergyColumns =
    "joules joules_min joules_max energy_seconds watts idle_watts idle_share energy_sensor energy_problem";

std::vector<std::string> csv_columns(SweepKind kind) {
  std::vector<std::string> names;
  const auto add = [&](const FieldInfo& field) { names.emplace_back(field.key); };
  std::istringstream words{std::string(kind == SweepKind::kMaps ? kMapColumns : kMandelbrotColumns)};
  for (std::string word; words >> word;) {
    if (word == "METHOD") {
      for (const MethodField& field : method_fields()) {
        add(field);
        if (field.option == "map") names.emplace_back("block");
      }
    } else if (word == "ENERGY") {
      std::istringstream energy{std::string(kEnergyColumns)};
      while (energy >> word) names.push_back(word);
    } else if (word == "CONFIG") {
      std::ranges::for_each(mandelbrot_config_fields(), add);
    } else {
      names.push_back(std::move(word));
    }
  }
  return names;
}

/// A list, of levels, as its values; the column "levels" has their number.
std::string csv_cell_of(const Row& row, const std::string& column) {
  const Json& cell = row[column == "levels" ? "level_ms" : std::string_view(column)];
  if (!cell.is_array()) return csv_cell(row.text(column == "levels" ? "level_ms" : column));
  if (column == "levels") return fmt::format("{}", cell.size());
  std::vector<std::string> values;
  for (const Json& value : cell) values.push_back(value_text(value));
  return fmt::format("{}", fmt::join(values, ";"));
}

}  // namespace

std::string csv_text(const Results& results) {
  const std::vector<std::string> names = csv_columns(results.kind);
  std::string text = fmt::format("{}\r\n", fmt::join(names, ","));
  for (const Row& row : results.rows) {
    std::vector<std::string> cells;
    for (const std::string& name : names) cells.push_back(csv_cell_of(row, name));
    text += fmt::format("{}\r\n", fmt::join(cells, ","));
  }
  return text;
}

}  // namespace loom::app::bench
