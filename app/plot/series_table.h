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
  std::string variant;      ///< arithmetic, intra-block mapping and halo, as far as they vary
  std::uint32_t block = 0;  ///< 0 = every block size, or the best of them

  std::string method() const { return variant.empty() ? map : map + ", " + variant; }
  friend bool operator==(const LineKey&, const LineKey&) = default;
};

struct Line {
  LineKey key;
  std::map<int, double> values;  ///< by level
};

/// The lines of a figure, in the order of their maps (bounding box, lambda, compact), variants and block
/// sizes. A value measured in several repeats is their median. Lines of a method that hold the same values
/// whatever the block size are joined to one.
std::vector<Line> make_lines(const std::vector<const bench::Entry*>& entries, Kind kind, bool best);

}  // namespace loom::app::plot
