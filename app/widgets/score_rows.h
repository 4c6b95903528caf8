#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/vec4.hpp>
#include <optional>
#include <span>

#include "compute/engine/thread_count.h"

namespace loom::app {

/// What a scoreboard compares of a map.
struct MapScoreValues {
  glm::vec4 accent = {};
  std::optional<double> step_ms = {};
  bool is_live = false;  ///< the time varies with what else the window does
  std::optional<ThreadCount> threads = {};
  std::optional<std::uint64_t> bytes = {};
};
inline constexpr int kMapScoreRows = 3;

/// Draws time per generation, threads and memory of `all[own]` as bars, with one scale for all and ratios to
/// `box`, which may be null. A live time is rounded and names no winner. `time_meaning`: tooltip of the time.
void map_score_rows(std::span<const MapScoreValues> all, std::size_t own, const MapScoreValues* box,
                    const char* time_meaning);

}  // namespace loom::app
