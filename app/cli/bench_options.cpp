#include "app/cli/bench_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "app/bench/presets.h"
#include "app/cli/output_option.h"

namespace loom::app {
namespace {

constexpr std::array kSweepKinds = {bench::SweepKind::kMaps, bench::SweepKind::kMandelbrot};

/// An option for every axis of a kind, from its table.
void add_axes(CLI::App& command, BenchOptions& options, bench::SweepKind kind) {
  const bool mandelbrot = kind == bench::SweepKind::kMandelbrot;
  for (const bench::AxisField& field : bench::axis_fields(kind)) {
    const bool shared = field.name == kBackendAxis;
    if (shared && mandelbrot) continue;  // added with the other kind
    std::string& text = shared ? options.backend : options.axes[kind][field.name];
    command
        .add_option(
            "--" + field.name, text,
            fmt::format("{}{} ({} by default)", mandelbrot ? "Mandelbrot: " : "", field.hint, field.standard))
        ->type_name("LIST");
  }
}

void add_axes(CLI::App& command, BenchOptions& options) {
  add_axes(command, options, bench::SweepKind::kMaps);
  command.add_option("--fractal-file", options.fractal_file, "Instead of --fractal, one of your own (TOML)")
      ->type_name("FILE");
  command.add_option("--level-min", options.level_min, "Leave out lower levels")->type_name("R");
  command.add_option("--level-max", options.level_max, "Leave out higher levels")->type_name("R");
  command.add_option("--device", options.device, "Number of the CUDA device (0 by default)")->type_name("N");
  command
      .add_option("--device-list", options.device_list,
                  "The CUDA devices in the order in which --devices takes them, with commas, or all (that of "
                  "--device, then the others)")
      ->type_name("N,N,...");
  add_axes(command, options, bench::SweepKind::kMandelbrot);
  command.add_option("--size-min", options.size_min, "Mandelbrot: leave out smaller sizes")->type_name("N");
  command.add_option("--size-max", options.size_max, "Mandelbrot: leave out larger sizes")->type_name("N");
}

/// The first option that was typed of those for one kind of sweep alone; empty where none was.
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

/// The first option that was typed and means nothing beside --merge; empty where none was.
std::string first_beside_merge(const CLI::App& command) {
  constexpr std::array<std::string_view, 5> kBeside = {"--merge", "--out", "--csv", "--force", "--json"};
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_name();
    if (option->count() > 0 && std::find(kBeside.begin(), kBeside.end(), name) == kBeside.end()) return name;
  }
  return "";
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
  command
      .add_option(
          "--at-once", options.at_once,
          "Generations of a sample, asked for at once (as many as take a millisecond by default, 16 by "
          "the wall's clock)")
      ->type_name("N");
  command
      .add_option(
          "--clock", options.clock,
          "Times by the engine's own clock (CUDA events), or by the wall's, from call to end: engine, "
          "wall (by default wall where several devices share cells, engine elsewhere)")
      ->type_name("NAME");
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
      ->type_name("FILE")
      ->check(output_name());
  command.add_option("--csv", options.csv, "Write them as CSV too")->type_name("FILE")->check(output_name());
  command
      .add_option(
          "--shard", options.shard,
          "Measure only share K of N of the sweep, dealt like cards; several machines measure it together")
      ->type_name("K/N");
  command.add_flag("--resume", options.resume,
                   "Go on with the sweep that --out has the beginning of; without such a file begin it");
  command
      .add_option("--merge", options.merge,
                  "Measure nothing: write these results of one sweep, its shards, as one")
      ->type_name("RESULTS.json")
      ->expected(1, -1);
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

void add_bench_options(CLI::App& command, BenchOptions& options) {
  std::vector<std::string> names;
  for (const bench::Preset& preset : bench::presets()) names.push_back(preset.name);
  command
      .add_option("--preset", options.preset,
                  fmt::format("A sweep of the papers: {}; options beside it replace its axes",
                              fmt::join(names, ", ")))
      ->type_name("NAME");
  add_axes(command, options);
  add_sampling(command, options);
  add_output(command, options);
  command.footer(
      preset_help() +
      "mpirun -n N fractal-loom bench ... shares the cells of each configuration among N processes; the "
      "first "
      "writes and prints. "
      "An option of the Mandelbrot set makes a sweep of that without a preset too. Lists are comma "
      "separated; "
      "ranges as in 8..16 hold both ends, those of the Mandelbrot set what doubling leads to. A "
      "configuration is sampled until the "
      "standard error of its mean is below 1 %, or to a limit. Ctrl-C, SIGTERM and SIGHUP keep what is done "
      "and end "
      "with status 130, 143 and 129.");
}

void note_exclusive_options(const CLI::App& command, BenchOptions& options) {
  options.beside_merge = first_beside_merge(command);
  for (const bench::SweepKind kind : kSweepKinds) options.kind_option[kind] = first_typed(command, kind);
}

}  // namespace loom::app
