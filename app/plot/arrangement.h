#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/plot/figure.h"
#include "app/plot/series_table.h"

namespace loom::app::plot {

/// Whether there are too many lines for one look per method and tile size. Such a plot shows each method only
/// with its best tile size, in a grid of panels.
bool is_crowded(const LineTable& table);

/// Lines arranged in panels, with their looks and the legend. Few methods: colours are tile sizes, dashes are
/// methods; above three methods, each map has its own panel. `best` with few methods: colours are methods, in
/// one panel. `best` with many methods: one panel per map and value of a factor; colours are the factor with
/// most values, dashes the one with fewest; the bounding box, which has no factors, is in every panel.
struct Arrangement {
  std::vector<Panel> panels;
  std::size_t columns = 1;  ///< panels per row
  std::vector<LegendSection> legend;
};
/// `results` contain the entries of the lines. `tile_sizes` describes the tile sizes of the lines of a best
/// table.
Arrangement arrange(const LineTable& table, bool best, const bench::Results& results,
                    const std::string& tile_sizes);

}  // namespace loom::app::plot
