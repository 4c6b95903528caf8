#include "app/workspaces/life/code/map_attempt.h"

#include <fmt/format.h>

#include <chrono>

#include "app/exercises/map_templates.h"
#include "app/text/format.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

/// Level 7 of fractals of scale 3 x 3.
constexpr std::uint64_t kMaxFeedbackPoints = std::uint64_t{2187} * 2187;
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

int level_of_tile(const FractalConfig& config) {
  int level = 0;
  for (std::uint64_t side = 1; side < config.tile_size; side *= config.fractal.shape().s_x) ++level;
  return level;
}

}  // namespace

std::optional<int> feedback_level(const FractalConfig& config) {
  FractalConfig lower = config;
  for (; lower.level >= 0; --lower.level) {
    if (problem_of(lower, kMaxFeedbackPoints).empty()) return lower.level;
  }
  return std::nullopt;
}

std::string run_problem(const FractalConfig& config, const MapBackend& backend) {
  return problem_of(config, backend.device.on_host ? kMaxMapPoints : kMaxGpuMapPoints);
}

MapAttempt attempt_map(MapAttemptRequest request, ProgressMonitor& watch) {
  MapAttempt attempt{.request = std::move(request), .map = {}, .comparison = {}, .grade = {}};
  const MapAttemptRequest& asked = attempt.request;
  const FractalConfig& config = asked.config;
  for (;; --attempt.request.config.level) {
    attempt.map = run_map(config.fractal,
                          {.code = asked.code,
                           .level = config.level,
                           .time_limit = asked.runs ? kRunLimit : kFeedbackLimit,
                           .keep_points = problem_of(config, kMaxMapPoints).empty(),
                           .measure = asked.runs ? MapStorage::kExpanded : MapStorage::kNone,
                           .device = asked.runs ? asked.backend.device : Device(),
                           .count = true},
                          &watch);
    if (asked.runs || !attempt.map.is_slow || config.level == 0) break;
  }
  if (!asked.runs || attempt.map.outcome != MapOutcome::kRan) return attempt;
  if (attempt.map.single_write_milliseconds)
    attempt.comparison = measure_built_in_maps(config, asked.backend, watch);
  if (asked.exercise) {
    if (watch.cancelled()) throw OperationCancelled();
    attempt.grade = Grader(*asked.exercise, Device(), kGradeLimit).grade(asked.code, &watch);
  }
  return attempt;
}

CustomMapComparison measure_built_in_maps(const FractalConfig& config, const MapBackend& backend,
                                          ProgressMonitor& watch) {
  CustomMapComparison comparison;
  const bool on_gpu = !backend.device.on_host;
  for (const MapKind map : kMapKinds) {
    const MapRequest request{
        .code = built_in_map_code(map, level_of_tile(config)),
        .level = config.level,
        .time_limit = kRunLimit,
        .measure = map == MapKind::kCompact ? MapStorage::kCompact : MapStorage::kExpanded,
        .device = backend.device};
    comparison.ms[static_cast<std::size_t>(map)] =
        run_map(config.fractal, request, &watch).single_write_milliseconds;
  }
  comparison.conditions = fmt::format(
      "Single write after a warm-up, on {}, all maps run by {}; built-in maps as code with tiles of {} "
      "points "
      "in x. Times below {} are too small to compare",
      on_gpu ? backend.device.name : std::string("one CPU thread"), on_gpu ? "NVRTC" : "the interpreter",
      config.tile_size, std::string_view(format_time(kMinComparedMs)));
  return comparison;
}

}  // namespace loom::app
