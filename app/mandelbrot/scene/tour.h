#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/mandelbrot/scene/complex_view.h"

namespace loom::app {

/// A place worth a visit.
struct TourStop {
  std::string name;
  std::string note;  ///< what there is to see; may be empty
  ComplexView view;
  Precision precision = Precision::kFloat;
  std::optional<std::uint32_t> dwell_limit;  ///< where 512 shows too little
};

/// Reads [[view]] tables: name, re, im, width; and, if wanted, note, precision ("float", "double"), dwell.
/// Throws InputError, "FILE:LINE: what is wrong; what is allowed".
std::vector<TourStop> parse_tour(std::string_view text, std::string_view file);

/// The tour of assets/tour.toml.
const std::vector<TourStop>& built_in_tour();

}  // namespace loom::app
