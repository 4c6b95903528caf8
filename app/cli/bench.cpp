#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "app/bench/axis_fields.h"
#include "app/bench/duration_text.h"
#include "app/bench/merge.h"
#include "app/bench/plan.h"
#include "app/bench/presets.h"
#include "app/bench/results_file.h"
#include "app/bench/results_json.h"
#include "app/bench/same_conditions.h"
#include "app/bench/sweep.h"
#include "app/bench/sweep_runner.h"
#include "app/cli/bench_summary.h"
#include "app/cli/command.h"
#include "app/cli/interrupt_watch.h"
#include "app/cli/kept_failure.h"
#include "app/cli/last_save.h"
#include "app/cli/passive_waiting.h"
#include "app/cli/progress_line.h"
#include "app/cli/read_number.h"
#include "app/cli/standard_streams.h"
#include "app/cli/together.h"
#include "app/files/fractal_file.h"
#include "app/files/output_file.h"
#include "compute/backend/device_list.h"
#include "compute/split/ranks.h"
#include "compute/workload/rule_text.h"

namespace loom::app {
namespace {

struct BenchOptions {
  std::string preset;
  /// What was typed of the axes; the backend, which both kinds have, is apart.
  std::map<bench::SweepKind, bench::AxisTexts> axes;
  std::string backend;
  /// The first option that was typed of those for one kind alone.
  std::map<bench::SweepKind, std::string> kind_option;
  std::string size_min;
  std::string size_max;
  std::string fractal_file;
  std::string level_min;
  std::string level_max;
  std::string repeats = "1";
  std::optional<std::string> device;
  std::string device_list;
  std::string clock;
  std::string at_once;
  std::string max_samples = "100";
  std::string max_seconds = "2";
  std::string rule = "B2/S23";
  std::string seed = "1";
  std::string density = "0.5";
  std::string out;
  std::string csv;
  std::string shard;
  std::vector<std::string> merge;
  std::string beside_merge;  ///< the first option that was typed and means nothing beside --merge
  bool resume = false;
  bool force = false;
  bool yes = false;
  bool json = false;
};

constexpr std::array kSweepKinds = {bench::SweepKind::kMaps, bench::SweepKind::kMandelbrot};
constexpr std::string_view kBackend = "backend";

/// Which kind of sweep the preset and the options ask for.
bench::SweepKind kind_of(const BenchOptions& options) {
  const std::string& of_maps = options.kind_option.at(bench::SweepKind::kMaps);
  const std::string& of_mandelbrot = options.kind_option.at(bench::SweepKind::kMandelbrot);
  const auto refuse = [](const std::string& map_option, const std::string& mandelbrot_option) {
    std::vector<std::string_view> presets;
    for (const bench::Preset& preset : bench::presets()) {
      if (preset.kind == bench::SweepKind::kMandelbrot) presets.push_back(preset.name);
    }
    throw InputError(
        fmt::format("{} is of sweeps over maps, {} of sweeps over the Mandelbrot set (presets {}); allowed: "
                    "options of one "
                    "kind",
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

/// Typed over preset over default.
bench::AxisTexts chosen_axes(const BenchOptions& options, bench::SweepKind kind) {
  bench::AxisTexts texts = bench::default_axes(kind);
  if (!options.preset.empty()) bench::lay_over(texts, bench::find_preset(options.preset).axes);
  bench::lay_over(texts, options.axes.at(kind));
  if (!options.backend.empty()) texts[std::string(kBackend)] = options.backend;
  return texts;
}

/// Leaves out of an axis what is below or above the bounds that were typed.
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
    throw InputError(fmt::format("{} {} and {} {} leave no {} of the sweep; allowed: some of {}", low, lowest,
                                 high, highest, axis, have));
  }
}

/// The devices that there are in the order in which they are taken.
bench::AxisContext devices_of(const BenchOptions& options, const Ranks* ranks) {
  bench::AxisContext context;
  if (!options.device_list.empty()) {
    if (options.device)
      throw InputError("--device and --device-list exclude each other; allowed: one of them");
    if (ranks != nullptr)
      throw InputError(
          "--device-list is for one process; allowed: --device, or none: a device for each process");
    for (const BackendSelection& one : read_devices(options.device_list, BackendChoice::kAuto))
      context.device_list.push_back(one.device);
    context.device = context.device_list.front();
    return context;
  }
  if (options.device) {
    context.device =
        static_cast<int>(read_whole_number("--device", *options.device, 0, std::numeric_limits<int>::max()));
  } else if (ranks != nullptr) {
    context.device = device_of_rank(*ranks);
  }
  return context;
}

/// Every configuration is of all processes of a run.
void share_among(bench::Axes& axes, const Ranks& ranks) {
  auto* const maps = std::get_if<bench::MapAxes>(&axes.of);
  if (maps == nullptr)
    throw InputError(
        "sweeps over the Mandelbrot set run in one process; allowed with mpirun: sweeps over maps");
  maps->devices = {ranks.count()};
  maps->device_list.clear();
  maps->processes = true;
}

bench::Axes make_axes(const BenchOptions& options, bench::SweepKind kind, const bench::AxisTexts& texts,
                      const Ranks* ranks) {
  if (ranks != nullptr && !options.axes.at(bench::SweepKind::kMaps).at("devices").empty())
    throw InputError("--devices is for one process; allowed with mpirun: none, a device for each process");
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

bench::Sampling make_sampling(const BenchOptions& options, bool shares_cells) {
  bench::Sampling sampling;
  if (options.clock == bench::kEngineClock && shares_cells) {
    throw InputError("--clock engine: several devices have none in common; allowed here: wall");
  }
  if (!options.clock.empty() && options.clock != bench::kEngineClock && options.clock != bench::kWallClock) {
    throw InputError(fmt::format("--clock: '{}' is not allowed; allowed: engine, wall", options.clock));
  }
  if (!options.at_once.empty()) {
    sampling.at_once = static_cast<std::uint32_t>(
        read_whole_number("--at-once", options.at_once, 1, bench::Sampler::kLargestBatch));
  }
  if (shares_cells || options.clock == bench::kWallClock) sampling.time_as_shared();
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

std::string progress_text(const bench::SweepRunner& runner, bool saved) {
  constexpr std::size_t kBar = 20;
  const std::size_t done = runner.done();
  const std::size_t total = runner.cases().size();
  const std::size_t filled = kBar * done / total;
  return fmt::format("[{:#<{}}{:.<{}}] {}/{}, {} left, {}{}", "", filled, "", kBar - filled, done, total,
                     bench::duration_text(runner.seconds_left()), saved ? "" : "NOT SAVED, ",
                     short_text(runner.cases()[done]));
}

/// Whether a signal came to this process, or to any that measures with it.
bool is_interrupted(const InterruptWatch& watch, const Ranks* ranks) {
  std::uint64_t signalled = watch.interrupted() ? 1 : 0;
  if (ranks != nullptr) ranks->sum({&signalled, 1});
  return signalled > 0;
}

/// Measures the cases one after the other into the file, until a signal comes.
void run_sweep(bench::SweepRunner& runner, bench::ResultsFile& file, const InterruptWatch& watch,
               const Ranks* ranks, LastSave* last_save) {
  ProgressLine line;
  bool saved = true;
  for (std::size_t written = 0; !runner.ended();) {
    line.show(progress_text(runner, saved));
    runner.work(std::chrono::nanoseconds(0));  // one sample
    const bool interrupted = is_interrupted(watch, ranks);
    std::unique_lock<std::mutex> own;
    if (last_save != nullptr) own = last_save->lock();
    runner.take();
    // A disk that is full now may have room at the end; what is measured is kept until then.
    if (runner.done() > written) saved = KeptFailure().none_of([&] { file.update(runner.results()); });
    written = runner.done();
    if (interrupted) runner.stop();
  }
}

struct Counts {
  std::size_t measured = 0;
  std::size_t limited = 0;
};

/// Prints what was skipped and counts the rest.
Counts count_entries(const bench::Results& results) {
  Counts counts;
  std::visit(
      [&](const auto& entries) {
        for (const auto& entry : entries) {
          if (entry.measured) ++counts.measured;
          if (entry.measured && entry.measured->limited) ++counts.limited;
          if (!entry.measured) fmt::print("skipped: {}: {}\n", long_text(entry), entry.skipped);
        }
      },
      results.entries);
  return counts;
}

/// A failing of the results that is no error, on standard error.
void warn(const std::string& text) {
  if (!text.empty()) fmt::print(stderr, "fractal-loom: warning: {}\n", text);
}

void print_outcome(const bench::Results& results, const std::optional<std::filesystem::path>& path,
                   double seconds) {
  const Counts counts = count_entries(results);
  fmt::print("{}", summary_table(results));
  fmt::print(
      "{}: {} of {} configurations measured, {} skipped, {} ended by a limit with noise above 1 %; {}\n",
      results.interrupted ? "interrupted"
      : results.complete  ? "done"
                          : "ended early",
      counts.measured, results.planned, results.size() - counts.measured, counts.limited,
      bench::duration_text(seconds));
  if (results.shards) fmt::print("{}\n", to_string(*results.shards));
  if (path) fmt::print("results: {}\n", path->string());
}

/// What an earlier run of the same sweep left, which `wanted` would measure anew.
bench::Results earlier_results(const std::string& file, const bench::Results& wanted,
                               const std::vector<bench::Case>& cases) {
  bench::Results earlier = bench::read_results(file);
  if (const auto found = bench::difference(earlier, wanted)) {
    throw InputError(
        fmt::format("{} and this sweep differ in {}; allowed: --resume of the same sweep, by the "
                    "same program on the same kind of machine",
                    file, to_string(*found)));
  }
  if (earlier.shards != wanted.shards) {
    throw InputError(fmt::format("{} holds shard {} of {}; allowed: --resume of the same shard", file,
                                 fmt::join(earlier.shards->have, ", "), earlier.shards->of));
  }
  if (!bench::begins_with(earlier, cases)) {
    throw InputError(
        fmt::format("{} does not hold the first configurations of this sweep; allowed: --resume of the same "
                    "sweep",
                    file));
  }
  return earlier;
}

/// A sweep that is about to be measured, with what was measured of it before.
struct Sweep {
  bench::Plan plan;
  std::vector<bench::Case> cases;
  bench::Results results;
  std::optional<std::filesystem::path> path = {};
  std::optional<std::filesystem::path> csv = {};
};

/// Where the results go, and what is there already. Of several processes the first alone has files.
void find_files(Sweep& sweep, const BenchOptions& options) {
  const bool goes_on = options.resume && std::filesystem::exists(options.out);
  if (goes_on) sweep.results = earlier_results(options.out, sweep.results, sweep.cases);
  sweep.path = results_path(options, sweep.results);
  if (!options.csv.empty()) sweep.csv = options.csv;
  if (sweep.path) check_may_replace(*sweep.path, options.force || goes_on);
  if (sweep.csv) check_may_replace(*sweep.csv, options.force || goes_on);
  check_different_files({{"--out", sweep.path.value_or("")}, {"--csv", sweep.csv.value_or("")}});
}

/// As many entries as the first process has from before; what they say nobody asks the others.
void begin_where_the_first_does(Sweep& sweep, const Ranks& ranks) {
  std::uint64_t done[] = {sweep.results.size()};
  ranks.broadcast(std::as_writable_bytes(std::span(done)));
  while (sweep.results.size() < done[0]) sweep.results.add(describe(sweep.cases[sweep.results.size()]));
}

/// Prints what came out.
void print_results(const bench::SweepRunner& runner, const BenchOptions& options,
                   const bench::ResultsFile& file, const std::optional<std::filesystem::path>& path,
                   std::chrono::steady_clock::time_point begin) {
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  if (options.json) {
    fmt::print("{}", bench::document_text(runner.results()));
    return;
  }
  print_outcome(runner.results(), file.has_all() ? path : std::nullopt, seconds.count());
  // A night's work must not go because the disk is full: there is one place left.
  if (!file.has_all())
    fmt::print("results, which could not be saved:\n{}", bench::document_text(runner.results()));
}

/// Measures a sweep into its results file and says what came out.
int measure_sweep(Sweep sweep, const BenchOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  const InterruptWatch watch;  // until the results are printed
  bench::ResultsFile file(sweep.results, sweep.path, sweep.csv);
  bench::SweepRunner runner(std::move(sweep.results), std::move(sweep.cases), sweep.plan.sampling);
  runner.go_on();  // results of before stand as a sweep that was stopped
  KeptFailure failure;
  failure.none_of([&] { run_sweep(runner, file, watch, nullptr, nullptr); });  // a device that fails ends it
  failure.none_of([&] { file.finish(runner.results()); });
  print_results(runner, options, file, sweep.path, begin);
  failure.tell();
  return runner.results().interrupted ? InterruptWatch::status_of(*watch.interrupted()) : 0;
}

/// The same as one of several processes that share the cells: all measure, the first writes and prints.
int measure_together(Sweep sweep, const BenchOptions& options, const Ranks& ranks) {
  const auto begin = std::chrono::steady_clock::now();
  const bool is_first = ranks.rank() == 0;
  const InterruptWatch watch;
  auto file = make_together(ranks, [&] { return bench::ResultsFile(sweep.results, sweep.path, sweep.csv); });
  const auto begin_one = [&](const bench::Case& one, const bench::Sampling& sampling) {
    return bench::begin_shared_measurement(one, sampling, ranks);
  };
  bench::SweepRunner runner(std::move(sweep.results), std::move(sweep.cases), sweep.plan.sampling, begin_one);
  runner.go_on();
  const auto keep = [&] {
    if (!is_first) return;
    KeptFailure failure;
    failure.none_of([&] { file.finish(runner.results()); });
    print_results(runner, options, file, sweep.path, begin);
    flush_standard_output();
    failure.tell();
  };
  try {
    LastSave last_save(watch, [&] {
      runner.stop();
      keep();
    });
    run_sweep(runner, file, watch, &ranks, &last_save);
  } catch (const std::exception& error) {  // the others wait for this process in vain
    say(fmt::format("fractal-loom: rank {} of {}: {}\n", ranks.rank(), ranks.count(), error.what()));
    KeptFailure().none_of(keep);
    ranks.abort(3);
  }
  make_together(ranks, [&] {
    keep();
    return true;
  });
  if (!runner.results().interrupted) return 0;
  return InterruptWatch::status_of(watch.interrupted().value_or(SIGTERM));  // or it came to another
}

/// Writes several results as one.
int merge_files(const BenchOptions& options) {
  if (!options.beside_merge.empty()) {
    throw InputError(
        fmt::format("{} has no meaning beside --merge, which measures nothing; allowed: --out, "
                    "--csv, --force, --json",
                    options.beside_merge));
  }
  const bench::Results results = bench::read_merged(options.merge);
  const auto path = results_path(options, results);
  std::optional<std::filesystem::path> csv;
  if (!options.csv.empty()) csv = options.csv;
  if (path) check_may_replace(*path, options.force);
  if (csv) check_may_replace(*csv, options.force);
  check_different_files({{"--out", path.value_or("")}, {"--csv", csv.value_or("")}});
  const bench::ResultsFile written(results, path, csv);
  warn(gaps_text(results));
  if (options.json) {
    fmt::print("{}", bench::document_text(results));
    return 0;
  }
  fmt::print("{}", summary_table(results));
  fmt::print("{} of {} configurations from {} {}\n", results.size(),
             results.shards ? results.shards->configurations : results.planned, options.merge.size(),
             options.merge.size() == 1 ? "file" : "files");
  fmt::print("results: {}\n", path->string());
  return 0;
}

/// `ranks`: the processes that measure together; null: this one alone.
Sweep prepare_sweep(const BenchOptions& options, const Ranks* ranks) {
  if (options.resume && options.out.empty()) {
    throw InputError("--resume goes on with a results file; allowed: beside --out FILE");
  }
  const bench::SweepKind kind = kind_of(options);
  bench::Plan plan;
  plan.preset = options.preset;
  if (!options.shard.empty()) plan.shard = bench::parse_shard(options.shard);
  plan.texts = chosen_axes(options, kind);
  plan.axes = make_axes(options, kind, plan.texts, ranks);
  plan.sampling = make_sampling(options, bench::shares_cells(plan.axes));
  bench::check_sweep_size(bench::count_cases(plan.axes), options.yes);
  auto cases = bench::expand(plan.axes);
  if (cases.empty()) {
    throw InputError(
        "the sweep has no valid combination of level and block size; allowed: --block 1 at any level");
  }
  bench::Results results = bench::new_results(plan, bench::inspect_machine(), cases.size());
  if (results.shards) cases = bench::deal(cases, *results.shards);
  Sweep sweep{std::move(plan), std::move(cases), std::move(results)};
  if (ranks == nullptr || ranks->rank() == 0) find_files(sweep, options);
  return sweep;
}

int run(const BenchOptions& options) {
  const Ranks* const ranks = Ranks::join();
  if (!options.merge.empty()) {
    if (ranks != nullptr) throw InputError("--merge is for one process; allowed: without mpirun");
    return merge_files(options);
  }
  if (ranks != nullptr) {
    Sweep sweep = make_together(*ranks, [&] { return prepare_sweep(options, ranks); });
    begin_where_the_first_does(sweep, *ranks);
    return measure_together(std::move(sweep), options, *ranks);
  }
  // Threads that spin at the end of each short generation would measure whatever else the machine does.
  wait_passively();
  return measure_sweep(prepare_sweep(options, nullptr), options);
}

/// An option for every axis of a kind, from its table.
void add_axes(CLI::App& command, BenchOptions& options, bench::SweepKind kind) {
  const bool mandelbrot = kind == bench::SweepKind::kMandelbrot;
  for (const bench::AxisField& field : bench::axis_fields(kind)) {
    const bool shared = field.name == kBackend;
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
    if (field.name != kBackend) names.push_back("--" + field.name);
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
      ->type_name("FILE");
  command.add_option("--csv", options.csv, "Write them as CSV too")->type_name("FILE");
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
  command->callback([options, command, &chosen] {
    options->beside_merge = first_beside_merge(*command);
    for (const bench::SweepKind kind : kSweepKinds) options->kind_option[kind] = first_typed(*command, kind);
    chosen = [options] { return run(*options); };
  });
}

}  // namespace loom::app
