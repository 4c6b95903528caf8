#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "app/bench/axis_fields.h"
#include "app/bench/duration_text.h"
#include "app/bench/file_text.h"
#include "app/bench/mandelbrot_measurement.h"
#include "app/bench/measurement.h"
#include "app/bench/plan.h"
#include "app/bench/presets.h"
#include "app/bench/results_file.h"
#include "app/bench/results_json.h"
#include "app/bench/sweep.h"
#include "app/bench/time_left.h"
#include "app/cli/bench_summary.h"
#include "app/cli/command.h"
#include "app/cli/interrupt_watch.h"
#include "app/cli/passive_waiting.h"
#include "app/cli/progress_line.h"
#include "app/cli/read_number.h"
#include "compute/geometry/fractal_file.h"

namespace loom::app {
namespace {

constexpr int kInterrupted = 130;  ///< what a shell reports for a program that Ctrl-C ended

struct BenchOptions {
  std::string preset;
  bench::AxisTexts axes;                  ///< what was typed
  bench::MandelbrotAxisTexts mandelbrot;  ///< likewise; the backend is in `axes`
  std::string map_option;                 ///< the first that was typed of those for maps alone
  std::string mandelbrot_option;          ///< likewise
  std::string size_min;
  std::string size_max;
  std::string fractal_file;
  std::string level_min;
  std::string level_max;
  std::string repeats = "1";
  std::string device = "0";
  std::string max_samples = "100";
  std::string max_seconds = "2";
  std::string rule = "B2/S23";
  std::string seed = "1";
  std::string density = "0.5";
  std::string out;
  std::string csv;
  bool force = false;
  bool yes = false;
  bool json = false;
};

/// Typed over preset over default.
bench::AxisTexts chosen_axes(const BenchOptions& options) {
  bench::AxisTexts texts = bench::default_axes();
  if (!options.preset.empty()) bench::lay_over(texts, bench::find_preset(options.preset).axes);
  bench::lay_over(texts, options.axes);
  return texts;
}

void narrow_levels(std::vector<int>& levels, const BenchOptions& options) {
  int lowest = 0;
  int highest = 63;
  if (!options.level_min.empty()) {
    lowest = static_cast<int>(read_whole_number("--level-min", options.level_min, 0, 63));
  }
  if (!options.level_max.empty()) {
    highest = static_cast<int>(read_whole_number("--level-max", options.level_max, 0, 63));
  }
  const auto have = fmt::format("{}", fmt::join(levels, ", "));
  std::erase_if(levels, [&](int level) { return level < lowest || level > highest; });
  if (levels.empty()) {
    throw InputError(
        fmt::format("--level-min {} and --level-max {} leave no level of the sweep; allowed: some of {}",
                    lowest, highest, have));
  }
}

bench::Axes make_axes(const BenchOptions& options, const bench::AxisTexts& texts) {
  if (!options.fractal_file.empty() && !options.axes.fractal.empty()) {
    throw InputError("--fractal and --fractal-file exclude each other; allowed: one of them");
  }
  const auto device = read_whole_number("--device", options.device, 0, std::numeric_limits<int>::max());
  bench::Axes axes = bench::parse_axes(texts, {.device = static_cast<int>(device)});
  if (!options.fractal_file.empty()) axes.fractals = {read_fractal_file(options.fractal_file)};
  narrow_levels(axes.levels, options);
  axes.repeats = static_cast<int>(read_whole_number("--repeats", options.repeats, 1, 1'000'000));
  return axes;
}

bench::MandelbrotAxisTexts chosen_mandelbrot_axes(const BenchOptions& options) {
  bench::MandelbrotAxisTexts texts = bench::default_mandelbrot_axes();
  if (!options.preset.empty()) {
    bench::lay_over(texts, bench::find_mandelbrot_preset(options.preset).axes);
  }
  bench::lay_over(texts, options.mandelbrot);
  if (!options.axes.backend.empty()) texts.backend = options.axes.backend;
  return texts;
}

bench::MandelbrotAxes make_mandelbrot_axes(const BenchOptions& options,
                                           const bench::MandelbrotAxisTexts& texts) {
  const auto device = read_whole_number("--device", options.device, 0, std::numeric_limits<int>::max());
  bench::MandelbrotAxes axes = bench::parse_axes(texts, {.device = static_cast<int>(device)});
  constexpr std::uint64_t kMost = 1 << 20;
  const auto bound = [](const char* option, const std::string& text, std::uint64_t otherwise) {
    return text.empty() ? otherwise : read_whole_number(option, text, 1, kMost);
  };
  const std::uint64_t lowest = bound("--size-min", options.size_min, 1);
  const std::uint64_t highest = bound("--size-max", options.size_max, kMost);
  const auto have = fmt::format("{}", fmt::join(axes.sizes, ", "));
  std::erase_if(axes.sizes, [&](std::uint32_t n) { return n < lowest || n > highest; });
  if (axes.sizes.empty()) {
    throw InputError(
        fmt::format("--size-min {} and --size-max {} leave no size of the sweep; allowed: some of {}", lowest,
                    highest, have));
  }
  axes.repeats = static_cast<int>(read_whole_number("--repeats", options.repeats, 1, 1'000'000));
  return axes;
}

/// Which kind of sweep the preset and the options ask for.
bench::SweepKind kind_of(const BenchOptions& options) {
  const bool by_preset = bench::is_mandelbrot_preset(options.preset);
  if (!by_preset && options.mandelbrot_option.empty()) return bench::SweepKind::kMaps;
  const std::string asks = by_preset ? "--preset " + options.preset : options.mandelbrot_option;
  if (!options.map_option.empty()) {
    throw InputError(
        fmt::format("{} is of sweeps over maps, {} of sweeps over the Mandelbrot set; allowed: "
                    "options of one kind",
                    options.map_option, asks));
  }
  return bench::SweepKind::kMandelbrot;
}

bench::Sampling make_sampling(const BenchOptions& options) {
  bench::Sampling sampling;
  sampling.max_samples =
      static_cast<std::uint32_t>(read_whole_number("--max-samples", options.max_samples, 1, 1'000'000));
  sampling.max_seconds = read_real_number("--max-seconds", options.max_seconds, 0.001, 86'400);
  sampling.rule = parse_rule(options.rule);
  sampling.start.seed =
      read_whole_number("--seed", options.seed, 0, std::numeric_limits<std::uint64_t>::max());
  sampling.start.density = read_real_number("--density", options.density, 0, 1);
  return sampling;
}

/// Without --out the results go to a new file of the current folder; with --json to standard output alone.
std::optional<std::filesystem::path> results_path(const BenchOptions& options,
                                                  const bench::Results& results) {
  if (!options.out.empty()) return options.out;
  if (options.json) return std::nullopt;
  return bench::results_name(results);
}

std::string name_of(const bench::MapCase& one) {
  return fmt::format("level {} {} {}", one.config.level, name_of(one.config.method.map), one.config.block);
}

std::string name_of(const bench::MandelbrotCase& one) {
  return fmt::format("n {} {}", one.view.width, bench::method_text(one.config));
}

template <typename Case>
std::string progress_text(std::size_t done, std::size_t total, double seconds_left, const Case& next) {
  constexpr std::size_t kBar = 20;
  const std::size_t filled = kBar * done / total;
  return fmt::format("[{:#<{}}{:.<{}}] {}/{}, {} left, {}", "", filled, "", kBar - filled, done, total,
                     bench::duration_text(seconds_left), name_of(next));
}

/// Measures the cases one after the other into the file; whether Ctrl-C ended it.
template <typename Case>
bool run_sweep(const std::vector<Case>& cases, const bench::Sampling& sampling, bench::ResultsFile& file) {
  const InterruptWatch watch;
  bench::TimeLeft time_left(cases, sampling);
  ProgressLine line;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    line.show(progress_text(i, cases.size(), time_left.seconds(), cases[i]));
    const auto begin = std::chrono::steady_clock::now();
    auto entry = bench::measure(cases[i], sampling, [&watch] { return watch.interrupted(); });
    if (!entry) return true;
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    time_left.add(bench::median_ms(*entry), seconds.count());
    file.add(std::move(*entry));
  }
  return false;
}

std::string name_of(const bench::Entry& entry) {
  return fmt::format("{} level {}, {}, block {}", entry.fractal, entry.level, entry.map, entry.block);
}

std::string name_of(const bench::MandelbrotEntry& entry) {
  return fmt::format("n {}, {}, {}, ideas {}", entry.view.width, bench::method_text(entry.config),
                     bench::cut_text(entry.config), to_string(entry.config.ideas));
}

struct Counts {
  std::size_t measured = 0;
  std::size_t limited = 0;
};

/// Prints what was skipped and counts the rest.
template <typename EntryOfKind>
void count_entries(const std::vector<EntryOfKind>& entries, Counts& counts) {
  for (const EntryOfKind& entry : entries) {
    if (entry.measured) ++counts.measured;
    if (entry.measured && entry.measured->limited) ++counts.limited;
    if (!entry.measured) fmt::print("skipped: {}: {}\n", name_of(entry), entry.skipped);
  }
}

void print_outcome(const bench::Results& results, const std::optional<std::filesystem::path>& path,
                   double seconds) {
  Counts counts;
  count_entries(results.entries, counts);
  count_entries(results.dwells, counts);
  fmt::print("{}", summary_table(results));
  fmt::print(
      "{}: {} of {} configurations measured, {} skipped, {} ended by a limit with noise above 1 %; {}\n",
      results.interrupted ? "interrupted" : "done", counts.measured, results.planned,
      results.size() - counts.measured, counts.limited, bench::duration_text(seconds));
  if (path) fmt::print("results: {}\n", path->string());
}

/// Measures the cases of a plan into its results file and says what came out.
template <typename PlanOfKind, typename Case>
int measure_plan(const PlanOfKind& plan, const std::vector<Case>& cases, const BenchOptions& options) {
  bench::Results results = bench::new_results(plan, bench::inspect_machine(), cases.size());
  const auto path = results_path(options, results);
  std::optional<std::filesystem::path> csv;
  if (!options.csv.empty()) csv = options.csv;
  if (path) bench::check_may_write(*path, options.force);
  if (csv) bench::check_may_write(*csv, options.force);
  if (path && csv && *path == *csv) {
    throw InputError("--out and --csv name the same file; allowed: two files");
  }

  const auto begin = std::chrono::steady_clock::now();
  bench::ResultsFile file(std::move(results), path, csv);
  bool interrupted = false;
  try {
    interrupted = run_sweep(cases, plan.sampling, file);
  } catch (const MachineError&) {
    file.finish(false);  // what was measured before the device failed
    throw;
  }
  file.finish(interrupted);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  if (options.json) {
    fmt::print("{}", bench::document_text(file.results()));
  } else {
    print_outcome(file.results(), path, seconds.count());
  }
  return interrupted ? kInterrupted : 0;
}

int run_maps(const BenchOptions& options) {
  bench::Plan plan;
  plan.preset = options.preset;
  plan.texts = chosen_axes(options);
  plan.axes = make_axes(options, plan.texts);
  plan.sampling = make_sampling(options);
  bench::check_sweep_size(bench::count_cases(plan.axes), options.yes);
  const auto cases = bench::expand(plan.axes);
  if (cases.empty()) {
    throw InputError(
        "the sweep has no valid combination of level and block size; allowed: --block 1 at any level");
  }
  return measure_plan(plan, cases, options);
}

int run_mandelbrot(const BenchOptions& options) {
  bench::MandelbrotPlan plan;
  plan.preset = options.preset;
  plan.texts = chosen_mandelbrot_axes(options);
  plan.axes = make_mandelbrot_axes(options, plan.texts);
  plan.sampling = make_sampling(options);
  const auto cases = bench::expand(plan.axes);
  bench::check_sweep_size(cases.size(), options.yes);
  return measure_plan(plan, cases, options);
}

int run(const BenchOptions& options) {
  // Threads that spin at the end of each short generation would measure whatever else the machine does.
  wait_passively();
  return kind_of(options) == bench::SweepKind::kMandelbrot ? run_mandelbrot(options) : run_maps(options);
}

/// "loop, table, or all"
template <typename Values>
std::string choices(const Values& values) {
  std::string text;
  for (const auto& value : values) text += fmt::format("{}, ", name_of(value));
  return text + "or all";
}

void add_axes(CLI::App& command, BenchOptions& options) {
  bench::AxisTexts& axes = options.axes;
  const bench::AxisTexts defaults = bench::default_axes();
  const auto add = [&command](const char* name, std::string& text, const std::string& what,
                              const std::string& standard) {
    command.add_option(name, text, fmt::format("{} ({} by default)", what, standard))->type_name("LIST");
  };
  add("--fractal", axes.fractal, "Fractals of the catalogue, or all", defaults.fractal);
  command.add_option("--fractal-file", options.fractal_file, "Instead, a fractal of your own (TOML)")
      ->type_name("FILE");
  add("--level", axes.level, "Levels, as in 4,8..16", defaults.level);
  command.add_option("--level-min", options.level_min, "Leave out lower levels")->type_name("R");
  command.add_option("--level-max", options.level_max, "Leave out higher levels")->type_name("R");
  add("--map", axes.map, choices(kMapKinds), defaults.map);
  add("--arithmetic", axes.arithmetic, choices(kMapArithmetics) + ", or auto", defaults.arithmetic);
  add("--intra-block", axes.intra_block, choices(kIntraBlocks) + ", or auto", defaults.intra_block);
  add("--halo", axes.halo, "Compact map: on, off, all, or auto", defaults.halo);
  add("--tiles", axes.tiles, "Blocks that share a thread block: auto, numbers, or all", defaults.tiles);
  add("--block", axes.block, "Block widths in cells, or all that a level allows", defaults.block);
  add("--workload", axes.workload, choices(kWorkloads), defaults.workload);
  add("--reduction", axes.reduction, choices(kReductionMethods), defaults.reduction);
  add("--backend", axes.backend, "auto, cuda, cpu, or all that work here", defaults.backend);
  command.add_option("--device", options.device, "Number of the CUDA device")
      ->type_name("N")
      ->capture_default_str();
}

void add_mandelbrot_axes(CLI::App& command, BenchOptions& options) {
  bench::MandelbrotAxisTexts& axes = options.mandelbrot;
  const bench::MandelbrotAxisTexts defaults = bench::default_mandelbrot_axes();
  const auto add = [&command](const char* name, std::string& text, const std::string& what,
                              const std::string& standard) {
    command.add_option(name, text, fmt::format("Mandelbrot: {} ({} by default)", what, standard))
        ->type_name("LIST");
  };
  add("--size", axes.size, "n, for images of n x n pixels, as in 1024..65536", defaults.size);
  command.add_option("--size-min", options.size_min, "Leave out smaller sizes")->type_name("N");
  command.add_option("--size-max", options.size_max, "Leave out larger sizes")->type_name("N");
  add("--method", axes.method, choices(kMandelbrotMethods), defaults.method);
  add("--scheme", axes.scheme, choices(kRegionSchemes), defaults.scheme);
  add("--ideas", axes.ideas, "none (the published form), all, or ideas joined by +, as in early-stop+tiles",
      defaults.ideas);
  add("--g", axes.g, "first regions on each axis, 1 to 1024", defaults.g);
  add("--r", axes.r, "parts of a split on each axis, 2 to 1024", defaults.r);
  add("--b", axes.b, "B, where splitting ends, 1 to 1024", defaults.b);
  add("--dwell", axes.dwell, "dwell limits, 1 to 65535", defaults.dwell);
  add("--precision", axes.precision, choices(kPrecisions), defaults.precision);
}

/// The first of these options that was typed; empty where none was.
template <std::size_t kCount>
std::string first_typed(const CLI::App& command, const std::array<const char*, kCount>& names) {
  for (const char* name : names) {
    if (command.count(name) > 0) return name;
  }
  return "";
}

constexpr std::array kMapOptions = {"--fractal",   "--fractal-file", "--level",      "--level-min",
                                    "--level-max", "--map",          "--arithmetic", "--intra-block",
                                    "--halo",      "--tiles",        "--block",      "--workload",
                                    "--reduction", "--rule",         "--seed",       "--density"};
constexpr std::array kMandelbrotOptions = {"--size",   "--size-min", "--size-max", "--method",
                                           "--scheme", "--ideas",    "--g",        "--r",
                                           "--b",      "--dwell",    "--precision"};

void add_sampling(CLI::App& command, BenchOptions& options) {
  command.add_option("--repeats", options.repeats, "Run the whole sweep this often")
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--max-samples", options.max_samples, "Samples of a configuration at most")
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--max-seconds", options.max_seconds, "Seconds of sampling of a configuration at most")
      ->type_name("S")
      ->capture_default_str();
  command.add_option("--rule", options.rule, "Rule of life")->type_name("B.../S...")->capture_default_str();
  command.add_option("--seed", options.seed, "Seed of the random start")
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--density", options.density, "Share of cells alive at the start")
      ->type_name("P")
      ->capture_default_str();
}

void add_output(CLI::App& command, BenchOptions& options) {
  command.add_option("--out", options.out, "Results file (a new one in this folder by default)")
      ->type_name("FILE");
  command.add_option("--csv", options.csv, "Write them as CSV too")->type_name("FILE");
  command.add_flag("--force", options.force, "Overwrite these files");
  command.add_flag("--yes", options.yes, "Run a sweep of more than 100000 configurations");
  command.add_flag("--json", options.json, "Print the results on standard output and nothing else");
}

std::string preset_help() {
  std::string text = "Presets:\n";
  for (const bench::Preset& preset : bench::presets()) {
    text += fmt::format("  {}: {}.\n", preset.name, preset.purpose);
  }
  for (const bench::MandelbrotPreset& preset : bench::mandelbrot_presets()) {
    text += fmt::format("  {}: {}.\n", preset.name, preset.purpose);
  }
  return text;
}

}  // namespace

void add_bench(CLI::App& root, Action& chosen) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command =
      root.add_subcommand("bench", "Measure a sweep of configurations into a results file (see plot)");
  std::vector<std::string> names;
  for (const bench::Preset& preset : bench::presets()) names.push_back(preset.name);
  for (const bench::MandelbrotPreset& preset : bench::mandelbrot_presets()) names.push_back(preset.name);
  command
      ->add_option("--preset", options->preset,
                   fmt::format("A sweep of the papers: {}; options beside it replace its axes",
                               fmt::join(names, ", ")))
      ->type_name("NAME");
  add_axes(*command, *options);
  add_mandelbrot_axes(*command, *options);
  add_sampling(*command, *options);
  add_output(*command, *options);
  command->footer(
      preset_help() +
      "An option of the Mandelbrot set makes a sweep of that without a preset too. Lists are comma "
      "separated; "
      "ranges as in 8..16 hold both ends, those of the Mandelbrot set what doubling leads to. A "
      "configuration is sampled until the "
      "standard error of its mean is below 1 %, or to a limit. Ctrl-C keeps what is done and ends with "
      "status 130.");
  command->callback([options, command, &chosen] {
    options->map_option = first_typed(*command, kMapOptions);
    options->mandelbrot_option = first_typed(*command, kMandelbrotOptions);
    chosen = [options] { return run(*options); };
  });
}

}  // namespace loom::app
