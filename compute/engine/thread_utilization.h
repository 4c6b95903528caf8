#pragma once

#include <cstdint>

namespace loom {

/// Thread utilization: active over launched threads, from 0 to 1; 0 without threads.
constexpr double thread_utilization(std::uint64_t active, std::uint64_t launched) {
  return launched == 0 ? 0 : static_cast<double>(active) / static_cast<double>(launched);
}

/// Idle lanes: the fraction without a cell of `lanes`, which are all lanes of the warps of a launch, with
/// those that fill up the last warp of a thread block; 0 without lanes.
constexpr double idle_lane_fraction(std::uint64_t active, std::uint64_t lanes) {
  return lanes == 0 ? 0 : 1 - static_cast<double>(active) / static_cast<double>(lanes);
}

}  // namespace loom
