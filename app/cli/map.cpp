#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/options/options.h"
#include "app/cli/options/scene_options.h"
#include "app/cli/signal_monitor.h"
#include "app/exercises/exercise.h"
#include "app/files/json_reader.h"
#include "app/files/output_file.h"
#include "app/tasks/task.h"
#include "app/text/format.h"
#include "app/workspaces/life/code/map_attempt.h"
#include "compute/backend/map_backend.h"
#include "compute/core/error.h"
#include "compute/core/input_text.h"
#include "compute/map_code/stepper.h"

namespace loom::app {
namespace {

constexpr int kCheckFailed = 1;
constexpr double kMaxSeconds = 600;
/// Characters of a message in a report.
constexpr std::size_t kMaxProblem = 1000;

struct MapOptions {
  SceneOptions scene;
  std::vector<std::string> thread_block = {"0", "0"};
  std::string warp;
  std::string lane;
  std::vector<std::string> files;
  std::string exercise;
  std::string seconds;
  bool measure = false;
  bool json = false;
  std::optional<std::string> csv;  ///< the separator
  bool starter = false;
};

std::chrono::milliseconds time_limit(const MapOptions& options, double standard) {
  const double seconds = options.seconds.empty()
                             ? standard
                             : read_real_number("--time-limit", options.seconds, 0.05, kMaxSeconds);
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

/// A text that is larger than a map may be is left to the check, which names the limit.
std::string read_code(const std::string& file) {
  return read_input(file, std::uint64_t{1} << 26, "the code of a thread map");
}

nlohmann::ordered_json to_json(const MapCoverage& coverage) {
  return {{"cells", coverage.cells},
          {"threads_launched", coverage.threads},
          {"threads_active", coverage.active},
          {"threads_idle", coverage.threads - coverage.active},
          {"threads_none", coverage.none},
          {"threads_on_holes", coverage.on_holes},
          {"threads_outside", coverage.outside},
          {"thread_blocks", coverage.blocks},
          {"thread_blocks_empty", coverage.empty_blocks},
          {"cells_once", coverage.once},
          {"cells_repeated", coverage.repeated},
          {"cells_missed", coverage.missed},
          {"exact", coverage.is_exact()},
          {"thread_utilization", coverage.utilization()},
          {"requests", coverage.active_warps},
          {"sectors", coverage.sectors},
          {"sectors_per_request", coverage.sectors_per_request()},
          {"lanes", coverage.lanes()},
          {"idle_lanes", coverage.lanes() - coverage.active}};
}

nlohmann::ordered_json to_json(const MapThread& thread) {
  return {{"block", {thread.block_x, thread.block_y}}, {"thread", {thread.thread_x, thread.thread_y}}};
}

nlohmann::ordered_json to_json(const CodeProblem& problem) {
  return {{"line", problem.line}, {"column", problem.column}, {"message", problem.message}};
}

nlohmann::ordered_json json_of(const MapResult& result, const NbbFractal& fractal, int level) {
  nlohmann::ordered_json json = {
      {"fractal", fractal.name()}, {"level", level}, {"outcome", name_of(result.outcome)}};
  json["system_calls_filtered"] = true;  // a map has none
  json["problems"] = nlohmann::ordered_json::array();
  for (const CodeProblem& problem : result.problems) json["problems"].push_back(to_json(problem));
  if (result.launch != MapLaunch{})
    json["launch"] = {{"grid", {result.launch.grid_x, result.launch.grid_y}},
                      {"block", {result.launch.block_x, result.launch.block_y}}};
  if (result.outcome != MapOutcome::kRan) return json;
  json["coverage"] = to_json(result.coverage);
  if (result.wrong) {
    json["first_wrong_thread"] = to_json(result.wrong->thread);
    json["first_wrong_thread"]["point"] = {result.wrong->point.x, result.wrong->point.y};
    json["first_wrong_thread"]["message"] = to_string(*result.wrong);
  }
  if (result.first_missed) json["first_missed_cell"] = {result.first_missed->x, result.first_missed->y};
  json["compile_ms"] = result.compile_milliseconds;
  json["run_ms"] = result.run_milliseconds;
  if (result.single_write_milliseconds) json["single_write_ms"] = *result.single_write_milliseconds;
  return json;
}

void add_comparison(nlohmann::ordered_json& json, const CustomMapComparison& comparison) {
  auto& maps = json["built_in_single_write_ms"] = nlohmann::ordered_json::object();
  for (const MapKind map : kMapKinds) {
    if (const auto& ms = comparison.ms[static_cast<std::size_t>(map)]) maps[std::string(name_of(map))] = *ms;
  }
  json["conditions"] = comparison.conditions;
}

void print_text(const MapResult& result, const MapBackend& backend,
                const std::optional<CustomMapComparison>& comparison) {
  fmt::print("{}: {}\n", backend.name(), backend.reason);
  for (const CodeProblem& problem : result.problems) fmt::print("{}\n", to_string(problem));
  if (result.outcome != MapOutcome::kRan) return;
  const MapCoverage& coverage = result.coverage;
  fmt::print("cell_of_thread<<<dim3({}, {}), dim3({}, {})>>>\n", result.launch.grid_x, result.launch.grid_y,
             result.launch.block_x, result.launch.block_y);
  TextTable table({"", ""}, 1);
  const auto row = [&](const char* name, std::uint64_t value) {
    table.add({name, fmt::format("{}", value)});
  };
  row("launched threads", coverage.threads);
  row("active threads", coverage.active);
  row("idle threads", coverage.threads - coverage.active);
  row("threads none()", coverage.none);
  row("threads on holes", coverage.on_holes);
  row("threads outside", coverage.outside);
  table.add({"thread utilization", fmt::format("{:.2f} %", 100 * coverage.utilization())});
  table.add({"idle lanes", fmt::format("{:.2f} %", 100 * coverage.idle_lanes())});
  row("thread blocks", coverage.blocks);
  row("empty thread blocks", coverage.empty_blocks);
  row("cells reached once", coverage.once);
  row("cells reached more than once", coverage.repeated);
  row("cells missed", coverage.missed);
  table.add({"sectors per request", fmt::format("{:.2f}", coverage.sectors_per_request())});
  if (result.single_write_milliseconds)
    table.add({"single write", fmt::format("{:.4f} ms", *result.single_write_milliseconds)});
  if (comparison) {
    for (const MapKind map : kMapKinds) {
      if (const auto& ms = comparison->ms[static_cast<std::size_t>(map)])
        table.add({fmt::format("single write, {}", label_of(map)), fmt::format("{:.4f} ms", *ms)});
    }
  }
  fmt::print("{}", table.text());
  if (result.wrong) fmt::print("first wrong thread: {}\n", to_string(*result.wrong));
  if (result.first_missed)
    fmt::print("first missed cell: ({}, {})\n", result.first_missed->x, result.first_missed->y);
  if (comparison) fmt::print("{}\n", comparison->conditions);
  fmt::print("coverage is {}exact\n", coverage.is_exact() ? "" : "not ");
}

MapBackend backend_of(const MapOptions& options, const char* standard) {
  const BackendChoice choice = parse_backend(options.scene.backend.value_or(standard));
  return select_map_backend(choice, read_device(options.scene.device, choice));
}

FractalConfig config_of(const MapOptions& options) {
  SceneOptions scene = options.scene;
  if (!scene.level) scene.level = "6";
  return scene.settings().config;
}

int run(const MapOptions& options, const CLI::App& command) {
  require_effect(command, {{"--block", options.measure, "with --measure"}});
  const FractalConfig config = config_of(options);
  const MapBackend backend = backend_of(options, "auto");
  const MapResult result =
      run_map(config.fractal, {.code = read_code(options.files.front()),
                               .level = config.level,
                               .time_limit = time_limit(options, 10),
                               .measure = options.measure ? MapStorage::kExpanded : MapStorage::kNone,
                               .device = backend.device});
  std::optional<CustomMapComparison> comparison;
  if (result.single_write_milliseconds) {
    ProgressMonitor unwatched;
    comparison = measure_built_in_maps(config, backend, unwatched);
  }
  if (options.json) {
    nlohmann::ordered_json json = json_of(result, config.fractal, config.level);
    json["backend"] = backend.name();
    json["backend_reason"] = backend.reason;
    if (comparison) add_comparison(json, *comparison);
    fmt::print("{}\n", json_text(json));
  } else {
    print_text(result, backend, comparison);
  }
  return result.outcome == MapOutcome::kRan && result.coverage.is_exact() ? 0 : kCheckFailed;
}

struct Submission {
  Grade grade;
  bool skipped = false;  ///< no regular file: a pipe might never end
  bool done = false;
};

/// A file that cannot be read is that submission's failure. Throws OperationCancelled, MachineError.
void grade_file(const Grader& grader, const std::filesystem::path& file, Submission& row,
                const ProgressMonitor& watch) {
  std::error_code unknown;
  row.skipped = std::filesystem::exists(file, unknown) && !std::filesystem::is_regular_file(file, unknown);
  try {
    if (row.skipped) throw InputError("skipped: not a regular file");
    row.grade = grader.grade(read_code(file), &watch);
  } catch (const InputError& error) {
    row.grade.problem = error.what();
  }
  row.grade.problem = one_line(row.grade.problem, kMaxProblem);
  row.done = true;
}

/// Grades files on up to `most` threads, until a signal comes. Returns why some are not done.
FirstError grade_files(const Grader& grader, const std::vector<std::string>& files, unsigned most,
                       const SignalMonitor& interrupt, std::vector<Submission>& rows) {
  Worker worker;
  worker.start([&](ProgressMonitor& watch) {
    std::atomic<std::size_t> next = 0;
    const auto work = [&](FirstError& first_error) {
      for (std::size_t i = next++; i < rows.size() && !watch.cancelled(); i = next++)
        first_error.try_run([&] { grade_file(grader, files[i], rows[i], watch); });
    };
    std::vector<FirstError> errors(std::min<std::size_t>(rows.size(), most));
    {
      std::vector<std::jthread> threads;
      try {
        for (std::size_t i = 1; i < errors.size(); ++i) threads.emplace_back([&, i] { work(errors[i]); });
      } catch (const std::system_error&) {
        // The threads that could be started grade all files.
      }
      work(errors[0]);
    }
    for (const FirstError& error : errors) error.rethrow();
  });
  FirstError failure;
  failure.try_run([&] {
    while (!worker.wait_for(std::chrono::milliseconds(20)))
      if (interrupt.interrupted()) worker.watch().cancel();
  });
  return failure;
}

int check(const MapOptions& options) {
  if (options.json && options.csv)
    throw InputError("map check: only one of these options; allowed: --json, --csv");
  // The start of a GPU takes longer than all runs of a submission on the CPU.
  const Device device = backend_of(options, "cpu").device;
  const Grader grader(find_exercise(options.exercise), device, time_limit(options, 1));
  const SignalMonitor interrupt;
  std::vector<Submission> rows(options.files.size());
  const unsigned most = device.on_host ? std::max(1u, std::thread::hardware_concurrency()) : 1;
  const FirstError failure = grade_files(grader, options.files, most, interrupt, rows);
  const auto done = static_cast<std::size_t>(std::ranges::count(rows, true, &Submission::done));
  if (done == 0 && !interrupt.interrupted()) failure.rethrow();
  bool all = done == rows.size();
  auto json = nlohmann::ordered_json::array();
  TextTable table({"file", "result", "threads", "utilization", "single write", "problem"});
  // Where ; separates, the decimal point is a comma.
  const auto print_row = [&](std::vector<std::string> cells) {
    for (std::string& cell : cells) cell = csv_cell(cell);
    fmt::print("{}\n", fmt::join(cells, *options.csv));
  };
  const auto number = [&](double value) {
    std::string text = fmt::format("{:.4f}", value);
    if (options.csv == ";") std::ranges::replace(text, '.', ',');
    return text;
  };
  if (options.csv)
    print_row({"file", "passed", "threads_launched", "threads_active", "thread_utilization",
               "single_write_ms", "problem"});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].done) continue;
    const Grade& grade = rows[i].grade;
    all = all && grade.passed;
    const std::string time = grade.single_write_milliseconds ? number(*grade.single_write_milliseconds) : "";
    const std::string threads = grade.coverage ? fmt::format("{}", grade.coverage->threads) : "";
    if (options.json) {
      nlohmann::ordered_json one = {{"file", options.files[i]}, {"passed", grade.passed}};
      one["requirements"] = nlohmann::ordered_json::array();
      for (const RequirementResult& result : grade.requirements)
        one["requirements"].push_back({{"name", result.name},
                                       {"required", result.required},
                                       {"found", result.found},
                                       {"holds", result.holds}});
      if (grade.coverage) one["coverage"] = to_json(*grade.coverage);
      if (grade.single_write_milliseconds) one["single_write_ms"] = *grade.single_write_milliseconds;
      one["problem"] = grade.problem;
      json.push_back(std::move(one));
    } else if (options.csv) {
      print_row({options.files[i], grade.passed ? "yes" : "no", threads,
                 grade.coverage ? fmt::format("{}", grade.coverage->active) : "",
                 grade.coverage ? number(grade.coverage->utilization()) : "", time, grade.problem});
    } else {
      table.add({options.files[i],
                 grade.passed      ? "passed"
                 : rows[i].skipped ? "skipped"
                                   : "failed",
                 threads, grade.coverage ? format_percent(grade.coverage->utilization()).c_str() : "",
                 time.empty() ? "" : time + " ms", grade.problem});
    }
  }
  if (options.json) {
    fmt::print("{}\n", json_text(nlohmann::ordered_json{{"exercise", grader.exercise().title},
                                                        {"passed", all},
                                                        {"complete", done == rows.size()},
                                                        {"submissions", json}}));
  } else if (!options.csv) {
    fmt::print("{}", table.text());
  }
  if (done == rows.size()) return all ? 0 : kCheckFailed;
  flush_standard_output();
  if (const auto signal = interrupt.interrupted()) {
    print_error(fmt::format("fractal-loom: interrupted; {} of {} files are graded\n", done, rows.size()));
    return SignalMonitor::status_of(*signal);
  }
  failure.rethrow();
  return kCheckFailed;
}

/// Longer traces are cut.
constexpr std::uint64_t kMaxSteps = 20000;

/// The trace of one warp: each statement with its mask and the variables that the one before changed.
int step(const MapOptions& options) {
  const FractalConfig config = config_of(options);
  const auto whole = [](const char* option, const std::string& text, std::uint64_t highest) {
    return static_cast<std::int64_t>(read_whole_number(option, text, 0, highest));
  };
  if (options.thread_block.size() != 2) throw InputError("--block: one number; allowed: X,Y, as in 0,0");
  const std::int64_t block_x = whole("--block", options.thread_block[0], kMaxMapGridX - 1);
  const std::int64_t block_y = whole("--block", options.thread_block[1], kMaxMapGridY - 1);
  const int warp =
      static_cast<int>(whole("--warp", options.warp.empty() ? "0" : options.warp, kMaxMapBlock / 32 - 1));
  const int only_lane = options.lane.empty() ? -1 : static_cast<int>(whole("--lane", options.lane, 31));
  MapProgram program = parse_map_code(read_code(options.files.front()));
  nlohmann::ordered_json json = {{"fractal", config.fractal.name()}, {"level", config.level}};
  if (!program.problems.empty()) {
    json["problems"] = nlohmann::ordered_json::array();
    for (const CodeProblem& one : program.problems) {
      json["problems"].push_back(to_json(one));
      if (!options.json) fmt::print("{}\n", to_string(one));
    }
    if (options.json) fmt::print("{}\n", json_text(json));
    return kCheckFailed;
  }
  MapStepper stepper(std::move(program), config.fractal, config.level, block_x, block_y, warp);
  if (only_lane >= 0 && (stepper.lanes() >> only_lane & 1) == 0)
    throw InputError(fmt::format("--lane {}: this warp has no such thread; allowed: 0 to {}", only_lane,
                                 std::bit_width(stepper.lanes()) - 1));
  json["block"] = {block_x, block_y};
  json["warp"] = warp;
  json["lanes"] = stepper.lanes();
  json["steps"] = nlohmann::ordered_json::array();
  bool moves = true;
  for (std::uint64_t i = 0; moves && i < kMaxSteps && !stepper.is_at_end(); ++i) {
    nlohmann::ordered_json one = {{"line", stepper.line()},
                                  {"column", stepper.column()},
                                  {"function", stepper.frames().back().function},
                                  {"depth", stepper.frames().size() - 1},
                                  {"mask", stepper.mask()}};
    const int line = stepper.line();
    const LaneMask mask = stepper.mask();
    moves = stepper.step();
    auto& changed = one["changed"] = nlohmann::ordered_json::object();
    std::string text;
    for (const StepVariable& variable : stepper.variables()) {
      if (only_lane >= 0 ? (variable.changed >> only_lane & 1) == 0 : variable.changed == 0) continue;
      auto& values = changed[variable.name];
      text += fmt::format("{}{} =", text.empty() ? "" : "; ", variable.name);
      for (int lane = 0; lane < 32; ++lane) {
        if (only_lane >= 0 && lane != only_lane) continue;
        const std::int64_t value = variable.values[static_cast<std::size_t>(lane)];
        nlohmann::ordered_json number = value;
        if (variable.is_unsigned()) number = static_cast<std::uint64_t>(value);
        if (only_lane >= 0) {
          values = std::move(number);
        } else {
          values.push_back(std::move(number));
        }
        if ((stepper.lanes() >> lane & 1) != 0) text += " " + variable.text(lane);
      }
    }
    if (options.json)
      json["steps"].push_back(std::move(one));
    else
      fmt::print("{:4}  {:032b}  {}\n", line, mask, only_lane >= 0 ? stepper.describe(only_lane) : text);
  }
  const MapCounts counts = stepper.counts();
  json["complete"] = stepper.is_at_end();
  json["instructions"] = counts.instructions;
  json["thread_instructions"] = counts.lanes;
  json["branches"] = counts.branches;
  json["divergent_branches"] = counts.divergent;
  json["divisions"] = counts.divisions;
  auto& points = json["points"] = nlohmann::ordered_json::array();
  for (int lane = 0; lane < 32; ++lane) {
    const MapPoint point = stepper.points()[static_cast<std::size_t>(lane)];
    point.is_none() ? points.push_back(nullptr) : points.push_back({point.x, point.y});
  }
  if (stepper.problem()) json["problem"] = to_json(*stepper.problem());
  if (options.json)
    fmt::print("{}\n", json_text(json));
  else if (stepper.problem())
    fmt::print("{}\n", to_string(*stepper.problem()));
  else if (!stepper.is_at_end())
    fmt::print("cut after {} statements\n", kMaxSteps);
  return stepper.problem() ? kCheckFailed : 0;
}

int exercises(const MapOptions& options) {
  if (options.starter) {
    const std::string starter = find_exercise(options.exercise).starter;
    fmt::print("{}", options.json ? json_text(nlohmann::ordered_json{{"starter", starter}}) + "\n" : starter);
    return 0;
  }
  TextTable table({"name", "title", "cases"});
  auto json = nlohmann::ordered_json::array();
  for (const BundledExercise& bundled : bundled_exercises()) {
    const Exercise exercise = find_exercise(std::string(bundled.name));
    table.add({exercise.name, exercise.title, std::to_string(exercise.cases.size())});
    json.push_back({{"name", exercise.name}, {"title", exercise.title}, {"task", exercise.task}});
  }
  options.json ? fmt::print("{}\n", json_text(nlohmann::ordered_json{{"exercises", json}}))
               : fmt::print("{}", table.text());
  return 0;
}

constexpr const char* kJsonHelp = "Print one JSON object and nothing else on standard output";

}  // namespace

Action add_map(CLI::App& command) {
  auto options = std::make_shared<MapOptions>();
  command.description("Run and grade thread maps that are written as code");
  command.require_subcommand(1);

  CLI::App* one =
      command.add_subcommand("run", "Compile and run a map, and count which cells its threads reach");
  add_text(*one, "file", options->files, "FILE", "The code of a map").required()->expected(1);
  add_scene_options(*one, options->scene,
                    SceneOptionGroup::kFractal | SceneOptionGroup::kLevel | SceneOptionGroup::kBackend);
  one->get_option("--level")->description("Level r: s_x^r x s_y^r points, k^r cells (6 by default)");
  add_text(*one, "--block", options->scene.tile_size, "N",
           "Tile size of the built-in maps that --measure compares with");
  add_text(*one, "--time-limit", options->seconds, "S", "Seconds until the run is ended (10 by default)");
  one->add_flag("--measure", options->measure,
                "Measure a single write through the map and, for comparison, through the built-in maps");
  one->add_flag("--json", options->json, kJsonHelp);

  CLI::App* steps = command.add_subcommand("step", "Print what each statement of a map does in one warp");
  add_text(*steps, "file", options->files, "FILE", "The code of a map").required()->expected(1);
  add_scene_options(*steps, options->scene, SceneOptionGroup::kFractal | SceneOptionGroup::kLevel);
  steps->get_option("--level")->description("Level r: s_x^r x s_y^r points, k^r cells (6 by default)");
  add_text(*steps, "--block", options->thread_block, "X,Y", "Thread block (0,0 by default)")
      .expected(1, 2)
      ->delimiter(',');
  add_text(*steps, "--warp", options->warp, "W", "Warp of the thread block (0 by default)");
  add_text(*steps, "--lane", options->lane, "L", "Only the values of this lane");
  steps->add_flag("--json", options->json, kJsonHelp);

  CLI::App* many = command.add_subcommand("check", "Grade maps by an exercise: one line per file");
  add_text(*many, "files", options->files, "FILE", "The code of maps").required();
  add_text(*many, "--exercise", options->exercise, "NAME|FILE", "Name of a bundled exercise, or a file")
      .required();
  add_scene_options(*many, options->scene, SceneOptionGroup::kBackend);
  add_text(*many, "--time-limit", options->seconds, "S", "Seconds until a run is ended (1 by default)");
  many->add_flag("--json", options->json, kJsonHelp);
  add_text(*many, "--csv", options->csv, "[;]",
           "Print a line of comma-separated values per file; with ';' for spreadsheets with a decimal comma")
      .check(CLI::IsMember({",", ";"}));

  CLI::App* list = command.add_subcommand("exercises", "List the bundled exercises");
  add_text(*list, "--starter", options->exercise, "NAME|FILE", "Print the starter code of this exercise");
  list->add_flag("--json", options->json, kJsonHelp);
  return [=] {
    options->starter = list->count("--starter") > 0;
    return one->parsed()     ? run(*options, *one)
           : steps->parsed() ? step(*options)
           : many->parsed()  ? check(*options)
                             : exercises(*options);
  };
}

}  // namespace loom::app
