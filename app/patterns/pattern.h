#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compute/core/coord.h"
#include "compute/engine/progress_monitor.h"
#include "compute/workload/game_of_life.h"

namespace loom::app::patterns {

/// Limits of reading, selecting and placing: number of living cells, extent, file size.
inline constexpr std::uint64_t kMostCells = std::uint64_t{1} << 21;
inline constexpr std::uint32_t kMostSide = std::uint32_t{1} << 30;
inline constexpr std::uint64_t kMaxBytes = std::uint64_t{16} << 20;

/// Living cells in a rectangle; x to the right, y down.
struct Pattern {
  std::uint32_t width = 0;          ///< at most kMostSide
  std::uint32_t height = 0;         ///< at most kMostSide
  std::vector<Coord32> cells = {};  ///< the living cells, row by row, each once; at most kMostCells
  std::string name = {};
  std::vector<std::string> comments = {};  ///< one entry per line
  std::optional<LifeRule> rule = {};
  std::optional<Coord<std::int64_t>> at = {};  ///< position of its upper left corner, if the file gives one
  friend bool operator==(const Pattern&, const Pattern&) = default;
};

// Work on many cells takes long; `watch` cancels it with OperationCancelled.

/// Sorts the cells row by row, each once.
void sort_cells(Pattern& pattern, const ProgressMonitor* watch = nullptr);

/// Rotated by 90°; clockwise as seen on the screen.
Pattern rotate_clockwise(const Pattern& pattern, const ProgressMonitor* watch = nullptr);
Pattern rotate_anticlockwise(const Pattern& pattern, const ProgressMonitor* watch = nullptr);
/// Mirrored: left and right exchanged, or top and bottom.
Pattern flip_left_right(const Pattern& pattern, const ProgressMonitor* watch = nullptr);
Pattern flip_top_bottom(const Pattern& pattern, const ProgressMonitor* watch = nullptr);

}  // namespace loom::app::patterns
