#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "app/bench/results.h"
#include "app/plot/figure.h"

namespace loom::app::plot {

/// Which line an entry belongs to, within one fractal, workload and backend.
struct LineKey {
  std::string map;
  std::vector<std::string> parts;  ///< by factor of the table; empty where the map does not have it
  std::uint32_t block = 0;         ///< 0 = every block size, or the best of them

  /// The parts that it has, "table, lookup".
  std::string variant() const;
  std::string method() const;
  friend bool operator==(const LineKey&, const LineKey&) = default;
};

/// A value and an entry that it is of (of several repeats, the one next to their median).
struct LineValue {
  double value = 0;
  const bench::MapEntry* entry = nullptr;
};

struct Line {
  LineKey key;
  std::map<int, LineValue> values;  ///< by level
};

/// The lines of a figure, in the order of their maps (bounding box, lambda, compact), parts and block sizes.
struct LineTable {
  std::vector<std::string> factors;  ///< what methods of a map differ in: "arithmetic", "intra-block", ...
  std::vector<Line> lines;
};

/// The map that speedups are ratios to.
inline constexpr const char* kBaseMap = "bounding-box";

/// A value measured in several repeats is their median. Lines of a method that hold the same values whatever
/// the block size are joined to one; `best` joins them to the best block size at each level.
LineTable make_lines(const std::vector<const bench::MapEntry*>& entries, Kind kind, bool best);

}  // namespace loom::app::plot
