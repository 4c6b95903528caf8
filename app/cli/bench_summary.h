#pragma once

#include <string>

#include "app/bench/results.h"

namespace loom::app {

/// A table with the best tile size of each method at each level, and the ratio to the best bounding box of
/// the same fractal, level, workload and backend; for Mandelbrot, the best g, r and B of each method and set
/// of optimizations per image, with the ratio to the best exhaustive time.
std::string summary_table(const bench::Results& results);

}  // namespace loom::app
