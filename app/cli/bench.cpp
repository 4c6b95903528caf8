#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "app/bench/axis_text.h"
#include "app/bench/file_text.h"
#include "app/bench/measurement.h"
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
#include "compute/fractal/fractal_file.h"

namespace loom::app {
namespace {

constexpr int kInterrupted = 130;  ///< what a shell reports for a program that Ctrl-C ended

struct BenchOptions {
  std::string preset;
  bench::AxisTexts axes;  ///< what was typed
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

struct Sweep {
  bench::AxisTexts texts;
  bench::Axes axes;
  bench::Sampling sampling;
};

/// Typed over preset over default.
bench::AxisTexts chosen_axes(const BenchOptions& options) {
  bench::AxisTexts texts = bench::default_axes();
  const auto lay_over = [&texts](const bench::AxisTexts& upper) {
    const auto lay = [](std::string& lower, const std::string& text) {
      if (!text.empty()) lower = text;
    };
    lay(texts.fractal, upper.fractal);
    lay(texts.level, upper.level);
    lay(texts.map, upper.map);
    lay(texts.arithmetic, upper.arithmetic);
    lay(texts.intra_block, upper.intra_block);
    lay(texts.halo, upper.halo);
    lay(texts.block, upper.block);
    lay(texts.workload, upper.workload);
    lay(texts.backend, upper.backend);
  };
  if (!options.preset.empty()) lay_over(bench::find_preset(options.preset).axes);
  lay_over(options.axes);
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
  bench::Axes axes;
  if (options.fractal_file.empty()) {
    axes.fractals = bench::parse_fractals(texts.fractal);
  } else if (options.axes.fractal.empty()) {
    axes.fractals = {read_fractal_file(options.fractal_file)};
  } else {
    throw InputError("--fractal and --fractal-file exclude each other; allowed: one of them");
  }
  axes.levels = bench::parse_levels(texts.level);
  narrow_levels(axes.levels, options);
  axes.maps = bench::parse_maps(texts.map);
  axes.arithmetics = bench::parse_arithmetics(texts.arithmetic);
  axes.intra_blocks = bench::parse_intra_blocks(texts.intra_block);
  axes.halos = bench::parse_halos(texts.halo);
  axes.blocks = bench::parse_blocks(texts.block);
  axes.workloads = bench::parse_workloads(texts.workload);
  const auto device = read_whole_number("--device", options.device, 0, std::numeric_limits<int>::max());
  axes.backends = bench::parse_backends(texts.backend, static_cast<int>(device));
  axes.repeats = static_cast<int>(read_whole_number("--repeats", options.repeats, 1, 1'000'000));
  return axes;
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

nlohmann::ordered_json settings_json(const BenchOptions& options, const Sweep& sweep) {
  nlohmann::ordered_json json;
  json["preset"] = options.preset;
  auto& axes = json["axes"];
  axes["fractal"] = nlohmann::ordered_json::array();
  for (const NbbFractal& fractal : sweep.axes.fractals) axes["fractal"].push_back(fractal.name());
  axes["level"] = fmt::format("{}", fmt::join(sweep.axes.levels, ","));
  axes["map"] = sweep.texts.map;
  axes["arithmetic"] = sweep.texts.arithmetic;
  axes["intra_block"] = sweep.texts.intra_block;
  axes["halo"] = sweep.texts.halo;
  axes["block"] = sweep.texts.block;
  axes["workload"] = sweep.texts.workload;
  axes["backend"] = sweep.texts.backend;
  json["repeats"] = sweep.axes.repeats;
  json["rule"] = to_string(sweep.sampling.rule);
  json["seed"] = sweep.sampling.start.seed;
  json["density"] = sweep.sampling.start.density;
  json["max_samples"] = sweep.sampling.max_samples;
  json["max_seconds"] = sweep.sampling.max_seconds;
  json["target_noise"] = sweep.sampling.target_noise;
  const char* waiting = std::getenv("OMP_WAIT_POLICY");
  json["omp_wait_policy"] = waiting == nullptr ? "" : waiting;
  return json;
}

bench::Results new_results(const BenchOptions& options, const Sweep& sweep, std::uint64_t planned) {
  bench::Results results;
  results.program = "fractal-loom " LOOM_VERSION;
  results.commit = bench::source_commit();
  results.date = bench::utc_now();
  results.machine = bench::inspect_machine();
  results.settings = settings_json(options, sweep);
  results.planned = planned;
  return results;
}

/// Without --out the results go to a new file of the current folder; with --json to standard output alone.
std::optional<std::filesystem::path> results_path(const BenchOptions& options, const std::string& date) {
  if (!options.out.empty()) return options.out;
  if (options.json) return std::nullopt;
  std::string time = date;
  std::erase_if(time, [](char c) { return c == ':' || c == '-'; });
  return fmt::format("bench-{}-{}.json", options.preset.empty() ? "sweep" : options.preset, time);
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<long>(std::lround(std::min(seconds, 1e9)));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  return fmt::format("{}:{:02} h", whole / 3600, whole % 3600 / 60);
}

std::string progress_text(std::size_t done, std::size_t total, double seconds_left,
                          const bench::BenchCase& next) {
  constexpr std::size_t kBar = 20;
  const std::size_t filled = kBar * done / total;
  return fmt::format("[{:#<{}}{:.<{}}] {}/{}, {} left, level {} {} {}", "", filled, "", kBar - filled, done,
                     total, duration_text(seconds_left), next.config.level, name_of(next.config.map),
                     next.config.block);
}

/// Measures the cases one after the other into the file; whether Ctrl-C ended it.
bool run_sweep(const std::vector<bench::BenchCase>& cases, const bench::Sampling& sampling,
               bench::ResultsFile& file) {
  const InterruptWatch watch;
  bench::TimeLeft time_left(cases, sampling);
  ProgressLine line;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    line.show(progress_text(i, cases.size(), time_left.seconds(), cases[i]));
    const auto begin = std::chrono::steady_clock::now();
    auto entry = bench::measure(cases[i], sampling, [&watch] { return watch.interrupted(); });
    if (!entry) return true;
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    time_left.add(*entry, seconds.count());
    file.add(std::move(*entry));
  }
  return false;
}

void print_outcome(const bench::Results& results, const std::optional<std::filesystem::path>& path,
                   double seconds) {
  std::size_t measured = 0;
  std::size_t limited = 0;
  for (const bench::Entry& entry : results.entries) {
    if (entry.measured) ++measured;
    if (entry.measured && entry.measured->limited) ++limited;
    if (!entry.measured) {
      fmt::print("skipped: {} level {}, {}, block {}: {}\n", entry.fractal, entry.level, entry.map,
                 entry.block, entry.skipped);
    }
  }
  fmt::print("{}", summary_table(results));
  fmt::print(
      "{}: {} of {} configurations measured, {} skipped, {} ended by a limit with noise above 1 %; {}\n",
      results.interrupted ? "interrupted" : "done", measured, results.planned,
      results.entries.size() - measured, limited, duration_text(seconds));
  if (path) fmt::print("results: {}\n", path->string());
}

int run(const BenchOptions& options) {
  // Threads that spin at the end of each short generation would measure whatever else the machine does.
  wait_passively();
  Sweep sweep;
  sweep.texts = chosen_axes(options);
  sweep.axes = make_axes(options, sweep.texts);
  sweep.sampling = make_sampling(options);
  bench::check_sweep_size(bench::count_cases(sweep.axes), options.yes);
  const auto cases = bench::expand(sweep.axes);
  if (cases.empty()) {
    throw InputError(
        "the sweep has no valid combination of level and block size; allowed: --block 1 at any level");
  }
  bench::Results results = new_results(options, sweep, cases.size());
  const auto path = results_path(options, results.date);
  std::optional<std::filesystem::path> csv;
  if (!options.csv.empty()) csv = options.csv;
  if (path) bench::check_may_write(*path, options.force);
  if (csv) bench::check_may_write(*csv, options.force);
  if (path && csv && *path == *csv) {
    throw InputError("--out and --csv name the same file; allowed: two files");
  }

  const auto begin = std::chrono::steady_clock::now();
  bench::ResultsFile file(std::move(results), path, csv);
  const bool interrupted = run_sweep(cases, sweep.sampling, file);
  file.finish(interrupted);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  if (options.json) {
    fmt::print("{}", bench::document_text(file.results()));
  } else {
    print_outcome(file.results(), path, seconds.count());
  }
  return interrupted ? kInterrupted : 0;
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
  add("--arithmetic", axes.arithmetic, choices(kMapArithmetics), defaults.arithmetic);
  add("--intra-block", axes.intra_block, choices(kIntraBlocks), defaults.intra_block);
  add("--halo", axes.halo, "Compact map: on, off, or all", defaults.halo);
  add("--block", axes.block, "Block widths in cells, or all that a level allows", defaults.block);
  add("--workload", axes.workload, choices(kWorkloads), defaults.workload);
  add("--backend", axes.backend, "auto, cuda, cpu, or all that work here", defaults.backend);
  command.add_option("--device", options.device, "Number of the CUDA device")
      ->type_name("N")
      ->capture_default_str();
}

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
  return text;
}

}  // namespace

void add_bench(CLI::App& root, Action& chosen) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command =
      root.add_subcommand("bench", "Measure a sweep of configurations into a results file (see plot)");
  std::vector<std::string> names;
  for (const bench::Preset& preset : bench::presets()) names.push_back(preset.name);
  command
      ->add_option("--preset", options->preset,
                   fmt::format("A sweep of the papers: {}; options beside it replace its axes",
                               fmt::join(names, ", ")))
      ->type_name("NAME");
  add_axes(*command, *options);
  add_sampling(*command, *options);
  add_output(*command, *options);
  command->footer(
      preset_help() +
      "Lists are comma separated; ranges as in 8..16 hold both ends. A configuration is sampled until the "
      "standard error of its mean is below 1 %, or to a limit. Ctrl-C keeps what is done and ends with "
      "status 130.");
  command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace loom::app
