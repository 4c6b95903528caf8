#include "app/workspaces/life/code/map_attempt.h"

#include "compute/core/error.h"

namespace loom::app {
namespace {

constexpr std::uint64_t kMaxFeedbackPoints = std::uint64_t{1} << 20;
constexpr std::chrono::milliseconds kFeedbackLimit{1000};
constexpr std::chrono::milliseconds kRunLimit{10000};
constexpr std::chrono::milliseconds kGradeLimit{2000};

std::string problem_of(const FractalConfig& config, std::uint64_t points) {
  try {
    check_map_level(config.fractal, config.level, points);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

/// The states of the threads; the first thread that reaches a cell is the active one.
std::vector<ThreadState> states_of(const MapResult& map, const FractalConfig& config) {
  const auto width = static_cast<std::int64_t>(config.fractal.width(config.level));
  const auto height = static_cast<std::int64_t>(config.fractal.height(config.level));
  std::vector<std::uint8_t> reached(map.hits.size());
  std::vector<ThreadState> states;
  states.reserve(map.points.size());
  for (const MapPoint& point : map.points) {
    if (point.is_none()) {
      states.push_back(ThreadState::kNone);
    } else if (point.x < 0 || point.y < 0 || point.x >= width || point.y >= height) {
      states.push_back(ThreadState::kOutside);
    } else {
      const auto place = static_cast<std::size_t>(point.y * width + point.x);
      const bool is_first = reached[place] == 0;
      reached[place] = 1;
      states.push_back(map.cells[place] == 0 ? ThreadState::kHole
                       : is_first            ? ThreadState::kActive
                                             : ThreadState::kRepeated);
    }
  }
  return states;
}

}  // namespace

bool has_feedback(const FractalConfig& config) {
  return problem_of(config, kMaxFeedbackPoints).empty();
}

std::string run_problem(const FractalConfig& config, const MapBackend& backend) {
  return problem_of(config, backend.device.on_host ? kMaxMapPoints : kMaxGpuMapPoints);
}

MapAttempt attempt_map(MapAttemptRequest request, ProgressMonitor& watch) {
  const std::filesystem::path program = this_program();
  MapAttempt attempt{.request = std::move(request), .map = {}, .threads = {}, .comparison = {}, .grade = {}};
  const MapAttemptRequest& asked = attempt.request;
  const FractalConfig& config = asked.config;
  const bool has_picture = problem_of(config, kMaxMapPoints).empty();
  attempt.map = run_map(program, config.fractal,
                        {.code = asked.code,
                         .level = config.level,
                         .time_limit = asked.runs ? kRunLimit : kFeedbackLimit,
                         .keep_points = has_picture,
                         .measure = asked.runs ? MapStorage::kExpanded : MapStorage::kNone,
                         .device = asked.runs ? asked.backend.device : Device()},
                        &watch);
  if (!attempt.map.hits.empty()) attempt.threads = states_of(attempt.map, config);
  if (!asked.runs || attempt.map.outcome != MapOutcome::kRan) return attempt;
  if (attempt.map.single_write_milliseconds)
    attempt.comparison = measure_built_in_maps(program, config, asked.backend, watch);
  if (asked.exercise) {
    if (watch.cancelled()) throw OperationCancelled();
    attempt.grade = Grader(program, *asked.exercise, Device(), kGradeLimit).grade(asked.code);
  }
  return attempt;
}

}  // namespace loom::app
