#pragma once

#include <glm/fwd.hpp>
#include <glm/vec3.hpp>

#include "app/explain/diagram/diagram.h"

namespace loom::app::plot {

// How diagrams look on paper, in every file format.

inline constexpr double kPageBorder = 1;      ///< around a diagram, in font sizes
inline constexpr double kBaseline = 1;        ///< from the top of a text to its baseline, in its font size
inline constexpr double kMinLineWidth = 0.4;  ///< in points

/// The colour on white.
glm::u8vec3 paper_colour(const diagram::Paint& paint);

}  // namespace loom::app::plot
