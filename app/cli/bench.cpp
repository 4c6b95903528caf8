#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/bench/merge.h"
#include "app/bench/plan.h"
#include "app/bench/results.h"
#include "app/bench/sweep.h"
#include "app/bench/sweep_runner.h"
#include "app/cli/bench_options.h"
#include "app/cli/command.h"
#include "app/cli/options/options.h"
#include "app/cli/signal_monitor.h"
#include "app/files/output_file.h"
#include "compute/distributed/process_group.h"
#include "compute/mandelbrot/mandelbrot_fields.h"
#include "compute/map/map_method.h"
#include "compute/workload/rule_text.h"

namespace loom::app {
namespace {

/// The files of a sweep; none: they are not written.
struct ResultPaths {
  std::optional<std::filesystem::path> json = {};
  std::optional<std::filesystem::path> csv = {};
};

/// Without --out, the results go to a new file in the current folder; with --json, only to standard output.
/// Throws InputError for an existing file unless `replaces`.
ResultPaths result_paths(const BenchOptions& options, const bench::Results& results, bool replaces) {
  ResultPaths paths;
  if (!options.out.empty())
    paths.json = options.out;
  else if (!options.json)
    paths.json = bench::results_name(results);
  if (!options.csv.empty()) paths.csv = options.csv;
  if (paths.json) check_may_replace(*paths.json, replaces);
  if (paths.csv) check_may_replace(*paths.csv, replaces);
  check_different_files({{"--out", paths.json.value_or("")}, {"--csv", paths.csv.value_or("")}});
  return paths;
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

/// Whether a signal arrived at this process, or at another one that measures with it.
bool is_interrupted(const SignalMonitor& watch, const ProcessGroup* ranks) {
  std::uint64_t signalled = watch.interrupted() ? 1 : 0;
  if (ranks != nullptr) ranks->sum({&signalled, 1});
  return signalled > 0;
}

/// Measures the cases in sequence and writes them to the file, until a signal arrives.
void run_sweep(bench::SweepRunner& runner, bench::ResultsFile& file, const SignalMonitor& watch,
               const ProcessGroup* ranks, EmergencySave* emergency_save) {
  ProgressLine line;
  bool saved = true;
  for (std::size_t written = 0; !runner.ended();) {
    line.show(progress_text(runner, saved));
    runner.work(std::chrono::nanoseconds(0));  // one sample
    const bool interrupted = is_interrupted(watch, ranks);
    std::unique_lock<std::mutex> own;
    if (emergency_save != nullptr) own = emergency_save->lock();
    runner.take();
    // If the disk is full, the results stay in memory: it may have room later.
    if (runner.done() > written) saved = FirstError().try_run([&] { file.update(runner.results()); });
    written = runner.done();
    if (interrupted) runner.stop();
  }
}

struct EntryCounts {
  std::size_t measured = 0;
  std::size_t limited = 0;
};

/// Prints the skipped configurations and counts the others.
EntryCounts count_entries(const bench::Results& results) {
  EntryCounts counts;
  for (const bench::Row& row : results.rows) {
    if (row.measured()) ++counts.measured;
    if (row["limited"] == true) ++counts.limited;
    if (!row.measured()) fmt::print("skipped: {}: {}\n", long_text(row), row.skipped());
  }
  return counts;
}

/// Prints a warning about the results to standard error.
void warn(const std::string& text) {
  if (!text.empty()) fmt::print(stderr, "fractal-loom: warning: {}\n", text);
}

void print_outcome(const bench::Results& results, const std::optional<std::filesystem::path>& path,
                   double seconds) {
  const EntryCounts counts = count_entries(results);
  fmt::print("{}", summary_table(results));
  fmt::print(
      "{}: {} of {} configurations measured, {} skipped, {} reached a limit with noise above 1 %; {}\n",
      results.interrupted ? "interrupted"
      : results.complete  ? "done"
                          : "ended early",
      counts.measured, results.planned, results.rows.size() - counts.measured, counts.limited,
      bench::duration_text(seconds));
  if (results.shards) fmt::print("{}\n", to_string(*results.shards));
  const auto without = std::ranges::find_if(
      results.rows, [](const bench::Row& row) { return !row.text("energy_problem").empty(); });
  if (without != results.rows.end())
    fmt::print("energy was not measured: {}\n", without->text("energy_problem"));
  if (path) fmt::print("results: {}\n", path->string());
}

/// The results of an earlier run of the same sweep. Throws InputError if they do not belong to it.
bench::Results earlier_results(const std::string& file, const bench::Results& wanted,
                               const std::vector<bench::Case>& cases) {
  bench::Results earlier = bench::read_results(file);
  if (const auto found = bench::difference(earlier, wanted)) {
    throw InputError(fmt::format(
        "{} and this sweep differ in {}; allowed: --resume of the same sweep, program and kind of machine",
        file, to_string(*found)));
  }
  if (earlier.shards != wanted.shards) {
    throw InputError(fmt::format("{} contains shard {} of {}; allowed: --resume of the same shard", file,
                                 fmt::join(earlier.shards->have, ", "), earlier.shards->of));
  }
  if (!bench::begins_with(earlier, cases)) {
    throw InputError(fmt::format(
        "{} does not contain the first configurations of this sweep; allowed: --resume of the same "
        "sweep",
        file));
  }
  return earlier;
}

/// A sweep and the results that it already has.
struct SweepRun {
  bench::Plan plan;
  std::vector<bench::Case> cases;
  bench::Results results;
  ResultPaths paths = {};
};

/// Sets the output files and reads existing results. Of several processes, only the first has files.
void find_files(SweepRun& sweep, const BenchOptions& options) {
  const bool goes_on = options.resume && std::filesystem::exists(options.out);
  if (goes_on) sweep.results = earlier_results(options.out, sweep.results, sweep.cases);
  sweep.paths = result_paths(options, sweep.results, options.force || goes_on);
}

/// Gives this process as many entries as the first one has. Their values are never read here.
void adopt_first_rank_state(SweepRun& sweep, const ProcessGroup& ranks) {
  std::vector<bench::Row>& rows = sweep.results.rows;
  std::uint64_t done[] = {rows.size()};
  ranks.broadcast(std::as_writable_bytes(std::span(done)));
  while (rows.size() < done[0]) rows.push_back(describe(sweep.cases[rows.size()]));
}

void print_results(const bench::SweepRunner& runner, const BenchOptions& options,
                   const bench::ResultsFile& file, const std::optional<std::filesystem::path>& path,
                   std::chrono::steady_clock::time_point begin) {
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  if (options.json) {
    fmt::print("{}", bench::document_text(runner.results()));
    return;
  }
  print_outcome(runner.results(), file.has_all() ? path : std::nullopt, seconds.count());
  // If the disk is full, standard output is the last place for the results.
  if (!file.has_all())
    fmt::print("results (could not be saved):\n{}", bench::document_text(runner.results()));
}

/// Measures a sweep into its results file and prints the outcome.
int measure_sweep(SweepRun sweep, const BenchOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  const SignalMonitor watch;  // until the results are printed
  bench::ResultsFile file(sweep.results, sweep.paths.json, sweep.paths.csv);
  bench::SweepRunner runner(std::move(sweep.results), std::move(sweep.cases), sweep.plan.sampling);
  runner.continue_sweep();  // earlier results are those of a stopped sweep
  FirstError failure;
  failure.try_run([&] { run_sweep(runner, file, watch, nullptr, nullptr); });  // a failing device ends it
  failure.try_run([&] { file.finish(runner.results()); });
  print_results(runner, options, file, sweep.paths.json, begin);
  failure.rethrow();
  return runner.results().interrupted ? SignalMonitor::status_of(*watch.interrupted()) : 0;
}

/// Runs on each of several processes that share the cells: all measure, the first one writes and prints.
int measure_on_all_ranks(SweepRun sweep, const BenchOptions& options, const ProcessGroup& ranks) {
  const auto begin = std::chrono::steady_clock::now();
  const bool is_first = ranks.rank() == 0;
  const SignalMonitor watch;
  auto file = make_on_all_ranks(
      ranks, [&] { return bench::ResultsFile(sweep.results, sweep.paths.json, sweep.paths.csv); });
  const auto begin_one = [&](const bench::Case& one, const bench::Sampling& sampling, ProgressMonitor*) {
    return bench::begin_measurement(one, sampling, nullptr, &ranks);
  };
  bench::SweepRunner runner(std::move(sweep.results), std::move(sweep.cases), sweep.plan.sampling, begin_one);
  runner.continue_sweep();
  const auto keep = [&] {
    if (!is_first) return;
    FirstError failure;
    failure.try_run([&] { file.finish(runner.results()); });
    print_results(runner, options, file, sweep.paths.json, begin);
    flush_standard_output();
    failure.rethrow();
  };
  try {
    EmergencySave emergency_save(watch, [&] {
      runner.stop();
      keep();
    });
    run_sweep(runner, file, watch, &ranks, &emergency_save);
  } catch (const std::exception& error) {  // the other processes would wait for this one forever
    print_error(fmt::format("fractal-loom: rank {} of {}: {}\n", ranks.rank(), ranks.count(), error.what()));
    FirstError().try_run(keep);
    ranks.abort(3);
  }
  make_on_all_ranks(ranks, [&] {
    keep();
    return true;
  });
  if (!runner.results().interrupted) return 0;
  return SignalMonitor::status_of(watch.interrupted().value_or(SIGTERM));  // or another rank has it
}

/// Merges several results files into one.
int merge_files(const BenchOptions& options) {
  const bench::Results results = bench::read_merged(options.merge);
  const ResultPaths paths = result_paths(options, results, options.force);
  const bench::ResultsFile written(results, paths.json, paths.csv);
  warn(gaps_text(results));
  if (options.json) {
    fmt::print("{}", bench::document_text(results));
    return 0;
  }
  fmt::print("{}", summary_table(results));
  fmt::print("{} of {} configurations from {} {}\n", results.rows.size(),
             results.shards ? results.shards->configurations : results.planned, options.merge.size(),
             options.merge.size() == 1 ? "file" : "files");
  fmt::print("results: {}\n", paths.json->string());
  return 0;
}

/// Throws InputError if a typed option has an effect on no configuration of the sweep.
void require_effect_on_cases(const BenchOptions& options, const CLI::App& command,
                             const std::vector<bench::Case>& cases) {
  const auto any = [&](const auto& has_effect) {
    return std::ranges::any_of(cases, [&](const bench::Case& one) { return std::visit(has_effect, one); });
  };
  const auto require = [&](const auto& field, const std::string& text) {
    if (text.empty() || text == kAutoWord) return;
    const auto varies = [&](const auto& one) {
      if constexpr (requires { field.varies(one.config); }) return field.varies(one.config);
      if constexpr (requires { field.varies(one.config.method); }) return field.varies(one.config.method);
      return false;
    };
    require_effect(command, {{fmt::format("--{}", field.option), any(varies),
                              fmt::format("with {}", field.applies_with)}});
  };
  const auto axis = [&](bench::SweepKind kind, std::string_view option) {
    const auto found = options.axes.at(kind).find(option);
    return found == options.axes.at(kind).end() ? std::string() : found->second;
  };
  for (const MethodField& field : method_fields())
    require(field, axis(bench::SweepKind::kMaps, field.option));
  for (const auto& field : mandelbrot_config_fields())
    require(field, axis(bench::SweepKind::kMandelbrot, field.option));
  const auto any_works = [&](Workload workload) {
    return any([&](const auto& one) {
      if constexpr (requires { one.workload; }) return one.workload == workload;
      return false;
    });
  };
  const auto any_dwells = [&](const auto& has_effect) {
    return any([&](const auto& one) {
      if constexpr (requires { one.volume; }) return has_effect(one);
      return false;
    });
  };
  const bool orders = any_dwells([](const bench::MandelbrotCase& one) {
    return one.volume && one.volume->method == MandelbrotMethod::kAsk;
  });
  if (const bool in_plane = any_dwells([](const bench::MandelbrotCase& one) { return !one.volume; });
      !in_plane && any_dwells([](const bench::MandelbrotCase&) { return true; }))
    require_effect(command,
                   {{"--center --width --precision --ideas", false, "with sets in the plane, --space none"}});
  require_effect(command, {{"--order", orders, "with --space and --method ask"},
                           {"--rule", any_works(Workload::kLife), "with --workload life"},
                           {"--counting", parse_rule(options.rule).is_larger(),
                            "with --workload life and a rule of Larger than Life, as in --rule Bugs"},
                           {"--reduction", any_works(Workload::kReduction), "with --workload reduction"}});
}

/// `ranks`: the processes that measure together; null: only this one.
SweepRun prepare_sweep(const BenchOptions& options, const CLI::App& command, const ProcessGroup* ranks) {
  if (options.resume && options.out.empty()) {
    throw InputError("--resume requires a results file; allowed: with --out FILE");
  }
  bench::Plan plan = make_bench_plan(options, ranks);
  bench::check_sweep_size(bench::count_cases(plan.axes), options.yes);
  auto cases = bench::expand(plan.axes);
  if (cases.empty()) {
    throw InputError(
        "the sweep has no valid combination of level and tile size; allowed: --block 1 at any level");
  }
  require_effect_on_cases(options, command, cases);
  bench::Results results = bench::new_results(plan, bench::inspect_machine(), cases.size());
  if (results.shards) cases = bench::select_shards(cases, *results.shards);
  SweepRun sweep{std::move(plan), std::move(cases), std::move(results)};
  if (ranks == nullptr || ranks->rank() == 0) find_files(sweep, options);
  return sweep;
}

int run(const BenchOptions& options, const CLI::App& command) {
  const ProcessGroup* const ranks = ProcessGroup::join();
  const bool writes = !options.json || !options.out.empty() || !options.csv.empty();
  if (!options.merge.empty()) require_only(command, "--merge", "--out --csv --force --json");
  require_effect(command, {{"--force", writes, "with --out or --csv, or without --json"}});
  if (!options.merge.empty()) {
    if (ranks != nullptr) throw InputError("--merge runs in one process; allowed: without mpirun");
    return merge_files(options);
  }
  if (ranks != nullptr) {
    SweepRun sweep = make_on_all_ranks(*ranks, [&] { return prepare_sweep(options, command, ranks); });
    adopt_first_rank_state(sweep, *ranks);
    return measure_on_all_ranks(std::move(sweep), options, *ranks);
  }
  // Threads that spin after each short generation would disturb the measurement.
  set_passive_omp_wait();
  return measure_sweep(prepare_sweep(options, command, nullptr), options);
}

}  // namespace

Action add_bench(CLI::App& command) {
  auto options = std::make_shared<BenchOptions>();
  command.description("Measure a sweep of configurations into a results file (see plot)");
  add_bench_options(command, *options);
  return [options, &command] {
    note_exclusive_options(command, *options);
    return run(*options, command);
  };
}

}  // namespace loom::app
