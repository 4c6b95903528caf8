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
  const char* rows = "";                          ///< meaning of the rows
  const char* columns = "";                       ///< meaning of the columns
  std::span<const std::optional<double>> values;  ///< row by row, side x side
  std::size_t side = 8;
  double low = 0;                      ///< the value of the palette's first colour
  double high = 1;                     ///< the value of its last colour
  std::optional<std::size_t> best;     ///< ringed in white
  std::optional<std::size_t> present;  ///< framed in the accent colour
};

/// Draws the map at the cursor with this width; cells without a value are empty. `describe` gives the tooltip
/// of a cell. Returns the clicked cell.
std::optional<std::size_t> heat_map(const HeatMap& map, const render::Palette& palette, float width,
                                    const std::function<std::string(std::size_t)>& describe);

}  // namespace loom::app
