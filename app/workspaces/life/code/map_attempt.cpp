#include "app/workspaces/life/code/map_attempt.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "app/explain/colour_by.h"
#include "app/gui/theme.h"
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

/// Counts the points that `solution` reaches as cells, and the other ones as holes. `solution`: the threads
/// at each point; empty: those that the map itself reaches.
void count_part(MapResult& map, std::uint64_t width, const std::vector<std::uint8_t>& solution) {
  if (map.hits.empty()) return;
  MapCoverage& coverage = map.coverage;
  coverage.cells = coverage.once = coverage.repeated = coverage.missed = coverage.on_holes = 0;
  map.first_missed.reset();
  for (std::size_t i = 0; i < map.hits.size(); ++i) {
    const std::uint8_t hits = map.hits[i];
    const bool is_asked = solution.empty() ? map.cells[i] != 0 && hits > 0 : solution[i] > 0;
    map.cells[i] = is_asked ? 1 : 0;
    if (!is_asked) {
      coverage.on_holes += hits;
      continue;
    }
    ++coverage.cells;
    ++(hits == 0 ? coverage.missed : hits == 1 ? coverage.once : coverage.repeated);
    if (hits == 0 && !map.first_missed)
      map.first_missed = MapPoint{static_cast<std::int32_t>(i % width), static_cast<std::int32_t>(i / width)};
  }
  for (std::size_t i = 0; i < map.threads.size(); ++i) {
    ThreadState& state = map.threads[i];
    if (state == ThreadState::kNone || state == ThreadState::kOutside) continue;
    const MapPoint& point = map.points[i];
    const auto at = static_cast<std::size_t>(point.y) * width + static_cast<std::size_t>(point.x);
    if (map.cells[at] == 0) {
      state = ThreadState::kHole;
    } else if (state == ThreadState::kHole) {
      state = ThreadState::kActive;
    }
  }
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
  if (attempt.map.outcome != MapOutcome::kRan) return attempt;
  const bool may_run_solution = asked.exercise && !asked.exercise->solution.empty();
  attempt.is_part = asked.exercise && asked.exercise->requirements.cells == RequiredCells::kAsSolution;
  if (attempt.is_part) {
    std::vector<std::uint8_t> solution;
    if (may_run_solution)
      solution = run_map(config.fractal,
                         {.code = asked.exercise->solution,
                          .level = config.level,
                          .time_limit = kFeedbackLimit,
                          .keep_points = !attempt.map.hits.empty()},
                         &watch)
                     .hits;
    attempt.is_part_known = !solution.empty();
    count_part(attempt.map, config.fractal.width(config.level), solution);
  }
  if (!asked.runs) return attempt;
  if (attempt.map.single_write_milliseconds)
    attempt.comparison = measure_built_in_maps(config, asked.backend, watch);
  if (asked.exercise && !(attempt.is_part && !may_run_solution)) {
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

namespace {

/// Pixels of the largest point.
constexpr int kLargestPoint = 16;
/// Below, marks differ by colour alone.
constexpr int kSmallestPattern = 4;
/// Below, a frame of one pixel would be hard to see.
constexpr int kSmallestFrame = 8;
constexpr std::int64_t kMaxThreadsInImage = std::int64_t{1} << 20;

bool is_set(CoverageMark mark, int x, int y, int side) {
  const int last = side - 1;
  switch (mark) {
    case CoverageMark::kEmpty:
      return false;
    case CoverageMark::kOnce:
      return true;
    case CoverageMark::kRepeated:
      return (x + y) % 4 < 2;
    case CoverageMark::kMissed: {
      const int edge = std::max(1, side / 6);
      return x < edge || y < edge || x > last - edge || y > last - edge;
    }
    case CoverageMark::kOnHole: {
      const int wide = std::max(1, side / 8);
      return std::abs(x - y) < wide + 1 || std::abs(x + y - last) < wide + 1;
    }
    case CoverageMark::kOutside:
      return x >= side / 3 && x <= last - side / 3 && y >= side / 3 && y <= last - side / 3;
  }
  return false;
}

void draw(CoverageImage& image, glm::ivec2 corner, int side, CoverageMark mark,
          const CoverageColours& colours) {
  const std::uint32_t colour = colours[static_cast<std::size_t>(mark)];
  // A gap of a pixel between large points.
  const int filled = side >= kSmallestPattern ? side - 1 : side;
  const int smallest = mark == CoverageMark::kMissed ? kSmallestFrame : kSmallestPattern;
  for (int y = 0; y < filled; ++y) {
    for (int x = 0; x < filled; ++x) {
      if (side < smallest ? mark != CoverageMark::kEmpty : is_set(mark, x, y, filled))
        image.pixels[static_cast<std::size_t>((corner.y + y) * image.size.x + corner.x + x)] = colour;
    }
  }
}

// `mark_at(x, y)`: of a point.
// `value_at(x, y)`: of a point, from 0. Points that share a pixel show the highest of them.
// `paint(image, corner, side, value)` draws one that is not 0.
template <typename ValueAt, typename Paint>
CoverageImage image_of(glm::ivec2 points, std::uint32_t empty, int most, const ValueAt& value_at,
                       const Paint& paint) {
  const int largest = std::max(points.x, points.y);
  const int side = std::clamp(most / largest, 1, kLargestPoint);
  const int share = (largest + most - 1) / most;  // points per pixel
  CoverageImage image{.size = {},
                      .points = points,
                      .point_size = static_cast<float>(side) / static_cast<float>(share),
                      .pixels = {}};
  const glm::ivec2 cells = (points + glm::ivec2(share - 1)) / share;
  image.size = cells * side;
  image.pixels.assign(static_cast<std::size_t>(image.size.x) * static_cast<std::size_t>(image.size.y), empty);
  std::vector<std::uint8_t> row(static_cast<std::size_t>(cells.x));
  for (int y = 0; y < cells.y; ++y) {
    std::fill(row.begin(), row.end(), std::uint8_t{0});
    for (int inner = y * share; inner < std::min((y + 1) * share, points.y); ++inner) {
      for (int x = 0; x < points.x; ++x) {
        std::uint8_t& worst = row[static_cast<std::size_t>(x / share)];
        worst = std::max(worst, value_at(x, inner));
      }
    }
    for (int x = 0; x < cells.x; ++x) {
      if (const std::uint8_t value = row[static_cast<std::size_t>(x)]; value != 0)
        paint(image, glm::ivec2(x * side, y * side), side, value);
    }
  }
  return image;
}

template <typename MarkAt>
CoverageImage image_of_marks(glm::ivec2 points, const CoverageColours& colours, int most,
                             const MarkAt& mark_at) {
  return image_of(
      points, colours[static_cast<std::size_t>(CoverageMark::kEmpty)], most,
      [&](int x, int y) { return static_cast<std::uint8_t>(mark_at(x, y)); },
      [&](CoverageImage& image, glm::ivec2 corner, int side, std::uint8_t mark) {
        draw(image, corner, side, static_cast<CoverageMark>(mark), colours);
      });
}

/// From 1 for no idle lane to 255.
std::uint8_t idle_lanes_of(const MapAttempt& attempt, std::uint64_t thread) {
  const MapCounts& warp = attempt.map.warps[warp_of_thread(attempt.map.launch, thread)];
  return static_cast<std::uint8_t>(1 + std::lround((1 - warp.active_share()) * 254));
}

template <typename ValueAt>
CoverageImage image_of_shares(glm::ivec2 points, const CoverageColours& colours, int most,
                              const ValueAt& value_at) {
  return image_of(points, colours[static_cast<std::size_t>(CoverageMark::kEmpty)], most, value_at,
                  [](CoverageImage& image, glm::ivec2 corner, int side, std::uint8_t value) {
                    const std::uint32_t colour =
                        theme::packed(explain::ordered_colour(static_cast<float>(value - 1) / 254));
                    const int filled = side >= kSmallestPattern ? side - 1 : side;
                    for (int y = 0; y < filled; ++y) {
                      for (int x = 0; x < filled; ++x)
                        image.pixels[static_cast<std::size_t>((corner.y + y) * image.size.x + corner.x + x)] =
                            colour;
                    }
                  });
}

glm::ivec2 points_of_square(const MapAttempt& attempt) {
  const FractalConfig& config = attempt.request.config;
  return {static_cast<int>(config.fractal.width(config.level)),
          static_cast<int>(config.fractal.height(config.level))};
}

}  // namespace

LaunchLayout::LaunchLayout(const MapLaunch& launch) : launch_(launch) {
  const auto threads = static_cast<std::int64_t>(launch.threads());
  if (threads == 0 || threads > kMaxThreadsInImage) return;
  is_row_ = launch.grid_y == 1 && launch.block_y == 1;
  if (!is_row_) {
    size_ = {static_cast<int>(launch.grid_x * launch.block_x),
             static_cast<int>(launch.grid_y * launch.block_y)};
    return;
  }
  const auto root = static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(threads))));
  const std::int64_t blocks =
      std::clamp<std::int64_t>((root + launch.block_x / 2) / launch.block_x, 1, launch.grid_x);
  const std::int64_t width = blocks * launch.block_x;
  size_ = {static_cast<int>(width), static_cast<int>((threads + width - 1) / width)};
}

std::optional<std::uint64_t> LaunchLayout::thread_at(glm::ivec2 place) const {
  if (place.x < 0 || place.y < 0 || place.x >= size_.x || place.y >= size_.y) return std::nullopt;
  if (is_row_) {
    const auto thread = static_cast<std::uint64_t>(place.y) * static_cast<std::uint64_t>(size_.x) +
                        static_cast<std::uint64_t>(place.x);
    return thread < launch_.threads() ? std::optional(thread) : std::nullopt;
  }
  const std::int64_t block = place.y / launch_.block_y * launch_.grid_x + place.x / launch_.block_x;
  const std::int64_t in_block = place.y % launch_.block_y * launch_.block_x + place.x % launch_.block_x;
  return static_cast<std::uint64_t>(block) * launch_.threads_per_block() +
         static_cast<std::uint64_t>(in_block);
}

glm::ivec2 LaunchLayout::place_of(std::uint64_t thread) const {
  if (is_row_) {
    const auto width = static_cast<std::uint64_t>(size_.x);
    return {static_cast<int>(thread % width), static_cast<int>(thread / width)};
  }
  const MapThread one = thread_of(launch_, thread);
  return {static_cast<int>(one.block_x * launch_.block_x + one.thread_x),
          static_cast<int>(one.block_y * launch_.block_y + one.thread_y)};
}

CoverageImage square_image(const MapAttempt& attempt, const CoverageColours& colours, int most) {
  if (attempt.map.hits.empty()) return {};
  const glm::ivec2 points = points_of_square(attempt);
  return image_of_marks(points, colours, most, [&](int x, int y) {
    const auto place =
        static_cast<std::size_t>(y) * static_cast<std::size_t>(points.x) + static_cast<std::size_t>(x);
    const std::uint8_t hits = attempt.map.hits[place];
    if (attempt.map.cells[place] == 0) return hits == 0 ? CoverageMark::kEmpty : CoverageMark::kOnHole;
    return hits == 0 ? CoverageMark::kMissed : hits == 1 ? CoverageMark::kOnce : CoverageMark::kRepeated;
  });
}

CoverageImage launch_image(const MapAttempt& attempt, const LaunchLayout& layout,
                           const CoverageColours& colours, int most) {
  if (attempt.map.threads.empty() || layout.size().x == 0) return {};
  static constexpr std::array kMarks = {CoverageMark::kOnce, CoverageMark::kEmpty, CoverageMark::kOnHole,
                                        CoverageMark::kOutside, CoverageMark::kRepeated};
  return image_of_marks(layout.size(), colours, most, [&](int x, int y) {
    const auto thread = layout.thread_at({x, y});
    return thread ? kMarks[static_cast<std::size_t>(attempt.map.threads[*thread])] : CoverageMark::kEmpty;
  });
}

std::size_t warp_of_thread(const MapLaunch& launch, std::uint64_t thread) {
  const std::uint64_t in_block = launch.threads_per_block();
  constexpr std::uint64_t kLanes = 32;
  return static_cast<std::size_t>(thread / in_block * ((in_block + kLanes - 1) / kLanes) +
                                  thread % in_block / kLanes);
}

CoverageImage square_divergence_image(const MapAttempt& attempt, const CoverageColours& colours, int most) {
  if (attempt.map.hits.empty()) return {};
  const glm::ivec2 points = points_of_square(attempt);
  std::vector<std::uint8_t> values(attempt.map.hits.size());
  for (std::uint64_t thread = 0; thread < attempt.map.points.size(); ++thread) {
    const MapPoint& point = attempt.map.points[thread];
    if (point.is_none() || point.x < 0 || point.y < 0 || point.x >= points.x || point.y >= points.y) continue;
    std::uint8_t& value = values[static_cast<std::size_t>(point.y) * static_cast<std::size_t>(points.x) +
                                 static_cast<std::size_t>(point.x)];
    if (value == 0) value = idle_lanes_of(attempt, thread);
  }
  return image_of_shares(points, colours, most, [&](int x, int y) {
    return values[static_cast<std::size_t>(y) * static_cast<std::size_t>(points.x) +
                  static_cast<std::size_t>(x)];
  });
}

CoverageImage launch_divergence_image(const MapAttempt& attempt, const LaunchLayout& layout,
                                      const CoverageColours& colours, int most) {
  if (attempt.map.threads.empty() || layout.size().x == 0) return {};
  return image_of_shares(layout.size(), colours, most, [&](int x, int y) {
    const auto thread = layout.thread_at({x, y});
    return thread ? idle_lanes_of(attempt, *thread) : std::uint8_t{0};
  });
}

CoverageImage mark_image(CoverageMark mark, int side, const CoverageColours& colours) {
  CoverageImage image{.size = {side, side}, .points = {1, 1}, .point_size = 1, .pixels = {}};
  image.pixels.assign(static_cast<std::size_t>(side * side), colours[0]);
  draw(image, {0, 0}, side, mark, colours);
  return image;
}

}  // namespace loom::app
