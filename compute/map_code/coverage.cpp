#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "compute/core/error.h"
#include "compute/map_code/run.h"

namespace loom {
namespace {

constexpr std::size_t kWarp = 32;
constexpr std::uint64_t kSectorBytes = 32;

}  // namespace

std::string launch_problem(const MapLaunch& launch, std::uint64_t max_threads) {
  const std::string shape =
      fmt::format("launch() returned a grid of {} x {} thread blocks of {} x {} threads", launch.grid_x,
                  launch.grid_y, launch.block_x, launch.block_y);
  for (const std::int64_t side : {launch.grid_x, launch.grid_y, launch.block_x, launch.block_y}) {
    if (side < 1) return shape + "; allowed: at least 1 of each";
  }
  const auto block_limit = std::int64_t{kMaxMapBlock};
  if (launch.block_x > block_limit || launch.block_y > block_limit ||
      launch.block_x * launch.block_y > block_limit)
    return fmt::format("{}; allowed: up to {} threads per block", shape, kMaxMapBlock);
  const auto limit = static_cast<std::int64_t>(max_threads);
  const std::int64_t most = limit / (launch.block_x * launch.block_y);
  if (launch.grid_x > most || launch.grid_y > most || launch.grid_x > most / launch.grid_y)
    return fmt::format("{}; allowed: up to {} threads", shape, max_threads);
  if (launch.grid_x > kMaxMapGridX || launch.grid_y > kMaxMapGridY)
    return fmt::format("{}; allowed: a grid of up to {} x {}", shape, kMaxMapGridX, kMaxMapGridY);
  return {};
}

void check_map_level(const NbbFractal& fractal, int level, std::uint64_t max_points) {
  if (!fractal.is_uniform())
    throw InputError(fmt::format(
        "{} has generators by level or turned replicas; allowed for maps in code: fractals of one generator",
        fractal.name()));
  const std::uint64_t width = fractal.width(level);
  const std::uint64_t height = fractal.height(level);
  if (width > max_points || height > max_points / width)
    throw InputError(fmt::format("level {} of {} is a square of {} x {} points; allowed: up to {} points",
                                 level, fractal.name(), width, height, max_points));
}

MapThread thread_of(const MapLaunch& launch, std::uint64_t index) {
  const auto block = static_cast<std::int64_t>(index / launch.threads_per_block());
  const auto thread = static_cast<std::int64_t>(index % launch.threads_per_block());
  return {block % launch.grid_x, block / launch.grid_x, thread % launch.block_x, thread / launch.block_x};
}

std::string to_string(const WrongThread& wrong) {
  static constexpr std::array<const char*, 3> kWhat = {"a hole", "outside of the square",
                                                       "a cell that an earlier thread reached"};
  return fmt::format("thread ({}, {}) of block ({}, {}) returned ({}, {}), {}", wrong.thread.thread_x,
                     wrong.thread.thread_y, wrong.thread.block_x, wrong.thread.block_y, wrong.point.x,
                     wrong.point.y, item(kWhat, wrong.kind));
}

std::vector<std::uint8_t> cells_of_square(const NbbShape& shape, int level) {
  std::vector<std::uint8_t> cells = {1};
  std::size_t width = 1;
  std::size_t height = 1;
  // Each cell of a level becomes the cells of level 1.
  for (; level > 0; --level, width *= shape.s_x, height *= shape.s_y) {
    std::vector<std::uint8_t> finer(cells.size() * shape.s_x * shape.s_y);
    for (std::size_t y = 0; y < height; ++y) {
      for (std::size_t x = 0; x < width; ++x) {
        for (std::size_t replica = 0; cells[y * width + x] != 0 && replica < shape.k; ++replica)
          finer[(y * shape.s_y + shape.offset_y[replica]) * width * shape.s_x + x * shape.s_x +
                shape.offset_x[replica]] = 1;
      }
    }
    cells = std::move(finer);
  }
  return cells;
}

CoverageCounter::CoverageCounter(const NbbFractal& fractal, int level, const MapLaunch& launch,
                                 bool keep_states)
    : launch_(launch), keeps_states_(keep_states) {
  check_map_level(fractal, level);
  width_ = static_cast<std::uint32_t>(fractal.width(level));
  height_ = static_cast<std::uint32_t>(fractal.height(level));
  found_.coverage = {.cells = fractal.cells(level), .threads = launch.threads(), .blocks = launch.blocks()};
  found_.cells = cells_of_square(fractal.shape(), level);
  found_.hits.resize(found_.cells.size());
  sector_request_.resize(found_.hits.size() / kSectorBytes + 1);
  if (keep_states) found_.threads.reserve(launch.threads());
}

ThreadState CoverageCounter::add_point(const MapPoint& point) {
  MapCoverage& coverage = found_.coverage;
  if (point.is_none()) return ++coverage.none, ThreadState::kNone;
  const auto note = [&](WrongThread::Kind kind) {
    if (!found_.wrong) found_.wrong = WrongThread{kind, thread_of(launch_, threads_), point};
  };
  const auto x = static_cast<std::uint32_t>(point.x);
  const auto y = static_cast<std::uint32_t>(point.y);
  if (x >= width_ || y >= height_) {
    ++coverage.outside;
    note(WrongThread::Kind::kOutside);
    return ThreadState::kOutside;
  }
  const std::size_t place = std::size_t{y} * width_ + x;
  std::uint8_t& hits = found_.hits[place];
  const bool is_first = hits == 0;
  if (hits < 255) ++hits;
  if (found_.cells[place] == 0) {
    ++coverage.on_holes;
    note(WrongThread::Kind::kHole);
    return ThreadState::kHole;
  }
  ++coverage.active;
  // The active warps so far are the number of this request; a sector counts once in it.
  std::uint64_t& request = sector_request_[place / kSectorBytes];
  coverage.sectors += request == coverage.active_warps + 1 ? 0 : 1;
  request = coverage.active_warps + 1;
  if (!is_first) note(WrongThread::Kind::kRepeated);
  return is_first ? ThreadState::kActive : ThreadState::kRepeated;
}

void CoverageCounter::add(std::span<const MapPoint> points) {
  MapCoverage& coverage = found_.coverage;
  for (std::size_t block = 0; block < points.size(); block += launch_.threads_per_block()) {
    const std::uint64_t warps_before = coverage.active_warps;
    for (std::size_t warp = 0; warp < launch_.threads_per_block(); warp += kWarp) {
      const std::size_t lanes = std::min<std::size_t>(kWarp, launch_.threads_per_block() - warp);
      const std::uint64_t active_before = coverage.active;
      for (const MapPoint& point : points.subspan(block + warp, lanes)) {
        const ThreadState state = add_point(point);
        ++threads_;
        if (keeps_states_) found_.threads.push_back(state);
      }
      ++coverage.warps;
      coverage.active_warps += coverage.active != active_before ? 1 : 0;
    }
    coverage.empty_blocks += coverage.active_warps == warps_before ? 1 : 0;
  }
}

CoverageResult CoverageCounter::take() {
  MapCoverage& coverage = found_.coverage;
  for (std::uint64_t i = 0; i < found_.hits.size(); ++i) {
    if (found_.cells[i] == 0) continue;
    coverage.once += found_.hits[i] == 1 ? 1 : 0;
    coverage.repeated += found_.hits[i] > 1 ? 1 : 0;
    if (found_.hits[i] != 0) continue;
    ++coverage.missed;
    if (!found_.first_missed)
      found_.first_missed =
          MapPoint{static_cast<std::int32_t>(i % width_), static_cast<std::int32_t>(i / width_)};
  }
  return std::move(found_);
}

}  // namespace loom
