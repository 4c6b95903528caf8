#pragma once

#include "app/sketch/sketch.h"
#include "app/teach/fragments.h"

namespace loom::app::sketch {

/// What the products find: it decides which lane writes what of B.
enum class FragmentsOf { kLambda, kNeighbours, kCells };

/// The products one below the other: A, B, C and D as 16 x 16 numbers, each tinted by the lane that holds it,
/// wrong ones in the warning's colour; then what comes out. Hot: the element, its lane and place in the
/// lane's/// registers. The four stand in a row where `width` has room for it, else two by two. Returns the y
/// below it.
float draw_fragments(Sketch& sketch, float x, float y, float width, const teach::Fragments& fragments,
                     FragmentsOf of);

}  // namespace loom::app::sketch
