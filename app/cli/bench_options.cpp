#include "app/cli/bench_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "app/bench/presets.h"
#include "app/cli/options/output_option.h"

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

}  // namespace loom::app
