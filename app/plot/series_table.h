#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "app/bench/results.h"
#include "app/plot/figure.h"

namespace loom::app::plot {

/// The line that an entry belongs to, within one fractal, workload and backend.
struct LineKey {
  std::string map;
  std::vector<std::string> parts;  ///< one per factor of the table; empty if the map does not have it
  std::uint32_t tile_size = 0;     ///< 0: every tile size, or the best of them

  /// The non-empty parts: "table, lookup".
  std::string variant() const;
  std::string method() const;
  friend bool operator==(const LineKey&, const LineKey&) = default;
};

/// A value and its entry (of several repeats, the one nearest to their median).
struct LineValue {
  double value = 0;
  const bench::MapEntry* entry = nullptr;
};

struct Line {
  LineKey key;
  std::map<int, LineValue> values;  ///< by level
};

/// The lines of a plot, ordered by map (bounding box, lambda, compact), parts and tile size.
struct LineTable {
  /// Names of the parameters in which methods of a map differ: "arithmetic", "intra-block", ...
  std::vector<std::string> factors;
  std::vector<Line> lines;
};

/// The reference map of speedups.
inline constexpr const char* kBaseMap = "bounding-box";

/// Creates the lines; speedups are over `baseline`, if there is one: the same method, tile size and level
/// there. Repeats are represented by their median. Lines of a method with equal values for every tile size
/// are joined; `best` joins them to the best tile size at each level.
LineTable make_lines(const std::vector<const bench::MapEntry*>& entries, Quantity kind, bool best,
                     const std::vector<const bench::MapEntry*>* baseline = nullptr);

/// The measured entries of a selection. `with_base` adds every bounding box entry of the same tile sizes as
/// reference. If no workload is selected and there are several, life is used. Throws InputError, with what
/// exists, if nothing remains, or more than one fractal, workload or backend.
std::vector<const bench::MapEntry*> select(const bench::Results& results, const Selection& selection,
                                           bool with_base);

/// Throws InputError if the entries ran on different numbers of devices.
void check_devices(const std::vector<const bench::MapEntry*>& entries);

}  // namespace loom::app::plot
