#include "app/workspaces/life/code/coverage_image.h"

#include <algorithm>
#include <cmath>

namespace loom::app {
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
template <typename MarkAt>
CoverageImage image_of(glm::ivec2 points, const CoverageColours& colours, int most, const MarkAt& mark_at) {
  const int largest = std::max(points.x, points.y);
  const int side = std::clamp(most / largest, 1, kLargestPoint);
  const int share = (largest + most - 1) / most;  // points per pixel
  CoverageImage image{.size = {},
                      .points = points,
                      .point_size = static_cast<float>(side) / static_cast<float>(share),
                      .pixels = {}};
  const glm::ivec2 cells = (points + glm::ivec2(share - 1)) / share;
  image.size = cells * side;
  image.pixels.assign(static_cast<std::size_t>(image.size.x) * static_cast<std::size_t>(image.size.y),
                      colours[static_cast<std::size_t>(CoverageMark::kEmpty)]);
  std::vector<CoverageMark> row(static_cast<std::size_t>(cells.x));
  for (int y = 0; y < cells.y; ++y) {
    std::fill(row.begin(), row.end(), CoverageMark::kEmpty);
    for (int inner = y * share; inner < std::min((y + 1) * share, points.y); ++inner) {
      for (int x = 0; x < points.x; ++x) {
        CoverageMark& worst = row[static_cast<std::size_t>(x / share)];
        worst = std::max(worst, mark_at(x, inner));
      }
    }
    for (int x = 0; x < cells.x; ++x)
      draw(image, {x * side, y * side}, side, row[static_cast<std::size_t>(x)], colours);
  }
  return image;
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
  const FractalConfig& config = attempt.request.config;
  const glm::ivec2 points{static_cast<int>(config.fractal.width(config.level)),
                          static_cast<int>(config.fractal.height(config.level))};
  return image_of(points, colours, most, [&](int x, int y) {
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
  return image_of(layout.size(), colours, most, [&](int x, int y) {
    const auto thread = layout.thread_at({x, y});
    return thread ? kMarks[static_cast<std::size_t>(attempt.map.threads[*thread])] : CoverageMark::kEmpty;
  });
}

CoverageImage mark_image(CoverageMark mark, int side, const CoverageColours& colours) {
  CoverageImage image{.size = {side, side}, .points = {1, 1}, .point_size = 1, .pixels = {}};
  image.pixels.assign(static_cast<std::size_t>(side * side), colours[0]);
  draw(image, {0, 0}, side, mark, colours);
  return image;
}

}  // namespace loom::app
