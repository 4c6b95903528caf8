#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/plot/figure.h"
#include "app/plot/series_table.h"

namespace loom::app::plot {

/// Whether there are too many lines for one look a method and block size: such a figure shows each method
/// with its best block size only, in a grid of panels.
bool is_crowded(const LineTable& table);

/// Puts lines into panels, gives them looks and says in the legend what the looks mean.
///
/// - Few methods: colours are block sizes and dashes methods. With more than three methods each map gets its
///   own panel.
/// - `best`, few methods: colours are methods, in one panel.
/// - `best`, many methods: a panel for each map and value of a factor; colours are the factor that has most
///   values, dashes the one that has fewest. The bounding box, which has no factors, is in every panel.
struct Arrangement {
  std::vector<Panel> panels;
  std::size_t columns = 1;  ///< panels in a row
  std::vector<LegendSection> legend;
};
/// `results` hold the entries of the lines. `blocks` says which block sizes the lines of a best table have.
Arrangement arrange(const LineTable& table, bool best, const bench::Results& results,
                    const std::string& blocks);

}  // namespace loom::app::plot
