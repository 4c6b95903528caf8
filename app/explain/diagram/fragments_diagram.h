#pragma once

#include <glm/vec2.hpp>

#include "app/explain/diagram/diagram.h"
#include "app/explain/fragments.h"

namespace loom::app::diagram {

/// The purpose of the products, which decides which lane writes which element of B.
enum class FragmentTarget { kLambda, kNeighbours, kCells };

/// Draws the products one below another: A, B, C and D as 16 x 16 numbers, each coloured by the lane that
/// holds it, wrong ones in the warning colour; then the results. Hotspots name the element, its lane and its
/// register. The four matrices are in a row if `width` allows it, otherwise two by two. Returns the y below.
float draw_fragments(Diagram& diagram, glm::vec2 at, float width, const explain::Fragments& fragments,
                     FragmentTarget of);

}  // namespace loom::app::diagram
