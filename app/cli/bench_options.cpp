#include "app/cli/bench_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <variant>

#include "app/bench/sweep.h"
#include "app/cli/command.h"
#include "app/cli/options/options.h"
#include "app/files/fractal_file.h"
#include "compute/backend/engine_factory.h"
#include "compute/core/error.h"
#include "compute/workload/rule_text.h"

namespace loom::app {
namespace {

/// Adds an option for every axis of a kind of sweep.
void add_axes(CLI::App& command, BenchOptions& options, bench::SweepKind kind) {
  const bool mandelbrot = kind == bench::SweepKind::kMandelbrot;
  for (const bench::AxisField& field : bench::axis_fields(kind)) {
    const bool shared = field.name == kBackendAxis;
    if (shared && mandelbrot) continue;  // added with the other kind
    std::string& text = shared ? options.backend : options.axes[kind][field.name];
    add_text(command, "--" + field.name, text, "LIST",
             fmt::format("{}{} ({} by default)", mandelbrot ? "Mandelbrot: " : "", field.hint,
                         field.default_text));
  }
}

void add_axes(CLI::App& command, BenchOptions& options) {
  add_axes(command, options, bench::SweepKind::kMaps);
  add_text(command, "--fractal-file", options.fractal_file, "FILE",
           "A custom fractal (TOML) instead of --fractal");
  add_text(command, "--level-min", options.level_min, "R", "Lowest level");
  add_text(command, "--level-max", options.level_max, "R", "Highest level");
  add_text(command, "--device", options.device, "N", "Number of the CUDA device (0 by default)");
  add_text(command, "--device-list", options.device_list, "N,N,...",
           "CUDA devices in the order in which --devices takes them, as a comma list, or all (that of "
           "--device first)");
  add_axes(command, options, bench::SweepKind::kMandelbrot);
  add_text(command, "--size-min", options.size_min, "N", "Mandelbrot: smallest size");
  add_text(command, "--size-max", options.size_max, "N", "Mandelbrot: largest size");
}

void add_sampling(CLI::App& command, BenchOptions& options) {
  add_text(command, "--repeats", options.repeats, "N", "Number of runs of the whole sweep");
  add_text(command, "--max-samples", options.max_samples, "N", "Maximum number of samples per configuration");
  add_text(command, "--max-seconds", options.max_seconds, "S", "Time limit per configuration in seconds");
  add_text(command, "--at-once", options.rounds_per_call, "N",
           "Generations per sample, in one call (by default as many as take a millisecond, 16 with "
           "the wall clock)");
  add_text(command, "--clock", options.clock, "NAME",
           "Clock that times a sample: engine (CUDA events) or wall, from the call to its end (wall "
           "by default with several devices, else engine)");
  command.add_flag("--energy", options.energy,
                   "Also measure joules per generation or image: on a GPU by NVML's energy counter, on the "
                   "CPU by RAPL. Takes 2 s more per configuration, and 4 s before the first for idle power. "
                   "Sensors see the whole device, in steps of up to 100 ms");
  add_text(command, "--rule", options.rule, "B.../S...", "Rule of life");
  add_text(command, "--seed", options.seed, "N", "Seed of the random start");
  add_text(command, "--density", options.density, "P", "Fraction of cells alive at the start");
}

void add_output(CLI::App& command, BenchOptions& options) {
  add_output_file(command, "--out", options.out, "Results file (a new one in this folder by default)");
  add_output_file(command, "--csv", options.csv, "Also write the results as CSV");
  add_text(command, "--shard", options.shard, "K/N",
           "Measure only part K of N of the sweep, so that several machines can measure it together");
  command.add_flag("--resume", options.resume,
                   "Continue the sweep in the --out file; start it if the file does not exist");
  add_text(command, "--merge", options.merge, "RESULTS.json",
           "Measure nothing; combine these results files of one sweep, such as its shards")
      .expected(1, -1);
  command.add_flag("--force", options.force, "Overwrite existing files");
  command.add_flag("--yes", options.yes, "Allow more than 100000 configurations");
  command.add_flag("--json", options.json, "Print the results on standard output and nothing else");
}

std::string preset_help() {
  std::string text = "Presets:\n";
  for (const bench::Preset& preset : bench::presets()) {
    text += fmt::format("  {}: {}.\n", preset.name, preset.purpose);
  }
  return text;
}

}  // namespace

void add_bench_options(CLI::App& command, BenchOptions& options) {
  std::vector<std::string> names;
  for (const bench::Preset& preset : bench::presets()) names.push_back(preset.name);
  add_text(command, "--preset", options.preset, "NAME",
           fmt::format("A named sweep: {}; other options replace its axes", fmt::join(names, ", ")));
  add_axes(command, options);
  add_sampling(command, options);
  add_output(command, options);
  command.footer(preset_help() +
                 "mpirun -n N fractal-loom bench ... distributes the cells of each configuration over N "
                 "processes; the first one writes and prints. Any Mandelbrot option selects a Mandelbrot "
                 "sweep, with or without a preset. Values are comma lists; ranges such as 8..16 include both "
                 "ends, and contain powers of two in Mandelbrot sweeps. A configuration is sampled until the "
                 "standard error of the mean is below 1 % or a limit is reached. Ctrl-C, SIGTERM and SIGHUP "
                 "save finished results and end with status 130, 143 and 129.");
}

void note_exclusive_options(const CLI::App& command, BenchOptions& options) {
  for (const bench::SweepKind kind : bench::kSweepKinds) {
    std::vector<std::string> names = {"--size-min", "--size-max"};
    if (kind == bench::SweepKind::kMaps) {
      names = {"--fractal-file", "--level-min", "--level-max", "--rule",
               "--seed",         "--density",   "--clock",     "--device-list"};
    }
    for (const bench::AxisField& field : bench::axis_fields(kind)) {
      if (field.name != kBackendAxis) names.push_back("--" + field.name);
    }
    options.kind_option[kind] = first_typed(command, names);
  }
}

namespace {

/// The kind of sweep that the preset and the options select. Throws InputError if they contradict each other.
bench::SweepKind kind_of(const BenchOptions& options) {
  const std::string& of_maps = options.kind_option.at(bench::SweepKind::kMaps);
  const std::string& of_mandelbrot = options.kind_option.at(bench::SweepKind::kMandelbrot);
  const auto refuse = [](const std::string& map_option, const std::string& mandelbrot_option) {
    std::vector<std::string_view> presets;
    for (const bench::Preset& preset : bench::presets()) {
      if (preset.kind == bench::SweepKind::kMandelbrot) presets.push_back(preset.name);
    }
    throw InputError(fmt::format(
        "{} belongs to map sweeps, {} to Mandelbrot sweeps (presets {}); allowed: options of one kind",
        map_option, mandelbrot_option, fmt::join(presets, ", ")));
  };
  if (options.preset.empty()) {
    if (!of_maps.empty() && !of_mandelbrot.empty()) refuse(of_maps, of_mandelbrot);
    return of_mandelbrot.empty() ? bench::SweepKind::kMaps : bench::SweepKind::kMandelbrot;
  }
  const bench::SweepKind kind = bench::find_preset(options.preset).kind;
  const std::string by_preset = "--preset " + options.preset;
  if (kind == bench::SweepKind::kMandelbrot && !of_maps.empty()) refuse(of_maps, by_preset);
  if (kind == bench::SweepKind::kMaps && !of_mandelbrot.empty()) refuse(by_preset, of_mandelbrot);
  return kind;
}

/// Typed values override the preset, which overrides the defaults.
bench::AxisTexts selected_axes(const BenchOptions& options, bench::SweepKind kind) {
  bench::AxisTexts texts = bench::default_axes(kind);
  if (!options.preset.empty()) bench::override_texts(texts, bench::find_preset(options.preset).axes);
  bench::override_texts(texts, options.axes.at(kind));
  if (!options.backend.empty()) texts[std::string(kBackendAxis)] = options.backend;
  return texts;
}

/// Removes the values outside the typed bounds from an axis. Throws InputError if none remains.
template <typename Number>
void narrow(std::vector<Number>& values, const char* axis, const std::string& min, const std::string& max,
            std::uint64_t least, std::uint64_t most) {
  const std::string low = fmt::format("--{}-min", axis);
  const std::string high = fmt::format("--{}-max", axis);
  const std::uint64_t lowest = min.empty() ? least : read_whole_number(low, min, least, most);
  const std::uint64_t highest = max.empty() ? most : read_whole_number(high, max, least, most);
  const auto have = fmt::format("{}", fmt::join(values, ", "));
  std::erase_if(values, [&](Number value) {
    const auto number = static_cast<std::uint64_t>(value);
    return number < lowest || number > highest;
  });
  if (values.empty()) {
    throw InputError(fmt::format("{} {} and {} {} leave no {} in the sweep; allowed: some of {}", low, lowest,
                                 high, highest, axis, have));
  }
}

/// The selected devices, in the order in which configurations use them.
bench::AxisContext devices_of(const BenchOptions& options, const ProcessGroup* ranks) {
  bench::AxisContext context;
  if (!options.device_list.empty()) {
    if (options.device)
      throw InputError("--device and --device-list exclude each other; allowed: one of them");
    if (ranks != nullptr)
      throw InputError(
          "--device-list is for one process; allowed: --device, or none (each process uses one device)");
    for (const Device& one : read_devices(options.device_list, BackendChoice::kAuto))
      context.device_list.push_back(one.ordinal);
    context.device = context.device_list.front();
    return context;
  }
  if (options.device) {
    context.device =
        read_device(options.device, options.backend == "cpu" ? BackendChoice::kCpu : BackendChoice::kAuto);
  } else if (ranks != nullptr) {
    context.device = device_of_rank(*ranks);
  }
  return context;
}

/// Lets all processes of the run share each configuration.
void share_among(bench::Axes& axes, const ProcessGroup& ranks) {
  auto* const maps = std::get_if<bench::MapAxes>(&axes.of);
  if (maps == nullptr)
    throw InputError("Mandelbrot sweeps run in one process; allowed with mpirun: map sweeps");
  maps->devices = {ranks.count()};
  maps->device_list.clear();
  maps->processes = true;
}

bench::Axes make_axes(const BenchOptions& options, bench::SweepKind kind, const bench::AxisTexts& texts,
                      const ProcessGroup* ranks) {
  if (ranks != nullptr && !options.axes.at(bench::SweepKind::kMaps).at("devices").empty())
    throw InputError(
        "--devices is for one process; allowed with mpirun: none (each process uses one device)");
  bench::Axes axes = bench::parse_axes(kind, texts, devices_of(options, ranks));
  if (ranks != nullptr) share_among(axes, *ranks);
  if (auto* maps = std::get_if<bench::MapAxes>(&axes.of)) {
    if (!options.fractal_file.empty()) {
      if (!options.axes.at(kind).at("fractal").empty()) {
        throw InputError("--fractal and --fractal-file exclude each other; allowed: one of them");
      }
      maps->fractals = {read_fractal_file(options.fractal_file).fractal};
    }
    narrow(maps->levels, "level", options.level_min, options.level_max, 0, 63);
  }
  if (auto* mandelbrot = std::get_if<bench::MandelbrotAxes>(&axes.of)) {
    narrow(mandelbrot->sizes, "size", options.size_min, options.size_max, 1, 1 << 20);
  }
  axes.repeats = read_whole_number<int>("--repeats", options.repeats, 1, 1'000'000);
  return axes;
}

bench::Sampling make_sampling(const BenchOptions& options, bool is_distributed) {
  bench::Sampling sampling;
  if (options.clock == bench::kEngineClock && is_distributed) {
    throw InputError("--clock engine: several devices have no common clock; allowed here: wall");
  }
  if (!options.clock.empty() && options.clock != bench::kEngineClock && options.clock != bench::kWallClock) {
    throw InputError(fmt::format("--clock: '{}' is not allowed; allowed: engine, wall", options.clock));
  }
  if (!options.rounds_per_call.empty()) {
    sampling.rounds_per_call = read_whole_number<std::uint32_t>("--at-once", options.rounds_per_call, 1,
                                                                bench::Sampler::kLargestBatch);
  }
  if (is_distributed || options.clock == bench::kWallClock) sampling.use_distributed_timing();
  sampling.max_samples = read_whole_number<std::uint32_t>("--max-samples", options.max_samples, 1, 1'000'000);
  sampling.max_seconds = read_real_number("--max-seconds", options.max_seconds, 0.001, 86'400);
  sampling.rule = parse_rule(options.rule);
  sampling.start.seed = read_whole_number<std::uint64_t>("--seed", options.seed);
  sampling.start.density = read_real_number("--density", options.density, 0, 1);
  if (options.energy) sampling.measure_energy();
  return sampling;
}

}  // namespace

bench::Plan make_bench_plan(const BenchOptions& options, const ProcessGroup* ranks) {
  const bench::SweepKind kind = kind_of(options);
  bench::Plan plan;
  plan.preset = options.preset;
  if (!options.shard.empty()) plan.shard = bench::parse_shard(options.shard);
  plan.texts = selected_axes(options, kind);
  plan.axes = make_axes(options, kind, plan.texts, ranks);
  if (options.energy && ranks != nullptr)
    throw InputError("--energy measures the devices of one process; allowed: without mpirun");
  plan.sampling = make_sampling(options, bench::is_distributed(plan.axes));
  return plan;
}

namespace {

/// What compared rows have in common, and what lines of the table are sorted by: numbers and texts.
using Key = std::vector<std::pair<double, std::string>>;

std::pair<double, std::string> number_of(double value) {
  return {value, ""};
}

std::string workload_text(const bench::Row& row) {
  return row.text("workload") + (row["reduction"].is_null() ? "" : " by " + row.text("reduction"));
}

Key subject_of(const bench::Row& row) {
  if (row.kind() == bench::SweepKind::kMaps) {
    return {{0, row.text("fractal")},
            number_of(row.number("level")),
            {0, workload_text(row)},
            {0, row.text("backend")},
            number_of(row.number("devices"))};
  }
  const auto precision =
      std::ranges::find_if(kPrecisions, [&](Precision one) { return row["precision"] == name_of(one); });
  return {{0, row.text("backend")},
          number_of(row.number("dwell_limit")),
          number_of(row["space"].is_null() ? bench::depth_of(width_text(row)) : 0),
          number_of(static_cast<double>(precision - kPrecisions.begin())),
          number_of(row.number("width")),
          {0, row.text("space")}};
}
constexpr std::size_t kDevicesInKey = 4;  ///< of maps

Key method_of(const bench::Row& row) {
  Key key = subject_of(row);
  key.emplace_back(0, method_text(row));
  if (row.kind() == bench::SweepKind::kMandelbrot) key.emplace_back(0, row.text("ideas") + row.text("order"));
  return key;
}

/// What speedups are over.
bool is_base(const bench::Row& row) {
  return row.kind() == bench::SweepKind::kMaps ? row["map"] == "bounding-box" : is_exhaustive(row);
}

/// Keeps the faster row.
void keep(const bench::Row*& best, const bench::Row& row) {
  if (best == nullptr || *median_ms(row) < *median_ms(*best)) best = &row;
}

/// A column of the table.
struct SummaryColumn {
  std::string head;
  std::function<std::string(const bench::Row& row)> cell;
};

SummaryColumn column(std::string head, const char* of_results) {
  return {std::move(head), [of_results](const bench::Row& row) { return row.text(of_results); }};
}
SummaryColumn cut_column(std::string head, const char* of_results) {
  return {std::move(head),
          [of_results](const bench::Row& row) { return is_exhaustive(row) ? "-" : row.text(of_results); }};
}

}  // namespace

std::string summary_table(const bench::Results& results) {
  const bool of_maps = results.kind == bench::SweepKind::kMaps;
  std::map<Key, const bench::Row*> best;
  std::map<Key, const bench::Row*> best_base;
  bool has_devices = false;
  for (const bench::Row& row : results.rows) {
    if (!row.measured()) continue;
    has_devices = has_devices || (of_maps && row.number("devices") > 1);
    keep(best[method_of(row)], row);
    if (is_base(row)) keep(best_base[subject_of(row)], row);
  }
  const auto find = [](const auto& rows, const Key& key) {
    const auto found = rows.find(key);
    return found == rows.end() ? nullptr : found->second;
  };
  const auto ratio = [&](const bench::Row& row) -> std::string {
    Key key = has_devices ? method_of(row) : subject_of(row);
    if (has_devices && key[kDevicesInKey].first == 1) return "";
    if (has_devices) key[kDevicesInKey] = number_of(1);
    const bench::Row* const base = find(has_devices ? best : best_base, key);
    // The base may be in another shard.
    const bool has_it = base != nullptr && (!results.shards || results.shards->whole());
    const double ms = *median_ms(row);
    return has_it && ms > 0 ? fmt::format("{:.2f}", *median_ms(*base) / ms) : "";
  };
  const SummaryColumn ms = {"ms",
                            [](const bench::Row& row) { return fmt::format("{:.4g}", *median_ms(row)); }};
  const SummaryColumn method = {"method", [](const bench::Row& row) { return method_text(row); }};
  std::vector<SummaryColumn> columns;
  if (of_maps) {
    columns = {column("fractal", "fractal"),
               {"workload", workload_text},
               column("backend", "backend"),
               method,
               column("level", "level"),
               column("block", "block"),
               ms,
               {"bounding box / this", ratio}};
    if (has_devices) {
      columns.insert(columns.begin() + kDevicesInKey, column("devices", "devices"));
      columns.back().head = "one device / this";
    }
  } else {
    columns = {
        column("backend", "backend"),
        method,
        column("ideas", "ideas"),
        column("precision", "precision"),
        {"width",
         [](const bench::Row& row) { return row["space"].is_null() ? width_text(row) : std::string("-"); }},
        column("n", "width"),
        cut_column("g", "g"),
        cut_column("r", "r"),
        cut_column("B", "b"),
        ms,
        {"exhaustive / this", ratio},
        {"work reduction",
         [](const bench::Row& row) { return fmt::format("{:.2f}", row.number("work_reduction")); }},
        {"P", [](const bench::Row& row) {
           return row["split_fraction"].is_null() ? "-" : fmt::format("{:.3f}", row.number("split_fraction"));
         }}};
    const auto in_space = [](const bench::Row& row) { return !row["space"].is_null(); };
    if (std::ranges::any_of(results.rows, in_space)) {
      columns.insert(columns.begin() + 1, column("set in space", "space"));
      columns.insert(columns.begin() + 3, column("order", "order"));
    }
  }
  if (std::ranges::any_of(results.rows, [](const bench::Row& row) { return row.number("joules") > 0; }))
    columns.push_back(
        {"J", [](const bench::Row& row) { return fmt::format("{:.4g}", row.number("joules")); }});
  std::vector<std::string> heads;
  for (const SummaryColumn& one : columns) heads.push_back(one.head);
  TextTable table(heads, 4);
  for (const auto& [key, row] : best) {
    std::vector<std::string> cells;
    for (const SummaryColumn& one : columns) cells.push_back(one.cell(*row));
    table.add(cells);
  }
  return table.empty() ? "" : table.text();
}

}  // namespace loom::app
