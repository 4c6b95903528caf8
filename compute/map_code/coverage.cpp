#include "compute/map_code/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "compute/core/error.h"

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
                     wrong.point.y, kWhat[static_cast<std::size_t>(wrong.kind)]);
}

std::vector<std::uint8_t> cells_of_square(const NbbShape& shape, int level) {
  std::size_t width = 1;
  std::size_t height = 1;
  for (int i = 0; i < level; ++i) {
    width *= shape.s_x;
    height *= shape.s_y;
  }
  std::vector<std::uint8_t> cells(width * height);
  cells[0] = 1;
  // The square of each level consists of copies of the previous one, which is in the corner of all.
  std::size_t copy_width = 1;
  std::size_t copy_height = 1;
  for (int i = 0; i < level; ++i) {
    for (std::uint32_t replica = 0; replica < shape.k; ++replica) {
      if (shape.offset_x[replica] == 0 && shape.offset_y[replica] == 0) continue;
      for (std::size_t y = 0; y < copy_height; ++y)
        std::copy_n(&cells[y * width], copy_width,
                    &cells[(shape.offset_y[replica] * copy_height + y) * width +
                           shape.offset_x[replica] * copy_width]);
    }
    if (shape.replica_at[0] < 0) {
      for (std::size_t y = 0; y < copy_height; ++y) std::fill_n(&cells[y * width], copy_width, 0);
    }
    copy_width *= shape.s_x;
    copy_height *= shape.s_y;
  }
  return cells;
}

CoverageCounter::CoverageCounter(const NbbFractal& fractal, int level, const MapLaunch& launch)
    : launch_(launch),
      width_(static_cast<std::int64_t>(fractal.width(level))),
      height_(static_cast<std::int64_t>(fractal.height(level))) {
  check_map_level(fractal, level);
  coverage_.cells = fractal.cells(level);
  coverage_.threads = launch.threads();
  coverage_.blocks = launch.blocks();
  cell_ = cells_of_square(fractal.shape(), level);
  hits_.resize(cell_.size());
  sector_request_.resize(hits_.size() / kSectorBytes + 1);
}

void CoverageCounter::add(std::span<const MapPoint> points, std::vector<ThreadState>* states) {
  const std::size_t of_block = launch_.threads_per_block();
  for (std::size_t i = 0; i + of_block <= points.size(); i += of_block)
    add_block(points.subspan(i, of_block), states);
}

ThreadState CoverageCounter::add_point(const MapPoint& point, std::uint64_t thread) {
  if (point.is_none()) {
    ++coverage_.none;
    return ThreadState::kNone;
  }
  const auto note = [&](WrongThread::Kind kind) {
    if (!wrong_) wrong_ = WrongThread{kind, thread_of(launch_, thread), point};
  };
  if (point.x < 0 || point.y < 0 || point.x >= width_ || point.y >= height_) {
    ++coverage_.outside;
    note(WrongThread::Kind::kOutside);
    return ThreadState::kOutside;
  }
  const auto place = static_cast<std::size_t>(point.y * width_ + point.x);
  std::uint8_t& hits = hits_[place];
  const bool is_first = hits == 0;
  hits = static_cast<std::uint8_t>(std::min(hits + 1, 255));
  if (cell_[place] == 0) {
    ++coverage_.on_holes;
    note(WrongThread::Kind::kHole);
    return ThreadState::kHole;
  }
  ++coverage_.active;
  // The active warps so far are the number of this request; a sector counts once in it.
  std::uint64_t& request = sector_request_[place / kSectorBytes];
  coverage_.sectors += request == coverage_.active_warps + 1 ? 0 : 1;
  request = coverage_.active_warps + 1;
  if (!is_first) note(WrongThread::Kind::kRepeated);
  return is_first ? ThreadState::kActive : ThreadState::kRepeated;
}

void CoverageCounter::add_block(std::span<const MapPoint> points, std::vector<ThreadState>* states) {
  bool any_in_block = false;
  for (std::size_t warp = 0; warp < points.size(); warp += kWarp) {
    const std::size_t lanes = std::min(kWarp, points.size() - warp);
    const std::uint64_t active_before = coverage_.active;
    for (const MapPoint& point : points.subspan(warp, lanes)) {
      const ThreadState state = add_point(point, threads_++);
      if (states != nullptr) states->push_back(state);
    }
    const std::uint64_t active = coverage_.active - active_before;
    ++coverage_.warps;
    if (active == 0) continue;
    any_in_block = true;
    ++coverage_.active_warps;
  }
  coverage_.empty_blocks += any_in_block ? 0 : 1;
}

void CoverageCounter::finish() {
  for (std::uint64_t i = 0; i < hits_.size(); ++i) {
    if (cell_[i] == 0) continue;
    coverage_.once += hits_[i] == 1 ? 1 : 0;
    coverage_.repeated += hits_[i] > 1 ? 1 : 0;
    if (hits_[i] != 0) continue;
    ++coverage_.missed;
    if (!missed_)
      missed_ = MapPoint{static_cast<std::int32_t>(static_cast<std::int64_t>(i) % width_),
                         static_cast<std::int32_t>(static_cast<std::int64_t>(i) / width_)};
  }
}

}  // namespace loom
