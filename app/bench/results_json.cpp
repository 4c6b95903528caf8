#include "app/bench/results_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <map>
#include <memory>

#include "app/bench/json_document.h"
#include "app/settings/field_json.h"
#include "app/settings/json_members.h"
#include "compute/core/error.h"
#include "compute/core/input_text.h"
#include "compute/cpu/available_memory.h"
#include "compute/mandelbrot/mandelbrot_fields.h"

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

namespace loom::app {

// The tables of the types in entries. A new member is a new row.

template <>
constexpr std::array kJsonMembers<bench::Summary> = {
    json_number<&bench::Summary::median, &JsonReader::milliseconds>("median"),
    json_number<&bench::Summary::min, &JsonReader::milliseconds>("min"),
    json_number<&bench::Summary::p95, &JsonReader::milliseconds>("p95"),
    json_number<&bench::Summary::mean, &JsonReader::milliseconds>("mean"),
    json_row<&bench::Summary::noise>("noise"),
    json_row<&bench::Summary::samples>("samples"),
};

template <>
constexpr std::array kJsonMembers<bench::EntryOrigin> = {
    json_row<&bench::EntryOrigin::backend>("backend"),
    json_row<&bench::EntryOrigin::device>("device"),
    json_row<&bench::EntryOrigin::repeat>("repeat"),
    json_row<&bench::EntryOrigin::devices>("devices", Presence::kUnlessDefault),
    json_row<&bench::EntryOrigin::shard>("shard", Presence::kUnlessDefault),
    json_row<&bench::EntryOrigin::skipped>("skipped", Presence::kUnlessDefault),
};

template <>
constexpr std::array kJsonMembers<bench::MapSetup> = {
    json_row<&bench::MapSetup::width>("width"),
    json_row<&bench::MapSetup::height>("height"),
    json_row<&bench::MapSetup::depth>("depth", Presence::kUnlessDefault),
    json_row<&bench::MapSetup::cells>("cells"),
    json_row<&bench::MapSetup::workload>("workload"),
    json_row<&bench::MapSetup::reduction>("reduction"),
};

template <>
constexpr std::array kJsonMembers<bench::MapResult> = {
    json_row<&bench::MapResult::milliseconds, bench::MapResult>("step_ms"),
    json_row<&bench::MapResult::generations_per_sample>("generations_per_sample"),
    json_row<&bench::MapResult::limited, bench::MapResult>("limited"),
    json_row<&bench::MapResult::tiles_launched>("tiles_launched"),
    json_row<&bench::MapResult::threads_launched>("threads_launched"),
    json_row<&bench::MapResult::threads_active>("threads_active"),
    json_row<&bench::MapResult::allocated_bytes>("bytes_held"),
    json_row<&bench::MapResult::bytes_moved>("bytes_moved"),
};

template <>
constexpr std::array kJsonMembers<bench::MandelbrotResult> = {
    json_row<&bench::MandelbrotResult::milliseconds, bench::MandelbrotResult>("image_ms"),
    json_row<&bench::MandelbrotResult::limited, bench::MandelbrotResult>("limited"),
    json_derived<[](const bench::MandelbrotResult& result) { return bench::filled_pixels(result.report); },
                 bench::MandelbrotResult>("filled_pixels"),
    json_derived<[](const bench::MandelbrotResult& result) { return bench::split_fraction(result.report); },
                 bench::MandelbrotResult>("split_fraction"),
};

}  // namespace loom::app

namespace loom::app::bench {
namespace {

using Json = nlohmann::ordered_json;

void add_setup(Json& json, const MapSetup& setup) {
  add_config(json, setup);
  add_members(json, setup);
}

void read_setup(const JsonReader& json, MapSetup& setup) {
  static_cast<ConfigNames&>(setup) = read_config_names(json);
  read_members(json, setup);
}

void add_setup(Json& json, const MandelbrotSetup& setup) {
  add_mandelbrot_config(json, setup.config, setup.view);
}

void read_setup(const JsonReader& json, MandelbrotSetup& setup) {
  read_mandelbrot_config(json, setup.config, setup.view);
  // A skipped configuration may have a view that its precision cannot show.
  if (!setup.view.decimal || !json.has("skipped")) validate(setup.view, setup.config.precision);
}

void add_result(Json& json, const MapEntry& entry) {
  add_members(json, *entry.measured);
  json["cells_per_second"] = cells_per_second(entry);
  json["bytes_per_second"] = bytes_per_second(entry);
}

void add_result(Json& json, const MandelbrotEntry& entry) {
  add_members(json, *entry.measured);
  add_mandelbrot_report(json, entry.measured->report);
}

void read_result(const JsonReader& json, MapResult& result) {
  read_members(json, result);
}

void read_result(const JsonReader& json, MandelbrotResult& result) {
  read_members(json, result);
  read_mandelbrot_report(json, result.report);
  result.report.milliseconds = result.milliseconds.median;
}

template <typename OneEntry>
Json json_of_entry(const OneEntry& entry) {
  auto json = Json::object();
  add_setup(json, entry);
  add_members(json, static_cast<const EntryOrigin&>(entry));
  if (entry.measured) add_result(json, entry);
  return json;
}

template <typename OneEntry>
void read_into(const JsonReader& json, OneEntry& entry) {
  read_setup(json, entry);
  read_members(json, static_cast<EntryOrigin&>(entry));
  if (entry.devices < 1) throw InputError("devices is 0; allowed: 1 and more");
  if (!json.has("skipped")) read_result(json, entry.measured.emplace());
}

}  // namespace

Json entry_json(const MapEntry& entry) {
  return json_of_entry(entry);
}
Json entry_json(const MandelbrotEntry& entry) {
  return json_of_entry(entry);
}

void read_entry(const JsonReader& json, MapEntry& entry) {
  read_into(json, entry);
}
void read_entry(const JsonReader& json, MandelbrotEntry& entry) {
  read_into(json, entry);
}

}  // namespace loom::app::bench

namespace loom::app {

template <>
constexpr std::array kJsonMembers<ComplexWindow> = {
    json_number<&ComplexWindow::re_min, &JsonReader::real>("re_min"),
    json_number<&ComplexWindow::re_max, &JsonReader::real>("re_max"),
    json_number<&ComplexWindow::im_min, &JsonReader::real>("im_min"),
    json_number<&ComplexWindow::im_max, &JsonReader::real>("im_max"),
};

template <>
constexpr std::array kJsonMembers<PerturbationStats> = {
    json_row<&PerturbationStats::orbit_milliseconds>("orbit_ms"),
    json_row<&PerturbationStats::table_milliseconds>("table_ms"),
    json_row<&PerturbationStats::orbit_reused>("reused"),
    json_row<&PerturbationStats::orbit_length>("length"),
    json_row<&PerturbationStats::period>("period"),
    json_row<&PerturbationStats::steps>("steps"),
    json_row<&PerturbationStats::bits>("bits"),
    json_row<&PerturbationStats::digits>("digits"),
    json_row<&PerturbationStats::bytes>("bytes"),
    json_row<&PerturbationStats::uncertain>("uncertain", Presence::kAddedLater),
    json_row<&PerturbationStats::undecided>("undecided", Presence::kAddedLater),
    json_row<&PerturbationStats::exact_milliseconds>("exact_ms", Presence::kAddedLater),
};

template <>
constexpr std::array kJsonMembers<MandelbrotLevel> = {
    json_row<&MandelbrotLevel::width>("width"),
    json_row<&MandelbrotLevel::height>("height"),
    json_row<&MandelbrotLevel::regions>("regions"),
    json_row<&MandelbrotLevel::filled>("filled"),
    json_row<&MandelbrotLevel::leaves>("leaves"),
    json_row<&MandelbrotLevel::splits>("splits"),
    json_derived<&MandelbrotLevel::split_fraction>("split_fraction"),
    json_row<&MandelbrotLevel::children>("children"),
    json_row<&MandelbrotLevel::border_pixels>("border_pixels"),
    json_row<&MandelbrotLevel::leaf_pixels>("leaf_pixels"),
    json_row<&MandelbrotLevel::filled_pixels>("filled_pixels"),
    json_row<&MandelbrotLevel::milliseconds>("ms"),
};

namespace {

nlohmann::ordered_json levels_json(const MandelbrotReport& report) {
  auto json = nlohmann::ordered_json::array();
  for (const MandelbrotLevel& level : report.levels) json.push_back(json_of(level));
  return json;
}

void read_levels(const JsonReader& json, const char* key, MandelbrotReport& report) {
  const auto& levels = json.array(key);
  if (levels.size() > kMaxSubdivisionLevels)
    throw InputError(fmt::format("levels are {}; allowed: up to {}", levels.size(), kMaxSubdivisionLevels));
  for (std::size_t i = 0; i < levels.size(); ++i) {
    MandelbrotLevel level;
    read_members(JsonReader(levels[i], fmt::format("levels[{}]", i)), level);
    report.levels.push_back(level);
  }
}

}  // namespace

template <>
constexpr std::array kJsonMembers<MandelbrotReport> = {
    json_row<&MandelbrotReport::pixels>("pixels"),
    json_row<&MandelbrotReport::mirrored_pixels>("mirrored_pixels"),
    json_row<&MandelbrotReport::axis_pixels>("axis_pixels"),
    json_derived<&MandelbrotReport::computed_pixels>("computed_pixels"),
    json_derived<bench::recomputed_pixels, MandelbrotReport>("recomputed_pixels"),
    json_derived<&MandelbrotReport::work_reduction>("work_reduction"),
    json_row<&MandelbrotReport::launches>("launches", Presence::kAddedLater),
    json_row<&MandelbrotReport::allocated_bytes>("bytes"),
    json_row<&MandelbrotReport::perturbation>("reference", Presence::kUnlessDefault),
    JsonMember<MandelbrotReport>{"levels", levels_json, read_levels},
};

template <>
constexpr std::array kJsonMembers<MandelbrotView> = {
    json_row<&MandelbrotView::width>("width"),
    json_row<&MandelbrotView::height>("height"),
    json_row<&MandelbrotView::window>("window"),
};

void add_mandelbrot_config(nlohmann::ordered_json& json, const MandelbrotConfig& config,
                           const MandelbrotView& view) {
  add_fields(json, mandelbrot_config_fields(), config);
  add_members(json, view);
  if (!view.decimal) return;
  const ViewDigits digits = digits_of(*view.decimal);
  json["center"] = {{"re", digits.re}, {"im", digits.im}};
  json["view_width"] = digits.width;
}

void read_mandelbrot_config(const JsonReader& json, MandelbrotConfig& config, MandelbrotView& view) {
  read_fields(json, mandelbrot_config_fields(), config);
  validate(config);
  read_members(json, view);
  if (!json.has("center")) return;
  const JsonReader center = json.object("center");
  DecimalView decimal{center.text("re"), center.text("im"), json.text("view_width")};
  validate(decimal);
  view.decimal = std::make_shared<const DecimalView>(std::move(decimal));
}

void add_mandelbrot_report(nlohmann::ordered_json& json, const MandelbrotReport& report) {
  add_members(json, report);
}

void read_mandelbrot_report(const JsonReader& json, MandelbrotReport& report) {
  read_members(json, report);
}

}  // namespace loom::app
