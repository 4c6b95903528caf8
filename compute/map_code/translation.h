#pragma once

#include <string>

#include "compute/map_code/tree.h"

namespace loom {

// The functions of a checked tree as text that is C as well as CUDA C++. Nothing of it was typed by a user: names
// are numbers, each operation is a statement of its own in the order of the language, arithmetic is unsigned where
// C leaves it undefined. What stands around defines, in this order of use:
//
//   LOOM_FUNCTION               qualifiers of a function
//   LOOM_STATE                  type of the parameter t of each function, a pointer
//   LOOM_STOP(fault, line)      records that the thread stops; it must not go on
//   LOOM_SPEND(cost, line)      stops the thread if it has spent its instructions
//   LOOM_ENTER(line), LOOM_LEAVE  around the body of a function that can call itself: bounds the depth
//   Cell, Launch, and loom_NAME for each of kBuiltins and kUniforms (loom_threadIdx_x, loom_level)
//
// With LOOM_UNCHECKED defined there are no checks of indices, divisions, budgets and depth.
std::string translated(const MapTree& tree);

/// The name of a function of the tree in the text.
std::string function_name(int function);

}  // namespace loom
