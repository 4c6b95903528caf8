#include "app/exercises/grading.h"

#include <fmt/format.h>

#include <algorithm>

#include "compute/backend/map_backend.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

std::string name_of_case(const ExerciseCase& one) {
  return fmt::format("{}, level {}", one.fractal.name(), one.level);
}

/// The worst value over the cases, and where.
template <typename Value>
struct Worst {
  std::optional<Value> value;
  std::string where;
  template <typename IsWorse>
  void add(Value next, const ExerciseCase& at, IsWorse is_worse) {
    if (value && !is_worse(next, *value)) return;
    value = next;
    where = name_of_case(at);
  }
};

template <typename Value>
RequirementResult at_most(const char* name, Value limit, const Worst<Value>& worst) {
  return {name, fmt::format("at most {}", limit), fmt::format("{} ({})", *worst.value, worst.where),
          *worst.value <= limit};
}

}  // namespace

Grader::Grader(Exercise exercise, Device device, std::chrono::milliseconds time_limit)
    : exercise_(std::move(exercise)),
      device_(std::move(device)),
      time_limit_(time_limit) {
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
  return run_map(
      on.fractal,
      {.code = code, .level = on.level, .time_limit = time_limit_, .measure = measure, .device = device_},
      monitor);
}

Grade Grader::grade(const std::string& code, const ProgressMonitor* monitor) const {
  const ExerciseRequirements& required = exercise_.requirements;
  Grade grade;
  bool covers = true;
  Worst<std::uint64_t> idle;
  Worst<std::uint64_t> empty;
  Worst<double> utilization;
  Worst<double> sectors;
  const auto more = [](auto a, auto b) { return a > b; };
  const auto less = [](auto a, auto b) { return a < b; };
  for (std::size_t i = 0; i < exercise_.cases.size(); ++i) {
    const ExerciseCase& one = exercise_.cases[i];
    const MapResult result = run(code, one, monitor);
    const auto fail = [&](const std::string& text) {
      if (grade.problem.empty()) grade.problem = fmt::format("{}: {}", name_of_case(one), text);
    };
    if (result.outcome != MapOutcome::kRan) {
      // What does not compile does so nowhere.
      const bool everywhere = result.outcome == MapOutcome::kRejected && result.launch == MapLaunch{};
      const std::string text = result.problems.empty() ? "did not run" : to_string(result.problems.front());
      if (everywhere && i == 0) {
        grade.problem = text;
      } else {
        fail(text);
      }
      return grade;  // the other requirements are not known
    }
    const MapCoverage& coverage = result.coverage;
    if (i == 0) grade.coverage = coverage;
    if (required.cells == RequiredCells::kAll) {
      if (!coverage.is_exact()) {
        covers = false;
        fail(result.wrong ? to_string(*result.wrong)
                          : fmt::format("no thread reaches ({}, {}) and {} other cells",
                                        result.first_missed->x, result.first_missed->y, coverage.missed - 1));
      }
    } else if (result.hits != solution_hits_[i] || coverage.outside != 0) {
      covers = false;
      const auto differs = std::mismatch(result.hits.begin(), result.hits.end(), solution_hits_[i].begin());
      const auto place = static_cast<std::uint64_t>(differs.first - result.hits.begin());
      const std::uint64_t width = one.fractal.width(one.level);
      fail(coverage.outside != 0 && result.wrong
               ? to_string(*result.wrong)
               : fmt::format("({}, {}) is reached by {} threads, expected {}", place % width, place / width,
                             *differs.first, *differs.second));
    }
    idle.add(coverage.threads - coverage.active, one, more);
    empty.add(coverage.empty_blocks, one, more);
    utilization.add(coverage.utilization(), one, less);
    sectors.add(coverage.sectors_per_request(), one, more);
  }
  grade.requirements.push_back({"cells",
                                required.cells == RequiredCells::kAll
                                    ? "every cell by exactly one thread, and nothing else"
                                    : "the cells of the solution, each by exactly one thread",
                                covers ? "yes" : "no", covers});
  if (required.max_idle_threads)
    grade.requirements.push_back(at_most("idle_threads", *required.max_idle_threads, idle));
  if (required.max_empty_blocks)
    grade.requirements.push_back(at_most("empty_blocks", *required.max_empty_blocks, empty));
  if (required.min_utilization)
    grade.requirements.push_back({"thread_utilization", fmt::format("at least {}", *required.min_utilization),
                                  fmt::format("{:.4f} ({})", *utilization.value, utilization.where),
                                  *utilization.value >= *required.min_utilization});
  if (required.max_sectors_per_request)
    grade.requirements.push_back({"sectors_per_request",
                                  fmt::format("at most {}", *required.max_sectors_per_request),
                                  fmt::format("{:.2f} ({})", *sectors.value, sectors.where),
                                  *sectors.value <= *required.max_sectors_per_request});
  const CodeCounts counts = parse_map_code(code).counts;
  const auto of_code = [&](const char* name, std::uint32_t limit, std::uint32_t found) {
    grade.requirements.push_back(
        {name, fmt::format("at most {}", limit), fmt::format("{}", found), found <= limit});
  };
  if (required.max_divisions) of_code("divisions", *required.max_divisions, counts.divisions);
  if (required.max_operators) of_code("operators", *required.max_operators, counts.operators);
  grade.passed = std::all_of(grade.requirements.begin(), grade.requirements.end(),
                             [](const RequirementResult& one) { return one.holds; });
  if (!grade.passed && grade.problem.empty()) {
    for (const RequirementResult& one : grade.requirements) {
      if (one.holds) continue;
      grade.problem = fmt::format("{}: {}, required: {}", one.name, one.found, one.required);
      break;
    }
  }
  // In a run of its own, so that the measurement does not count towards the time limit of the case.
  if (covers) {
    const MapResult timed = run(code, exercise_.cases.front(), monitor, MapStorage::kExpanded);
    grade.single_write_milliseconds = timed.single_write_milliseconds;
  }
  return grade;
}

}  // namespace loom::app
