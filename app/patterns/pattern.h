#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compute/core/coord.h"
#include "compute/engine/watch.h"
#include "compute/workload/game_of_life.h"

namespace loom::app::patterns {

/// Limits of what is read, selected and placed at once: so many living cells, so far apart, in so large a
/// file.
inline constexpr std::uint64_t kMostCells = std::uint64_t{1} << 21;
inline constexpr std::uint32_t kMostSide = std::uint32_t{1} << 30;
inline constexpr std::uint64_t kMostBytes = std::uint64_t{16} << 20;

/// Living cells within a rectangle, as a file of patterns has them; x to the right, y down.
struct Pattern {
  std::uint32_t width = 0;          ///< at most kMostSide
  std::uint32_t height = 0;         ///< likewise
  std::vector<Coord32> cells = {};  ///< the living ones, row by row, each once; at most kMostCells
  std::string name = {};
  std::vector<std::string> comments = {};  ///< a line each
  std::optional<LifeRule> rule = {};
  std::optional<Coord<std::int64_t>> at = {};  ///< where its top left corner lies, if the file says so
  friend bool operator==(const Pattern&, const Pattern&) = default;
};

// Many cells take a while, which `watch` may end by Cancelled.

/// Sorts the cells row by row, each once.
void put_in_order(Pattern& pattern, const Watch* watch = nullptr);

/// Turned by a right angle; clockwise as it is seen.
Pattern turned_right(const Pattern& pattern, const Watch* watch = nullptr);
Pattern turned_left(const Pattern& pattern, const Watch* watch = nullptr);
/// Left and right exchanged; top and bottom.
Pattern mirrored(const Pattern& pattern, const Watch* watch = nullptr);
Pattern upside_down(const Pattern& pattern, const Watch* watch = nullptr);

}  // namespace loom::app::patterns
