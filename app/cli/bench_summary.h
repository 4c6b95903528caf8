#pragma once

#include <string>

#include "app/bench/results.h"

namespace loom::app {

/// The best block size of each method at each level as a table, with the ratio to the best bounding box of
/// the same fractal, level, workload and backend; of the Mandelbrot set, the best g, r and B of each method
/// and set of ideas for each image, with the ratio to the best exhaustive one.
std::string summary_table(const bench::Results& results);

}  // namespace loom::app
