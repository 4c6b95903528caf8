#pragma once

#include "app/sketch/sketch.h"
#include "app/teach/fragments.h"

namespace loom::app::sketch {

/// The purpose of the products, which decides which lane writes which element of B.
enum class FragmentsOf { kLambda, kNeighbours, kCells };

/// Draws the products one below another: A, B, C and D as 16 x 16 numbers, each coloured by the lane that
/// holds it, wrong ones in the warning colour; then the results. Hot spots: the element, its lane and its
/// register. The four matrices are in a row if `width` allows it, otherwise two by two. Returns the y below.
float draw_fragments(Sketch& sketch, float x, float y, float width, const teach::Fragments& fragments,
                     FragmentsOf of);

}  // namespace loom::app::sketch
