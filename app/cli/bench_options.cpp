#include "app/cli/bench_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>
#include <variant>

#include "app/bench/sweep.h"
#include "app/cli/options/options.h"
#include "app/cli/output.h"
#include "app/files/fractal_file.h"
#include "compute/backend/engine_factory.h"
#include "compute/core/error.h"
#include "compute/workload/rule_text.h"

namespace loom::app {
namespace {

constexpr std::array kSweepKinds = {bench::SweepKind::kMaps, bench::SweepKind::kMandelbrot};

/// Adds an option for every axis of a kind of sweep.
void add_axes(CLI::App& command, BenchOptions& options, bench::SweepKind kind) {
  const bool mandelbrot = kind == bench::SweepKind::kMandelbrot;
  for (const bench::AxisField& field : bench::axis_fields(kind)) {
    const bool shared = field.name == kBackendAxis;
    if (shared && mandelbrot) continue;  // added with the other kind
    std::string& text = shared ? options.backend : options.axes[kind][field.name];
    command
        .add_option("--" + field.name, text,
                    fmt::format("{}{} ({} by default)", mandelbrot ? "Mandelbrot: " : "", field.hint,
                                field.default_text))
        ->type_name("LIST");
  }
}

void add_axes(CLI::App& command, BenchOptions& options) {
  add_axes(command, options, bench::SweepKind::kMaps);
  command.add_option("--fractal-file", options.fractal_file, "A custom fractal (TOML) instead of --fractal")
      ->type_name("FILE");
  command.add_option("--level-min", options.level_min, "Lowest level")->type_name("R");
  command.add_option("--level-max", options.level_max, "Highest level")->type_name("R");
  command.add_option("--device", options.device, "Number of the CUDA device (0 by default)")->type_name("N");
  command
      .add_option("--device-list", options.device_list,
                  "CUDA devices in the order in which --devices takes them, as a comma list, or all (that of "
                  "--device first)")
      ->type_name("N,N,...");
  add_axes(command, options, bench::SweepKind::kMandelbrot);
  command.add_option("--size-min", options.size_min, "Mandelbrot: smallest size")->type_name("N");
  command.add_option("--size-max", options.size_max, "Mandelbrot: largest size")->type_name("N");
}

/// The first typed option that belongs to this kind of sweep only; empty if there is none.
std::string first_typed(const CLI::App& command, bench::SweepKind kind) {
  std::vector<std::string> names = {"--size-min", "--size-max"};
  if (kind == bench::SweepKind::kMaps) {
    names = {"--fractal-file", "--level-min", "--level-max", "--rule",
             "--seed",         "--density",   "--clock",     "--device-list"};
  }
  for (const bench::AxisField& field : bench::axis_fields(kind)) {
    if (field.name != kBackendAxis) names.push_back("--" + field.name);
  }
  for (const std::string& name : names) {
    if (command.count(name) > 0) return name;
  }
  return "";
}

void add_sampling(CLI::App& command, BenchOptions& options) {
  command.add_option("--repeats", options.repeats, "Number of runs of the whole sweep")
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--max-samples", options.max_samples, "Maximum number of samples per configuration")
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--max-seconds", options.max_seconds, "Time limit per configuration in seconds")
      ->type_name("S")
      ->capture_default_str();
  command
      .add_option("--at-once", options.rounds_per_call,
                  "Generations per sample, in one call (by default as many as take a millisecond, 16 with "
                  "the wall clock)")
      ->type_name("N");
  command
      .add_option("--clock", options.clock,
                  "Clock that times a sample: engine (CUDA events) or wall, from the call to its end (wall "
                  "by default with several devices, else engine)")
      ->type_name("NAME");
  command.add_option("--rule", options.rule, "Rule of life")->type_name("B.../S...")->capture_default_str();
  command.add_option("--seed", options.seed, "Seed of the random start")
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--density", options.density, "Fraction of cells alive at the start")
      ->type_name("P")
      ->capture_default_str();
}

void add_output(CLI::App& command, BenchOptions& options) {
  command.add_option("--out", options.out, "Results file (a new one in this folder by default)")
      ->type_name("FILE")
      ->check(output_name());
  command.add_option("--csv", options.csv, "Also write the results as CSV")
      ->type_name("FILE")
      ->check(output_name());
  command
      .add_option("--shard", options.shard,
                  "Measure only part K of N of the sweep, so that several machines can measure it together")
      ->type_name("K/N");
  command.add_flag("--resume", options.resume,
                   "Continue the sweep in the --out file; start it if the file does not exist");
  command
      .add_option("--merge", options.merge,
                  "Measure nothing; combine these results files of one sweep, such as its shards")
      ->type_name("RESULTS.json")
      ->expected(1, -1);
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
  command
      .add_option("--preset", options.preset,
                  fmt::format("A named sweep: {}; other options replace its axes", fmt::join(names, ", ")))
      ->type_name("NAME");
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
  for (const bench::SweepKind kind : kSweepKinds) options.kind_option[kind] = first_typed(command, kind);
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
  axes.repeats = static_cast<int>(read_whole_number("--repeats", options.repeats, 1, 1'000'000));
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
    sampling.rounds_per_call = static_cast<std::uint32_t>(
        read_whole_number("--at-once", options.rounds_per_call, 1, bench::Sampler::kLargestBatch));
  }
  if (is_distributed || options.clock == bench::kWallClock) sampling.use_distributed_timing();
  sampling.max_samples =
      static_cast<std::uint32_t>(read_whole_number("--max-samples", options.max_samples, 1, 1'000'000));
  sampling.max_seconds = read_real_number("--max-seconds", options.max_seconds, 0.001, 86'400);
  sampling.rule = parse_rule(options.rule);
  sampling.start.seed =
      read_whole_number("--seed", options.seed, 0, std::numeric_limits<std::uint64_t>::max());
  sampling.start.density = read_real_number("--density", options.density, 0, 1);
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
  plan.sampling = make_sampling(options, bench::is_distributed(plan.axes));
  return plan;
}

namespace {

using Entry = bench::MapEntry;
/// What compared methods have in common: fractal, level, workload, backend, devices.
using Subject = std::tuple<std::string, int, std::string, std::string, int>;

Subject subject_of(const Entry& entry) {
  std::string workload = entry.workload;
  if (entry.reduction) workload += " by " + *entry.reduction;
  return {entry.fractal, entry.level, workload, entry.backend, entry.devices};
}

bool is_faster(const Entry& entry, const Entry* best) {
  return best == nullptr || entry.measured->milliseconds.median < best->measured->milliseconds.median;
}

constexpr std::ptrdiff_t kDevicesColumn = 4;

using Key = std::pair<Subject, std::string>;  ///< subject and method

template <typename Map>
const Entry* find(const Map& entries, const typename Map::key_type& key) {
  const auto found = entries.find(key);
  return found == entries.end() ? nullptr : found->second;
}

/// The entry of the same method on one device, if `key` has several; otherwise null.
const Entry* on_one_device(const std::map<Key, const Entry*>& entries, Key key) {
  int& devices = std::get<4>(key.first);
  return std::exchange(devices, 1) > 1 ? find(entries, key) : nullptr;
}

/// The best g, r and B of each method and set of optimisations.
std::string mandelbrot_table(const std::vector<bench::MandelbrotEntry>& entries, bool has_ratios) {
  using Image = std::tuple<std::string, std::uint32_t, double, Precision, std::uint32_t>;
  const auto image_of = [](const bench::MandelbrotEntry& entry) {
    return Image{entry.backend, entry.config.dwell_limit, bench::depth_of(entry.view), entry.config.precision,
                 entry.view.width};
  };
  const auto keep_faster = [](const bench::MandelbrotEntry*& best, const bench::MandelbrotEntry& entry) {
    if (best == nullptr || *median_ms(entry) < *median_ms(*best)) best = &entry;
  };
  std::map<std::tuple<Image, std::string, std::string>, const bench::MandelbrotEntry*> best_by_method;
  std::map<Image, const bench::MandelbrotEntry*> best_exhaustive;
  for (const bench::MandelbrotEntry& entry : entries) {
    if (!entry.measured) continue;
    keep_faster(best_by_method[{image_of(entry), bench::method_text(entry.config),
                                to_string(entry.config.optimisations)}],
                entry);
    if (entry.config.method == MandelbrotMethod::kExhaustive) {
      keep_faster(best_exhaustive[image_of(entry)], entry);
    }
  }
  TextTable table({"backend", "method", "ideas", "precision", "width", "n", "g", "r", "B", "ms",
                   "exhaustive / this", "work reduction", "P"},
                  4);
  for (const auto& [key, entry] : best_by_method) {
    const MandelbrotConfig& config = entry->config;
    const bool has_cut = config.method != MandelbrotMethod::kExhaustive;
    const auto cut = [&](std::uint32_t value) {
      return has_cut ? fmt::format("{}", value) : std::string("-");
    };
    const auto exhaustive = best_exhaustive.find(std::get<Image>(key));
    const double ms = *median_ms(*entry);
    const std::string ratio = !has_ratios || exhaustive == best_exhaustive.end() || ms <= 0
                                  ? ""
                                  : fmt::format("{:.2f}", *median_ms(*exhaustive->second) / ms);
    const auto p = bench::split_fraction(entry->measured->report);
    table.add({entry->backend, std::get<1>(key), std::get<2>(key), std::string(name_of(config.precision)),
               bench::width_text(entry->view), fmt::format("{}", entry->view.width), cut(config.g),
               cut(config.r), cut(config.b), fmt::format("{:.4g}", ms), ratio,
               fmt::format("{:.2f}", entry->measured->report.work_reduction()),
               p ? fmt::format("{:.3f}", *p) : std::string("-")});
  }
  return table.empty() ? "" : table.text();
}

}  // namespace

std::string summary_table(const bench::Results& results) {
  // The baseline of a ratio may be in another shard.
  const bool has_ratios = !results.shards || results.shards->whole();
  if (results.kind() == bench::SweepKind::kMandelbrot) return mandelbrot_table(results.dwells(), has_ratios);
  std::map<Key, const Entry*> best_by_method;
  std::map<Subject, const Entry*> best_box;
  bool has_devices = false;
  for (const Entry& entry : results.maps()) {
    if (!entry.measured) continue;
    has_devices = has_devices || entry.devices > 1;
    const Entry*& best = best_by_method[{subject_of(entry), bench::method_text(entry)}];
    if (is_faster(entry, best)) best = &entry;
    if (entry.map() != "bounding-box") continue;
    const Entry*& box = best_box[subject_of(entry)];
    if (is_faster(entry, box)) box = &entry;
  }
  const char* const compared = has_devices ? "one device / this" : "bounding box / this";
  std::vector<std::string> heads = {"fractal", "workload", "backend", "method",
                                    "level",   "block",    "ms",      compared};
  if (has_devices) heads.insert(heads.begin() + kDevicesColumn, "devices");
  TextTable table(heads, 4);
  for (const auto& [key, entry] : best_by_method) {
    const double ms = entry->measured->milliseconds.median;
    const Entry* const other = has_devices ? on_one_device(best_by_method, key) : find(best_box, key.first);
    const std::string ratio = !has_ratios || other == nullptr || ms <= 0
                                  ? ""
                                  : fmt::format("{:.2f}", other->measured->milliseconds.median / ms);
    std::vector<std::string> row = {entry->fractal,
                                    std::get<2>(key.first),
                                    entry->backend,
                                    key.second,
                                    fmt::format("{}", entry->level),
                                    fmt::format("{}", entry->tile_size),
                                    fmt::format("{:.4g}", ms),
                                    ratio};
    if (has_devices) row.insert(row.begin() + kDevicesColumn, fmt::format("{}", entry->devices));
    table.add(row);
  }
  return table.empty() ? "" : table.text();
}

}  // namespace loom::app
