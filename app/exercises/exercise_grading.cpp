#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/exercises/exercise.h"
#include "compute/backend/map_backend.h"
#include "compute/core/error.h"
#include "compute/core/input_text.h"

namespace loom::app {
namespace {

std::string name_of_case(const ExerciseCase& one) {
  return fmt::format("{}{}, level {}", one.hidden ? "on a hidden case, " : "", one.fractal.name(), one.level);
}

double value_of(LimitKind kind, const MapResult& result, std::uint32_t operators) {
  const MapCoverage& coverage = result.coverage;
  // Not per warp of the launch: warps without an active thread would lower the average.
  const auto per_warp = [&](std::uint64_t count) {
    return static_cast<double>(count) /
           static_cast<double>(std::max<std::uint64_t>(coverage.active_warps, 1));
  };
  return value_for<LimitKind::kDivergentBranches>(
      {static_cast<double>(coverage.threads - coverage.active), static_cast<double>(coverage.empty_blocks),
       coverage.utilization(), coverage.idle_lanes(), coverage.sectors_per_request(),
       static_cast<double>(operators), per_warp(result.counts.instructions),
       per_warp(result.counts.divisions), per_warp(result.counts.divergent)},
      kind);
}

std::string text_of(const LimitKey& key, double value) {
  if (key.is_whole) return fmt::format("{:.0f}", value);
  return key.highest == 1 ? fmt::format("{:.4f}", value) : fmt::format("{:.2f}", value);
}

/// "at most 3".
std::string bound_of(const LimitKey& key, double limit) {
  return fmt::format("at {} {}", key.is_least ? "least" : "most", limit);
}

/// What is wrong, as a sentence.
std::string sentence_of(const LimitKey& key, double value, double limit) {
  const std::string found = text_of(key, value);
  const std::string bound = bound_of(key, limit);
  const bool is_one = found == "1";
  const auto count = [&](const char* one, const char* many) {
    return fmt::format("{} {}; allowed: {}", found, is_one ? one : many, bound);
  };
  switch (key.kind) {
    case LimitKind::kIdleThreads:
      return count("thread is idle", "threads are idle");
    case LimitKind::kEmptyBlocks:
      return count("thread block is empty", "thread blocks are empty");
    case LimitKind::kUtilization:
      return fmt::format("the thread utilization is {:.2f} %; required: at least {:g} %", 100 * value,
                         100 * limit);
    case LimitKind::kIdleLanes:
      return fmt::format("{:.2f} % of the lanes are idle; allowed: at most {:g} %", 100 * value, 100 * limit);
    case LimitKind::kSectorsPerRequest:
      return fmt::format("a request writes {} sectors on average; allowed: {}", found, bound);
    case LimitKind::kOperators:
      return fmt::format("the code has {} {}; allowed: {}", found, is_one ? "operator" : "operators", bound);
    case LimitKind::kInstructions:
      return fmt::format("a warp executes {} instructions on average; allowed: {}", found, bound);
    case LimitKind::kDivisions:
      return fmt::format("a warp executes {} divisions on average; allowed: {}", found, bound);
    case LimitKind::kDivergentBranches:
      return fmt::format("branches diverge {} times in a warp on average; allowed: {}", found, bound);
  }
  return {};
}

/// How the threads reach other points than those of the solution; empty if they do not.
std::string difference(const MapResult& result, const std::vector<std::uint8_t>& solution,
                       std::uint64_t width) {
  const auto differs = std::ranges::mismatch(result.hits, solution);
  if (differs.in1 == result.hits.end()) return result.coverage.outside == 0 ? "" : to_string(*result.wrong);
  std::uint64_t points = 0;
  for (std::size_t i = 0; i < solution.size(); ++i) points += result.hits[i] == solution[i] ? 0 : 1;
  const auto place = static_cast<std::uint64_t>(differs.in1 - result.hits.begin());
  return fmt::format("{} {} from the solution; the first is ({}, {}), reached by {} {} instead of {}", points,
                     points == 1 ? "point differs" : "points differ", place % width, place / width,
                     *differs.in1, *differs.in1 == 1 ? "thread" : "threads", *differs.in2);
}

}  // namespace

std::string coverage_problem(const MapResult& result) {
  const MapCoverage& coverage = result.coverage;
  std::string missed;
  if (coverage.missed != 0)
    missed = fmt::format("{} of {} cells {} missed; the first is ({}, {})", coverage.missed, coverage.cells,
                         coverage.missed == 1 ? "is" : "are", result.first_missed->x, result.first_missed->y);
  if (!result.wrong) return missed;
  const std::uint64_t wrong = coverage.on_holes + coverage.outside;
  std::string text = to_string(*result.wrong);
  if (wrong > 1) text += fmt::format("; {} threads in all are on holes or outside", wrong);
  if (coverage.repeated != 0)
    text += fmt::format("; {} {} reached more than once", coverage.repeated,
                        coverage.repeated == 1 ? "cell is" : "cells are");
  return missed.empty() ? text : fmt::format("{}; {}", text, missed);
}

Grader::Grader(Exercise exercise, Device device, std::chrono::milliseconds time_limit)
    : exercise_(std::move(exercise)), device_(std::move(device)), time_limit_(time_limit) {
  if (exercise_.requirements.cells != RequiredCells::kAsSolution) return;
  for (const ExerciseCase& one : exercise_.cases) {
    MapResult result = run(exercise_.solution, one, nullptr);
    if (result.outcome != MapOutcome::kRan)
      throw InputError(fmt::format("the exercise's solution does not run on {}: {}", name_of_case(one),
                                   to_string(result.problems.front())));
    solution_hits_.push_back(std::move(result.hits));
  }
}

MapResult Grader::run(const std::string& code, const ExerciseCase& on, const ProgressMonitor* monitor,
                      MapStorage measure) const {
  MapRequest request{.code = code,
                     .level = on.level,
                     .time_limit = time_limit_,
                     .measure = measure,
                     .device = device_,
                     .count = true};
  MapResult result = run_map(on.fractal, request, monitor);
  if (device_.on_host || result.outcome != MapOutcome::kRan || measure != MapStorage::kNone) return result;
  request.device = Device();  // a GPU counts no instructions
  MapResult counted = run_map(on.fractal, request, monitor);
  if (counted.outcome != MapOutcome::kRan) return counted;
  result.counts = counted.counts;
  return result;
}

Grade Grader::grade(const std::string& code, const ProgressMonitor* monitor) const {
  const ExerciseRequirements& required = exercise_.requirements;
  Grade grade;
  bool covers = true;
  std::array<double, kLimitKinds> worst = {};
  std::array<std::string, kLimitKinds> where;
  const std::uint32_t operators = parse_map_code(code).counts.operators;
  const auto fail = [&](const std::string& place, const std::string& text) {
    if (grade.problem.empty()) grade.problem = fmt::format("{}: {}", place, text);
  };
  for (std::size_t i = 0; i < exercise_.cases.size(); ++i) {
    const ExerciseCase& one = exercise_.cases[i];
    const std::string place = name_of_case(one);
    const MapResult result = run(code, one, monitor);
    if (result.outcome != MapOutcome::kRan) {
      // What does not compile does so nowhere.
      const bool everywhere = result.outcome == MapOutcome::kRejected && result.launch == MapLaunch{};
      const std::string text = result.problems.empty() ? "did not run" : to_string(result.problems.front());
      if (everywhere && i == 0) {
        grade.problem = text;
      } else {
        fail(place, text);
      }
      return grade;  // the other requirements are not known
    }
    if (i == 0) grade.coverage = result.coverage;
    const std::string problem = required.cells == RequiredCells::kAll
                                    ? (result.coverage.is_exact() ? "" : coverage_problem(result))
                                    : difference(result, solution_hits_[i], one.fractal.width(one.level));
    if (!problem.empty()) {
      covers = false;
      fail(place, problem);
    }
    for (const LimitKey& key : limit_keys()) {
      const auto at = static_cast<std::size_t>(key.kind);
      const double value = value_of(key.kind, result, operators);
      if (!where[at].empty() && (key.is_least ? value >= worst[at] : value <= worst[at])) continue;
      worst[at] = value;
      where[at] = place;
    }
  }
  grade.requirements.push_back({"cells",
                                required.cells == RequiredCells::kAll
                                    ? "every cell by exactly one thread, and nothing else"
                                    : "the cells of the solution, each by exactly one thread",
                                covers ? "yes" : "no", covers});
  for (const LimitKey& key : limit_keys()) {
    const auto at = static_cast<std::size_t>(key.kind);
    const std::optional<double>& limit = required.limits[at];
    if (!limit) continue;
    const bool holds = key.is_least ? worst[at] >= *limit : worst[at] <= *limit;
    grade.requirements.push_back({std::string(key.name), bound_of(key, *limit),
                                  fmt::format("{} ({})", text_of(key, worst[at]), where[at]), holds});
    if (!holds) fail(where[at], sentence_of(key, worst[at], *limit));
  }
  grade.passed = std::all_of(grade.requirements.begin(), grade.requirements.end(),
                             [](const RequirementResult& one) { return one.holds; });
  // In a run of its own, so that the measurement does not count towards the time limit of the case.
  if (covers) {
    const MapResult timed = run(code, exercise_.cases.front(), monitor, MapStorage::kExpanded);
    grade.single_write_milliseconds = timed.single_write_milliseconds;
  }
  return grade;
}

}  // namespace loom::app
