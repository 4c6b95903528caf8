#pragma once

#include <imgui.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "render/palette.h"

namespace loom::app {

/// A square table of values as colours: row and column names are powers of two from 2.
struct HeatMap {
  const char* title = "";
  const char* rows = "";                          ///< what the rows are
  const char* columns = "";                       ///< what the columns are
  std::span<const std::optional<double>> values;  ///< row by row, side x side
  std::size_t side = 8;
  double low = 0;                      ///< the value of the palette's first colour
  double high = 1;                     ///< and of its last
  std::optional<std::size_t> best;     ///< ringed in white
  std::optional<std::size_t> present;  ///< framed in the accent colour
};

/// Draws it `width` wide at the cursor; cells without a value are empty. `describe` says what a cell is, for
/// the tooltip. Returns the cell that was clicked.
std::optional<std::size_t> heat_map(const HeatMap& map, const render::Palette& palette, float width,
                                    const std::function<std::string(std::size_t)>& describe);

}  // namespace loom::app
