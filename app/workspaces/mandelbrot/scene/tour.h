#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/workspaces/mandelbrot/scene/complex_view.h"

namespace loom::app {

/// A stop of the tour.
struct TourStop {
  std::string name;
  std::string note;  ///< description; may be empty
  ComplexView view;
  Precision precision = Precision::kFloat;
  std::optional<std::uint32_t> dwell_limit;  ///< set if kDefaultDwellLimit is not sufficient
};

/// Reads [[view]] tables: name, re, im, width, and optionally note, precision ("float", "double") and dwell.
/// Throws InputError "FILE:LINE: what is wrong; what is allowed".
std::vector<TourStop> parse_tour(std::string_view text, std::string_view file);

/// The tour of assets/tour.toml.
const std::vector<TourStop>& built_in_tour();

}  // namespace loom::app
